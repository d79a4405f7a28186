#include "cli/demo/page.h"

#include "app/folders.h"
#include "app/outputs.h"
#include "cli/demo/picture.h"
#include "cli/plain_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- 1: a bullet and a wall ---- */

/* As demo/demo.sh writes it: the bullet flies from x = -4 to x = 4, the wall stands at 0 from y = -1 to 1. */
static double bullet_x(double t) { return 320 + 70 * (8 * t - 4); }

static void put_bullet(FILE *out, const char *folder) {
    cJSON *step = cli_demo_json(folder, "bullet.json");
    double toi = cli_demo_number(step, "toi");
    cJSON_Delete(step);
    fputs("<h2>1. A bullet and a wall</h2>\n", out);
    if (!(toi >= 0 && toi <= 1)) return;
    fprintf(out,
            "<p>Before the step and after it nothing touches, which is checked exactly. A test of these two snapshots "
            "says nothing. graze looks at all of the time between: <strong class=\"bad\">they touch first at t = "
            "%.9g</strong>, decided in exact arithmetic.</p>\n",
            toi);
    fprintf(out,
            "<figure class=\"drawing\"><svg viewBox=\"0 0 640 150\" role=\"img\" aria-label=\"a bullet in front of a "
            "wall, at the wall and behind it\"><path class=\"way\" d=\"M%.1f 75L%.1f 75\"/><path class=\"wall\" "
            "d=\"M320 10L320 140\"/>",
            bullet_x(0), bullet_x(1));
    for (int end = 0; end < 2; end++) {
        double x = bullet_x(end);
        fprintf(out,
                "<circle class=\"ghost\" cx=\"%.1f\" cy=\"75\" r=\"10\"/><text x=\"%.1f\" y=\"108\" "
                "text-anchor=\"middle\">t = %d</text>",
                x, x, end);
    }
    fprintf(out,
            "<circle class=\"now\" cx=\"%.1f\" cy=\"75\" r=\"10\"/><text x=\"%.1f\" y=\"108\" "
            "text-anchor=\"end\">t = %.4f</text></svg></figure>\n",
            bullet_x(toi), bullet_x(toi) - 6, toi);
}

/* ---- 2: the same cloth, dropped twice ---- */

static void put_drop(FILE *out, const char *folder, const char *run, const char *method) {
    char *name = app_text("cloth-%s-last.json", run), *last = app_text("%s/cloth-%s/last.ply", folder, run);
    cJSON *json = cli_demo_json(folder, name);
    const cJSON *files = cJSON_GetObjectItemCaseSensitive(json, "files");
    double count = cli_demo_number(cJSON_GetArrayItem(files, 0), "intersections");
    if (!(count >= 0)) app_fail("%s/%s: it does not say how many intersections there are", folder, name);
    cli_picture picture = {.frame_a = last,
                           .frame_b = last,
                           .front = true,
                           .crossing = true,
                           .says = count > 0 ? "a cloth with thorns through it; intersecting faces are marked"
                                             : "a cloth that lies on thorns and touches none"};
    fputs("<figure>", out);
    if (access(last, F_OK) == 0) cli_draw_picture(out, &picture);
    fprintf(out,
            "<figcaption><code>%s</code>: <strong class=\"%s\">%.0f intersection%s</strong>%s</figcaption></figure>\n",
            method, count > 0 ? "bad" : "good", count, app_plural((uint64_t)count),
            count > 0 ? " (red)" : ", checked exactly");
    cJSON_Delete(json);
    free(last);
    free(name);
}

static void put_cloth(FILE *out, const char *folder) {
    cJSON *ours = cli_demo_json(folder, "cloth-ours-last.json");
    fputs("<h2>2. The same cloth, dropped twice</h2>\n", out);
    if (!ours) {
        fputs("<p>Not shown: the simulator needs SuiteSparse (Debian: <code>libsuitesparse-dev</code>).</p>\n", out);
        return;
    }
    fputs("<p>A cloth falls onto thorns that stand in its plane. The whole motion stays in that plane, so the cubic "
          "whose roots most solvers look for is zero at all times. Only the collision detection differs between the "
          "two runs.</p>\n<div class=\"pair\">\n",
          out);
    put_drop(out, folder, "missed", "fprf");
    put_drop(out, folder, "ours", "certified");
    fputs("</div>\n", out);
    cJSON_Delete(ours);
    char *page = app_text("%s/cloth-ours.html", folder);
    if (access(page, F_OK) == 0)
        fputs("<p>In motion: <a href=\"cloth-missed.html\">with fprf</a>, <a href=\"cloth-ours.html\">with "
              "certified</a>.</p>\n",
              out);
    free(page);
}

/* ---- 3: an edge of a robot's plan ---- */

