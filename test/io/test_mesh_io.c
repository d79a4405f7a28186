/* Mesh files: what is read is exact, in every format and byte order; what is malformed is an error with its place. */
#include "check.h"

#include "io/file.h"
#include "io/mesh.h"

#include <unistd.h>

static char folder[] = "/tmp/graze-mesh-XXXXXX";

static const char *path_of(const char *name) {
    static char path[2][96];
    static int turn;
    if (strstr(folder, "XXXXXX")) CHECK(mkdtemp(folder) != NULL);
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

/* ---- bytes of a file under way ---- */

typedef struct bytes {
    unsigned char data[1 << 16];
    size_t size;
    bool big; /* byte order */
} bytes;

static void put(bytes *b, const void *value, size_t size) {
    const unsigned char *from = value;
    for (size_t i = 0; i < size; i++)
        b->data[b->size++] = from[b->big ? size - 1 - i : i]; /* tests run little-endian */
}
static void put_text(bytes *b, const char *text) {
    memcpy(b->data + b->size, text, strlen(text));
    b->size += strlen(text);
}
static void put_int(bytes *b, int32_t x) { put(b, &x, 4); }
static void put_long(bytes *b, int64_t x) { put(b, &x, 8); }
static void put_double(bytes *b, double x) { put(b, &x, 8); }
static void put_float(bytes *b, float x) { put(b, &x, 4); }
static void put_byte(bytes *b, int x) { b->data[b->size++] = (unsigned char)x; }

static const char *save(const bytes *b, const char *name) {
    const char *path = path_of(name);
    remove(path); /* some file systems flush a file that is cut and written anew, which takes long */
    FILE *stream = fopen(path, "wb");
    CHECK(stream && fwrite(b->data, 1, b->size, stream) == b->size);
    if (stream) fclose(stream);
    return path;
}

static const char *save_text(const char *name, const char *text) {
    static bytes b;
    b.size = 0;
    put_text(&b, text);
    return save(&b, name);
}

/* ---- a tetrahedron whose coordinates have all their bits ---- */

static const double corners[4][3] = {{0.1, -1.0 / 3, 1e-300},
                                     {1.0000000000000002, 0, 5e-324},
                                     {0.30000000000000004, 12345678901234567.0, 2},
                                     {-0.7, 1.7976931348623157e308, 3}};
static const uint32_t triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

static void check_tetrahedron(const char *path) {
    io_mesh mesh;
    io_error error = {""};
    CHECK_MSG(io_read_mesh(path, &mesh, &error), "%s", error.message);
    CHECK(mesh.vertex_count == 4 && mesh.face_count == 4 && mesh.fanned == 0);
    if (mesh.vertex_count == 4 && mesh.face_count == 4) {
        CHECK_MSG(memcmp(mesh.positions, corners, sizeof corners) == 0, "%s", path);
        CHECK_MSG(memcmp(mesh.faces, triangles, sizeof triangles) == 0, "%s", path);
        CHECK(mesh.largest == 1.7976931348623157e308);
    }
    io_free_mesh(&mesh);
}

static void expect_error(const char *path, const char *where, const char *reason) {
    io_mesh mesh;
    io_error error = {""};
    CHECK_MSG(!io_read_mesh(path, &mesh, &error), "%s was read", path);
    CHECK_MSG(strstr(error.message, where) != NULL, "message: %s (wanted %s)", error.message, where);
    CHECK_MSG(strstr(error.message, reason) != NULL, "message: %s (wanted %s)", error.message, reason);
    CHECK(!strchr(error.message, '\n'));
    CHECK(!mesh.positions && !mesh.faces && mesh.vertex_count == 0);
}

static void put_vertex_lines(bytes *b, const char *before, const char *after) {
    for (int i = 0; i < 4; i++) {
        char line[200];
        snprintf(line, sizeof line, "%s%.17g %.17g %.17g%s\n", before, corners[i][0], corners[i][1], corners[i][2],
                 after);
        put_text(b, line);
    }
}

/* ---- PLY ---- */

TEST(ply_text_is_read_exactly) {
    static bytes b;
    b.size = 0;
    put_text(&b, "ply\r\nformat ascii 1.0\ncomment made by hand\nobj_info nothing\nelement vertex 4\n"
                 "property double x\nproperty double y\nproperty double z\nelement face 4\n"
                 "property list uchar int vertex_index\nend_header\n");
    put_vertex_lines(&b, "", "");
    for (int i = 0; i < 4; i++) {
        char line[64];
        snprintf(line, sizeof line, "3 %u %u %u\n", triangles[i][0], triangles[i][1], triangles[i][2]);
        put_text(&b, line);
    }
    check_tetrahedron(save(&b, "a.ply"));
    check_tetrahedron(save(&b, "ply-without-extension"));
}

/* Extra elements and properties before, between and after what a mesh needs; faces before vertices. */
static void ply_with_extras(bool big) {
    static bytes b;
    b.size = 0;
    b.big = false;
    put_text(&b, big ? "ply\nformat binary_big_endian 1.0\n" : "ply\nformat binary_little_endian 1.0\n");
    put_text(&b, "element camera 2\nproperty float fov\nproperty list ushort short numbers\n"
                 "element face 4\nproperty uchar flag\nproperty list uint8 uint32 vertex_indices\n"
                 "property list int float texture\n"
                 "element vertex 4\nproperty float nx\nproperty float64 z\nproperty double x\nproperty uint8 red\n"
                 "property double y\nproperty list uchar double more\n"
                 "element nothing 4000000000\nend_header\n");
    b.big = big;
    for (int i = 0; i < 2; i++) {
        put_float(&b, 1.5f);
        int16_t length = (int16_t)(i * 2), value = -1;
        put(&b, &length, 2);
        for (int k = 0; k < length; k++) put(&b, &value, 2);
    }
    for (int i = 0; i < 4; i++) {
        put_byte(&b, 7);
        put_byte(&b, 3);
        for (int k = 0; k < 3; k++) put_int(&b, (int32_t)triangles[i][k]);
        put_int(&b, i);
        for (int k = 0; k < i; k++) put_float(&b, 0.5f);
    }
    for (int i = 0; i < 4; i++) {
        put_float(&b, NAN);
        put_double(&b, corners[i][2]);
        put_double(&b, corners[i][0]);
        put_byte(&b, 255);
        put_double(&b, corners[i][1]);
        put_byte(&b, i);
        for (int k = 0; k < i; k++) put_double(&b, 9);
    }
    b.big = false;
    check_tetrahedron(save(&b, big ? "big.ply" : "little.ply"));
}

TEST(ply_binary_skips_what_it_was_not_asked_for_in_both_byte_orders) {
    ply_with_extras(false);
    ply_with_extras(true);
}

TEST(ply_reads_every_property_type) {
    static const struct {
        const char *name;
        size_t size;
        double value;
    } types[] = {
        {"char", 1, -100},       {"uchar", 1, 200},         {"int8", 1, -100},         {"uint8", 1, 200},
        {"short", 2, -30000},    {"ushort", 2, 60000},      {"int16", 2, -30000},      {"uint16", 2, 60000},
        {"int", 4, -2000000000}, {"uint", 4, 4000000000.0}, {"int32", 4, -2000000000}, {"uint32", 4, 4000000000.0},
        {"float", 4, 0.5},       {"float32", 4, 0.5},       {"double", 8, 0.1},        {"float64", 8, 0.1},
    };
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int big = 0; big < 2; big++) {
            static bytes b;
            b.size = 0;
            b.big = false;
            char head[400];
            snprintf(head, sizeof head,
                     "ply\nformat binary_%s_endian 1.0\nelement vertex 3\nproperty %s x\nproperty float y\n"
                     "property float z\nelement face 1\nproperty list %s ushort vertex_indices\nend_header\n",
                     big ? "big" : "little", types[t].name,
                     types[t].size < 8 && types[t].value != 0.5 ? types[t].name : "uchar");
            put_text(&b, head);
            b.big = big;
            for (int i = 0; i < 3; i++) {
                double d = types[t].value;
                float f = (float)d;
                int64_t n = (int64_t)d;
                if (types[t].size == 8)
                    put(&b, &d, 8);
                else if (d == 0.5)
                    put(&b, &f, 4);
                else
                    put(&b, &n, types[t].size); /* its low bytes: the machine is little-endian */
                put_float(&b, (float)i);
                put_float(&b, (float)(i * i));
            }
            int64_t three = 3;
            put(&b, &three, types[t].size < 8 && types[t].value != 0.5 ? types[t].size : 1);
            for (uint16_t i = 0; i < 3; i++) put(&b, &i, 2);
            b.big = false;
            io_mesh mesh;
            io_error error = {""};
            CHECK_MSG(io_read_mesh(save(&b, "t.ply"), &mesh, &error), "%s: %s", types[t].name, error.message);
            CHECK(mesh.vertex_count == 3 && mesh.face_count == 1);
            if (mesh.vertex_count == 3)
                CHECK_MSG(mesh.positions[1][0] == types[t].value && mesh.positions[2][2] == 4, "%s", types[t].name);
            io_free_mesh(&mesh);
        }
}

