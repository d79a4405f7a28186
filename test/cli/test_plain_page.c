/* Pages without the viewer: whatever a name or a line of an earlier run holds stays text, and a policy allows one
 * style. */
#include "check.h"

#include "cli/plain_page.h"
#include "cli/sequence_report.h"

static const char nasty[] = "<img src=x onerror=\"alert(1)\"> & '</td><script>alert(2)</script>";

static char page[20000];

static void read_page(FILE *file) {
    rewind(file);
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
}

/* A step as --resume reads it: every text of it is the given one. */
static cJSON *resumed_step(double number, const char *text) {
    cJSON *step = cJSON_CreateObject(), *pair = cJSON_AddObjectToObject(step, "pair");
    cJSON_AddNumberToObject(step, "step", number);
    cJSON_AddNumberToObject(step, "next", number + 1);
    cJSON_AddStringToObject(step, "verdict", text);
    cJSON_AddNumberToObject(step, "toi", 0.5);
    cJSON_AddStringToObject(pair, "kind", text);
    return step;
}

static void write_page_of(const char *text) {
    FILE *file = tmpfile();
    cJSON *steps = cJSON_CreateArray();
    app_step_settings settings = APP_STEP_DEFAULTS;
    for (int i = 0; i < 3; i++) cJSON_AddItemToArray(steps, resumed_step(i, text));
    settings.narrow_options = graze_default_options();
    settings.narrow_options.method = GRAZE_METHOD_CERTIFIED;
    cli_sequence_page(file, &settings, text, steps, 3);
    cJSON_Delete(steps);
    read_page(file);
}

static size_t count_of(const char *what) {
    size_t count = 0;
    for (const char *at = page; (at = strstr(at, what)); at++) count++;
    return count;
}

TEST(no_text_of_a_resumed_line_is_markup) {
    write_page_of("hit");
    size_t elements = count_of("<"), quotes = count_of("\"");
    CHECK(elements > 30 && strstr(page, "class=\"hit\">hit</td>"));
    write_page_of(nasty);
    CHECK(count_of("<") == elements && count_of("\"") == quotes);
    CHECK(!strstr(page, "<img") && !strstr(page, "<script") &&
          strstr(page, "&lt;img src=x onerror=&quot;alert(1)&quot;&gt;"));
}

TEST(a_policy_allows_the_style_of_the_page_alone) {
    FILE *file = tmpfile();
    cli_plain_page_open(file, nasty);
    cli_plain_page_close(file);
    read_page(file);
    char style[4000];
    snprintf(style, sizeof style, "<style>%s</style>", cli_plain_style);
    CHECK(strstr(page, style) && count_of("<style>") == 1 && !strstr(page, "style=") && !strstr(page, "<script"));
    snprintf(style, sizeof style, "content=\"default-src 'none'; style-src '%s';", cli_plain_style_hash);
    CHECK(strstr(page, style) && strstr(page, style) < strstr(page, "<style>"));
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
