/* `graze sim` from outside: JSON as promised, restart, proofs, and one line for everything that is bad. */
#include "program.h"

#include "io/mesh.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

TEST(sim_answers_as_promised_and_its_frames_are_read_by_the_other_commands) {
    CHECK_MSG(run_shell("$graze sim five-cubes --out run --frames 4 --json --threads 1") == 0, "%s", err);
    CHECK(number_said("frames") == 4 && number_said("intersections") == 0 && number_said("newton_iterations") >= 3);
    cJSON *object = cJSON_Parse(out);
    const cJSON *time = cJSON_GetObjectItem(object, "time_ms");
    CHECK(cJSON_IsNumber(cJSON_GetObjectItem(time, "total")) && cJSON_IsNumber(cJSON_GetObjectItem(time, "ccd")));
    CHECK(cJSON_IsNumber(cJSON_GetObjectItem(time, "solve")));
    CHECK(strcmp(cJSON_GetObjectItem(object, "scene")->valuestring, "five-cubes") == 0);
    cJSON_Delete(object);
    CHECK(run_shell("ls run/frames | wc -l") == 0 && atoi(out) == 4);
    CHECK(run_shell("head -n 3 run/frames/five-cubes_0.ply | grep -q '^comment up y$'") == 0); /* a viewer has it so */
    CHECK_MSG(run_shell("$graze step run/frames/five-cubes_0.ply run/frames/five-cubes_1.ply --json") == 0, "%s", err);
    CHECK(run_shell("$graze sim --list") == 0 && strstr(out, "mat-knives") && strstr(out, "cloth-funnel"));
}

TEST(a_run_that_was_cut_off_goes_on_with_the_same_bits) {
    const char *run = "$graze sim mat-knives --size 4 --frames 6 --threads 1 --json";
    CHECK_MSG(run_shell("%s --out whole && %s --out cut", run, run) == 0, "%s", err);
    CHECK(run_shell("cmp whole/frames/mat-knives_5.ply cut/frames/mat-knives_5.ply") == 0);
    /* a gap, and a frame after it that must not be trusted; then a frame that is not whole */
    CHECK(run_shell("rm cut/frames/mat-knives_4.ply && cp whole/frames/mat-knives_0.ply cut/frames/mat-knives_5.ply && "
                    "%s --out cut --resume",
                    run) == 0);
    CHECK_MSG(number_said("resumed_from") == 3, "%s", out);
    CHECK(run_shell("cmp whole/frames/mat-knives_5.ply cut/frames/mat-knives_5.ply") == 0);
    CHECK(run_shell("head -c 1000 whole/frames/mat-knives_2.ply > cut/frames/mat-knives_2.ply && %s --out cut --resume",
                    run) == 0);
    CHECK_MSG(number_said("resumed_from") == 1, "%s", out);
    CHECK(run_shell("cmp whole/frames/mat-knives_5.ply cut/frames/mat-knives_5.ply") == 0);
}

static int files_in(const char *folder) { return run_shell("ls %s | wc -l", folder) == 0 ? atoi(out) : -1; }

TEST(frames_of_an_earlier_run_are_not_left_among_those_of_a_new_one) {
    const char *run = "$graze sim spikes --out over --threads 1 --json";
    CHECK(run_shell("%s --frames 9 --certificates", run) == 0 && files_in("over/frames") == 9);
    CHECK(run_shell("touch over/frames/spikes_01.ply over/frames/spikes_x.ply over/frames/spike_3.ply; %s --frames 4",
                    run) == 0);
    CHECK(files_in("over/frames") == 4 + 3 && files_in("over/certificates") == 0);
    CHECK(run_shell("ls over/frames/spikes_01.ply over/frames/spikes_x.ply over/frames/spike_3.ply") == 0);
    /* scenes, of another size and with fewer frames */
    CHECK(run_shell("$graze scene cloth-ball --size 8 --frames 5 --out s && $graze scene cloth-ball --size 6 --frames "
                    "2 --out s") == 0);
    CHECK(files_in("s/frames") == 2);
    /* a frame that the scene itself is made from */
    CHECK(run_shell(
              "printf 'v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nf 1 2 3\\n' > a.obj; "
              "printf '{\"name\":\"t\",\"bodies\":[{\"shape\":{\"kind\":\"file\",\"path\":\"a.obj\"}}]}' > t.json && "
              "$graze sim t.json --out t --frames 3 && sed s:a.obj:t/frames/t_2.ply: t.json > u.json") == 0);
    expect_refusal(run_shell("$graze sim u.json --out t --frames 2"), "t_2.ply", "was read in this run");
    CHECK(files_in("t/frames") == 3);
}

