/* Certificates from outside: query and step write them, verify reads them, and tells apart what is proven, what is not,
   and what is no certificate. */
#include "program.h"

#include "io/file.h"
#include "io/query_csv.h"
#include "scenes/handcraft.h"

#include <unistd.h>

/* A file of handcrafted queries, name-vf.csv or name-ee.csv. */
static void write_queries(void) {
    enum { EACH = 6 };
    static graze_query queries[2000];
    for (int kind = 0; kind < 2; kind++) {
        size_t count = 0;
        const handcraft_family *family;
        for (size_t f = 0; (family = handcraft_get(f)) != NULL && count + EACH <= 2000; f++)
            count += handcraft_generate(family->name, (graze_kind)kind, 4, queries + count, EACH);
        /* the floating-point methods take no more than that */
        size_t kept = 0;
        for (size_t i = 0; i < count; i++) {
            bool small = true;
            for (int k = 0; k < 12; k++)
                small = small && fabs(queries[i].x0[k / 3][k % 3]) <= GRAZE_MAX_COORDINATE &&
                        fabs(queries[i].x1[k / 3][k % 3]) <= GRAZE_MAX_COORDINATE;
            if (small) queries[kept++] = queries[i];
        }
        io_error error = {""};
        CHECK_MSG(io_write_query_csv(path_of(kind ? "q-ee.csv" : "q-vf.csv"), queries, kept, NULL, &error), "%s",
                  error.message);
    }
}

TEST(certificates_of_query_files_are_accepted) {
    for (int exact = 0; exact < 2; exact++)
        for (int apart = 0; apart < 2; apart++) {
            const char *method = exact ? "exact" : "certified", *separation = apart ? "0.01" : "0";
            expect_status(0, run("query q-vf.csv q-ee.csv --method %s --separation %s --certificate c.json --json",
                                 method, separation));
            cJSON *object = cJSON_Parse(out);
            cJSON *total = cJSON_GetObjectItem(object, "total");
            double queries = cJSON_GetNumberValue(cJSON_GetObjectItem(total, "queries"));
            double hits = cJSON_GetNumberValue(cJSON_GetObjectItem(total, "hits"));
            cJSON_Delete(object);
            expect_status(0, run("verify c.json --json"));
            CHECK(queries > 100 && number_said("pairs") == queries);
            CHECK(hits > 10 && number_said("hits") == hits && number_said("clear") > 10);
            CHECK(number_said("rejected") == 0 && number_said("free.direction") > 50);
            if (exact) CHECK(number_said("proven") == hits && number_said("unresolved") == 0);
            char *first = strdup(out);
            expect_status(0, run("verify c.json --json --threads 3"));
            CHECK_MSG(strcmp(first, out) == 0, "threads change the report: %s", out);
            free(first);
        }
    expect_status(0, run("query q-vf.csv --t-max 0.3 --certificate c.json"));
    expect_status(0, run("verify c.json"));
    CHECK(strstr(out, "accepted") != NULL);
}

TEST(certificates_of_a_step_hold_every_candidate) {
    expect_status(0, run("scene cloth-ball --out scene --frames 12 --size 12 --seed 3"));
    for (int k = 9; k < 11; k++) {
        const char *separation = k == 9 ? "0" : "0.02";
        expect_status(
            0, run("step scene/frames/cloth-ball_%d.ply scene/frames/cloth-ball_%d.ply --mode all --separation %s "
                   "--json --certificate s.json",
                   k, k + 1, separation));
        double candidates = number_said("candidates.vf") + number_said("candidates.ee");
        double hits = number_said("hits.vf") + number_said("hits.ee");
        expect_status(0, run("verify s.json --json"));
        CHECK_MSG(candidates > 0 && number_said("pairs") == candidates, "%g candidates", candidates);
        CHECK_MSG(number_said("hits") + number_said("unresolved") == hits, "%g hits", hits);
    }
}

/* ---- the list of a step ---- */

static const char *const lattice = "m0.obj m1.obj";