/* As demo/demo.sh writes it: an arm of two links, the elbow bent by 0.4, the shoulder from -0.7 to 0.5. */
static void put_arm(FILE *out, const char *class, double shoulder) {
    double x = cos(shoulder), y = sin(shoulder), far_x = x + 0.9 * cos(shoulder + 0.4);
    double far_y = y + 0.9 * sin(shoulder + 0.4);
    fprintf(out, "<path class=\"%s\" d=\"M40 190L%.1f %.1fL%.1f %.1f\"/>", class, 40 + 240 * x, 190 - 240 * y,
            40 + 240 * far_x, 190 - 240 * far_y);
}

static void put_robot(FILE *out, const char *folder) {
    enum { SAMPLES = 8 };
    cJSON *edge = cli_demo_json(folder, "robot.json");
    double toi = cli_demo_number(edge, "toi");
    cJSON_Delete(edge);
    fputs("<h2>3. A robot's edge that sampling calls free</h2>\n", out);
    if (!(toi >= 0 && toi <= 1)) return;
    fprintf(
        out,
        "<p>An arm swings from one pose to another past a thin plate. %d poses along the way are checked, and all are "
        "free. The way is not: <strong class=\"bad\">it is proven free until t = %.9g, and then the arm "
        "touches the plate</strong>.</p>\n",
        SAMPLES, toi);
    fputs("<figure class=\"drawing\"><svg viewBox=\"0 -120 520 560\" role=\"img\" aria-label=\"poses of an arm on both "
          "sides of a plate, and the one in which it touches\">",
          out);
    for (int k = 0; k < SAMPLES; k++) put_arm(out, "arm", -0.7 + 1.2 * k / (SAMPLES - 1));
    put_arm(out, "stopped", -0.7 + 1.2 * toi);
    fprintf(out, "<path class=\"wall\" d=\"M%.1f %.1fL%.1f %.1f\"/></svg></figure>\n", 40 + 240 * (1.568 - 0.1433),
            190 - 240 * (0.0775 - 0.0443), 40 + 240 * (1.568 + 0.1433), 190 - 240 * (0.0775 + 0.0443));
}

/* ---- 4: the table ---- */

static void put_score(FILE *out, const cli_demo_score *s) {
    if (!s->known) {
        fputs("<td class=\"first\">–</td><td>–</td><td>–</td>", out);
        return;
    }
    fprintf(out, "<td class=\"first %s\">%.0f</td><td>%.0f</td><td>%.*f%s</td>",
            s->false_negatives > 0 ? "bad" : "good", s->false_negatives, s->false_positives, s->mean_us < 10 ? 2 : 0,
            s->mean_us, s->limited ? "*" : "");
}

static void put_sets(FILE *out, const cli_demo_row *rows, size_t count, const char *step) {
    const cli_demo_score *scene = NULL, *hand = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!scene && rows[i].scene.known) scene = &rows[i].scene;
        if (!hand && rows[i].hand.known) hand = &rows[i].hand;
    }
    if (scene && hand)
        fprintf(out,
                "<p class=\"soft\">%.0f pairs of %s (%.0f touch) and %.0f handcrafted degenerate queries "
                "(%.0f touch). Mean microseconds of a query on one thread.</p>\n",
                scene->queries, step, scene->truth, hand->queries, hand->truth);
}

static void put_table(FILE *out, const cli_demo_row *rows, size_t count, bool three) {
    put_sets(out, rows, count, three ? "the step below" : "the demo's step");
    bool starred = false;
    fputs("<div class=\"scroll\"><table>\n<tr><th></th><th colspan=\"3\">cloth on ball</th><th colspan=\"3\">"
          "handcrafted</th><th></th></tr>\n<tr><th>method</th><th class=\"first\">missed</th><th>alarms</th><th>µs</th>"
          "<th class=\"first\">missed</th><th>alarms</th><th>µs</th><th class=\"left\">promises</th></tr>\n",
          out);
    for (size_t i = 0; i < count; i++) {
        if (three && !cli_demo_is_one_of_three(&rows[i])) continue;
        fprintf(out, "<tr><td><code>%s</code></td>", rows[i].info->name);
        put_score(out, &rows[i].scene);
        put_score(out, &rows[i].hand);
        starred |= rows[i].scene.limited || rows[i].hand.limited;
        fprintf(out, "<td class=\"left\">%s</td></tr>\n", cli_demo_promise(&rows[i]));
    }
    fputs("</table></div>\n<p class=\"soft\">Missed: contacts that the method did not see. Alarms: hits without a "
          "contact; "
          "an unresolved query counts as one.</p>\n",
          out);
    if (starred)
        fprintf(
            out,
            "<p class=\"soft\">* with at most %d checks a query: without this limit the method does not finish in the "
            "time of the demo.</p>\n",
            CLI_DEMO_LIMITED_CHECKS);
}