TEST(only_the_same_run_is_resumed) {
    const char *run = "$graze sim spikes --out only --threads 1 --json";
    CHECK(run_shell("%s --frames 4", run) == 0);
    expect_refusal(run_shell("%s --frames 6 --resume --method exact", run), "spikes.run.json", "another method");
    expect_refusal(run_shell("%s --frames 6 --resume --step-filter vertex", run), "spikes.run.json", "step-filter");
    expect_refusal(run_shell("%s --frames 6 --resume --tolerance 1e-5", run), "spikes.run.json", "another tolerance");
    expect_refusal(run_shell("%s --frames 3 --resume", run), "spikes_3.ply", "more than 3 frames");
    CHECK(files_in("only/frames") == 4);
    CHECK(run_shell("%s --frames 6 --resume --threads 2", run) == 0 && number_said("resumed_from") == 3);
    CHECK(run_shell("%s --frames 6 --out whole && cmp only/frames/spikes_5.ply whole/frames/spikes_5.ply", run) == 0);
    /* after a gap nothing is kept */
    CHECK(run_shell("rm only/frames/spikes_2.ply; %s --frames 4 --resume", run) == 0);
    CHECK(number_said("resumed_from") == 1 && files_in("only/frames") == 4);
    expect_refusal(run_shell("rm only/spikes.run.json; %s --frames 6 --resume", run), "spikes.run.json", "no note");
    /* the same name, and another friction */
    static const char scene[] = "{\"friction\":%s,\"bodies\":[{\"shape\":{\"kind\":\"box\"}}]}";
    char text[2][200];
    snprintf(text[0], sizeof text[0], scene, "0.1");
    snprintf(text[1], sizeof text[1], scene, "0.2");
    CHECK(run_shell("printf '%%s' '%s' > box.json; $graze sim box.json --out box --frames 2", text[0]) == 0);
    expect_refusal(
        run_shell("printf '%%s' '%s' > box.json; $graze sim box.json --out box --frames 3 --resume", text[1]),
        "scene.run.json", "another scene");
}

/* By a signal, in a step or between two: what is there is whole, and what is said to go on goes on. */
TEST(a_run_that_is_stopped_says_how_to_go_on) {
    const char *run = "$graze sim mat-knives --size 8 --threads 1 --out stopped";
    int status = run_shell("%s --frames 4000 & p=$!; while [ ! -e stopped/frames/mat-knives_3.ply ]; do kill -0 $p || "
                           "exit 9; sleep 0.02; done; kill -TERM $p; wait $p",
                           run);
    const char *at = strstr(err, "stopped; ");
    int whole = at ? atoi(at + strlen("stopped; ")) : 0;
    CHECK_MSG(status == 128 + 15 && strstr(err, "of 4000 frames are in stopped/frames") && strstr(err, "--resume"),
              "status %d: %s", status, err);
    CHECK_MSG(whole >= 4 && files_in("stopped/frames") == whole, "%d frames", whole);
    CHECK_MSG(run_shell("%s --frames %d --resume --json", run, whole + 1) == 0, "%s", err);
    CHECK_MSG(number_said("resumed_from") == whole - 1, "%s", out);
}

TEST(the_number_of_threads_does_not_change_a_run) {
    const char *run = "$graze sim mat-knives --size 4 --frames 6 --json";
    CHECK_MSG(run_shell("%s --threads 1 --out one && %s --threads 3 --out three", run, run) == 0, "%s", err);
    CHECK(run_shell("cmp one/frames/mat-knives_5.ply three/frames/mat-knives_5.ply") == 0);
}

