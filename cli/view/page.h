/* One self-contained page: the viewer of web/, and data that is put into it. web/src/viewer/data.ts reads the format.
 */
#ifndef GRAZE_CLI_VIEW_PAGE_H
#define GRAZE_CLI_VIEW_PAGE_H

#include "app/app.h"

#include <stdio.h>

/* True if this program has the viewer inside: it needs npm and emscripten when it is built. */
bool cli_has_viewer(void);
/* Message for a user of a program without it. */
extern const char cli_no_viewer[];

typedef struct cli_page {
    FILE *out;
    const char *rest; /* of the viewer, after the place of the data */
    uint32_t arrays;
    cJSON *data;
} cli_page;

/* Writes into an output that is open. `kind` says how the viewer reads `data`: "motion", "queries" or "models". */
void cli_page_open(cli_page *page, FILE *out, const char *kind, const char *title);
/* Puts an array into the page; what it returns stands for it in `data`. */
cJSON *cli_page_array(cli_page *page, const void *bytes, size_t size);
void cli_page_close(cli_page *page);

#endif
