/* The pages of `./dev demo`: DIR/index.html with four parts, and DIR/methods.html with every method. */
#ifndef GRAZE_CLI_DEMO_PAGE_H
#define GRAZE_CLI_DEMO_PAGE_H

#include "cli/demo/scores.h"

/* From the answers in the folder; what is not there is left out, and the page says so. */
void cli_demo_write_pages(const char *folder, const char *frame_a, const char *frame_b, const cli_demo_row *rows,
                          size_t count);
/* DIR/picture.svg: the step as a file of its own. */
void cli_demo_write_picture(const char *folder, const char *frame_a, const char *frame_b);

/* Made by the build of page.css. */
extern const char cli_demo_style[], cli_demo_style_hash[];

#endif
