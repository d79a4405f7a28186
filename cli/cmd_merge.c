/* graze merge: the list of one run from the shards of a farm, byte for byte; or what is wrong with them. */
#include "app/folders.h"
#include "cli/commands.h"
#include "cli/shard.h"

#include "io/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Content of a shard's first line. */
typedef struct part {
    char *path;
    char *run;           /* what all shards of a run have in common, as JSON */
    char *begins, *ends; /* hashes of what neighbors share; NULL: nothing */
    uint64_t index, count, items;
} part;

typedef struct parts {
    part *list;
    size_t count;
} parts;

/* ---- lines ---- */

/* The lines of one file, one behind the other. */
typedef struct reader {
    const char *path;
    FILE *stream;
    char *line; /* with its newline */
    size_t room, length, number;
} reader;

static reader open_reader(const char *path) {
    reader in = {.path = path, .stream = fopen(path, "rb")};
    if (!in.stream) app_fail("merge: %s: cannot read: %s", path, strerror(errno));
    return in;
}

/* The next line; false at the end. */
static bool read_line(reader *in) {
    ssize_t got = getline(&in->line, &in->room, in->stream);
    if (got < 0 && ferror(in->stream)) app_fail("merge: %s: cannot read: %s", in->path, strerror(errno));
    in->length = got < 0 ? 0 : (size_t)got;
    in->number++;
    return got >= 0;
}

static void close_reader(reader *in) {
    free(in->line);
    fclose(in->stream);
}

static bool ends_with_newline(const reader *in) { return in->length && in->line[in->length - 1] == '\n'; }

/* The object of a line that is as it was written and says that it is `what`; NULL otherwise. */
static cJSON *object_of(const reader *in, const char *what) {
    if (!ends_with_newline(in) || !cli_line_is_whole(in->line, in->length - 1)) return NULL;
    cJSON *object = cJSON_ParseWithLength(in->line, in->length);
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(object, "graze");
    if (cJSON_IsString(name) && strcmp(name->valuestring, what) == 0) return object;
    cJSON_Delete(object);
    return NULL;
}

static uint64_t count_of(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble < 0x1p53 ? (uint64_t)item->valuedouble
                                                                                        : UINT64_MAX;
}

/* ---- first lines ---- */

/* Takes a text out of the object. Free it. */
static char *take_text(cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    char *text = cJSON_IsString(item) ? app_text("%s", item->valuestring) : NULL;
    cJSON_DeleteItemFromObjectCaseSensitive(object, name);
    return text;
}

static bool read_first(reader *in, part *p) {
    cJSON *first = read_line(in) ? object_of(in, "shard") : NULL;
    if (!first) return false;
    p->index = count_of(first, "shard");
    p->count = count_of(first, "of");
    p->items = count_of(first, "items");
    cJSON_DeleteItemFromObjectCaseSensitive(first, "shard");
    cJSON_DeleteItemFromObjectCaseSensitive(first, "check");
    p->begins = take_text(first, "begins");
    p->ends = take_text(first, "ends");
    p->run = cJSON_PrintUnformatted(first);
    if (!p->run) app_fail("out of memory");
    cJSON_Delete(first);
    return p->index >= 1 && p->index <= p->count && p->count <= CLI_MOST_SHARDS;
}

static void add_part(parts *all, const char *path) {
    size_t length = strlen(path), ending = strlen(".graze-part");
    if (length > ending && strcmp(path + length - ending, ".graze-part") == 0)
        app_fail("merge: %.*s: is not finished; its command with --resume goes on with it", (int)(length - ending),
                 path);
    part p = {.path = app_text("%s", path)};
    reader in = open_reader(path);
    if (!read_first(&in, &p)) {
        if (in.length == 0 || !ends_with_newline(&in)) app_fail("merge: %s:1: cut off", path);
        app_fail("merge: %s:1: not the first line of a shard, or changed", path);
    }
    close_reader(&in);
    io_note_input(path);
    all->list = realloc(all->list, (all->count + 1) * sizeof *all->list);
    if (!all->list) app_fail("out of memory");
    all->list[all->count++] = p;
}

