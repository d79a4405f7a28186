/* graze demo: the table and the page of `./dev demo`, from what demo/demo.sh has collected in a folder:
 * step.json, pairs.json, make.json and for each method scene-METHOD.json and hand-METHOD.json. */
#include "app/app.h"
#include "app/folders.h"
#include "app/outputs.h"
#include "cli/commands.h"
#include "cli/demo_picture.h"

#include "io/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct set_score {
    bool known, limited; /* limited: the run was repeated with few checks, because it took too long without */
    double queries, truth, false_positives, false_negatives, unresolved, mean_us, max_us;
} set_score;

enum { LIMITED_CHECKS = 4096 }; /* as in demo/demo.sh */

typedef struct row {
    const graze_method_info *info;
    set_score scene, hand;
} row;

/* NULL where the file is not there or not whole: a run that was cut off. */
static cJSON *read_json(const char *folder, const char *name) {
    char *path = app_text("%s/%s", folder, name), *bytes = NULL;
    size_t size = 0;
    io_error error;
    cJSON *json = NULL;
    if (access(path, F_OK) == 0 && io_read_file(path, &bytes, &size, &error)) json = cJSON_ParseWithLength(bytes, size);
    free(bytes);
    free(path);
    return json;
}

/* "time_us.mean" */
static double number(const cJSON *object, const char *path) {
    char name[64];
    while (object && *path) {
        size_t length = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        object = cJSON_GetObjectItemCaseSensitive(object, name);
        path += length + (path[length] == '.');
    }
    return cJSON_IsNumber(object) ? object->valuedouble : NAN;
}

static set_score read_score(const char *folder, const char *set, const char *method) {
    char *name = app_text("%s-%s.json", set, method);
    cJSON *json = read_json(folder, name);
    const cJSON *total = cJSON_GetObjectItemCaseSensitive(json, "total");
    set_score s = {.known = total != NULL,
                   .queries = number(total, "queries"),
                   .truth = number(total, "truth"),
                   .false_positives = number(total, "false_positives"),
                   .false_negatives = number(total, "false_negatives"),
                   .unresolved = number(total, "unresolved"),
                   .mean_us = number(total, "time_us.mean"),
                   .max_us = number(total, "time_us.max")};
    cJSON_Delete(json);
    char *mark = app_text("%s/%s-%s.limited", folder, set, method);
    s.limited = access(mark, F_OK) == 0;
    free(mark);
    free(name);
    return s;
}

static const char *promise_of(const graze_method_info *info) {
    return info->exact ? "no miss, no false alarm" : info->conservative ? "no miss" : "nothing";
}

/* ---- text ---- */

static void print_score(const set_score *s) {
    if (s->known)
        printf(" %6.0f %6.0f %10.2f%c", s->false_negatives, s->false_positives, s->mean_us, s->limited ? '*' : ' ');
    else
        printf(" %6s %6s %10s ", "-", "-", "-");
}

static void print_table(const row *rows, size_t count) {
    printf("\n%-10s %25s %25s\n%-10s %6s %6s %10s  %6s %6s %10s   %s\n", "", "cloth on ball", "handcrafted", "method",
           "missed", "alarms", "us", "missed", "alarms", "us", "promises");
    for (size_t i = 0; i < count; i++) {
        printf("%-10s", rows[i].info->name);
        print_score(&rows[i].scene);
        print_score(&rows[i].hand);
        printf("  %s\n", promise_of(rows[i].info));
    }
    printf(
        "\nmissed: contacts that it did not see; alarms: without a contact; us: mean microseconds of a query on one\n"
        "thread; *: with at most %d checks a query, without that limit it does not finish here\n\n",
        LIMITED_CHECKS);
}

/* ---- page ---- */

static const char style[] =
    ":root{--page:#fdfdfb;--ink:#1d2329;--soft:#5b6670;--line:#dcdfe2;--bad:#b3261e;--good:#1b6e3c;--dot:#d1242f;"
    "--h:212;--s:58%;--base:38%;--step:5.4%}\n"
    "@media(prefers-color-scheme:dark){:root{--page:#14181c;--ink:#e4e8eb;--soft:#98a3ad;--line:#2d343b;--bad:#ff8a80;"
    "--good:#7bd6a0;--dot:#ff5c66;--base:22%;--step:5%}}\n"
    "*{box-sizing:border-box}body{margin:0 auto;padding:1.2rem;max-width:60rem;background:var(--page);color:var(--ink);"
    "font:16px/1.5 system-ui,sans-serif}\n"
    "h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.15rem;margin:2rem 0 .4rem}p{margin:.4rem 0}\n"
    ".soft{color:var(--soft)}.scroll{overflow-x:auto}code{font:.9em ui-monospace,monospace}\n"
    "pre{overflow-x:auto;border:1px solid var(--line);padding:.6rem;font:.82rem/1.5 ui-monospace,monospace}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem}\n"
    "th,td{padding:.28rem 0 .28rem .7rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}\n"
    "th{font-weight:600;color:var(--soft)}th:first-child,td:first-child,.left{text-align:left}\n"
    ".first{padding-left:1.4rem}td.left,th.left{padding-left:1.4rem}td:first-child,th:first-child{padding-left:0;"
    "position:sticky;left:0;background:var(--page)}\n"
    ".bad{color:var(--bad);font-weight:600}.good{color:var(--good)}\n"
    "svg{width:100%;height:auto;display:block}svg path{stroke-width:.35}.dot{fill:var(--dot)}\n"
    ".ring{fill:none;stroke:var(--dot);stroke-width:2}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:.4rem 0}dt{color:var(--soft)}"
    "dd{margin:0}\n";