TEST(means_of_collision_detection_do_not_change_a_run) {
    const char *run = "$graze sim mat-knives --size 4 --frames 6 --json";
    CHECK_MSG(run_shell("%s --out plain && $graze sim mat-knives --size 4 --frames 6 --broad brute --out other", run) ==
                  0,
              "%s", err);
    CHECK(run_shell("cmp plain/frames/mat-knives_5.ply other/frames/mat-knives_5.ply") == 0);
    expect_refusal(run_shell("$graze sim mat-knives --frames 2 --broad nonsense --out no"), "nonsense", "broad phase");
}

TEST(a_coarse_tolerance_leaves_no_frame_with_intersections) {
    CHECK_MSG(run_shell("$graze sim spikes --frames 20 --method ti --tolerance 1e-3 --exit-code --out t --json") == 0,
              "%s", err);
    CHECK(number_said("intersections") == 0 && number_said("frames") == 20);
    expect_refusal(run_shell("$graze sim spikes --frames 2 --tolerance -1 --out no"), "tolerance");
}

TEST(calls_that_were_recorded_are_asked_again) {
    CHECK_MSG(run_shell("$graze sim spikes --out r --frames 20 --record calls --json") == 0, "%s", err);
    double calls = number_said("ccd_calls");
    CHECK(calls > 3);
    CHECK_MSG(run_shell("$graze sim spikes --replay calls --json") == 0, "%s", err);
    CHECK(number_said("calls") == calls && number_said("zero_steps") == 0);
    CHECK_MSG(run_shell("$graze sim spikes --replay calls --calls 3 --json") == 0, "%s", err);
    CHECK(number_said("calls") == 3);
    expect_refusal(run_shell("$graze sim five-cubes --replay calls"), "calls", "no record of this scene");
    CHECK_MSG(run_shell("$graze sim spikes --out r --frames 20 --resume --json") == 0, "%s", err);
    CHECK_MSG(number_said("resumed_from") == 19, "%s", out); /* all of it was there */
}

TEST(a_full_disk_is_an_error_and_leaves_no_part_of_a_frame) {
    CHECK(run_shell("trap '' XFSZ; ulimit -f 1; $graze sim mat-knives --frames 3 --out full") == 2);
    CHECK_MSG(strstr(err, "mat-knives_0.ply"), "%s", err);
    CHECK(run_shell("ls full/frames") == 0 && !strstr(out, "ply"));
}

TEST(every_step_has_a_certificate_that_verify_accepts) {
    CHECK_MSG(run_shell("$graze sim spikes --out proven --frames 40 --certificates --json") == 0, "%s", err);
    CHECK(number_said("contacts") > 0);
    CHECK(run_shell("ls proven/certificates | wc -l") == 0 && atoi(out) == 39);
    CHECK_MSG(run_shell("for f in proven/certificates/*.json; do $graze verify $f || exit 1; done") == 0, "%s%s", out,
              err);
}

static void refuse_scene(const char *text, const char *word, const char *other) {
    char command[1500];
    snprintf(command, sizeof command, "printf '%%s' '%s' > bad.json; $graze sim bad.json --out bad --frames 2", text);
    expect_refusal(run_shell("%s", command), word, other);
}