TEST(ply_written_and_read_again_has_the_same_bits) {
    io_error error = {""};
    const char *path = path_of("written.ply");
    CHECK_MSG(io_write_ply(path, corners, 4, triangles, 4, &error), "%s", error.message);
    check_tetrahedron(path);
    CHECK(!io_write_ply("/nonexistent/folder/a.ply", corners, 4, triangles, 4, &error));
}

TEST(the_axis_that_points_up_is_read_from_a_comment_of_ply_and_written_for_scenes) {
    static const struct {
        const char *comment;
        char up;
    } cases[] = {{"comment up z\n", 'z'}, {"comment up y\n", 'y'},  {"comment up\n", 0},   {"comment up x\n", 0},
                 {"comment\n", 0},        {"comment z is up\n", 0}, {"obj_info up z\n", 0}};
    io_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int before = 0; before < 2; before++) { /* the line that says the format */
            char text[500];
            snprintf(text, sizeof text,
                     "ply\n%sformat ascii 1.0\n%selement vertex 3\nproperty float x\nproperty float y\n"
                     "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
                     "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
                     before ? cases[i].comment : "", before ? "" : cases[i].comment);
            io_mesh mesh;
            CHECK_MSG(io_read_mesh(save_text("up.ply", text), &mesh, &error), "%s", error.message);
            CHECK_MSG(mesh.up == cases[i].up, "%s", cases[i].comment);
            io_free_mesh(&mesh);
        }
}

#define PLY_HEAD                                                                                                       \
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"                  \
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n"

