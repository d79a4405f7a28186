/* graze demo: the table and the pages of `./dev demo`, from what demo/demo.sh has collected in a folder. */
#include "app/app.h"
#include "cli/commands.h"
#include "cli/demo/page.h"

#include <stdio.h>
#include <stdlib.h>

static void print_score(const cli_demo_score *s) {
    if (s->known)
        printf(" %6.0f %6.0f %8.2f%c", s->false_negatives, s->false_positives, s->mean_us, s->limited ? '*' : ' ');
    else
        printf(" %6s %6s %8s ", "-", "-", "-");
}

static void print_three(const cli_demo_row *rows, size_t count) {
    bool starred = false;
    printf("   %-10s %23s  %23s\n   %-10s %6s %6s %8s  %6s %6s %8s   %s\n", "", "cloth on ball", "handcrafted",
           "method", "missed", "alarms", "us", "missed", "alarms", "us", "promises");
    for (size_t i = 0; i < count; i++) {
        if (!cli_demo_is_one_of_three(&rows[i])) continue;
        printf("   %-10s", rows[i].info->name);
        print_score(&rows[i].scene);
        print_score(&rows[i].hand);
        printf("  %s\n", cli_demo_promise(&rows[i]));
        starred |= rows[i].scene.limited || rows[i].hand.limited;
    }
    if (starred) printf("   * with at most %d checks a query\n", CLI_DEMO_LIMITED_CHECKS);
}

int cmd_demo(int argc, char **argv) {
    const app_option options[] = {{0}};
    const app_usage usage = {
        "demo", "DIR FRAME FRAME",
        "Prints three rows of the table and writes DIR/index.html and DIR/methods.html from the results that "
        "demo/demo.sh has put into DIR.",
        options, NULL};
    const char **operands = app_allocate((size_t)argc, sizeof *operands);
    if (app_parse(&usage, argc, argv, operands) != 3) app_fail("demo: give the folder of results and two frames");
    cli_demo_row *rows;
    size_t count = cli_demo_read_rows(operands[0], &rows);
    cli_demo_write_pages(operands[0], operands[1], operands[2], rows, count);
    cli_demo_write_picture(operands[0], operands[1], operands[2]);
    print_three(rows, count);
    free(rows);
    free(operands);
    return APP_OK;
}