TEST(bad_scenes_are_refused_with_file_path_and_reason) {
    refuse_scene("{\"bodies\":[", "bad.json:1", "not JSON");
    refuse_scene("{\"bodies\":[]}", "bodies", "empty");
    refuse_scene("{}", "bodies", "missing");
    refuse_scene("{\"boddies\":[]}", "unknown key \"boddies\"", "did you mean \"bodies\"?");
    refuse_scene("{\"bodies\":[],\n\"bodies\":[]}", "bad.json:2: bodies", "twice");
    refuse_scene("{\"frames\":1.,\"bodies\":[]}", "bad.json:1", "a number that is none");
    refuse_scene("{\"bodies\":[{\"shape\":{\"kind\":\"box\",\"cells\":[2000,2000,2000]}}]}", "bodies[0].shape",
                 "10 million");
    refuse_scene("{\"bodies\":[{\"shape\":{\"kind\":\"ball\",\"cells\":2000}}]}", "bodies[0].shape", "10 million");
    refuse_scene("{\"bodies\":[{\"shape\":{\"kind\":\"sheet\",\"cells\":[50,50]},\"copies\":{\"count\":100000}}]}",
                 "bodies[0].copies", "10 million");
    refuse_scene("{\"bodies\":[{\"shape\":{\"kind\":\"box\"},\"copies\":{\"count\":100000}}]}", "bodies[0]",
                 "10000 bodies");
    refuse_scene("{\"bodies\":[{\"shape\":[1]}]}", "bodies[0].shape", "object");
    refuse_scene("{\"bodies\":[{\"shape\":{\"kind\":\"file\",\"path\":\"/dev/zero\",\"surface\":true}}]}", "/dev/zero",
                 "not a regular file");
    refuse_scene("{\"name\":\"../x\",\"bodies\":[]}", "name", "letters");
    refuse_scene("{\"bodies\":[{\"shape\":{\"kind\":\"cube\"}}]}", "bodies[0].shape.kind", "no shape");
    refuse_scene("{\"bodies\":[{\"shape\":{\"kind\":\"box\",\"cells\":[1,1]}}]}", "bodies[0].shape.cells", "3 entries");
    refuse_scene("{\"bodies\":[{\"shape\":{\"kind\":\"box\"},\"young\":-1}]}", "bodies[0].young", "not in");
    refuse_scene("{\"bodies\":[{\"shape\":{\"kind\":\"file\",\"path\":\"none.obj\"}}]}", "none.obj", "bodies[0]");
    refuse_scene("{\"bodies\":[{\"shape\":{\"kind\":\"box\"},\"obstacle\":true}]}", "bodies", "free");
    refuse_scene("{\"bodies\":[{\"shape\":{\"kind\":\"box\"}},{\"shape\":{\"kind\":\"box\"},\"position\":[0.5,0,0]}]}",
                 "intersect", "body 0");
    refuse_scene("{\"bodies\":[{\"shape\":{\"kind\":\"explicit\",\"vertices\":[[0,0,0],[1,0,0],[0,1,0],[0,0,-1]],"
                 "\"tetrahedra\":[[0,1,2,3]]}}]}",
                 "tetrahedron 0", "inverted");
    refuse_scene("{\"bodies\":[{\"shape\":{\"kind\":\"explicit\",\"vertices\":[[0,0,0],[1,0,0],[2,0,0]],"
                 "\"faces\":[[0,1,2]]}}]}",
                 "face 0", "flat");
}

/* A cube of six tetrahedra, in both versions of the format. */
static void write_cubes(void) {
    static const char nodes[] = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n";
    static const int cells[6][4] = {{1, 2, 4, 8}, {1, 4, 3, 8}, {1, 3, 7, 8}, {1, 7, 5, 8}, {1, 5, 6, 8}, {1, 6, 2, 8}};
    char two[1500] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n9\n", four[1500], line[100];
    char elements_two[800] = "$EndNodes\n$Elements\n7\n1 15 2 0 1 1\n", elements_four[800];
    const char *at = nodes;
    for (int i = 0; i < 8; i++) {
        const char *end = strchr(at, '\n');
        snprintf(line, sizeof line, "%d %.*s\n", i + 1, (int)(end - at), at);
        strcat(two, line);
        at = end + 1;
    }
    strcat(two, "9 5 5 5\n"); /* of no tetrahedron */
    snprintf(four, sizeof four,
             "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 8 1 8\n3 1 0 8\n1\n2\n3\n4\n5\n6\n7\n8\n%s$EndNodes\n",
             nodes);
    snprintf(elements_four, sizeof elements_four, "$Elements\n2 7 1 7\n0 1 15 1\n1 1\n3 1 4 6\n");
    for (int i = 0; i < 6; i++) {
        const int *c = cells[i];
        snprintf(line, sizeof line, "%d 4 2 0 1 %d %d %d %d\n", i + 2, c[0], c[1], c[2], c[3]);
        strcat(elements_two, line);
        snprintf(line, sizeof line, "%d %d %d %d %d\n", i + 2, c[0], c[1], c[2], c[3]);
        strcat(elements_four, line);
    }
    CHECK(run_shell("printf '%%s%%s$EndElements\n' '%s' '%s' > two.msh", two, elements_two) == 0);
    CHECK(run_shell("printf '%%s%%s$EndElements\n' '%s' '%s' > four.msh", four, elements_four) == 0);
}