/* Triangles, and lines and points beside them, at places of a lattice: boxes touch each other and the separation. */
static void write_lattice(test_random *random, bool lines) {
    enum { FACES = 4 };
    for (int end = 0; end < 2; end++) {
        char text[4000] = "", row[80];
        for (int v = 0; v < 3 * FACES + 6; v++) {
            int x[3];
            for (int c = 0; c < 3; c++) x[c] = (int)test_random_below(random, 6);
            snprintf(row, sizeof row, "v %d %d %d\n", x[0], x[1], x[2]);
            strcat(text, row);
        }
        for (int f = 0; f < FACES; f++) {
            snprintf(row, sizeof row, "f %d %d %d\n", 3 * f + 1, 3 * f + 2, 3 * f + 3);
            strcat(text, row);
        }
        if (lines) strcat(text, "l 13 14\nl 14 15\nl 1 13\n"); /* 16 to 18 are points then, and spare without */
        write_file(end ? "m1.obj" : "m0.obj", text);
    }
}

/* The certificate, a pair on each line, without pair `cut` or with it once more; `candidates` is how many it claims. */
static void forge(const char *text, int cut, bool again, int candidates) {
    FILE *to = fopen(path_of("forged.json"), "w");
    const char *number = strstr(text, "\"candidates\":") + strlen("\"candidates\":");
    const char *line = strchr(text, '\n') + 1, *comma = "";
    fprintf(to, "%.*s%d%.*s", (int)(number - text), text, candidates,
            (int)(line - (number + strspn(number, "0123456789"))), number + strspn(number, "0123456789"));
    for (int i = 0; *line == '{'; i++) {
        size_t length = strcspn(line, "\n");
        int size = (int)length - (line[length - 1] == ',');
        for (int times = i != cut ? 1 : again ? 2 : 0; times > 0; times--, comma = ",\n")
            fprintf(to, "%s%.*s", comma, size, line);
        line += length + 1;
    }
    fprintf(to, "\n%s", line);
    fclose(to);
}

static int kinds_seen; /* a bit for each */

/* Pairs are cut out in turn: each is a candidate, since on a lattice boxes are exact. */
static void cut_each(const char *text, const cJSON *whole) {
    static const char *const kinds[] = {"vf", "ee", "pe", "pp"};
    int count = cJSON_GetArraySize(cJSON_GetObjectItem(whole, "pairs"));
    const char *last = "";
    for (int i = 0; i < count; i++) { /* some, and the first of each kind */
        const cJSON *pair = cJSON_GetArrayItem(cJSON_GetObjectItem(whole, "pairs"), i);
        bool new_kind = strcmp(last, text_at(pair, "kind")) != 0;
        last = text_at(pair, "kind");
        if (i % (1 + count / 4) != 0 && !new_kind) continue;
        for (int k = 0; k < 4; k++)
            if (strcmp(text_at(pair, "kind"), kinds[k]) == 0) kinds_seen |= 1 << k;
        forge(text, i, false, count - 1);
        char name[60];
        snprintf(name, sizeof name, "(%s %.0f %.0f): not listed", text_at(pair, "kind"), number_at(pair, "a"),
                 number_at(pair, "b"));
        expect_status(0, run("verify forged.json")); /* of the pairs that it lists it is true */
        expect_status(1, run("verify forged.json --mesh %s", lattice));
        CHECK_MSG(strstr(out, name), "%s is cut: %s", name, out);
    }
    forge(text, count / 2, true, count + 1);
    expect_status(1, run("verify forged.json --mesh %s", lattice));
    CHECK_MSG(strstr(out, "listed again"), "%s", out);
    forge(text, count / 2, false, count);
    expect_status(1, run("verify forged.json"));
}

TEST(every_candidate_of_a_step_has_to_be_listed_once) {
    static const char *const options[] = {"", "--separation 1", "--t-max 0.5", "--thickness 0.25 --separation 0.5"};
    test_random random = {7};
    kinds_seen = 0;
    for (int i = 0; i < 8; i++) {
        write_lattice(&random, i & 1);
        expect_status(0, run("step %s %s --certificate m.json", lattice, options[i / 2]));
        expect_status(0, run("verify m.json --mesh %s", lattice));
        expect_status(0, run("verify --mesh %s m.json", lattice));
        CHECK_MSG(strstr(out, "every candidate"), "%s", out);
        char *text = read_file("m.json", NULL);
        cJSON *whole = cJSON_Parse(text);
        CHECK(number_at(whole, "candidates") > 20 && strlen(text_at(whole, "mesh")) == 64);
        cut_each(text, whole);
        cJSON_Delete(whole);
        free(text);
    }
    CHECK_MSG(kinds_seen == 15, "kinds %d", kinds_seen);
}