TEST(ply_errors_name_file_line_and_reason) {
    expect_error(save_text("e.ply", "plt\n"), "e.ply:1:", "not a PLY");
    expect_error(save_text("e.ply", ""), "e.ply", "not a PLY");
    expect_error(save_text("e.ply", "ply\nformat utf8 1.0\n"), "e.ply:2:", "format");
    expect_error(save_text("e.ply", "ply\nformat ascii 1.0\nelement vertex 3\n"), "e.ply:3:", "cut off");
    expect_error(save_text("e.ply", "ply\nformat ascii 1.0\nproperty float x\n"), "e.ply:3:", "before the first");
    expect_error(save_text("e.ply", "ply\nformat ascii 1.0\nelement vertex many\n"), "e.ply:3:", "many");
    expect_error(save_text("e.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty quad x\n"), "e.ply:4:", "type");
    expect_error(save_text("e.ply", "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nend_header\n"),
                 "e.ply:3:", "x, y or z");
    expect_error(save_text("e.ply", PLY_HEAD "0.125 0.125 0\n1 0 0\n"), "e.ply:11:", "cut off");
    expect_error(save_text("e.ply", PLY_HEAD "0 0 0\n1 0\n0 1 0\n3 0 1 2\n"), "e.ply:11:", "coordinate");
    expect_error(save_text("e.ply", PLY_HEAD "0 0 0\n1 0 0 0\n0 1 0\n3 0 1 2\n"), "e.ply:11:", "more values");
    expect_error(save_text("e.ply", PLY_HEAD "0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n"), "e.ply:11:", "not a number");
    expect_error(save_text("e.ply", PLY_HEAD "0 0 0\n1 0 0\n0 -inf 0\n3 0 1 2\n"), "e.ply:12:", "infinite");
    expect_error(save_text("e.ply", PLY_HEAD "0 0 0\n1 0 0\n0 1e999 0\n3 0 1 2\n"), "e.ply:12:", "infinite");
    expect_error(save_text("e.ply", PLY_HEAD "0 0 0\n1 zero 0\n0 1 0\n3 0 1 2\n"), "e.ply:11:", "'zero'");
    expect_error(save_text("e.ply", PLY_HEAD "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"), "e.ply:13:", "out of range");
    expect_error(save_text("e.ply", PLY_HEAD "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n"), "e.ply:13:", "out of range");
    expect_error(save_text("e.ply", PLY_HEAD "0 0 0\n1 0 0\n0 1 0\n3 0 1 0.5\n"), "e.ply:13:", "not an integer");
    expect_error(save_text("e.ply", PLY_HEAD "0 0 0\n1 0 0\n0 1 0\n2 0 1\n"), "e.ply:13:", "corners");
    expect_error(save_text("e.ply", PLY_HEAD "0 0 0\n1 0 0\n0 1 0\n4000000000 0 1 2\n"), "e.ply:13:", "room");
    expect_error(save_text("e.ply", PLY_HEAD "0 0 0\n1 0 0\n0 1 0\n3 0 1\n"), "e.ply:13:", "index");
}

TEST(ply_that_claims_more_than_the_file_holds_is_refused_at_its_header) {
    for (int text = 0; text < 2; text++) {
        char head[400];
        snprintf(
            head, sizeof head,
            "ply\nformat %s 1.0\nelement vertex 4000000000\nproperty double x\nproperty double y\n"
            "property double z\nelement face 4000000000\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n",
            text ? "ascii" : "binary_little_endian");
        expect_error(save_text("huge.ply", head), "huge.ply:3:", "4000000000");
    }
}

TEST(ply_without_vertices_or_faces_is_refused) {
    expect_error(save_text("none.ply", "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\n"
                                       "property float z\nend_header\n"),
                 "none.ply", "no vertices");
    expect_error(save_text("none.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
                                       "property float z\nend_header\n0 0 0\n"),
                 "none.ply", "no faces");
    expect_error(save_text("none.ply", "ply\nformat ascii 1.0\nend_header\n"), "none.ply", "no vertices");
}

TEST(every_cut_of_a_binary_file_is_an_error_and_never_a_crash) {
    io_error error = {""};
    const char *path = path_of("whole.ply");
    CHECK(io_write_ply(path, corners, 4, triangles, 4, &error));
    char *whole;
    size_t size;
    CHECK(io_read_file(path, &whole, &size, &error));
    for (size_t cut = 0; cut < size; cut++) {
        static bytes b;
        memcpy(b.data, whole, cut);
        b.size = cut;
        io_mesh mesh;
        CHECK_MSG(!io_read_mesh(save(&b, "cut.ply"), &mesh, &error), "cut at %zu", cut);
        io_free_mesh(&mesh);
    }
    free(whole);
    CHECK(strstr(error.message, "byte ") != NULL);
}

/* ---- OBJ ---- */

TEST(obj_is_read_exactly) {
    static bytes b;
    b.size = 0;
    put_text(&b, "# made by hand\nmtllib a.mtl\no tetrahedron\nvn 0 0 1\nvt 0 0\n");
    put_vertex_lines(&b, "v ", " 1.0 0.5 0.5 # with a weight");
    put_text(&b, "f 1 3 2\r\nf 1/1 2/1 4/1\nf 2//1 3//1 \\\n4//1\nf -2/1/1 -4/1/1 -1/1/1\ns off\n");
    check_tetrahedron(save(&b, "a.obj"));
    check_tetrahedron(save(&b, "obj-without-extension"));
}