static cli_picture picture_of(const cJSON *step, const cJSON *pairs, const char *frame_a, const char *frame_b) {
    double toi = cli_demo_number(step, "toi");
    return (cli_picture){.frame_a = frame_a,
                         .frame_b = frame_b,
                         .t = toi >= 0 && toi <= 1 ? toi : 0,
                         .pairs = pairs,
                         .limiting = cJSON_GetObjectItemCaseSensitive(step, "pair"),
                         .says =
                             "a sheet over a ball at the time of first contact: a dot for each pair that touches in "
                             "the step, a ring for the first"};
}

static void put_step(FILE *out, const char *folder, const char *frame_a, const char *frame_b) {
    cJSON *step = cli_demo_json(folder, "step.json"), *pairs = cli_demo_json(folder, "pairs.json");
    if (!step) app_fail("%s/step.json: not there, or not JSON", folder);
    cli_picture picture = picture_of(step, pairs, frame_a, frame_b);
    fputs("<figure>", out);
    cli_draw_picture(out, &picture);
    fprintf(
        out,
        "<figcaption>The step: a sheet sinks onto a ball, and nothing intersects at its start. At t = %.9g the first "
        "of %.0f pairs touches (ring); dots: pairs that touch later in the step. All of it took %.2f ms.</figcaption>"
        "</figure>\n",
        cli_demo_number(step, "toi"), cli_demo_number(step, "hits.vf") + cli_demo_number(step, "hits.ee"),
        cli_demo_number(step, "time_ms.total"));
    cJSON_Delete(step);
    cJSON_Delete(pairs);
}

/* ---- the pages ---- */

static void write_methods(const char *folder, const cli_demo_row *rows, size_t count) {
    char *path = app_text("%s/methods.html", folder);
    io_output file;
    app_open_output("demo", path, false, &file);
    cli_styled_page_open(file.stream, "graze: every method", cli_demo_style, cli_demo_style_hash);
    fputs("<p><a href=\"index.html\">The demo</a></p>\n<h1>Every method against exact truth</h1>\n", file.stream);
    put_table(file.stream, rows, count, false);
    cli_plain_page_close(file.stream);
    app_close_output(&file);
    free(path);
}

void cli_demo_write_pages(const char *folder, const char *frame_a, const char *frame_b, const cli_demo_row *rows,
                          size_t count) {
    write_methods(folder, rows, count);
    char *path = app_text("%s/index.html", folder);
    io_output file;
    app_open_output("demo", path, false, &file);
    FILE *out = file.stream;
    cli_styled_page_open(out, "graze: a demo", cli_demo_style, cli_demo_style_hash);
    fprintf(out,
            "<h1>What snapshots do not see</h1>\n<p class=\"soft\">Four things, computed on this machine by graze %s "
            "(%s).</p>\n",
            graze_version(), graze_isa_name(graze_isa_in_use()));
    put_bullet(out, folder);
    put_cloth(out, folder);
    put_robot(out, folder);
    fputs("<h2>4. Methods against exact truth</h2>\n", out);
    put_table(out, rows, count, true);
    fprintf(out, "<p><a href=\"methods.html\">All %zu methods</a></p>\n", count);
    put_step(out, folder, frame_a, frame_b);
    fputs("<h2>Do it yourself</h2>\n<pre>build/graze scene cloth-ball --out scene\nbuild/graze step "
          "scene/frames/cloth-ball_0.ply scene/frames/cloth-ball_1.ply\nbuild/graze handcraft --out hand\nbuild/graze "
          "query hand --method ti\nbuild/graze truth hand --out truth.jsonl</pre>\n",
          out);
    cli_plain_page_close(out);
    app_close_output(&file);
    free(path);
}

/* Its colors are plain, so that every viewer knows them. */
void cli_demo_write_picture(const char *folder, const char *frame_a, const char *frame_b) {
    cJSON *step = cli_demo_json(folder, "step.json"), *pairs = cli_demo_json(folder, "pairs.json");
    char colors[2000];
    size_t used = 0;
    for (int shade = 0; shade < 8; shade++)
        used += (size_t)snprintf(colors + used, sizeof colors - used,
                                 ".a%d{fill:#%02x%02x%02x;stroke:#23496f}.b%d{fill:#%02x%02x%02x;stroke:#77705f}\n",
                                 shade, 40 + 14 * shade, 85 + 15 * shade, 140 + 13 * shade, shade, 120 + 14 * shade,
                                 115 + 14 * shade, 100 + 14 * shade);
    snprintf(colors + used, sizeof colors - used,
             "path{stroke-width:.35}.dot{fill:#d1242f}.ring{fill:none;stroke:#d1242f;stroke-width:2}\n");
    char *path = app_text("%s/picture.svg", folder);
    io_output file;
    app_open_output("demo", path, false, &file);
    cli_picture picture = picture_of(step, pairs, frame_a, frame_b);
    picture.style = colors;
    cli_draw_picture(file.stream, &picture);
    app_close_output(&file);
    free(path);
    cJSON_Delete(step);
    cJSON_Delete(pairs);
}