TEST(a_list_of_another_mesh_is_rejected) {
    test_random random = {8};
    write_lattice(&random, false);
    expect_status(0, run("step %s --separation 0.5 --thickness 0.125 --certificate m.json", lattice));
    expect_status(1, run("verify m.json --mesh m1.obj m0.obj"));
    CHECK_MSG(strstr(out, "coordinates"), "%s", out);
    /* one vertex of the mesh, a hash, a radius, the kind of a pair: each is noticed */
    CHECK(shell("sed '0,/^v .*/s//v 1 2 3.5/' m0.obj >n0.obj") == 0);
    expect_status(1, run("verify m.json --mesh n0.obj m1.obj"));
    static const char *const edits[] = {"s/\"mesh\":\"./\"mesh\":\"g/",
                                        "s/\"radii\":\\[0.125/\"radii\":[0.25/",
                                        "s/\"candidates\":[0-9]*/\"candidates\":7/",
                                        "s/\"a\":[0-9]*/\"a\":999/",
                                        "s/\"a\":[0-9]*/\"a\":0.5/",
                                        "s/\"groups\":null/\"groups\":[1,2]/",
                                        "s/\"mesh\":\"[^\"]*\",//",
                                        "s/certificate 3/certificate 2/"};
    static const int statuses[] = {2, 1, 1, 1, 1, 2, 2, 2};
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        CHECK(shell("sed '%s' m.json >forged.json && ! cmp -s m.json forged.json", edits[i]) == 0);
        int status = run("verify forged.json --mesh %s", lattice);
        CHECK_MSG(status == statuses[i], "%s: status %d: %s%s", edits[i], status, out, err);
    }
    CHECK(shell("sed 's/\"mesh\":\"[0-9a-f]\\{8\\}/\"mesh\":\"00000000/' m.json >forged.json") == 0);
    expect_status(1, run("verify forged.json --mesh %s", lattice));
    CHECK_MSG(strstr(out, "another mesh"), "%s", out);
    expect_refusal(run("verify m.json --mesh m0.obj"), "--mesh");
    expect_refusal(run("verify q.json --mesh %s", lattice), "q.json");
    write_file("q-vf.csv", "1,4,1,4,1,1\n0,1,0,1,0,1\n1,1,0,1,0,1\n0,1,1,1,0,1\n"
                           "1,4,1,4,-1,1\n0,1,0,1,0,1\n1,1,0,1,0,1\n0,1,1,1,0,1\n");
    expect_status(0, run("query q-vf.csv --certificate q.json"));
    expect_refusal(run("verify q.json --mesh %s", lattice), "names no mesh");
}

TEST(a_proof_of_nothing_says_so) {
    write_file("e.json", "{\"format\":\"graze certificate 1\",\"separation\":0,\"t_max\":1,\"pairs\":[]}");
    expect_status(3, run("verify e.json"));
    CHECK_MSG(strstr(out, "nothing is proven"), "%s", out);
    expect_status(3, run("verify e.json --json"));
    /* two triangles that stay far apart have no candidates: there is nothing to prove, and the mesh confirms it */
    write_file("f0.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 0 0\nv 10 0 0\nv 9 1 0\nf 1 2 3\nf 4 5 6\n");
    expect_status(0, run("step f0.obj f0.obj --certificate f.json"));
    expect_status(3, run("verify f.json"));
    expect_status(3, run("verify f.json --mesh f0.obj f0.obj"));
    CHECK_MSG(strstr(out, "no candidates"), "%s", out);
    write_file("p.json", "{\"format\":\"graze path certificate 1\",\"separation\":0,\"t_max\":1,\"models\":[],"
                         "\"skip\":[],\"paths\":[]}");
    int status = run("verify p.json");
    CHECK_MSG(status == 3, "status %d: %s%s", status, out, err);
}

