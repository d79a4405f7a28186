/* Procedural scenes: the same bits for the same seed, sound topology, finite positions, motion in every frame. */
#include "check.h"

#include "io/file.h"
#include "io/mesh.h"
#include "scenes/scenes.h"

#include <unistd.h>

/* All frames of a scene, and FNV-1a over their bits. */
typedef struct record {
    uint64_t hash;
    uint32_t frames, moved;
    size_t vertices, faces;
    bool finite, faces_good, faces_stay;
    uint64_t face_hash;
    uint32_t (*first_faces)[3];
    double (*last)[3];
} record;

static uint64_t mix(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

static bool take(void *user, uint32_t frame, const scene_mesh *mesh) {
    record *r = user;
    CHECK(frame == r->frames);
    uint64_t face_hash = mix(0xcbf29ce484222325u, mesh->faces, mesh->face_count * sizeof *mesh->faces);
    size_t bytes = mesh->vertex_count * sizeof *mesh->positions;
    if (frame == 0) {
        r->vertices = mesh->vertex_count;
        r->faces = mesh->face_count;
        r->finite = r->faces_good = r->faces_stay = true;
        r->face_hash = face_hash;
        r->first_faces = malloc(mesh->face_count * sizeof *r->first_faces);
        r->last = malloc(bytes);
        memcpy(r->first_faces, mesh->faces, mesh->face_count * sizeof *mesh->faces);
    } else if (memcmp(r->last, mesh->positions, bytes) != 0) {
        r->moved++;
    }
    memcpy(r->last, mesh->positions, bytes);
    r->faces_stay &= face_hash == r->face_hash && mesh->vertex_count == r->vertices && mesh->face_count == r->faces;
    for (size_t i = 0; i < mesh->vertex_count; i++)
        for (int c = 0; c < 3; c++) r->finite &= isfinite(mesh->positions[i][c]) && fabs(mesh->positions[i][c]) < 100;
    for (size_t i = 0; i < mesh->face_count; i++) {
        const uint32_t *f = mesh->faces[i];
        r->faces_good &= f[0] < mesh->vertex_count && f[1] < mesh->vertex_count && f[2] < mesh->vertex_count;
        r->faces_good &= f[0] != f[1] && f[1] != f[2] && f[2] != f[0];
    }
    r->hash = mix(r->hash, mesh->positions, bytes);
    r->frames++;
    return true;
}

static record play(const scene_info *scene, uint32_t frames, uint32_t size, uint64_t seed) {
    record r = {.hash = 0xcbf29ce484222325u};
    scene_options options = {frames, size, seed};
    CHECK(scene->generate(&options, take, &r) == SCENE_DONE);
    return r;
}

static void forget(record *r) {
    free(r->first_faces);
    free(r->last);
}

TEST(scenes_have_the_same_bits_for_the_same_seed_and_other_bits_for_another) {
    for (size_t i = 0; scene_get(i); i++) {
        record a = play(scene_get(i), 4, 12, 7), b = play(scene_get(i), 4, 12, 7), c = play(scene_get(i), 4, 12, 8);
        CHECK_MSG(a.hash == b.hash, "%s", scene_get(i)->name);
        CHECK_MSG(a.hash != c.hash, "%s", scene_get(i)->name);
        CHECK_MSG(a.face_hash == c.face_hash, "%s", scene_get(i)->name);
        forget(&a);
        forget(&b);
        forget(&c);
    }
}

TEST(scenes_keep_their_faces_stay_finite_and_move_in_every_frame_at_every_size) {
    for (size_t i = 0; scene_get(i); i++)
        for (uint32_t size = 1; size <= 33; size += size < 6 ? 1 : 9) {
            record r = play(scene_get(i), size == 33 ? 60 : 12, size, size);
            CHECK_MSG(r.frames == (size == 33 ? 60 : 12) && r.moved == r.frames - 1, "%s size %u: %u moved",
                      scene_get(i)->name, (unsigned)size, (unsigned)r.moved);
            CHECK_MSG(r.finite && r.faces_good && r.faces_stay, "%s size %u", scene_get(i)->name, (unsigned)size);
            forget(&r);
        }
}

static int compare_edges(const void *left, const void *right) { return memcmp(left, right, 2 * sizeof(uint32_t)); }

/* Counts directed sides; returns how many edges have one face, and fails where two faces disagree on the outside. */
static size_t open_edges(const record *r, const char *name, size_t *edges) {
    uint32_t(*sides)[2] = malloc(3 * r->faces * sizeof *sides);
    for (size_t f = 0; f < r->faces; f++)
        for (int k = 0; k < 3; k++) {
            sides[3 * f + (size_t)k][0] = r->first_faces[f][k];
            sides[3 * f + (size_t)k][1] = r->first_faces[f][(k + 1) % 3];
        }
    size_t count = 3 * r->faces, open = 0;
    qsort(sides, count, sizeof *sides, compare_edges);
    for (size_t i = 1; i < count; i++)
        CHECK_MSG(compare_edges(sides[i - 1], sides[i]) != 0, "%s: side %u %u is in two faces the same way", name,
                  (unsigned)sides[i][0], (unsigned)sides[i][1]);
    for (size_t i = 0; i < count; i++) {
        uint32_t turned[2] = {sides[i][1], sides[i][0]};
        open += !bsearch(turned, sides, count, sizeof *sides, compare_edges);
    }
    *edges = (count + open) / 2;
    free(sides);
    return open;
}

TEST(scene_surfaces_are_consistently_turned_and_closed_where_they_should_be) {
    const uint32_t sizes[] = {1, 5, 16};
    for (size_t s = 0; s < 3; s++)
        for (size_t i = 0; scene_get(i); i++) {
            const char *name = scene_get(i)->name;
            uint32_t size = sizes[s];
            record r = play(scene_get(i), 1, size, 1);
            size_t edges, open = open_edges(&r, name, &edges);
            /* Euler: vertices − edges + faces is 2 for each closed surface and 1 for the sheet */
            long euler = (long)r.vertices - (long)edges + (long)r.faces;
            if (strcmp(name, "cloth-ball") == 0)
                CHECK_MSG(open == 4 * size && euler == 3, "%zu open, %ld", open, euler);
            if (strcmp(name, "n-body") == 0)
                CHECK_MSG(open == 0 && euler == 4 * (long)size, "%zu open, %ld", open, euler);
            if (strcmp(name, "rod-twist") == 0) CHECK_MSG(open == 0 && euler == 2, "%zu open, %ld", open, euler);
            forget(&r);
        }
}

static bool stop_at_once(void *user, uint32_t frame, const scene_mesh *mesh) {
    (void)mesh;
    *(uint32_t *)user = frame + 1;
    return false;
}

TEST(scenes_stop_when_the_receiver_says_so) {
    for (size_t i = 0; scene_get(i); i++) {
        uint32_t frames = 0;
        scene_options options = {5, 8, 1};
        CHECK(scene_get(i)->generate(&options, stop_at_once, &frames) == SCENE_STOPPED && frames == 1);
    }
}

TEST(scene_names_are_found_and_others_are_not) {
    CHECK(scene_find("cloth-ball") && scene_find("n-body") && scene_find("rod-twist"));
    CHECK(!scene_find("cloth") && !scene_find(""));
}

TEST(ply_written_has_the_size_that_its_header_says_and_the_bits_of_the_positions) {
    char path[] = "/tmp/graze-ply-XXXXXX";
    int handle = mkstemp(path);
    CHECK(handle >= 0);
    close(handle);
    const double x[3][3] = {{0, -0.0, 1e-320}, {1.0 / 3, 2, 3}, {-4e300, 5, 6}};
    const uint32_t faces[2][3] = {{0, 1, 2}, {2, 1, 0}};
    io_error error = {""};
    CHECK_MSG(io_write_ply(path, x, 3, faces, 2, &error), "%s", error.message);
    char *bytes;
    size_t size;
    CHECK(io_read_file(path, &bytes, &size, &error));
    const char *body = strstr(bytes, "end_header\n");
    CHECK(body && strstr(bytes, "ply\nformat binary_little_endian 1.0\n") == bytes && strstr(bytes, "vertex 3\n") &&
          strstr(bytes, "face 2\n"));
    if (body) {
        body += strlen("end_header\n");
        CHECK((size_t)(bytes + size - body) == 3 * 24 + 2 * 13);
        for (int k = 0; k < 72; k++) {
            uint64_t bits;
            memcpy(&bits, &x[k / 24][k / 8 % 3], 8);
            CHECK((unsigned char)body[k] == (unsigned char)(bits >> (8 * (k % 8))));
        }
        CHECK(body[72] == 3 && body[73] == 0 && body[77] == 1 && body[81] == 2 && body[85] == 3 && body[86] == 2);
    }
    free(bytes);
    remove(path);
    CHECK(!io_write_ply("/nonexistent/folder/x.ply", x, 3, faces, 2, &error));
    CHECK_MSG(strstr(error.message, "/nonexistent/folder/x.ply: cannot write"), "%s", error.message);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
