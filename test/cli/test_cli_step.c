/* graze step from outside: the JSON as promised, every format, and one line for everything that is bad. */
#include "small_data.h"

TEST(step_json_has_the_fields_of_the_contract_and_the_right_contact) {
    write_frames();
    CHECK_MSG(run("step a0.obj a1.obj --method ti --json --threads 2") == 0, "%s", err);
    cJSON *object = json();
    expect_text(object, "verdict", "hit");
    expect_number(object, "toi", 0.499, 0.5);
    CHECK(field(object, "toi_upper") != NULL);
    expect_text(object, "pair.kind", "vf");
    expect_number(object, "pair.a", 3, 3);
    expect_number(object, "pair.b", 0, 0);
    expect_number(object, "pair.u", 0.2, 0.3);
    expect_number(object, "pair.v", 0.2, 0.3);
    expect_number(object, "pair.normal.2", 0.99, 1.01);
    static const char *const numbers[] = {"candidates.vf", "candidates.ee", "hits.vf",        "hits.ee",
                                          "time_ms.boxes", "time_ms.broad", "time_ms.narrow", "time_ms.total"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const cJSON *item = field(object, numbers[i]);
        CHECK_MSG(cJSON_IsNumber(item) || cJSON_IsNull(item), "%s", numbers[i]);
    }
    expect_text(object, "method", "ti");
    expect_text(object, "broad", "auto");
    expect_text(object, "backend", "cpu");
    expect_number(object, "threads", 2, 2);
    cJSON_Delete(object);
}

TEST(step_time_limit_and_separation_move_the_answer) {
    write_frames();
    CHECK(run("step a0.obj a1.obj --method ti --json --t-max 0.25") == 0);
    cJSON *object = json();
    expect_text(object, "verdict", "clear");
    expect_number(object, "toi", 0.25, 0.25);
    expect_null(object, "toi_upper");
    expect_null(object, "pair");
    cJSON_Delete(object);
    CHECK(run("step a0.obj a1.obj --method ti --json --separation 0.5") == 0);
    object = json();
    expect_text(object, "verdict", "hit");
    expect_number(object, "toi", 0.1, 0.25);
    cJSON_Delete(object);
}

TEST(step_all_counts_and_lists_the_pairs) {
    write_frames();
    CHECK_MSG(run("step a0.obj a1.obj --method ti --json --pairs-out pairs.json --repeat 2") == 0, "%s", err);
    cJSON *object = json();
    /* the swept boxes of vertex 3 and of the two edges that end in it reach face 0 and its long side, edge 2 */
    expect_number(object, "candidates.vf", 1, 1);
    expect_number(object, "candidates.ee", 2, 2);
    expect_number(object, "hits.vf", 1, 1);
    expect_number(object, "hits.ee", 0, 0);
    cJSON_Delete(object);
    look_into("pairs.json");
    cJSON *list = cJSON_ParseWithOpts(out, NULL, 0);
    CHECK_MSG(cJSON_IsArray(list) && cJSON_GetArraySize(list) == 1, "%s", out);
    expect_text(list, "0.kind", "vf");
    expect_number(list, "0.a", 3, 3);
    expect_number(list, "0.b", 0, 0);
    expect_text(list, "0.verdict", "hit");
    expect_number(list, "0.toi", 0.499, 0.5);
    CHECK(field(list, "0.toi_upper") != NULL);
    cJSON_Delete(list);
}

TEST(step_reads_every_format_alike) {
    write_frames();
    CHECK(run("step a0.obj a1.obj --method ti") == 0);
    static const struct {
        const char *name, *head, *between, *tail;
    } formats[] = {
        {"off", "OFF\n6 2 0\n", "", "3 0 1 2\n3 3 4 5\n"},
        {"ply",
         "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\n"
         "element face 2\nproperty list uchar int vertex_indices\nend_header\n",
         "", "3 0 1 2\n3 3 4 5\n"},
        {"msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n", "tag",
         "$EndNodes\n$Elements\n2\n1 2 0 1 2 3\n2 2 0 4 5 6\n$EndElements\n"},
        {"stl", "solid\n", "stl", "endsolid\n"},
    };
    static const double z[2][6] = {{0, 0, 0, 1, 3, 3}, {0, 0, 0, -1, 1, 1}};
    static const double xy[6][2] = {{0, 0}, {4, 0}, {0, 4}, {1, 1}, {1, 1}, {2, 1}};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        char names[2][32];
        for (int frame = 0; frame < 2; frame++) {
            char text[2000], line[100];
            strcpy(text, formats[f].head);
            for (int i = 0; i < 6; i++) {
                bool stl = strcmp(formats[f].between, "stl") == 0;
                if (stl && i % 3 == 0) strcat(text, "facet normal 0 0 0\nouter loop\n");
                snprintf(line, sizeof line, "%g %g %g\n", xy[i][0], xy[i][1], z[frame][i]);
                char number[16];
                snprintf(number, sizeof number, "%d ", i + 1);
                if (strcmp(formats[f].between, "tag") == 0) strcat(text, number);
                if (stl) strcat(text, "vertex ");
                strcat(text, line);
                if (stl && i % 3 == 2) strcat(text, "endloop\nendfacet\n");
            }
            strcat(text, formats[f].tail);
            snprintf(names[frame], sizeof names[frame], "f%d.%s", frame, formats[f].name);
            write_file(names[frame], text);
        }
        CHECK_MSG(run("step %s %s --method ti --json", names[0], names[1]) == 0, "%s", err);
        cJSON *object = json();
        expect_text(object, "verdict", "hit");
        expect_number(object, "pair.a", 3, 3);
        expect_number(object, "toi", 0.499, 0.5);
        cJSON_Delete(object);
    }
}