TEST(methods_that_prove_nothing_write_no_certificate) {
    expect_refusal(run("query q-vf.csv --method ti --certificate none.json"), "ti");
    expect_refusal(run("step a.ply b.ply --method accd --certificate none.json"), "accd");
    CHECK(access(path_of("none.json"), F_OK) != 0);
    expect_refusal(run("query q-vf.csv --certificate no/such/folder/c.json"), "no/such/folder");
}

/* ---- files changed by hand ---- */

/* One pair that is clear and one that touches at 0.5, with every kind of proof. */
static const char good[] =
    "{\"format\":\"graze certificate 1\",\"separation\":0,\"t_max\":1,\"pairs\":[\n"
    "{\"kind\":\"vf\",\"a\":3,\"b\":7,\"x0\":[[0.25,0.25,1],[0,0,0],[1,0,0],[0,1,0]],"
    "\"x1\":[[0.25,0.25,0.5],[0,0,0],[1,0,0],[0,1,0]],\"verdict\":\"clear\",\"toi\":1,\"toi_upper\":null,\"hit\":null,"
    "\"free\":[{\"n\":[0,0,-1],\"t0\":0,\"t1\":0.5},{\"volume\":true,\"t0\":0.5,\"t1\":0.75},"
    "{\"exact\":true,\"t0\":0.75,\"t1\":1}]},\n"
    "{\"kind\":\"vf\",\"file\":\"some.csv\",\"index\":12,\"x0\":[[0.25,0.25,1],[0,0,0],[1,0,0],[0,1,0]],"
    "\"x1\":[[0.25,0.25,-1],[0,0,0],[1,0,0],[0,1,0]],\"verdict\":\"hit\",\"toi\":0.375,\"toi_upper\":0.5,"
    "\"hit\":{\"touching\":true},\"free\":[{\"n\":[0,0,-1],\"t0\":0,\"t1\":0.375}]}\n]}\n";

/* `whole` with the first `from` (at or after `after`) turned into `to`. */
static void write_changed_from(const char *whole, const char *after, const char *from, const char *to) {
    const char *start = strstr(whole, after);
    const char *place = start ? strstr(start, from) : NULL;
    CHECK_MSG(place != NULL, "'%s' is not there", from);
    if (!place) return;
    char *text = malloc(strlen(whole) + strlen(to) + 1);
    size_t before = (size_t)(place - whole);
    memcpy(text, whole, before);
    strcpy(text + before, to);
    strcat(text, place + strlen(from));
    write_file("changed.json", text);
    free(text);
}

static void write_changed(const char *after, const char *from, const char *to) {
    write_changed_from(good, after, from, to);
}

TEST(changed_proofs_are_rejected_and_the_first_bad_pair_is_named) {
    static const struct {
        const char *after, *from, *to, *word;
    } changes[] = {
        {"free", "0,0,-1", "0,0,1", "pair 0 (vf 3 7)"},
        {"free", "0,0,-1", "0,0,0", "pair 0"},
        {"free", "\"t1\":0.5}", "\"t1\":0.25}", "pair 0"},
        {"free", "{\"volume\":true,\"t0\":0.5,\"t1\":0.75},", "", "pair 0"},
        {"free", "0.75,\"t1\":1", "0.75,\"t1\":0.9", "pair 0"},
        {"verdict", "\"clear\"", "\"unresolved\"", "pair 0"},
        {"verdict", "\"clear\"", "\"hit\"", "pair 0"},
        {"verdict", "\"hit\":null", "\"hit\":{\"exact\":true}", "pair 0"},
        {"toi_upper", "null", "1", "pair 0"},
        {"x1", "0.5]", "-0.5]", "pair 0"}, /* through the face */
        {"format", "\"separation\":0", "\"separation\":0.75", "pair 0"},
        {"format", "\"t_max\":1", "\"t_max\":0.875", "pair 0"},
        {"pairs", "\"vf\"", "\"ee\"", "pair 0"},
        {"some.csv", "\"verdict\":\"hit\"", "\"verdict\":\"clear\"", "pair 1 (some.csv query 12)"},
        {"some.csv", "\"toi\":0.375", "\"toi\":0.25", "pair 1"},
        {"some.csv", "\"toi_upper\":0.5", "\"toi_upper\":0.4375", "pair 1"},
        {"some.csv", "\"toi_upper\":0.5", "\"toi_upper\":null", "pair 1"},
        {"some.csv", "touching", "crossing", "pair 1"},
        {"some.csv", "{\"touching\":true}", "null", "pair 1"},
        {"some.csv", "0.25,0.25,-1", "2.25,0.25,-1", "pair 1"},
        {"some.csv", "{\"n\":[0,0,-1],\"t0\":0,\"t1\":0.375}", "", "pair 1"},
    };
    write_file("changed.json", good);
    expect_status(0, run("verify changed.json"));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        write_changed(changes[i].after, changes[i].from, changes[i].to);
        int status = run("verify changed.json");
        CHECK_MSG(status == 1, "change %zu (%s to %s): status %d %s", i, changes[i].from, changes[i].to, status, err);
        CHECK_MSG(strstr(out, changes[i].word), "'%s' is not named: %s", changes[i].word, out);
        expect_status(1, run("verify changed.json --json"));
        CHECK_MSG(number_said("rejected") >= 1, "change %zu: %s", i, out);
    }
}

