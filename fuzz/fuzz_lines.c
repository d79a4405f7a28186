/* Any bytes as a list that --resume continues: a line of it is believed only where it stands in the seed as it is, or
 * where its check is right. The fuzzer sees the digits that the check is compared with, and forges it now and then. */
#include "fuzz/seeds.h"

#include "cli/lines.h"
#include "io/sha256.h"

#include <stdio.h>
#include <unistd.h>

/* A file of this process in the folder of temporary files. */
static const char *list_path(void) {
    static char path[4096];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/fuzz-lines-%ld.jsonl", folder && *folder ? folder : "/tmp", (long)getpid());
    return path;
}

static void write_list(const char *path, const uint8_t *data, size_t size) {
    FILE *stream = fopen(path, "wb");
    if (!stream || (size && fwrite(data, 1, size, stream) != size) || fclose(stream) != 0) abort();
}

static const char *seed_text(void) {
    static char text[1 << 16];
    if (text[0]) return text;
    FILE *stream = fopen(GRAZE_FUZZ_SEEDS "/lines/sequence.jsonl", "rb");
    if (!stream || fread(text, 1, sizeof text - 1, stream) == 0 || fclose(stream) != 0) abort();
    return text;
}

/* The check is the last member of the line: 16 digits of the hash of all that stands before its comma. */
static bool has_its_check(const char *text, size_t length) {
    static const char name[] = ",\"check\":\"";
    size_t tail = sizeof name - 1 + 16 + 2;
    if (length < tail) return false;
    io_sha256 hash;
    char digits[IO_SHA256_TEXT], expected[64];
    io_sha256_begin(&hash);
    io_sha256_bytes(&hash, text, length - tail);
    io_sha256_end(&hash, digits);
    snprintf(expected, sizeof expected, "%s%.16s\"}", name, digits);
    return memcmp(text + length - tail, expected, tail) == 0;
}

static void check_line(const cli_lines *lines, size_t i) {
    size_t start = i ? lines->ends[i - 1] + 1 : 0, length = lines->ends[i] - start;
    cJSON *line = cli_old_line(lines, i);
    if (!line) return;
    char *text = calloc(length + 1, 1);
    if (!text) abort();
    memcpy(text, lines->old + start, length);
    if (!strstr(seed_text(), text) && !has_its_check(text, length)) abort();
    if (cli_line_has_input(line, "0123456789abcdef")) abort();
    free(text);
    cJSON_Delete(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = list_path();
    write_list(path, data, size);
    cli_lines lines = cli_open_lines("--out", path, true, false);
    remove(path);
    for (size_t i = 0; i < lines.count; i++) check_line(&lines, i);
    free(lines.old);
    free(lines.ends);
    return 0;
}