/* The shades of the two pieces of the mesh. */
static void put_shades(FILE *out) {
    for (int shade = 0; shade < 8; shade++) {
        fprintf(out,
                ".a%d{fill:hsl(var(--h) var(--s) calc(var(--base) + %d*var(--step)));stroke:hsl(var(--h) var(--s) "
                "calc(var(--base) + %d*var(--step) - 7%%))}\n",
                shade, shade, shade);
        fprintf(out,
                ".b%d{fill:hsl(36 12%% calc(var(--base) + %d*var(--step)));stroke:hsl(36 12%% calc(var(--base) + "
                "%d*var(--step) - 7%%))}\n",
                shade, shade, shade);
    }
}

static void put_style(FILE *out) {
    fprintf(out, "<style>\n%s", style);
    put_shades(out);
    fputs("</style>\n", out);
}

static void put_score(FILE *out, const set_score *s) {
    if (!s->known) {
        fputs("<td class=\"first\">–</td><td>–</td><td>–</td>", out);
        return;
    }
    fprintf(out, "<td class=\"first %s\">%.0f</td><td>%.0f</td><td>%.*f%s</td>",
            s->false_negatives > 0 ? "bad" : "good", s->false_negatives, s->false_positives, s->mean_us < 10 ? 2 : 0,
            s->mean_us, s->limited ? "*" : "");
}

static void put_table(FILE *out, const row *rows, size_t count) {
    const set_score *scene = NULL, *hand = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!scene && rows[i].scene.known) scene = &rows[i].scene;
        if (!hand && rows[i].hand.known) hand = &rows[i].hand;
    }
    fputs("<h2>Every method against exact truth</h2>\n", out);
    if (scene && hand)
        fprintf(out,
                "<p class=\"soft\">%.0f pairs of the step above (%.0f touch) and %.0f handcrafted degenerate queries "
                "(%.0f touch). Mean microseconds of a query on one thread.</p>\n",
                scene->queries, scene->truth, hand->queries, hand->truth);
    fputs(
        "<div class=\"scroll\"><table>\n<tr><th></th><th colspan=\"3\">cloth on ball</th><th colspan=\"3\">handcrafted"
        "</th><th></th></tr>\n<tr><th>method</th><th class=\"first\">missed</th><th>alarms</th><th>µs</th><th "
        "class=\"first\">missed</th><th>alarms</th><th>µs</th><th class=\"left\">promises</th></tr>\n",
        out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "<tr><td><code>%s</code></td>", rows[i].info->name);
        put_score(out, &rows[i].scene);
        put_score(out, &rows[i].hand);
        fprintf(out, "<td class=\"left\">%s</td></tr>\n", promise_of(rows[i].info));
    }
    fprintf(
        out,
        "</table></div>\n<p class=\"soft\">Missed: contacts that it did not see. Alarms: reported without a contact; "
        "an unresolved query counts as one. * with at most %d checks a query: without that limit it does not finish "
        "in the time of this demo.</p>\n",
        LIMITED_CHECKS);
}

static void put_step(FILE *out, const cJSON *step) {
    const cJSON *verdict = cJSON_GetObjectItemCaseSensitive(step, "verdict");
    const cJSON *method = cJSON_GetObjectItemCaseSensitive(step, "method");
    const cJSON *pair = cJSON_GetObjectItemCaseSensitive(step, "pair");
    const cJSON *kind = cJSON_GetObjectItemCaseSensitive(pair, "kind");
    fputs("<dl>\n", out);
    fprintf(out, "<dt>verdict</dt><dd>%s</dd>\n", cJSON_IsString(verdict) ? verdict->valuestring : "?");
    fprintf(out, "<dt>first contact</dt><dd>not before t = %.9g of the step</dd>\n", number(step, "toi"));
    if (cJSON_IsString(kind))
        fprintf(out, "<dt>limiting pair</dt><dd>%s %.0f and %.0f</dd>\n",
                strcmp(kind->valuestring, "vf") == 0 ? "vertex and face" : "edges", number(pair, "a"),
                number(pair, "b"));
    fprintf(out, "<dt>candidates</dt><dd>%.0f vertex–face, %.0f edge–edge</dd>\n", number(step, "candidates.vf"),
            number(step, "candidates.ee"));
    fprintf(out, "<dt>touching</dt><dd>%.0f vertex–face, %.0f edge–edge</dd>\n", number(step, "hits.vf"),
            number(step, "hits.ee"));
    fprintf(out, "<dt>time</dt><dd>%.2f ms, %.0f threads, method <code>%s</code></dd>\n", number(step, "time_ms.total"),
            number(step, "threads"), cJSON_IsString(method) ? method->valuestring : "?");
    fputs("</dl>\n", out);
}