TEST(obj_faces_may_come_first_and_lines_are_kept) {
    io_mesh mesh;
    io_error error = {""};
    const char *path = save_text("l.obj", "f 1 2 3 4 5\nl 4 5 1\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\n");
    CHECK_MSG(io_read_mesh(path, &mesh, &error), "%s", error.message);
    CHECK(mesh.face_count == 3 && mesh.fanned == 1 && mesh.edge_count == 2);
    if (mesh.face_count == 3 && mesh.edge_count == 2) {
        CHECK(mesh.faces[2][0] == 0 && mesh.faces[2][1] == 3 && mesh.faces[2][2] == 4);
        CHECK(mesh.edges[1][0] == 4 && mesh.edges[1][1] == 0);
    }
    io_free_mesh(&mesh);
}

TEST(obj_errors_name_file_line_and_reason) {
    expect_error(save_text("e.obj", "v 0 0 0\nv 1 0\n"), "e.obj:2:", "three coordinates");
    expect_error(save_text("e.obj", "v 0 0 0\nv 1 0 x\n"), "e.obj:2:", "'x'");
    expect_error(save_text("e.obj", "v 0 0 NaN\n"), "e.obj:1:", "not a number");
    expect_error(save_text("e.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n"), "e.obj:4:", "out of range");
    expect_error(save_text("e.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n"), "e.obj:4:", "out of range");
    expect_error(save_text("e.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n"), "e.obj:4:", "counts from 1");
    expect_error(save_text("e.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999\n"), "e.obj:4:", "index");
    expect_error(save_text("e.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n"), "e.obj:4:", "2 corners");
    expect_error(save_text("e.obj", "# nothing\n"), "e.obj", "no vertices");
    expect_error(save_text("e.obj", "v 0 0 0\n"), "e.obj", "no faces");
}

/* ---- OFF ---- */

TEST(off_is_read_exactly_with_comments_and_colours) {
    static const char *const heads[] = {"OFF\n4 4 6\n", "OFF 4 4 0 # all in one line\n", "# first\nNOFF\n\n4 4 0\n",
                                        "COFF\n# between\n4 4 0\n", "4 4 0\n"};
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
        static bytes b;
        b.size = 0;
        put_text(&b, heads[h]);
        put_vertex_lines(&b, "", h == 2 ? " 0 0 1" : h == 3 ? " 1 0 0 1" : "");
        for (int i = 0; i < 4; i++) {
            char line[64];
            snprintf(line, sizeof line, "3 %u %u %u  0.5 0.5 0.5\n# face\n", triangles[i][0], triangles[i][1],
                     triangles[i][2]);
            put_text(&b, line);
        }
        check_tetrahedron(save(&b, "a.off"));
        if (h < 2) check_tetrahedron(save(&b, "off-without-extension"));
    }
}

TEST(off_errors_name_file_line_and_reason) {
    expect_error(save_text("e.off", ""), "e.off", "empty");
    expect_error(save_text("e.off", "OFF\n"), "e.off", "ends");
    expect_error(save_text("e.off", "OFF\n4000000000 1 0\n0 0 0\n"), "e.off:2:", "room");
    expect_error(save_text("e.off", "OFF\n-1 1 0\n0 0 0\n"), "e.off:2:", "negative");
    expect_error(save_text("e.off", "OFF BINARY\n"), "e.off:1:", "binary");
    expect_error(save_text("e.off", "4OFF\n1 1 0\n"), "e.off:1:", "dimensions");
    expect_error(save_text("e.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"), "e.off:6:", "out of range");
    expect_error(save_text("e.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n       \n"), "e.off", "cut off");
    expect_error(save_text("e.off", "OFF\n3 1 0\n0 0 0\n1 0 inf\n0 1 0\n3 0 1 2\n"), "e.off:4:", "infinite");
}

/* ---- STL ---- */

static const char *save_stl_text(const char *name, const double x[4][3]) {
    static bytes b;
    b.size = 0;
    put_text(&b, "solid thing\n");
    for (int f = 0; f < 4; f++) {
        put_text(&b, "facet normal 0 0 nan\n  outer loop\n");
        for (int k = 0; k < 3; k++) {
            const double *p = x[triangles[f][k]];
            char line[200];
            snprintf(line, sizeof line, "    vertex %.17g %.17g %.17g\n", p[0], p[1], p[2]);
            put_text(&b, line);
        }
        put_text(&b, "  endloop\nendfacet\n");
    }
    put_text(&b, "endsolid thing\n");
    return save(&b, name);
}

static void put_stl_binary(bytes *b, const double x[4][3], const char *title) {
    b->size = 0;
    put_text(b, title);
    while (b->size < 80) put_byte(b, 0);
    put_int(b, 4);
    for (int f = 0; f < 4; f++) {
        for (int k = 0; k < 3; k++) put_float(b, NAN);
        for (int k = 0; k < 9; k++) put_float(b, (float)x[triangles[f][k / 3]][k % 3]);
        put_byte(b, 0);
        put_byte(b, 0);
    }
}