TEST(step_fans_large_faces_with_a_notice) {
    write_file("q0.obj", "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nv 1 1 1\nv 1 1 3\nv 2 1 3\nf 1 2 3 4\nf 5 6 7\n");
    write_file("q1.obj", "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nv 1 1 -1\nv 1 1 1\nv 2 1 1\nf 1 2 3 4\nf 5 6 7\n");
    CHECK(run("step q0.obj q1.obj --method ti --json") == 0);
    CHECK_MSG(lines_of(err) == 1 && strstr(err, "q0.obj") && strstr(err, "1 faces"), "%s", err);
    cJSON *object = json();
    expect_number(object, "toi", 0.499, 0.5);
    cJSON_Delete(object);
}

TEST(step_collides_lines_that_belong_to_no_face) {
    /* two bare lines, one of them listed twice, that cross in the middle of the step */
    write_file("l0.obj", "v -1 0 0\nv 1 0 0\nv 0 -1 1\nv 0 1 1\nl 2 1\nl 3 4\nl 4 3\n");
    write_file("l1.obj", "v -1 0 0\nv 1 0 0\nv 0 -1 -1\nv 0 1 -1\nl 2 1\nl 3 4\nl 4 3\n");
    CHECK_MSG(run("step l0.obj l1.obj --method ti --json --mode all") == 0, "%s", err);
    cJSON *object = json();
    expect_text(object, "verdict", "hit");
    expect_text(object, "pair.kind", "ee");
    expect_number(object, "candidates.ee", 1, 1);
    expect_number(object, "hits.ee", 1, 1);
    expect_number(object, "toi", 0.499, 0.5);
    cJSON_Delete(object);
}

TEST(step_to_writes_a_state_that_may_be_stepped_to) {
    write_frames();
    write_file("l0.obj", "v -1 0 0\nv 1 0 0\nv 0 -1 1\nv 0 1 1\nl 2 1\nl 3 4\nl 3 3\n");
    write_file("l1.obj", "v -1 0 0\nv 1 0 0\nv 0 -1 -1\nv 0 1 -1\nl 2 1\nl 3 4\nl 3 3\n");
    for (int lines = 0; lines < 2; lines++) {
        const char *a = lines ? "l0.obj" : "a0.obj", *b = lines ? "l1.obj" : "a1.obj";
        CHECK_MSG(run("step %s %s --json --to c.ply --separation 0.01", a, b) == 0, "%s", err);
        cJSON *object = json();
        expect_text(object, "verdict", "hit");
        expect_number(object, "alpha", 0.49, 0.5);
        cJSON_Delete(object);
        CHECK_MSG(run("step %s c.ply --separation 0.01 --exit-code", a) == 0, "%s%s", out, err);
        CHECK_MSG(run("step c.ply %s --separation 0.01 --json", b) == 0, "%s", err);
        object = json();
        expect_number(object, "toi", 1e-300, 0.5); /* it starts free */
        cJSON_Delete(object);
    }
    CHECK(run("step a0.obj a1.obj --t-max 0.25 --to c.ply") == 0 && strstr(out, "alpha        0.25"));
    expect_refusal(run("step a0.obj a1.obj --mode all --to c.ply"), "--to", "earliest");
    expect_refusal(run("step a0.obj a1.obj --method provot --to c.ply"), "provot", "no time that is safe");
}

