#include "cli/plain_page.h"

static const char *escaped(char character) {
    switch (character) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

void cli_put_html(FILE *out, const char *text) {
    for (; *text; text++) {
        const char *instead = escaped(*text);
        if (instead)
            fputs(instead, out);
        else
            putc(*text, out);
    }
}

void cli_styled_page_open(FILE *out, const char *title, const char *style, const char *hash) {
    fprintf(out,
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta "
            "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '%s'; base-uri 'none'; "
            "form-action 'none'\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>",
            hash);
    cli_put_html(out, title);
    fprintf(out, "</title>\n<style>%s</style></head><body>\n", style);
}

void cli_plain_page_open(FILE *out, const char *title) {
    cli_styled_page_open(out, title, cli_plain_style, cli_plain_style_hash);
}

void cli_plain_page_close(FILE *out) { fputs("</body></html>\n", out); }
