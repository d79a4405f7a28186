#include "cli/view/page.h"

#include "web/viewer.h"

#include <stdlib.h>
#include <string.h>

static const char place[] = "<!--graze-data-->";

const char cli_no_viewer[] = "the viewer is not in this program: build it where npm and emscripten are (./dev web)";

bool cli_has_viewer(void) { return web_viewer[0] != '\0'; }

void cli_page_open(cli_page *page, FILE *out, const char *kind, const char *title) {
    *page = (cli_page){.out = out, .data = cJSON_CreateObject()};
    const char *mark = strstr(web_viewer, place);
    if (!mark) app_fail("%s", cli_no_viewer);
    fwrite(web_viewer, 1, (size_t)(mark - web_viewer), out);
    page->rest = mark + strlen(place);
    cJSON_AddStringToObject(page->data, "kind", kind);
    cJSON_AddItemToObject(page->data, "title", app_json_text(title));
}

static void write_base64(FILE *out, const unsigned char *bytes, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t left = (uint32_t)(size - i), word = (uint32_t)bytes[i] << 16;
        if (left > 1) word |= (uint32_t)bytes[i + 1] << 8;
        if (left > 2) word |= bytes[i + 2];
        putc(digits[word >> 18], out);
        putc(digits[word >> 12 & 63], out);
        putc(left > 1 ? digits[word >> 6 & 63] : '=', out);
        putc(left > 2 ? digits[word & 63] : '=', out);
    }
}

cJSON *cli_page_array(cli_page *page, const void *bytes, size_t size) {
    FILE *out = page->out;
    fprintf(out, "<script type=\"text/plain\" id=\"graze-bytes-%u\">", (unsigned)page->arrays);
    write_base64(out, bytes, size);
    fputs("</script>\n", out);
    cJSON *reference = cJSON_CreateObject();
    cJSON_AddNumberToObject(reference, "bytes", page->arrays++);
    return reference;
}

/* JSON inside of a script element: only strings have a '<', and there it may be escaped. */
static void write_json(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '<')
            fputs("\\u003c", out);
        else
            putc(*text, out);
    }
}

void cli_page_close(cli_page *page) {
    FILE *out = page->out;
    char *text = cJSON_PrintUnformatted(page->data);
    if (!text) app_fail("out of memory");
    fputs("<script type=\"application/json\" id=\"graze-data\">", out);
    write_json(out, text);
    fputs("</script>\n", out);
    fputs(page->rest, out);
    cJSON_free(text);
    cJSON_Delete(page->data);
}