TEST(what_is_no_certificate_is_refused) {
    static const struct {
        const char *after, *from, *to, *word;
    } changes[] = {
        {"format", "certificate 1", "certificate 4", "format"},
        {"format", "certificate 1", "certificate 3", "\"mesh\" is missing"},
        {"format", "certificate 1", "certificate 2", "pair 0: radii"},
        {"pairs", "\"x1\"", "\"radii\":[0,0,0,0],\"x1\"", "pair 0: radii"},
        {"{", "\"format\":\"graze certificate 1\",", "", "format"},
        {"format", "\"separation\":0,", "", "separation"},
        {"format", "\"separation\":0", "\"separation\":-1", "separation"},
        {"format", "\"separation\":0", "\"separation\":\"0\"", "separation"},
        {"format", "\"separation\":0", "\"separation\":0,\"separation\":1", "separation"},
        {"format", "\"t_max\":1", "\"t_max\":0", "t_max"},
        {"format", "\"t_max\":1", "\"t_max\":1e999", "t_max"},
        {"format", "\"t_max\":1,", "", "t_max"},
        {"format", "\"pairs\"", "\"bears\"", "unknown name"},
        {"pairs", "\"kind\":\"vf\",", "", "pair 0: kind"},
        {"pairs", "\"kind\":\"vf\"", "\"kind\":\"fv\"", "pair 0: kind"},
        {"pairs", "[0.25,0.25,1]", "[NaN,0.25,1]", "pair 0"},
        {"pairs", "[0.25,0.25,1]", "[\"0.25\",0.25,1]", "pair 0: x0"},
        {"pairs", "[0.25,0.25,1]", "[1e999,0.25,1]", "pair 0: x0"},
        {"pairs", "[0.25,0.25,1]", "[0.25,0.25]", "pair 0: x0"},
        {"pairs", "[0.25,0.25,1],", "", "pair 0: x0"},
        {"x1", "[0.25,0.25,0.5]", "null", "pair 0: x1"},
        {"pairs", "\"verdict\":\"clear\",", "", "pair 0: verdict"},
        {"pairs", "\"clear\"", "\"free\"", "pair 0: verdict"},
        {"pairs", "\"toi\":1,", "", "pair 0: toi"},
        {"pairs", "\"toi\":1", "\"toi\":2", "pair 0: toi"},
        {"pairs", "\"toi\":1", "\"toi\":null", "pair 0: toi"},
        {"pairs", "\"toi_upper\":null,", "", "pair 0: toi_upper"},
        {"pairs", "\"hit\":null,", "", "pair 0: hit"},
        {"some.csv", "{\"touching\":true}", "{\"touching\":false}", "pair 1: hit"},
        {"some.csv", "{\"touching\":true}", "{}", "pair 1: hit"},
        {"some.csv", "{\"touching\":true}", "{\"touching\":true,\"exact\":true}", "pair 1: hit"},
        {"free", "\"n\":[0,0,-1],", "", "pair 0: free"},
        {"free", "\"n\":[0,0,-1]", "\"n\":[0,0]", "pair 0: free"},
        {"free", "\"n\":[0,0,-1]", "\"n\":[0,0,null]", "pair 0: free"},
        {"free", "\"n\":[0,0,-1]", "\"n\":[0,0,-1],\"exact\":true", "pair 0: free"},
        {"free", "\"volume\":true", "\"volume\":1", "pair 0: free"},
        {"free", "\"t0\":0,", "", "pair 0: free"},
        {"free", "\"t1\":0.5", "\"t1\":1.5", "pair 0: free"},
        {"free", "]},\n", "}},\n", "pair 0"},
        {"some.csv", "]}\n]}\n", "]}\n]", "}"},
        {"some.csv", "]}\n]}\n", "]}\n]} x", "something follows"},
        {"some.csv", "]}\n]}\n", "", "no end"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        write_changed(changes[i].after, changes[i].from, changes[i].to);
        expect_refusal(run("verify changed.json --json"), changes[i].word);
    }
    write_file("changed.json", "");
    expect_refusal(run("verify changed.json"), "changed.json");
    write_file("changed.json", "[]");
    expect_refusal(run("verify changed.json"), "changed.json");
    expect_refusal(run("verify no-such-file.json"), "no-such-file.json");
    expect_refusal(run("verify"), "no file");
    expect_refusal(run("verify changed.json --threads 5000"), "--threads");
}

TEST(a_file_cut_anywhere_is_refused) {
    char text[sizeof good];
    memcpy(text, good, sizeof good);
    for (size_t size = 0; size + 3 < sizeof good; size += 61) {
        char kept = text[size];
        text[size] = '\0';
        write_file("changed.json", text);
        expect_refusal(run("verify changed.json"), "changed.json");
        text[size] = kept;
    }
}

/* ---- radii ---- */

/* A point beside a cone, 0.25 tan 30° from its side at toi: free up to 0.4, touching at 0.5, where it is on the axis.
 */
static const char thick[] =
    "{\"format\":\"graze certificate 2\",\"separation\":0,\"t_max\":1,\"pairs\":[\n"
    "{\"kind\":\"pe\",\"a\":0,\"b\":0,\"x0\":[[0.75,1,0],[0,0,0],[1,0,0]],\"x1\":[[0.75,-1,0],[0,0,0],[1,0,0]],"
    "\"radii\":[0,0.5,0],\"verdict\":\"hit\",\"toi\":0.375,\"toi_upper\":0.5,"
    "\"hit\":{\"at\":[0.75,0]},\"free\":[{\"n\":[-0.5,-0.875,0],\"t0\":0,\"t1\":0.375}]},\n"
    "{\"kind\":\"vf\",\"a\":1,\"b\":2,\"x0\":[[0.25,0.25,1],[0,0,0],[1,0,0],[0,1,0]],"
    "\"x1\":[[0.25,0.25,0.5],[0,0,0],[1,0,0],[0,1,0]],\"radii\":[0.125,0.25,0.25,0.125],\"verdict\":\"clear\","
    "\"toi\":1,\"toi_upper\":null,\"hit\":null,\"free\":[{\"n\":[0,0,-1],\"t0\":0,\"t1\":0.5},"
    "{\"volume\":true,\"t0\":0.5,\"t1\":0.75},{\"exact\":true,\"t0\":0.75,\"t1\":1}]}\n]}\n";

TEST(changed_radii_are_rejected) {
    static const struct {
        const char *after, *from, *to, *word;
    } changes[] = {
        {"pe", "[0,0.5,0]", "[0,0.75,0]", "pair 0"},   /* the direction does not clear the larger ball */
        {"pe", "[0,0.5,0]", "[0.25,0.5,0]", "pair 0"}, /* nor a ball for the point */
        {"pe", "[0,0.5,0]", "[0,0.5,0.5]", "pair 0"},  /* nor at the other end */
        {"format", "\"separation\":0", "\"separation\":0.25", "pair 0"},
        {"pe", "\"toi_upper\":0.5", "\"toi_upper\":0.40625", "pair 0"},
        {"pe", "{\"at\":[0.75,0]}", "{\"at\":[0.25,0]}", "pair 0"}, /* too far along the edge */
        {"pe", "{\"at\":[0.75,0]}", "{\"at\":[1.75,0]}", "pair 0"}, /* not on the edge */
        {"pe", "{\"at\":[0.75,0]}", "{\"touching\":true}", "pair 0"},
        {"vf", "[0.125,0.25,0.25,0.125]", "[0.5,0.25,0.25,0.125]", "pair 1"},
        {"vf", "[0.125,0.25,0.25,0.125]", "[0.125,0.25,0.25,0.625]", "pair 1"},
    };
    write_file("changed.json", thick);
    expect_status(0, run("verify changed.json --json"));
    CHECK_MSG(number_said("contacts.at") == 1 && number_said("rejected") == 0, "%s", out);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        write_changed_from(thick, changes[i].after, changes[i].from, changes[i].to);
        int status = run("verify changed.json");
        CHECK_MSG(status == 1, "change %zu (%s to %s): status %d %s%s", i, changes[i].from, changes[i].to, status, out,
                  err);
        CHECK_MSG(strstr(out, changes[i].word), "'%s' is not named: %s", changes[i].word, out);
    }
    /* a point that is thinner than it was does not touch at the later time */
    write_changed_from(thick, "pe", "\"at\":[0.75,0]", "\"at\":[0.5,0]");
    expect_status(0, run("verify changed.json"));
    char *text = read_file("changed.json", NULL);
    write_changed_from(text, "pe", "[0,0.5,0]", "[0,0.25,0]");
    expect_status(1, run("verify changed.json"));
    free(text);
    static const struct {
        const char *from, *to;
    } unreadable[] = {{"\"radii\":[0,0.5,0],", ""},
                      {"[0,0.5,0]", "[0,0.5]"},
                      {"[0,0.5,0]", "[0,0.5,0,0]"},
                      {"[0,0.5,0]", "[0,-0.5,0]"},
                      {"[0,0.5,0]", "[0,1e999,0]"}};
    for (size_t i = 0; i < sizeof unreadable / sizeof *unreadable; i++) {
        write_changed_from(thick, "pe", unreadable[i].from, unreadable[i].to);
        expect_refusal(run("verify changed.json"), "pair 0: radii");
    }
    write_changed_from(thick, "pe", "{\"at\":[0.75,0]}", "{\"at\":[0.75]}");
    expect_refusal(run("verify changed.json"), "pair 0: hit");
    write_changed_from(thick, "format", "certificate 2", "certificate 1");
    expect_refusal(run("verify changed.json"), "pair 0: radii");
}