TEST(step_refuses_bad_input_in_one_line) {
    write_frames();
    static const char *const bodies[][3] = {
        {"v 0 0 nan\n" FACES, "bad.obj:1:", "not a number"},
        {"v 0 0 0\nv inf 0 0\n" FACES, "bad.obj:2:", "infinite"},
        {FRAME_1 "f 1 2 3\nf 4 5 7\n", "bad.obj:8:", "out of range"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "a0.obj", "bad.obj"},
        {FRAME_1 "f 1 2 3\nf 4 6 5\n", "a0.obj", "bad.obj"},
        {"v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 -1\nv 1e308 1 1\nv 2 1 1\n" FACES, "bad.obj:5:", "2^160"},
        {"", "bad.obj", "no vertices"},
        {"v 0 0 0\n", "bad.obj", "no faces"},
        {"v 0 0 zero\n", "bad.obj:1:", "'zero'"},
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        write_file("bad.obj", bodies[i][0]);
        expect_refusal(run("step a0.obj bad.obj --method ti --json"), bodies[i][1], bodies[i][2]);
    }
    write_file("cut.ply",
               "ply\nformat binary_little_endian 1.0\nelement vertex 2\nproperty char x\nproperty char y\n"
               "property char z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\nabcdefg");
    expect_refusal(run("step cut.ply cut.ply"), "cut.ply", "cut off");
    write_file("huge.ply", "ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\n"
                           "property float z\nend_header\n0 0 0\n");
    expect_refusal(run("step huge.ply huge.ply"), "huge.ply:3:", "4000000000");
    expect_refusal(run("step a0.obj missing.obj"), "missing.obj", "cannot open");
    expect_refusal(run("step a0.obj"), "step", "two meshes");
    expect_refusal(run("step a0.obj a1.obj a0.obj"), "step", "two meshes");
    expect_refusal(run("step a0.obj a1.obj --separation -0.5"), "--separation", "negative");
    expect_refusal(run("step a0.obj a1.obj --separation NaN"), "--separation", "not finite");
    expect_refusal(run("step a0.obj a1.obj --mode some"), "some", "mode");
    expect_refusal(run("step a0.obj a1.obj --broad none"), "none", "broad");
    expect_refusal(run("step a0.obj a1.obj --backend tpu"), "tpu", "back end");
    setenv("GRAZE_CUDA_LIBRARY", "/nonexistent/library.so", 1);
    expect_refusal(run("step a0.obj a1.obj --backend cuda"), "back end cuda", "/nonexistent/library.so");
    unsetenv("GRAZE_CUDA_LIBRARY");
    expect_refusal(run("step a0.obj a1.obj --mode earliest --pairs-out p.json"), "--pairs-out", "mode all");
    expect_refusal(run("step a0.obj a1.obj --pairs-out none/p.json"), "none/p.json", "cannot write");
}

#ifdef GRAZE_FAKE_LIBRARY
/* A back end without a device, which says which one it was asked for. */
TEST(step_takes_the_device_that_is_chosen_and_says_where_it_runs_and_why) {
    write_frames();
    setenv("GRAZE_CUDA_LIBRARY", GRAZE_FAKE_LIBRARY, 1);
    setenv("GRAZE_FAKE", "none", 1);
    expect_refusal(run("step a0.obj a1.obj --backend cuda --device 3"), "back end cuda", "device 3 was not made");
    expect_refusal(run("step a0.obj a1.obj --backend cuda"), "back end cuda", "no device was made");
    CHECK(shell("mkdir -p two && cp a0.obj two/0.obj && cp a1.obj two/1.obj") == 0);
    CHECK(run("sequence two --backend cuda --device 12") == 2);
    CHECK_MSG(strstr(err, "back end cuda: device 12 was not made") != NULL, "%s", err);
    setenv("GRAZE_FAKE", "ask", 1);
    CHECK(run("step a0.obj a1.obj --backend cuda --device 0 --json -v") == 0);
    CHECK_MSG(strstr(err, "graze: step: back end cuda") != NULL, "%s", err);
    cJSON *object = json();
    expect_text(object, "backend", "cuda");
    expect_text(object, "verdict", "hit");
    cJSON_Delete(object);
    CHECK(run("step a0.obj a1.obj --json -v") == 0);
    CHECK_MSG(strstr(err, "graze: back end cpu: calls of this context have not yet") != NULL, "%s", err);
    CHECK(run("step a0.obj a1.obj --json") == 0);
    CHECK_MSG(!*err, "%s", err);
    unsetenv("GRAZE_FAKE");
    unsetenv("GRAZE_CUDA_LIBRARY");
    expect_refusal(run("step a0.obj a1.obj --backend cpu --device 0"), "--device", "back end cpu");
    expect_refusal(run("step a0.obj a1.obj --device 3000000000"), "--device", "below 2^31");
    expect_refusal(run("step a0.obj a1.obj --device first"), "--device", "not a count");
}
#endif

int main(int argc, char **argv) { return run_program_tests(argc, argv); }