TEST(stl_text_and_binary_are_read_exactly_and_welded) {
    io_mesh mesh;
    io_error error = {""};
    CHECK_MSG(io_read_mesh(save_stl_text("a.stl", corners), &mesh, &error), "%s", error.message);
    CHECK(mesh.vertex_count == 4 && mesh.face_count == 4);
    for (size_t f = 0; f < mesh.face_count; f++)
        for (int k = 0; k < 3; k++)
            CHECK(memcmp(mesh.positions[mesh.faces[f][k]], corners[triangles[f][k]], sizeof corners[0]) == 0);
    io_free_mesh(&mesh);

    const double small[4][3] = {{0.1f, 0, 0}, {1, -2.5f, 0}, {0, 1, 3e38f}, {1e-45f, 0, 1}};
    static const char *const titles[] = {"made by hand", "solid as binary files also begin"};
    for (int t = 0; t < 2; t++) {
        static bytes b;
        put_stl_binary(&b, small, titles[t]);
        CHECK_MSG(io_read_mesh(save(&b, "b.stl"), &mesh, &error), "%s", error.message);
        CHECK(mesh.vertex_count == 4 && mesh.face_count == 4);
        for (size_t f = 0; f < mesh.face_count; f++)
            for (int k = 0; k < 3; k++)
                CHECK(memcmp(mesh.positions[mesh.faces[f][k]], small[triangles[f][k]], sizeof small[0]) == 0);
        io_free_mesh(&mesh);
    }
}

TEST(stl_frames_are_welded_only_where_both_agree) {
    /* corner 3 of the first frame lies on corner 0; in the second they are apart */
    const double a[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}};
    const double b[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -0.5}};
    io_mesh first, second;
    io_error error = {""};
    char path_a[96], path_b[96];
    strcpy(path_a, save_stl_text("a1.stl", a));
    strcpy(path_b, save_stl_text("a2.stl", b));
    CHECK_MSG(io_read_mesh_pair(path_a, path_b, &first, &second, &error), "%s", error.message);
    CHECK(first.vertex_count == 4 && second.vertex_count == 4);
    for (size_t f = 0; f < first.face_count; f++)
        for (int k = 0; k < 3; k++) {
            CHECK(first.faces[f][k] == second.faces[f][k]);
            CHECK(memcmp(first.positions[first.faces[f][k]], a[triangles[f][k]], sizeof a[0]) == 0);
            CHECK(memcmp(second.positions[second.faces[f][k]], b[triangles[f][k]], sizeof b[0]) == 0);
        }
    io_free_mesh(&first);
    io_free_mesh(&second);
    CHECK(io_read_mesh(path_a, &first, &error) && first.vertex_count == 3);
    io_free_mesh(&first);
    /* −0 and 0 have different bits */
    const double c[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -0.0}};
    CHECK(io_read_mesh(save_stl_text("c.stl", c), &first, &error) && first.vertex_count == 4);
    io_free_mesh(&first);
}

TEST(stl_errors_name_file_place_and_reason) {
    expect_error(save_text("e.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n"), "e.stl:4:", "'x'");
    expect_error(save_text("e.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n"),
                 "e.stl:4:", "not a number");
    expect_error(save_text("e.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\n"),
                 "e.stl:5:", "1 corner");
    expect_error(save_text("e.stl", "solid\nvertex 0 0 0\n"), "e.stl:2:", "no triangle");
    expect_error(save_text("e.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"), "e.stl", "cut off");
    expect_error(save_text("e.stl", "solid\nhello\n"), "e.stl:2:", "expected");
    expect_error(save_text("e.stl", "solid\nendsolid\n"), "e.stl", "no vertices");
    expect_error(save_text("e.stl", "hello"), "e.stl", "neither");
    static bytes b;
    put_stl_binary(&b, corners, "x");
    expect_error(save(&b, "inf.stl"), "byte ", "infinite"); /* 1e308 as a float */
    b.size -= 7;
    expect_error(save(&b, "cut.stl"), "byte 84", "room");
    for (int i = 80; i < 84; i++) b.data[i] = 0xff;
    expect_error(save(&b, "huge.stl"), "byte 84", "4294967295");
}

/* ---- MSH ---- */

/* Tags are sparse and out of order; a tetrahedron, a line and a point are elements too. */
static const int64_t tags[4] = {70, 3, 1000000, 12};