TEST(tetrahedra_come_from_msh_files_of_both_versions_with_the_same_bits) {
    write_cubes();
    for (int k = 0; k < 2; k++) {
        const char *name = k ? "four" : "two";
        CHECK(run_shell("printf '{\"bodies\":[{\"shape\":{\"kind\":\"file\",\"path\":\"%s.msh\"}}]}' > %s.json", name,
                        name) == 0);
        CHECK_MSG(run_shell("$graze sim %s.json --out %s --frames 2 --json", name, name) == 0, "%s", err);
        CHECK(number_said("vertices") == 8 && number_said("elements") == 6 && number_said("faces") == 12);
    }
    CHECK(run_shell("cmp two/frames/scene_1.ply four/frames/scene_1.ply") == 0);
    expect_refusal(
        run_shell(
            "head -c 200 four.msh > cut.msh; sed s/four/cut/ four.json > cut.json; $graze sim cut.json --out cut"),
        "cut.msh", "bodies[0].shape.path");
}

/* Of a grid whose vertices are listed one by one: seconds of a processor. */
static double time_to_read(int side) {
    char *text = malloc((size_t)side * (size_t)side * 100), *at = text;
    at += sprintf(at, "{\"bodies\":[{\"shape\":{\"kind\":\"explicit\",\"vertices\":[");
    for (int i = 0; i < side * side; i++) at += sprintf(at, "%s[%d,0,%d]", i ? "," : "", i % side, i / side);
    at += sprintf(at, "],\"faces\":[");
    for (int i = 0; i < side * (side - 1); i++)
        if (i % side < side - 1) at += sprintf(at, "%s[%d,%d,%d]", i ? "," : "", i, i + 1, i + side);
    strcpy(at, "]}}]}");
    write_file("long.json", text);
    free(text);
    double before = processor_seconds_of_commands();
    CHECK_MSG(run("sim long.json --out long%d --frames 1 --json", side) == 0, "%s", err);
    CHECK(number_said("vertices") == side * side);
    return processor_seconds_of_commands() - before;
}

/* Four times as many take four times as long, on any machine; a reader that looks for each from the start takes sixteen
   times as long, half a minute for the larger one. */
TEST(long_lists_are_read_in_proportion_to_their_length) {
    double quarter = time_to_read(100), whole = time_to_read(200);
    printf("    %.3f s and %.3f s\n", quarter, whole);
    CHECK_MSG(whole < 9 * quarter, "%g s, %g s for four times as much", quarter, whole);
}