/* Files of a folder whose names begin as a shard's; logs and others may lie beside them. */
static void add_folder(parts *all, const char *folder) {
    io_paths paths = {0};
    io_error error;
    size_t before = all->count, length;
    if (!io_list_folder(folder, NULL, false, &paths, &error)) app_fail("merge: %s", error.message);
    for (size_t i = 0; i < paths.count; i++)
        if (strncmp(io_base_name(paths.paths[i], &length), "shard-", 6) == 0) add_part(all, paths.paths[i]);
    if (all->count == before) app_fail("merge: %s: no shards in it (shard-I-of-N.jsonl)", folder);
    io_free_paths(&paths);
}

/* ---- whether they belong together ---- */

/* The run that most of them are of, where there is one: a candidate is outvoted by as many others. */
static const part *of_most(const parts *all) {
    const part *most = NULL;
    size_t votes = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (votes == 0) most = &all->list[i];
        votes = strcmp(most->run, all->list[i].run) == 0 ? votes + 1 : votes - 1;
    }
    return most;
}

/* Says in what the run of `other` is not that of `most`. */
static _Noreturn void fail_foreign(const part *other, const part *most) {
    static const struct {
        const char *name, *words;
    } fields[] = {{"version", "another version"},       {"command", "another command"},
                  {"of", "another number of shards"},   {"options", "other options"},
                  {"items", "another number of items"}, {"inputs", "other inputs"}};
    cJSON *a = cJSON_Parse(other->run), *b = cJSON_Parse(most->run);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const cJSON *here = cJSON_GetObjectItemCaseSensitive(a, fields[i].name),
                    *there = cJSON_GetObjectItemCaseSensitive(b, fields[i].name);
        if (cJSON_Compare(here, there, 1)) continue;
        char *x = cJSON_PrintUnformatted(here), *y = cJSON_PrintUnformatted(there);
        app_fail("merge: %s: of another run than %s: %s (%s, there %s)", other->path, most->path, fields[i].words,
                 x ? x : "none", y ? y : "none");
    }
    app_fail("merge: %s: of another run than %s", other->path, most->path);
}

static int by_index(const void *a, const void *b) {
    const part *x = a, *y = b;
    return x->index != y->index ? (x->index > y->index) - (x->index < y->index) : strcmp(x->path, y->path);
}

/* An input that two neighbors read must have been the same file for both. */
static void check_neighbors(const part *before, const part *behind) {
    if (before->ends && behind->begins && strcmp(before->ends, behind->begins) != 0)
        app_fail("merge: %s: of other inputs than %s: the frame between them was changed", behind->path, before->path);
}

/* Puts them in order; each must be there once. */
static void check_run(parts *all) {
    const part *most = of_most(all);
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->list[i].run, most->run) != 0) fail_foreign(&all->list[i], most);
    qsort(all->list, all->count, sizeof *all->list, by_index);
    for (size_t i = 1; i < all->count; i++)
        if (all->list[i].index == all->list[i - 1].index)
            app_fail("merge: %s: shard %llu of %llu is there twice, also as %s", all->list[i].path,
                     (unsigned long long)all->list[i].index, (unsigned long long)all->list[i].count,
                     all->list[i - 1].path);
    for (size_t i = 0; i < all->list[0].count; i++)
        if (i >= all->count || all->list[i].index != i + 1)
            app_fail("merge: shard %zu of %llu is missing beside %s", i + 1, (unsigned long long)all->list[0].count,
                     all->list[0].path);
    for (size_t i = 1; i < all->count; i++) check_neighbors(&all->list[i - 1], &all->list[i]);
}

/* ---- copying ---- */

/* The hash of the last line did not fit: some line was changed, or taken away. */
static _Noreturn void fail_changed(const part *p) {
    reader in = open_reader(p->path);
    while (read_line(&in))
        if (!ends_with_newline(&in) || !cli_line_is_whole(in.line, in.length - 1))
            app_fail("merge: %s:%zu: changed", p->path, in.number);
    app_fail("merge: %s: changed: lines were taken away, added or put in another order", p->path);
}