static void put_msh(bytes *b, int version, bool binary, bool big) {
    char line[200];
    b->size = 0;
    b->big = false;
    put_text(b, "$MeshFormat\n");
    put_text(b, version == 22 ? "2.2" : version == 40 ? "4" : "4.1");
    put_text(b, binary ? " 1 8\n" : " 0 8\n");
    b->big = big;
    if (binary) {
        put_int(b, 1);
        put_text(b, "\n");
    }
    put_text(b, "$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"skin\"\n$EndPhysicalNames\n$Nodes\n");
    if (version == 22) {
        put_text(b, "4\n");
    } else if (binary) {
        put_long(b, 2);
        put_long(b, 4);
        if (version == 41) {
            put_long(b, 3);
            put_long(b, 1000000);
        }
    } else {
        put_text(b, version == 41 ? "2 4 3 1000000\n" : "2 4\n");
    }
    for (int block = 0; block < 2; block++) {
        int first = block * 2;
        bool parametric = version != 22 && block == 1; /* a surface entity: two parameters follow */
        int head[3] = {version == 41 ? 2 : 5, version == 41 ? 5 : 2, parametric};
        if (version != 22 && binary) {
            for (int i = 0; i < 3; i++) put_int(b, head[i]);
            put_long(b, 2);
        } else if (version != 22) {
            snprintf(line, sizeof line, "%d %d %d 2\n", head[0], head[1], head[2]);
            put_text(b, line);
        }
        for (int i = first; version == 41 && i < first + 2; i++) {
            if (binary) put_long(b, tags[i]);
            snprintf(line, sizeof line, "%d\n", (int)tags[i]);
            if (!binary) put_text(b, line);
        }
        for (int i = first; i < first + 2; i++) {
            if (binary) {
                if (version != 41) put_int(b, (int32_t)tags[i]);
                for (int c = 0; c < 3; c++) put_double(b, corners[i][c]);
                for (int c = 0; parametric && c < 2; c++) put_double(b, 0.5);
                continue;
            }
            snprintf(line, sizeof line, "%d ", (int)tags[i]);
            if (version != 41) put_text(b, line);
            snprintf(line, sizeof line, "%.17g %.17g %.17g%s\n", corners[i][0], corners[i][1], corners[i][2],
                     parametric ? " 0.5 0.5" : "");
            put_text(b, line);
        }
    }
    if (binary) put_text(b, "\n");
    put_text(b, "$EndNodes\n$Elements\n");
    /* a line (type 1), a point (15), four triangles (2), a tetrahedron (4) */
    static const struct {
        int type, count, nodes, node[4][4];
    } blocks[] = {{1, 1, 2, {{0, 1}}},
                  {15, 1, 1, {{2}}},
                  {2, 4, 3, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}},
                  {4, 1, 4, {{0, 1, 2, 3}}}};
    if (version == 22) {
        put_text(b, "7\n");
    } else if (binary) {
        put_long(b, 4);
        put_long(b, 7);
        if (version == 41) {
            put_long(b, 1);
            put_long(b, 7);
        }
    } else {
        put_text(b, version == 41 ? "4 7 1 7\n" : "4 7\n");
    }
    int number = 1;
    for (int k = 0; k < 4; k++) {
        if (version == 22 && binary) {
            put_int(b, blocks[k].type);
            put_int(b, blocks[k].count);
            put_int(b, 2);
        } else if (version != 22 && binary) {
            put_int(b, 2);
            put_int(b, 2);
            put_int(b, blocks[k].type);
            put_long(b, blocks[k].count);
        } else if (version != 22) {
            snprintf(line, sizeof line, "2 2 %d %d\n", blocks[k].type, blocks[k].count);
            put_text(b, line);
        }
        for (int i = 0; i < blocks[k].count; i++, number++) {
            if (binary && version == 41)
                put_long(b, number);
            else if (binary)
                put_int(b, number);
            snprintf(line, sizeof line, "%d", number);
            if (!binary) put_text(b, line);
            if (version == 22 && binary) {
                put_int(b, 99);
                put_int(b, 98);
            }
            snprintf(line, sizeof line, " %d 2 99 98", blocks[k].type);
            if (version == 22 && !binary) put_text(b, line);
            for (int n = 0; n < blocks[k].nodes; n++) {
                int64_t tag = tags[blocks[k].node[i][n]];
                if (binary && version == 41)
                    put_long(b, tag);
                else if (binary)
                    put_int(b, (int32_t)tag);
                snprintf(line, sizeof line, " %d", (int)tag);
                if (!binary) put_text(b, line);
            }
            if (!binary) put_text(b, "\n");
        }
    }
    if (binary) put_text(b, "\n");
    put_text(b, "$EndElements\n");
    b->big = false;
}

TEST(msh_is_read_exactly_in_every_version_and_byte_order) {
    static const int versions[] = {22, 40, 41};
    static bytes b;
    for (int v = 0; v < 3; v++)
        for (int order = 0; order < 3; order++) { /* text, little-endian, big-endian */
            put_msh(&b, versions[v], order > 0, order == 2);
            char name[32];
            snprintf(name, sizeof name, "v%d-%d.msh", versions[v], order);
            check_tetrahedron(save(&b, name));
        }
}

TEST(msh_cut_anywhere_is_an_error_and_never_a_crash) {
    static bytes b, cut;
    for (int order = 0; order < 2; order++)
        for (int version = 22; version <= 41; version += 19) {
            put_msh(&b, version, order > 0, false);
            for (size_t size = 0; size + 13 < b.size; size += 3) { /* the last line may lack its end */
                memcpy(cut.data, b.data, size);
                cut.size = size;
                io_mesh mesh;
                io_error error = {""};
                CHECK_MSG(!io_read_mesh(save(&cut, "cut.msh"), &mesh, &error), "version %d cut at %zu", version, size);
                io_free_mesh(&mesh);
            }
        }
}

TEST(msh_leaves_out_nodes_within_volumes_and_fans_quads) {
    const char *path = save_text("q.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n"
                                          "1 0 0 0\n2 1 0 0\n9 5 5 5\n3 1 1 0\n4 0 1 0\n5 0 0 7\n$EndNodes\n"
                                          "$Elements\n2\n1 3 0 1 2 3 4\n2 4 0 1 2 3 9\n$EndElements\n");
    io_mesh mesh;
    io_error error = {""};
    CHECK_MSG(io_read_mesh(path, &mesh, &error), "%s", error.message);
    /* node 9 is inside; node 5, which nothing uses, stays */
    CHECK(mesh.vertex_count == 5 && mesh.face_count == 2 && mesh.fanned == 1);
    if (mesh.vertex_count == 5 && mesh.face_count == 2) {
        CHECK(mesh.positions[2][0] == 1 && mesh.positions[2][1] == 1 && mesh.positions[4][2] == 7);
        CHECK(mesh.faces[1][0] == 0 && mesh.faces[1][1] == 2 && mesh.faces[1][2] == 3);
    }
    io_free_mesh(&mesh);
}