TEST(text_scenes_are_read_as_far_as_the_solver_goes) {
    write_cubes();
    CHECK(run_shell("mkdir -p deep/er && printf 'v -1 0 -1\\nv 1 0 -1\\nv 1 0 1\\nv -1 0 1\\nf 1 2 3\\nf 1 3 4\\n' > "
                    "deep/plane.obj && "
                    "cp two.msh deep/cube.msh") == 0);
    static const char text[] =
        "energy NH\nsize 2\ntime 0.1 0.02\nstiffness 1e5 0.3 # soft\nscript fall\n\nshapes input 2\n"
        "cube.msh 0 0 0  0 0 0  1 1 1\ncube.msh 0 3 0  0 30 0  1 1 1  initVel 0 -1 0 0 0 0\n"
        "meshCO plane.obj 0 -0.2 0  10  50 0.1\nselfFric 0.1\nsection SQP QP\nnonsense\nsection end\n"
        "zoom 0.5\nconstraintSolver IP\n";
    CHECK(run_shell("printf '%%s' '%s' > deep/er/stack.txt", text) == 0);
    CHECK_MSG(run_shell("$graze sim deep/er/stack.txt --out stack --json") == 0, "%s", err);
    CHECK(number_said("frames") == 6 && number_said("elements") == 12 && number_said("vertices") == 20 &&
          number_said("intersections") == 0);
    /* a row of segments, points from a surface, a line that goes on, a motion that turns, an old list of numbers */
    static const char more[] =
        "energy NH\ntime 0.06 0.02\nshapes input 3\ncube.msh 0 1 0  0 0 0  1 1 1 \\\\\n  material 500 2e4 0.3\n"
        "cube.msh 0 3 0  0 0 0  1 1 1 angularVelocity 0 90 0 linearVelocity 0 0.1 0\nplane.pt 0 -2 0  0 0 0  1 1 1\n"
        "shapeMatrix input 3 1 2  0 0.5 0\nedge.seg 2 1 1  0 0 0  1 1 1\n"
        "shapeMatrix input 1 1 1  0 -4 0\nplane.seg 0 0 0  0 0 0  1 1 1\nfricIterAmt 1\ntuning 2\n0\n1e-2\n";
    CHECK(run_shell("printf 'v 0 0 0\\nv 0.5 0 0\\ns 1 2\\n' > deep/edge.seg && printf '%%b' '%s' > deep/er/more.txt",
                    more) == 0);
    CHECK_MSG(run_shell("$graze sim deep/er/more.txt --out more --json") == 0, "%s", err);
    CHECK_MSG(number_said("frames") == 4 && number_said("elements") == 6 &&
                  number_said("vertices") == 8 + 8 + 4 + 12 + 4 && number_said("intersections") == 0,
              "%s", out);
    CHECK(run_shell("grep -a 'element edge' more/frames/more_0.ply") == 0 && strstr(out, "element edge 11"));
    expect_refusal(run_shell("printf 'tuning 3\\n1 2\\n' > bad.txt; $graze sim bad.txt --out x"), "bad.txt:2",
                   "tuning");
    expect_refusal(run_shell("printf 'energy NH\\nmagic 1\\n' > bad.txt; $graze sim bad.txt --out x"), "bad.txt:2",
                   "magic");
    expect_refusal(run_shell("printf 'script dance\\n' > bad.txt; $graze sim bad.txt --out x"), "bad.txt:1", "dance");
    expect_refusal(
        run_shell("printf 'shapes input 1\\nnone.msh 0 0 0 0 0 0 1 1 1\\n' > bad.txt; $graze sim bad.txt --out x"),
        "bad.txt:2", "none.msh");
    expect_refusal(run_shell("printf 'time 1\\n' > bad.txt; $graze sim bad.txt --out x"), "bad.txt:1", "too early");
    expect_refusal(run_shell("{ printf 'energy NH\\ntime'; yes 1 | head -n 2000 | tr '\\n' ' '; echo; } > bad.txt; "
                             "$graze sim bad.txt --out x"),
                   "bad.txt:2", "more than 1024 words");
}

/* A face of seventy corners, and a line whose last word of 171 is wrong. */
TEST(long_lines_of_text_scenes_are_read_to_their_end) {
    write_cubes();
    CHECK(run_shell(
              "(for i in $(seq 70); do echo \"v $i 0 0\"; done; printf 'f'; seq -f ' %%.0f' -s '' 70; echo) > ring.obj "
              "&& printf 'shapes input 2\\ntwo.msh 0 1 0 0 0 0 1 1 1\\nring.seg 0 0 0 0 0 0 1 1 1\\n' > ring.txt") ==
          0);
    CHECK_MSG(run_shell("$graze sim ring.txt --frames 1 --out ring --json") == 0, "%s", err);
    CHECK(run_shell("grep -a 'element edge' ring/frames/ring_0.ply") == 0 && strstr(out, "element edge 70"));
    expect_refusal(
        run_shell("(printf zoom; yes 1 | head -n 2000 | tr '\\n' ' ') > long.txt; $graze sim long.txt --out x"),
        "long.txt:1", "more than 1024 words");
    expect_refusal(run_shell("(printf 'shapes input 1\\ntwo.msh 0 0 0 0 0 0 1 1 1'; "
                             "for i in $(seq 40); do printf ' material 1000 1e5 0.4'; done; echo ' last') > long.txt; "
                             "$graze sim long.txt --out x"),
                   "long.txt:2", "last");
}

/* The mean of the cube's eight vertices, which are the only ones near the origin. */
static double mean_x(const char *name) {
    io_mesh mesh;
    io_error error = {""};
    double sum = 0;
    CHECK_MSG(io_read_mesh(path_of(name), &mesh, &error), "%s", error.message);
    for (size_t i = 0; i < mesh.vertex_count; i++)
        if (fabs(mesh.positions[i][0]) < 50) sum += mesh.positions[i][0] / 8;
    io_free_mesh(&mesh);
    return sum;
}

