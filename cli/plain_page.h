/* Pages of programs without the viewer: a style, no script, and a policy that allows nothing else. */
#ifndef GRAZE_CLI_PLAIN_PAGE_H
#define GRAZE_CLI_PLAIN_PAGE_H

#include <stdio.h>

/* Everything up to the first element of the body. */
void cli_plain_page_open(FILE *out, const char *title);
/* As cli_plain_page_open, with another style and its hash. */
void cli_styled_page_open(FILE *out, const char *title, const char *style, const char *hash);
void cli_plain_page_close(FILE *out);

/* Text, or the value of a quoted attribute, whatever it holds. */
void cli_put_html(FILE *out, const char *text);

/* Made by the build of plain_page.css. */
extern const char cli_plain_style[], cli_plain_style_hash[];

#endif