TEST(msh_errors_name_file_line_and_reason) {
    expect_error(save_text("e.msh", ""), "e.msh", "empty");
    expect_error(save_text("e.msh", "$NOD\n1\n"), "e.msh:1:", "$MeshFormat");
    expect_error(save_text("e.msh", "$MeshFormat\n1.0 0 8\n"), "e.msh:2:", "version");
    expect_error(save_text("e.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n"), "e.msh:4:", "before");
#define MSH_HEAD "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n"
    expect_error(save_text("e.msh", MSH_HEAD "4000000000\n1 0 0 0\n"), "e.msh:5:", "room");
    expect_error(save_text("e.msh", MSH_HEAD "2\n1 0 0 0\n1 0 0 0\n$EndNodes\n"), "e.msh:7:", "twice");
    expect_error(save_text("e.msh", MSH_HEAD "1\n1 0 nan 0\n$EndNodes\n"), "e.msh:6:", "not a number");
    expect_error(save_text("e.msh", MSH_HEAD "1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 2 0 1 1 8\n$EndElements\n"),
                 "e.msh:10:", "node 8");
    expect_error(save_text("e.msh", MSH_HEAD "1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 9 0 1 1 1 1 1 1\n"),
                 "e.msh:10:", "curved");
    expect_error(save_text("e.msh", MSH_HEAD "1\n1 0 0 0\n$EndNodes\n$Elements\n0\n$EndElements\n"), "e.msh",
                 "no faces");
}

/* ---- files and pairs ---- */

TEST(frames_of_different_meshes_are_refused_by_both_names) {
    io_mesh a, b;
    io_error error = {""};
    char first[96];
    strcpy(first, save_text("one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n"));
    static const char *const others[][2] = {
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "4 vertices"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n", "1 faces"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 4\n", "face 0"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nl 1 4\n", "0 lines"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        CHECK(!io_read_mesh_pair(first, save_text("two.obj", others[i][0]), &a, &b, &error));
        CHECK_MSG(strstr(error.message, "one.obj") && strstr(error.message, "two.obj"), "%s", error.message);
        CHECK_MSG(strstr(error.message, others[i][1]) != NULL, "%s", error.message);
        CHECK(!a.positions && !b.positions);
    }
}

/* ---- bytes before the text, and ends of its lines ---- */

/* A text with other line ends. */
static const char *save_with_ends(const char *name, const char *mark, const char *text, const char *end) {
    static bytes b;
    b.size = 0;
    b.big = false;
    put_text(&b, mark);
    for (; *text; text++) {
        char c[2] = {*text, '\0'};
        put_text(&b, *text == '\n' ? end : c);
    }
    return save(&b, name);
}

#define TRIANGLE_OBJ "v 0.5 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
#define TRIANGLE_STL                                                                                                   \
    "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0.5 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"

static const struct {
    const char *name, *text;
} triangle_texts[] = {
    {"t.obj", TRIANGLE_OBJ},
    {"t.off", "OFF\n3 1 0\n0.5 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"},
    {"t.stl", TRIANGLE_STL "endsolid a\n"},
    {"t.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\n"
              "element face 1\nproperty list uchar int vertex_indices\nend_header\n0.5 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"},
    {"t.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0.5 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"
              "$Elements\n1\n1 2 0 1 2 3\n$EndElements\n"},
};
#define TRIANGLE_TEXTS (sizeof triangle_texts / sizeof *triangle_texts)

static void check_triangle(const char *path) {
    io_mesh mesh;
    io_error error = {""};
    bool good = io_read_mesh(path, &mesh, &error);
    CHECK_MSG(good, "%s", error.message);
    if (good)
        CHECK_MSG(mesh.vertex_count == 3 && mesh.face_count == 1 && mesh.positions[0][0] == 0.5, "%s: %zu vertices",
                  path, mesh.vertex_count);
    io_free_mesh(&mesh);
}

TEST(a_byte_order_mark_and_every_line_end_are_read_in_every_text_format) {
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    for (size_t i = 0; i < TRIANGLE_TEXTS; i++)
        for (int e = 0; e < 3; e++) {
            check_triangle(save_with_ends(triangle_texts[i].name, "", triangle_texts[i].text, ends[e]));
            check_triangle(save_with_ends(triangle_texts[i].name, "\xef\xbb\xbf", triangle_texts[i].text, ends[e]));
        }
    check_triangle(save_text("mixed.obj", "v 0.5 0 0\rv 1 0 0\r\nv 0 1 0\nf 1 2 3\r"));
    check_triangle(save_with_ends("no-extension", "\xef\xbb\xbf", TRIANGLE_OBJ, "\r"));
}

TEST(lines_are_counted_by_any_line_end) {
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    for (int e = 0; e < 3; e++)
        expect_error(save_with_ends("bad.obj", "", "# a\n\nv 0 0 0\nv 0 0 x\n", ends[e]), "bad.obj:4:", "'x'");
}

/* The header of a binary file may end its lines as it likes; the first byte of the data may look like a line end. */
TEST(binary_ply_begins_right_after_the_line_end_of_its_header) {
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    static bytes b;
    for (int e = 0; e < 3; e++)
        for (int first = 0; first < 2; first++) {
            const char *header = "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty uchar flag\n"
                                 "property double x\nproperty double y\nproperty double z\nelement face 1\n"
                                 "property list uchar int vertex_indices\nend_header\n";
            b.size = 0;
            for (; *header; header++) {
                char c[2] = {*header, '\0'};
                put_text(&b, *header == '\n' ? ends[e] : c);
            }
            for (int i = 0; i < 3; i++) {
                put_byte(&b, first ? '\n' : '\r');
                for (int c = 0; c < 3; c++) put_double(&b, i == 0 && c == 0 ? 0.5 : i == c);
            }
            put_byte(&b, 3);
            for (int i = 0; i < 3; i++) put_int(&b, i);
            check_triangle(save(&b, "t.ply"));
        }
}