/* True if the line that was read last ends the shard, with this many lines before it. */
static void check_end(const reader *in, const part *p, io_sha256 *hash, uint64_t lines) {
    char digits[IO_SHA256_TEXT];
    cJSON *end = object_of(in, "end of shard");
    if (!end) {
        bool whole = ends_with_newline(in) && cli_line_is_whole(in->line, in->length - 1);
        app_fail("merge: %s:%zu: cut off or changed: %s", p->path, in->number,
                 whole ? "a shard's last line is missing" : "not the last line of a shard");
    }
    io_sha256_end(hash, digits);
    const cJSON *wanted = cJSON_GetObjectItemCaseSensitive(end, "hash");
    if (!cJSON_IsString(wanted) || strcmp(wanted->valuestring, digits) != 0 || count_of(end, "lines") != lines)
        fail_changed(p);
    cJSON_Delete(end);
}

/* Copies its lines but the first and the last; returns how many. */
static uint64_t copy_part(const part *p, FILE *to) {
    reader in = open_reader(p->path), next = in;
    next.line = NULL;
    next.room = 0;
    io_sha256 hash;
    io_sha256_begin(&hash);
    uint64_t lines = 0;
    read_line(&in);
    for (bool first = true; next.number = in.number, read_line(&next); first = false) {
        io_sha256_bytes(&hash, in.line, in.length);
        if (!first) fwrite(in.line, 1, in.length, to);
        lines += !first;
        reader swapped = in;
        in = next;
        next = swapped;
    }
    check_end(&in, p, &hash, lines);
    free(next.line);
    close_reader(&in);
    return lines;
}

/* Copies all; returns how many items have no line, of which the first are those of *lacking. */
static uint64_t copy_all(const parts *all, FILE *to, const part **lacking) {
    uint64_t missing = 0;
    for (size_t i = 0; i < all->count; i++) {
        const part *p = &all->list[i];
        cli_shard shard = {.path = p->path, .index = p->index, .count = p->count};
        cli_shard_deal(&shard, (size_t)p->items);
        uint64_t lines = copy_part(p, to), wanted = shard.end - shard.first;
        if (lines > wanted) fail_changed(p);
        if (lines < wanted && !*lacking) *lacking = p;
        missing += wanted - lines;
    }
    return missing;
}

/* ---- the command ---- */

static void free_parts(parts *all) {
    for (size_t i = 0; i < all->count; i++) {
        free(all->list[i].path);
        free(all->list[i].begins);
        free(all->list[i].ends);
        cJSON_free(all->list[i].run);
    }
    free(all->list);
}

int cmd_merge(int argc, char **argv) {
    const char *out = NULL;
    const app_option options[] = {
        {"--out", APP_TEXT, &out, "FILE.jsonl", "the list that one run would have written"},
        {0},
    };
    const app_usage usage = {
        "merge", "DIR… --out FILE.jsonl",
        "Joins the shards that `graze COMMAND … --shard I/N --shard-out DIR` wrote, where COMMAND is query, truth,\n"
        "sequence, articulate or dataset. The list is byte for byte that of one run with --no-times and --out FILE\n"
        "(--lines FILE of articulate and dataset). If a shard is missing, doubled, incomplete or changed, or has "
        "other\n"
        "inputs, options or another version, nothing is written, a line names it, and the exit status is 2. If a "
        "shard\n"
        "could not do some of its items, the list lacks them, as in one run, and the exit status is 2.",
        options,
        "example: for i in 1 2 3 4; do graze truth queries/ --shard $i/4 --shard-out parts; done\n"
        "         graze merge parts --out truth.jsonl"};
    const char **operands = app_allocate((size_t)argc, sizeof *operands);
    int count = app_parse(&usage, argc, argv, operands);
    if (count == 0) app_fail("merge: no shards: `graze merge DIR… --out FILE`");
    if (!out) app_fail("merge: where to? `graze merge DIR… --out FILE`");
    parts all = {0};
    for (int i = 0; i < count; i++) add_folder(&all, operands[i]);
    check_run(&all);
    io_output list;
    const part *lacking = NULL;
    app_open_output("--out", out, false, &list);
    uint64_t missing = copy_all(&all, list.stream, &lacking);
    app_close_output(&list);
    if (missing)
        app_fail("merge: %llu item%s could not be done, the first of them in %s", (unsigned long long)missing,
                 app_plural(missing), lacking->path);
    free_parts(&all);
    free(operands);
    return APP_OK;
}
