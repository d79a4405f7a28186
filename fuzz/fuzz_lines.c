/* Any bytes as a list that --resume continues: a line of it is believed only where it stands in the seed as it is. */
#include "fuzz/seeds.h"

#include "cli/lines.h"

#include <stdio.h>

#define LIST "mutated.jsonl"

static void write_list(const uint8_t *data, size_t size) {
    FILE *stream = fopen(LIST, "wb");
    if (!stream || (size && fwrite(data, 1, size, stream) != size) || fclose(stream) != 0) abort();
}

static const char *seed_text(void) {
    static char text[1 << 16];
    if (text[0]) return text;
    FILE *stream = fopen(GRAZE_FUZZ_SEEDS "/lines/sequence.jsonl", "rb");
    if (!stream || fread(text, 1, sizeof text - 1, stream) == 0 || fclose(stream) != 0) abort();
    return text;
}

static void check_line(const cli_lines *lines, size_t i) {
    size_t start = i ? lines->ends[i - 1] + 1 : 0, length = lines->ends[i] - start;
    cJSON *line = cli_old_line(lines, i);
    if (!line) return;
    char *text = calloc(length + 1, 1);
    if (!text) abort();
    memcpy(text, lines->old + start, length);
    if (!strstr(seed_text(), text)) abort();
    if (cli_line_has_input(line, "0123456789abcdef")) abort();
    free(text);
    cJSON_Delete(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    write_list(data, size);
    cli_lines lines = cli_open_lines("--out", LIST, true, false);
    for (size_t i = 0; i < lines.count; i++) check_line(&lines, i);
    free(lines.old);
    free(lines.ends);
    return 0;
}