static void write_page(const char *folder, const char *frame_a, const char *frame_b, const row *rows, size_t count) {
    cJSON *step = read_json(folder, "step.json"), *pairs = read_json(folder, "pairs.json");
    if (!step) app_fail("%s/step.json: not there, or not JSON", folder);
    char *path = app_text("%s/index.html", folder);
    io_output file;
    app_open_output("demo", path, false, &file);
    FILE *out = file.stream;
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
          "content=\"width=device-width,initial-scale=1\">\n<title>graze: a cloth on a ball</title>\n",
          out);
    put_style(out);
    fputs("</head>\n<body>\n<h1>A cloth on a ball</h1>\n", out);
    fprintf(out,
            "<p class=\"soft\">One step of a generated scene, checked by graze %s (%s): does anything touch on the way "
            "from one frame to the next, and when first?</p>\n",
            graze_version(), graze_isa_name(graze_isa_in_use()));
    double toi = number(step, "toi");
    cli_demo_picture(out, frame_a, frame_b, toi >= 0 && toi <= 1 ? toi : 0, pairs,
                     cJSON_GetObjectItemCaseSensitive(step, "pair"), NULL);
    fputs("<p class=\"soft\">At the time of first contact. Dots: pairs that touch in this step; ring: the first.</p>\n",
          out);
    put_step(out, step);
    put_table(out, rows, count);
    fputs("<h2>Do it yourself</h2>\n<pre>build/graze scene cloth-ball --out scene\nbuild/graze step "
          "scene/frames/cloth-ball_7.ply scene/frames/cloth-ball_8.ply\nbuild/graze dataset scene --make\nbuild/graze "
          "handcraft --out hand\nbuild/graze query hand --method ti\nbuild/graze truth hand --out truth.jsonl</pre>\n"
          "</body>\n</html>\n",
          out);
    app_close_output(&file);
    free(path);
    cJSON_Delete(step);
    cJSON_Delete(pairs);
}

/* The picture alone, for a page elsewhere: colours are plain, so that every viewer knows them. */
static void write_picture(const char *folder, const char *frame_a, const char *frame_b) {
    cJSON *step = read_json(folder, "step.json"), *pairs = read_json(folder, "pairs.json");
    char colours[2000];
    size_t used = 0;
    for (int shade = 0; shade < 8; shade++)
        used += (size_t)snprintf(colours + used, sizeof colours - used,
                                 ".a%d{fill:#%02x%02x%02x;stroke:#23496f}.b%d{fill:#%02x%02x%02x;stroke:#77705f}\n",
                                 shade, 40 + 14 * shade, 85 + 15 * shade, 140 + 13 * shade, shade, 120 + 14 * shade,
                                 115 + 14 * shade, 100 + 14 * shade);
    snprintf(colours + used, sizeof colours - used,
             "path{stroke-width:.35}.dot{fill:#d1242f}.ring{fill:none;stroke:#d1242f;stroke-width:2}\n");
    char *path = app_text("%s/picture.svg", folder);
    io_output file;
    app_open_output("demo", path, false, &file);
    double toi = number(step, "toi");
    cli_demo_picture(file.stream, frame_a, frame_b, toi >= 0 && toi <= 1 ? toi : 0, pairs,
                     cJSON_GetObjectItemCaseSensitive(step, "pair"), colours);
    app_close_output(&file);
    free(path);
    cJSON_Delete(step);
    cJSON_Delete(pairs);
}

int cmd_demo(int argc, char **argv) {
    const app_option options[] = {{0}};
    const app_usage usage = {
        "demo", "DIR FRAME FRAME",
        "Prints the table and writes DIR/index.html from the results that demo/demo.sh has put into "
        "DIR.",
        options, NULL};
    const char **operands = app_allocate((size_t)argc, sizeof *operands);
    if (app_parse(&usage, argc, argv, operands) != 3) app_fail("demo: give the folder of results and two frames");
    size_t count = 1;
    while (graze_method_get((graze_method)count)) count++;
    row *rows = app_allocate(count, sizeof *rows);
    count = 0;
    for (int i = 1; graze_method_get((graze_method)i); i++) {
        const graze_method_info *info = graze_method_get((graze_method)i);
        if (!info->available) continue;
        rows[count++] =
            (row){info, read_score(operands[0], "scene", info->name), read_score(operands[0], "hand", info->name)};
    }
    write_page(operands[0], operands[1], operands[2], rows, count);
    write_picture(operands[0], operands[1], operands[2]);
    print_table(rows, count);
    free(rows);
    free(operands);
    return APP_OK;
}