TEST(certificates_of_thick_steps_are_accepted_and_hold_the_radii) {
    expect_status(0, run("scene cloth-ball --out thick-scene --frames 12 --size 10 --seed 5"));
    FILE *stream = fopen(path_of("radii.txt"), "wb");
    test_random random = {11};
    for (int i = 0; stream && i < 139; i++) fprintf(stream, "%.17g\n", 0.02 * test_random_unit(&random));
    if (stream) fclose(stream);
    static const char frames[] = "thick-scene/frames/cloth-ball_8.ply thick-scene/frames/cloth-ball_9.ply";
    static const char *const radii[] = {"radii.txt", "0.0078125", "0.01"};
    for (int i = 0; i < 3; i++)
        for (int exact = 0; exact < 2; exact++) {
            expect_status(0, run("step %s --thickness %s --mode all --json --method %s --certificate t.json", frames,
                                 radii[i], exact ? "exact" : "certified"));
            double hits = number_said("hits.vf") + number_said("hits.ee");
            expect_status(0, run("verify t.json --json"));
            CHECK_MSG(hits > 5 && number_said("hits") + number_said("unresolved") == hits, "%g hits: %s", hits, out);
            if (!exact) CHECK_MSG(number_said("proven") == number_said("hits"), "%s", out);
        }
    expect_status(0, run("step %s --thickness 0 --json", frames));
    double thin = number_said("toi");
    expect_status(0, run("step %s --json", frames));
    CHECK(number_said("toi") == thin);
    expect_refusal(run("step %s --thickness -1", frames), "-1");
    expect_refusal(run("step %s --thickness nan", frames), "nan");
    expect_refusal(run("step %s --thickness no-such-file.txt", frames), "no-such-file.txt");
    write_file("short.txt", "0.1 0.1\n");
    expect_refusal(run("step %s --thickness short.txt", frames), "2 numbers");
    write_file("word.txt", "0.1 thick\n");
    expect_refusal(run("step %s --thickness word.txt", frames), "thick");
}

int main(int argc, char **argv) {
    write_queries();
    return run_program_tests(argc, argv);
}