/* A half space under a cube that lies around its origin. Implicit steps of 0.025 s, two seconds, (0.5 − 0.45)·g·cos. */
TEST(a_cube_slides_down_a_half_space_as_coulomb_says) {
    write_cubes();
    static const char scene[] =
        "energy NH\ntime 2 0.025\nstiffness 1e9 0.4\nscript fallNoShift\nshapes input 1\n"
        "two.msh 6.3e-4 1.25e-3 -0.5  0 0 -26.565051177  1 1 1\nhalfSpace 0 0 0  1 2 0  50 0.45\n";
    CHECK_MSG(run_shell("printf '%%s' '%s' > slope.txt; $graze sim slope.txt --out slope --json", scene) == 0, "%s",
              err);
    double way = mean_x("slope/frames/slope_80.ply") - mean_x("slope/frames/slope_0.ply");
    double cosine = 2 / sqrt(5), expected = cosine * 0.05 * 9.81 * cosine * 2 * (2 + 0.025) / 2;
    CHECK_MSG(fabs(way - expected) < 0.02 * expected, "%g m along x, Coulomb says %g", way, expected);
}

/* A block that is let go moves by its own bits under each tolerance, and only where the number is read. */
TEST(tolerances_of_text_scenes_are_read_and_what_is_not_read_is_counted) {
    write_cubes();
    static const char scene[] = "energy NH\nsize 1\ntime 0.1 0.02\nstiffness 1e4 0.4\nshapes input 1\n"
                                "two.msh 0 0 0  0 0 0  1 1 1\nground 0 -0.01\n";
    CHECK(run_shell("printf '%%s' '%s' > plain.txt; (cat plain.txt; printf 'tol 2\\n1e-1 1e-8\\n') > fine.txt; "
                    "(cat plain.txt; printf 'tol 1\\n1e-2\\nzoom 2\\nwarmStart 1\\nzoom 3\\nselfFric 0 far out\\n') > "
                    "same.txt",
                    scene) == 0);
    CHECK_MSG(run_shell("$graze sim plain.txt --out plain --json") == 0, "%s", err);
    double plain = number_said("newton_iterations");
    CHECK(run_shell("$graze sim fine.txt --out fine --json") == 0);
    CHECK_MSG(number_said("newton_iterations") > plain, "%s", out);
    CHECK(run_shell("$graze sim same.txt --out same --json") == 0 && number_said("newton_iterations") == plain);
    CHECK_MSG(strstr(err, "same.txt: 3 lines") && strstr(err, "zoom warmStart"), "%s", err);
    CHECK_MSG(strstr(err, "same.txt:13") && strstr(err, "2 in the file"), "%s", err);
    CHECK(run_shell("cmp plain/frames/plain_5.ply same/frames/same_5.ply") == 0);
    expect_refusal(run_shell("printf 'tol 2\\n1e-3\\n' > bad.txt; $graze sim bad.txt --out x"), "bad.txt:2", "tol");
    expect_refusal(run_shell("printf 'tol 1\\n0\\n' > bad.txt; $graze sim bad.txt --out x"), "bad.txt:2", "positive");
}

TEST(a_run_ends_after_the_time_that_it_has) {
    CHECK_MSG(run_shell("$graze sim spikes --out short --seconds 1e-9 --json") == 0, "%s", err);
    CHECK(number_said("frames") == 1 && run_shell("ls short/frames | wc -l") == 0 && atoi(out) == 1);
    CHECK(run_shell("$graze sim spikes --out short --seconds 1000 --frames 3 --json") == 0 &&
          number_said("frames") == 3);
}

TEST(bad_arguments_are_refused) {
    expect_refusal(run_shell("$graze sim nothing --out x"), "nothing", "--list");
    expect_refusal(run_shell("$graze sim none.json --out x"), "none.json", "sim");
    expect_refusal(run_shell("$graze sim spikes"), "--out", "missing");
    expect_refusal(run_shell("$graze sim spikes --out x --step-filter other"), "other", "global");
    expect_refusal(run_shell("$graze sim spikes --out x --method other"), "other", "certified");
    CHECK(run_shell("$graze sim --help") == 0 && strstr(out, "--step-filter"));
}

int main(int argc, char **argv) { return run_program_tests(argc, argv); }