TEST(text_in_utf_16_is_refused) {
    static bytes b;
    b.size = 0;
    b.big = false;
    put_byte(&b, 0xff);
    put_byte(&b, 0xfe);
    for (const char *c = TRIANGLE_OBJ; *c; c++) {
        put_byte(&b, *c);
        put_byte(&b, 0);
    }
    expect_error(save(&b, "wide.obj"), "wide.obj:1:", "UTF-16");
}

TEST(stl_text_without_its_end_is_cut_off) {
    expect_error(save_text("cut.stl", TRIANGLE_STL), "cut.stl:8:", "endsolid");
    check_triangle(save_text("two.stl", "solid a\nendsolid a\n" TRIANGLE_STL "endsolid\n"));
}

TEST(line_ends_take_time_that_grows_with_the_file_only) {
    enum { LINES = 400000 }; /* if every line were searched to the end of the file, this would take minutes */
    char *text = malloc(LINES * 2 + sizeof TRIANGLE_OBJ);
    CHECK(text != NULL);
    if (!text) return;
    for (int i = 0; i < LINES; i++) memcpy(text + 2 * i, "#\r", 2);
    strcpy(text + 2 * LINES, TRIANGLE_OBJ);
    for (char *c = text + 2 * LINES; *c; c++)
        if (*c == '\n') *c = '\r';
    io_mesh mesh;
    io_error error = {""};
    bool good = io_parse_mesh((io_source){"many.obj", text, strlen(text)}, &mesh, &error);
    CHECK_MSG(good && mesh.vertex_count == 3, "%s", error.message);
    io_free_mesh(&mesh);
    free(text);
}

TEST(meshes_are_read_from_memory) {
    io_mesh a, b;
    io_error error = {""};
    io_source from = {"a.obj", TRIANGLE_OBJ, strlen(TRIANGLE_OBJ)}, to = {"b.obj", TRIANGLE_OBJ, strlen(TRIANGLE_OBJ)};
    CHECK_MSG(io_parse_mesh_pair(from, to, &a, &b, &error), "%s", error.message);
    CHECK(a.vertex_count == 3 && b.face_count == 1);
    io_free_mesh(&a);
    io_free_mesh(&b);
    to.size = 20; /* cut within a line: the bytes behind it are there but not part of it */
    static char cut[] = "v 0.5 0 0\nv 1 0 0\n";
    to.bytes = cut;
    to.size = strlen(cut);
    CHECK(!io_parse_mesh_pair(from, to, &a, &b, &error));
    CHECK_MSG(strstr(error.message, "b.obj") && !a.positions && !b.positions, "%s", error.message);
}

TEST(missing_unknown_and_unreadable_files_are_errors) {
    expect_error("/nonexistent/a.ply", "/nonexistent/a.ply", "cannot open");
    expect_error(folder, folder, "folder");
    expect_error(save_text("what.xyz", "hello\n"), "what.xyz", "not a mesh");
    CHECK(io_is_mesh_name("a/b.PLY") && io_is_mesh_name("x.msh") && !io_is_mesh_name("a.obj/b") &&
          !io_is_mesh_name("a.json"));
}

TEST(random_damage_never_crashes_a_reader) {
    test_random random = {11};
    static bytes b, damaged;
    static const char *const names[] = {"d.ply", "d.obj", "d.off", "d.stl", "d.msh"};
    for (int round = 0; round < 1000; round++) {
        int format = round % 5;
        b.size = 0;
        b.big = false;
        if (format == 0) {
            put_text(&b, "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty list int double q\n"
                         "property double x\nproperty double y\nproperty double z\nelement face 1\n"
                         "property list uchar int vertex_indices\nend_header\n");
            put_int(&b, 1);
            for (int i = 0; i < 4; i++) put_double(&b, i);
            put_byte(&b, 3);
            for (int i = 0; i < 3; i++) put_int(&b, 0);
        } else if (format == 1) {
            put_text(&b, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1/1 2 -1\nl 1 2\nf 1 2 3 1\n");
        } else if (format == 2) {
            put_text(&b, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
        } else if (format == 3) {
            put_stl_binary(&b, (const double[4][3]){{0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, "x");
        } else {
            put_msh(&b, round % 2 ? 22 : 41, round % 4 < 2, false);
        }
        damaged = b;
        for (int k = 0; k < 4; k++)
            damaged.data[test_random_below(&random, b.size)] = (unsigned char)test_random_bits(&random);
        damaged.size -= (size_t)test_random_below(&random, 4);
        io_mesh mesh;
        io_error error = {""};
        if (io_read_mesh(save(&damaged, names[format]), &mesh, &error))
            for (size_t f = 0; f < mesh.face_count; f++)
                for (int c = 0; c < 3; c++) CHECK(mesh.faces[f][c] < mesh.vertex_count);
        else
            CHECK(error.message[0] != '\0');
        io_free_mesh(&mesh);
    }
}

int main(int argc, char **argv) {
    int status = RUN_TESTS(argc, argv);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (!strstr(folder, "XXXXXX") && system(command) != 0) status = 1;
    return status;
}
