#define _XOPEN_SOURCE 700 /* realpath */
#include "sim/reader/import.h"

#include "sim/list.h"
#include "sim/reader/path.h"

#include "app/app.h"
#include "app/folders.h"
#include "io/file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WORDS = 1024 };

typedef struct import {
    const char *file, *next; /* the rest of the text */
    size_t line;
    SIM_LIST(char *) words; /* of the line, cut out of `copy` */
    size_t at;
    char *copy;
    cJSON *scene, *bodies;
    double density, young, poisson, friction;
    bool absolute; /* lengths are not parts of the scene's size */
    double reach, slip, tolerance, time_step;
    double border; /* of the scene's length: what scripts hold at its ends */
    bool twisted, hung, rooted;
    size_t skipped;                /* lines that say nothing to this solver */
    SIM_LIST(const char *) unread; /* their keywords, each once */
    size_t left, left_at;          /* words at the ends of lines that nothing reads, and the first such line */
} import;

/* ---- lines and words ---- */

_Noreturn static void fail(const import *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
_Noreturn static void fail(const import *in, const char *format, ...) {
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    app_fail("sim: %s:%zu: %s", in->file, in->line, text);
}

/* True if a line of this length ends in a backslash, so that the next one belongs to it. */
static bool goes_on(const char *line, size_t length) {
    while (length && strchr(" \t\r", line[length - 1])) length--;
    return length && line[length - 1] == '\\';
}

/* The next line in words; false at the end. */
static bool read_line(import *in) {
    if (!*in->next) return false;
    const char *line = in->next;
    size_t length = strcspn(line, "\n");
    in->line++;
    for (; goes_on(line, length) && line[length]; in->line++) length += 1 + strcspn(line + length + 1, "\n");
    free(in->copy);
    in->copy = app_text("%.*s", (int)length, line);
    in->next += length + (line[length] == '\n');
    in->words.count = in->at = 0;
    in->copy[strcspn(in->copy, "#")] = '\0';
    for (char *c = in->copy; *c; c++)
        if (*c == '\\' || *c == '\n') *c = ' ';
    for (char *word = strtok(in->copy, " \t\r"); word; word = strtok(NULL, " \t\r")) {
        if (in->words.count == MOST_WORDS) fail(in, "more than %d words in a line", MOST_WORDS);
        SIM_PUSH(&in->words, word);
    }
    return true;
}

static const char *word(import *in) {
    if (in->at == in->words.count) fail(in, "the line ends too early");
    return in->words.items[in->at++];
}

static double number(import *in) {
    const char *text = word(in);
    char *end;
    double x = strtod(text, &end);
    if (*end || !isfinite(x)) fail(in, "'%s' is not a number", text);
    return x;
}

static void vector(import *in, double out[3]) {
    for (int c = 0; c < 3; c++) out[c] = number(in);
}

static bool next_is(import *in, const char *text) {
    if (in->at == in->words.count || strcmp(in->words.items[in->at], text) != 0) return false;
    in->at++;
    return true;
}

static bool more_numbers(const import *in) {
    char *end;
    if (in->at == in->words.count) return false;
    strtod(in->words.items[in->at], &end);
    return *end == '\0';
}

/* ---- JSON ---- */

static void put_number(cJSON *object, const char *key, double x) {
    cJSON_AddItemToObject(object, key, app_json_double(x));
}

static cJSON *numbers(const double *x, int n) {
    cJSON *array = cJSON_CreateArray();
    for (int i = 0; i < n; i++) cJSON_AddItemToArray(array, app_json_double(x[i]));
    return array;
}

static void put_vector(cJSON *object, const char *key, const double *x, int n) {
    cJSON_AddItemToObject(object, key, numbers(x, n));
}

/* Turns about the middle of what it moves, degrees a second. */
static void put_spin(cJSON *motion, const double spin[3]) {
    put_vector(motion, "spin", spin, 3);
    cJSON_AddBoolToObject(motion, "centred", true);
}

/* ---- files ---- */

/* The path as it is, or below the file's folder or one of those above it; NULL where it is in none. */
static char *look_for(const import *in, const char *path) {
    if (*path == '/' && access(path, R_OK) == 0) return app_text("%s", path);
    char *folder = realpath(in->file, NULL);
    for (char *slash; folder && (slash = strrchr(folder, '/'));) {
        *slash = '\0';
        char *whole = app_text("%s/%s", folder, path);
        if (access(whole, R_OK) == 0) {
            free(folder);
            return whole;
        }
        free(whole);
    }
    free(folder);
    return NULL;
}

/* Points and segments may come from the surface of the same name. */
static char *find_file(const import *in, const char *path, bool sparse) {
    char *found = look_for(in, path);
    if (!found && sparse) {
        char *surface = app_text("%.*s.obj", (int)(strrchr(path, '.') - path), path);
        found = look_for(in, surface);
        free(surface);
    }
    if (!found) fail(in, "%s: there is no such file in this folder or those above", path);
    return found;
}

typedef struct segment {
    uint32_t low, high;
} segment;

static int compare_segments(const void *left, const void *right) {
    const segment *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    return a->high < b->high ? -1 : a->high > b->high;
}

typedef SIM_LIST(segment) segments;

/* The sides of `s i j` or `f i j k …`, ids from 1; of a corner i/t/n the i counts. */
static void read_sides(import *file, segments *out) {
    SIM_LIST(uint32_t) corners = {0};
    while (file->at < file->words.count) {
        const char *text = word(file);
        char *end;
        unsigned long id = strtoul(text, &end, 10);
        if (end == text || id < 1 || id > INT32_MAX) fail(file, "'%s' is no vertex", text);
        SIM_PUSH(&corners, (uint32_t)id - 1);
    }
    size_t count = corners.count;
    for (size_t k = 0; k < (count > 2 ? count : count - 1); k++) {
        uint32_t a = corners.items[k], b = corners.items[(k + 1) % count];
        SIM_PUSH(out, (segment){a < b ? a : b, a < b ? b : a});
    }
    free(corners.items);
}

static void put_segments(segments *list, cJSON *edges) {
    if (list->count) qsort(list->items, list->count, sizeof *list->items, compare_segments);
    for (size_t i = 0; i < list->count; i++) {
        const segment *s = &list->items[i];
        const double ends[2] = {s->low, s->high};
        if (i == 0 || compare_segments(s, s - 1) != 0) cJSON_AddItemToArray(edges, numbers(ends, 2));
    }
    free(list->items);
}

/* Points, and with `joined` segments: lines `v x y z`, `s i j` and `f i j k`. Further lines are of other readers. */
static void read_sparse(const import *in, const char *path, bool joined, cJSON *shape) {
    char *bytes;
    size_t size;
    io_error error;
    if (!io_read_file(path, &bytes, &size, &error)) fail(in, "%s", error.message);
import file = {.file = path, .next = bytes };
    cJSON_AddStringToObject(shape, "kind", "explicit");
    cJSON *vertices = cJSON_AddArrayToObject(shape, "vertices");
    segments sides = {0};
    while (read_line(&file)) {
        double x[3];
        if (next_is(&file, "v")) {
            vector(&file, x);
            cJSON_AddItemToArray(vertices, numbers(x, 3));
        } else if (joined && file.words.count > 2 && (next_is(&file, "s") || next_is(&file, "f"))) {
            read_sides(&file, &sides);
        }
    }
    if (joined) put_segments(&sides, cJSON_AddArrayToObject(shape, "edges"));
    free(file.words.items);
    free(file.copy);
    free(bytes);
}

static cJSON *add_body(import *in, const char *path) {
    cJSON *body = cJSON_CreateObject(), *shape = cJSON_AddObjectToObject(body, "shape");
    bool sparse = sim_ends_with(path, ".seg") || sim_ends_with(path, ".pt");
    char *whole = find_file(in, path, sparse);
    if (sparse) {
        read_sparse(in, whole, sim_ends_with(path, ".seg"), shape);
    } else if (sim_ends_with(path, ".msh") || sim_ends_with(path, ".obj")) {
        cJSON_AddStringToObject(shape, "kind", "file");
        cJSON_AddStringToObject(shape, "path", whole);
    } else {
        fail(in, "%s: only .msh, .obj, .seg and .pt are read", path);
    }
    if (!sim_ends_with(path, ".msh")) cJSON_AddBoolToObject(body, "obstacle", true);
    cJSON_AddStringToObject(body, "rotation_order", "zyx");
    cJSON_AddItemToArray(in->bodies, body);
    free(whole);
    return body;
}

/* ---- shapes ---- */

static void read_held_box(import *in, cJSON *body) {
    double low[3], high[3], velocity[3], spin[3], range[2] = {0, INFINITY};
    vector(in, low);
    vector(in, high);
    vector(in, velocity);
    vector(in, spin);
    for (int i = 0; i < 2 && more_numbers(in); i++) range[i] = number(in);
    if (range[0] != 0) fail(in, "DBC: a motion that begins later is not read");
    cJSON *handles = cJSON_GetObjectItem(body, "handles");
    if (!handles) handles = cJSON_AddArrayToObject(body, "handles");
    cJSON *handle = cJSON_CreateObject(), *motion;
    cJSON_AddItemToArray(handles, handle);
    cJSON_AddBoolToObject(handle, "relative", true);
    put_vector(handle, "min", low, 3);
    put_vector(handle, "max", high, 3);
    motion = cJSON_AddObjectToObject(handle, "motion");
    put_vector(motion, "velocity", velocity, 3);
    put_spin(motion, spin);
    if (isfinite(range[1])) put_number(motion, "until", range[1]);
}

/* A solid that is moved as a whole is its surface. */
static void read_motion(import *in, cJSON *body, bool turns) {
    double speed[3];
    cJSON *motion = cJSON_GetObjectItem(body, "motion");
    if (!motion) motion = cJSON_AddObjectToObject(body, "motion");
    if (!cJSON_GetObjectItem(body, "obstacle")) cJSON_AddBoolToObject(body, "obstacle", true);
    vector(in, speed);
    if (turns)
        put_spin(motion, speed);
    else
        put_vector(motion, "velocity", speed, 3);
}

static void read_start_velocity(import *in, cJSON *body) {
    double linear[3], angular[3];
    vector(in, linear);
    vector(in, angular);
    if (angular[0] != 0 || angular[1] != 0 || angular[2] != 0) fail(in, "initVel: a rotation is not read");
    put_vector(body, "velocity", linear, 3);
}

static void read_shape_extra(import *in, cJSON *body, double material[3]) {
    const char *key = word(in);
    if (strcmp(key, "material") == 0)
        vector(in, material);
    else if (strcmp(key, "DBC") == 0)
        read_held_box(in, body);
    else if (strcmp(key, "linearVelocity") == 0)
        read_motion(in, body, false);
    else if (strcmp(key, "angularVelocity") == 0)
        read_motion(in, body, true);
    else if (strcmp(key, "initVel") == 0)
        read_start_velocity(in, body);
    else
        fail(in, "'%s' is not read here", key);
}

/* Three numbers are the position, or of a matrix of shapes the step to the next. */
static cJSON *read_shape(import *in, double position[3]) {
    double rotation[3], scale[3], material[3] = {in->density, in->young, in->poisson};
    cJSON *body = add_body(in, word(in));
    vector(in, position);
    vector(in, rotation);
    vector(in, scale);
    put_vector(body, "position", position, 3);
    put_vector(body, "rotation", rotation, 3);
    put_vector(body, "scale", scale, 3);
    while (in->at < in->words.count) read_shape_extra(in, body, material);
    put_number(body, "density", material[0]);
    put_number(body, "young", material[1]);
    put_number(body, "poisson", material[2]);
    return body;
}

static void read_shape_line(import *in) {
    do {
        if (!read_line(in)) fail(in, "a shape is announced, and is not there");
    } while (in->words.count == 0);
}

/* `shapeMatrix input nx ny nz [x y z]`, and a shape whose position is the step from one to the next. */
static void read_matrix(import *in) {
    const char *kind = word(in);
    double count[3], first[3] = {0}, step[3];
    if (strcmp(kind, "input") != 0) fail(in, "shapeMatrix %s: only `shapeMatrix input` is read", kind);
    vector(in, count);
    if (more_numbers(in)) vector(in, first);
    if (!(count[0] >= 1 && count[1] >= 1 && count[2] >= 1 && count[0] * count[1] * count[2] <= 100000))
        fail(in, "shapeMatrix: 1 to 100000 shapes");
    read_shape_line(in);
    cJSON *body = read_shape(in, step);
    for (double x = 0; x < count[0]; x++)
        for (double y = 0; y < count[1]; y++)
            for (double z = 0; z < count[2]; z++) {
                double at[3] = {first[0] + x * step[0], first[1] + y * step[1], first[2] + z * step[2]};
                cJSON *one = x + y + z > 0 ? cJSON_Duplicate(body, true) : body;
                if (one != body) cJSON_AddItemToArray(in->bodies, one);
                cJSON_ReplaceItemInObject(one, "position", numbers(at, 3));
            }
}

/* `shape input FILE`: one, as it is. */
static void read_bare_shape(import *in) {
    const char *kind = word(in);
    if (strcmp(kind, "input") != 0) fail(in, "shape %s: only `shape input FILE` is read", kind);
    cJSON *body = add_body(in, word(in));
    put_number(body, "density", in->density);
    put_number(body, "young", in->young);
    put_number(body, "poisson", in->poisson);
}

/* Here it depends on how much the forces change. */
static void read_friction_rounds(import *in) {
    number(in);
    app_notice("sim: %s:%zu: fricIterAmt: friction is found anew in a step where it changed by a tenth", in->file,
               in->line);
}

static void read_shapes(import *in) {
    const char *kind = word(in);
    if (strcmp(kind, "input") != 0) fail(in, "shapes %s: only `shapes input N` is read", kind);
    double count = number(in);
    for (double i = 0; i < count; i++) {
        double position[3];
        read_shape_line(in);
        read_shape(in, position);
    }
}

/* ---- obstacles ---- */

/* One coefficient serves all contacts. */
static void set_friction(import *in, double friction) {
    if (in->friction > 0 && friction > 0 && friction != in->friction)
        fail(in, "friction is %g here and %g before: this solver has one coefficient", friction, in->friction);
    if (friction > 0) in->friction = friction;
}

static void read_obstacle(import *in) {
    double position[3], rotation[3] = {0}, size;
    cJSON *body = add_body(in, word(in));
    vector(in, position);
    size = number(in);
    number(in); /* a stiffness that barriers do not have */
    set_friction(in, number(in));
    if (next_is(in, "rotate")) vector(in, rotation);
    double scale[3] = {size, size, size};
    put_vector(body, "position", position, 3);
    put_vector(body, "rotation", rotation, 3);
    put_vector(body, "scale", scale, 3);
    if (!cJSON_GetObjectItem(body, "obstacle")) cJSON_AddBoolToObject(body, "obstacle", true);
    cJSON_AddBoolToObject(body, "fitted", false);
    cJSON_AddBoolToObject(body, "centred", true);
}

/* A plane is one triangle around a square of a kilometer: it has no edge for anything to rub against. Its normal is
   turned out of the y axis about z, then about y. */
static void add_plane(import *in, const double origin[3], const double normal[3]) {
    static const double corners[3][3] = {{-500, 0, -500}, {-500, 0, 1500}, {1500, 0, -500}}, face[3] = {0, 1, 2};
    const double degrees = 180 / acos(-1.0);
    double across = hypot(normal[0], normal[2]);
    double rotation[3] = {0, across > 0 ? atan2(-normal[2], normal[0]) * degrees : 0,
                          -atan2(across, normal[1]) * degrees};
    cJSON *body = cJSON_CreateObject(), *shape = cJSON_AddObjectToObject(body, "shape");
    cJSON_AddItemToArray(in->bodies, body);
    cJSON_AddStringToObject(shape, "kind", "explicit");
    cJSON *vertices = cJSON_AddArrayToObject(shape, "vertices"), *faces = cJSON_AddArrayToObject(shape, "faces");
    for (int k = 0; k < 3; k++) cJSON_AddItemToArray(vertices, numbers(corners[k], 3));
    cJSON_AddItemToArray(faces, numbers(face, 3));
    put_vector(body, "position", origin, 3);
    put_vector(body, "rotation", rotation, 3);
    cJSON_AddStringToObject(body, "rotation_order", "zyx");
    cJSON_AddBoolToObject(body, "obstacle", true);
    cJSON_AddBoolToObject(body, "fitted", false);
}

static void read_half_space(import *in) {
    double origin[3], normal[3];
    vector(in, origin);
    vector(in, normal);
    number(in);
    set_friction(in, number(in));
    add_plane(in, origin, normal);
}

static void read_ground(import *in) {
    const double up[3] = {0, 1, 0};
    set_friction(in, number(in));
    double origin[3] = {0, number(in), 0};
    add_plane(in, origin, up);
}

/* ---- settings ---- */

static void read_time(import *in) {
    double duration = number(in), step = number(in);
    if (!(step > 0) || !(duration > 0)) fail(in, "time: duration and step must be positive");
    cJSON_DeleteItemFromObject(in->scene, "time_step");
    cJSON_DeleteItemFromObject(in->scene, "frames");
    in->time_step = step;
    put_number(in->scene, "time_step", step);
    put_number(in->scene, "frames", floor(duration / step + 0.5) + 1);
}

static void read_size(import *in) {
    double size = number(in);
    if (size > 0) put_number(in->scene, "fit", size);
}

static void read_stiffness(import *in) {
    in->young = number(in);
    in->poisson = number(in);
}

static void read_density(import *in) { in->density = number(in); }
static void read_self_friction(import *in) { set_friction(in, number(in)); }
static void read_reach(import *in) { in->reach = number(in); }
static void read_slip(import *in) { in->slip = number(in); }
static void read_absolute(import *in) { in->absolute = true; }

static void read_no_gravity(import *in) {
    const double none[3] = {0};
    put_vector(in->scene, "gravity", none, 3);
}

static void read_energy(import *in) {
    const char *name = word(in);
    if (strcmp(name, "FCR") == 0)
        app_notice("sim: %s:%zu: energy FCR: simulated as NH", in->file, in->line);
    else if (strcmp(name, "NH") != 0)
        fail(in, "energy %s is not in this solver; NH is", name);
}

/* The word after the keyword must be one of those in `allowed`. */
static void expect(import *in, const char *allowed) {
    const char *key = in->words.items[0], *name = word(in);
    size_t length = strlen(name);
    for (const char *at = allowed; (at = strstr(at, name)); at += length)
        if ((at == allowed || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return;
    fail(in, "%s %s is not in this solver; there is: %s", key, name, allowed);
}

static void read_integration(import *in) { expect(in, "BE"); }
static void read_solver(import *in) { expect(in, "interiorPoint IP"); }

/* `fall` lifts everything by half of its diagonal first. */
static void read_script(import *in) {
    const char *name = in->words.count > 1 ? in->words.items[1] : "";
    if (strcmp(name, "fall") == 0) put_number(in->scene, "lift", 0.5);
    in->twisted = strcmp(name, "twist") == 0;
    in->hung = strcmp(name, "hangLeft") == 0;
    in->rooted = strcmp(name, "fixLowerHalf") == 0;
    expect(in, "fall fallNoShift null DCOFix twist hangLeft fixLowerHalf");
}

static void read_border(import *in) {
    in->border = number(in);
    if (!(in->border > 0 && in->border < 0.5)) fail(in, "handleRatio: between 0 and 0.5");
}

/* Parts that scripts hold: the lower half, or the ends along x, fixed or turned against each other by 72 degrees a
   second. */
static void put_ends(const import *in) {
    const double far = 1e6;
    if (!in->twisted && !in->hung && !in->rooted) return;
    cJSON *handles = cJSON_AddArrayToObject(in->scene, "handles");
    for (int end = 0; end < (in->twisted ? 2 : 1); end++) {
        const double low[3] = {end ? 1 - in->border : -far, -far, -far};
        const double high[3] = {end || in->rooted ? far : in->border, in->rooted ? 0.5 : far, far};
        const double spin[3] = {end ? 72 : -72, 0, 0};
        cJSON *handle = cJSON_CreateObject();
        cJSON_AddItemToArray(handles, handle);
        put_vector(handle, "min", low, 3);
        put_vector(handle, "max", high, 3);
        if (in->twisted) put_spin(cJSON_AddObjectToObject(handle, "motion"), spin);
    }
}

/* The next number of a list of `count` that may go on in further lines. */
static double number_below(import *in, const char *key, double count, double index) {
    while (in->at == in->words.count)
        if (!read_line(in)) fail(in, "%s: %g numbers are announced, %g are there", key, count, index);
    return number(in);
}

/* `tuning N` and N numbers: the second is a reach, the fifth a speed of slipping, the others belong to that solver. */
static void read_tuning(import *in) {
    double count = number(in);
    for (double i = 0; i < count; i++) {
        double x = number_below(in, "tuning", count, i);
        if (i == 1) in->reach = x;
        if (i == 4) in->slip = x;
    }
}

/* Settings for other solvers, up to the next section. */
static void read_section(import *in) {
    bool own = false;
    for (; in->at < in->words.count; in->at++) {
        const char *name = in->words.items[in->at];
        own = own || strcmp(name, "interiorPoint") == 0 || strcmp(name, "IP") == 0 || strcmp(name, "end") == 0;
    }
    while (!own && read_line(in)) own = in->words.count && strcmp(in->words.items[0], "section") == 0;
    in->at = in->words.count;
}

/* `tol N` and N numbers, of the first N steps and the last of all that follow: the least of them serves for all. */
static void read_tolerance(import *in) {
    double count = number(in);
    for (double i = 0; i < count; i++) {
        double x = number_below(in, "tol", count, i);
        if (!(x > 0)) fail(in, "tol: %g is not positive", x);
        in->tolerance = in->tolerance > 0 ? fmin(in->tolerance, x) : x;
    }
}

static void skip(import *in) { in->at = in->words.count; }

static const struct {
    const char *key;
    void (*read)(import *in);
} keywords[] = {
    {"energy", read_energy},
    {"timeIntegration", read_integration},
    {"size", read_size},
    {"time", read_time},
    {"density", read_density},
    {"stiffness", read_stiffness},
    {"shapes", read_shapes},
    {"shape", read_bare_shape},
    {"shapeMatrix", read_matrix},
    {"fricIterAmt", read_friction_rounds},
    {"tuning", read_tuning},
    {"handleRatio", read_border},
    {"meshCO", read_obstacle},
    {"halfSpace", read_half_space},
    {"ground", read_ground},
    {"selfFric", read_self_friction},
    {"dHat", read_reach},
    {"epsv", read_slip},
    {"useAbsParameters", read_absolute},
    {"turnOffGravity", read_no_gravity},
    {"constraintSolver", read_solver},
    {"script", read_script},
    {"section", read_section},
    {"tol", read_tolerance},
    {"selfCollisionOn", skip},
    {"warmStart", skip},
    {"view", skip},
    {"zoom", skip},
    {"cameraTracking", skip},
    {"playBackSpeed", skip},
    {"appendStr", skip},
    {"disableCout", skip},
    {"linSysSolver", skip},
    {"linearSolver", skip},
    {"CCDMethod", skip},
    {"ccdMethod", skip},
    {"CCDTolerance", skip},
    {"ccdTolerance", skip},
};

static void note_skipped(import *in, const char *key) {
    in->skipped++;
    for (size_t i = 0; i < in->unread.count; i++)
        if (in->unread.items[i] == key) return;
    SIM_PUSH(&in->unread, key);
}

static void note_left(import *in) {
    if (in->at == in->words.count) return;
    if (in->left == 0) in->left_at = in->line;
    in->left += in->words.count - in->at;
}

static void tell_unread(const import *in) {
    char *keys = app_text("%s", "");
    for (size_t i = 0; i < in->unread.count; i++) {
        char *longer = app_text("%s %s", keys, in->unread.items[i]);
        free(keys);
        keys = longer;
    }
    if (in->skipped) app_notice("sim: %s: %zu lines say nothing to this solver:%s", in->file, in->skipped, keys);
    if (in->left)
        app_notice("sim: %s:%zu: words that are not read follow here; there are %zu in the file", in->file, in->left_at,
                   in->left);
    free(keys);
}

static void read_keyword(import *in) {
    const char *key = word(in);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strcmp(key, keywords[i].key) == 0) {
            keywords[i].read(in);
            if (keywords[i].read == skip) note_skipped(in, keywords[i].key);
            note_left(in);
            return;
        }
    fail(in, "'%s' is not in this solver", key);
}

/* "x.txt" in the folder "y" is called x; what is no letter, digit, - or _ becomes _. */
static void put_name(import *in) {
    const char *slash = strrchr(in->file, '/'), *base = slash ? slash + 1 : in->file;
    char *name = app_text("%.*s", (int)strcspn(base, "."), base);
    for (char *c = name; *c; c++)
        if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", *c)) *c = '_';
    cJSON_AddStringToObject(in->scene, "name", *name ? name : "scene");
    free(name);
}

char *sim_import(const char *file, const char *text) {
import in = {.file = file, .next = text, .density = 1000, .young = 1e5, .poisson = 0.4, .reach = 1e-3, .slip = 1e-3, .time_step = 0.01, .border = 0.01 };
    in.scene = cJSON_CreateObject();
    in.bodies = cJSON_CreateArray();
    put_name(&in);
    while (read_line(&in))
        if (in.words.count) read_keyword(&in);
    tell_unread(&in);
    put_ends(&in);
    put_number(in.scene, in.absolute ? "reach" : "relative_reach", in.reach);
    put_number(in.scene, in.absolute ? "slip" : "relative_slip", in.slip);
    if (in.tolerance > 0 && in.absolute) /* there it is the way of a step, here a speed */
        put_number(in.scene, "tolerance", in.tolerance / in.time_step);
    else if (in.tolerance > 0)
        put_number(in.scene, "relative_tolerance", in.tolerance);
    put_number(in.scene, "friction", in.friction);
    cJSON_AddItemToObject(in.scene, "bodies", in.bodies);
    char *json = cJSON_Print(in.scene);
    if (!json) app_fail("sim: out of memory");
    cJSON_Delete(in.scene);
    free(in.words.items);
    free(in.unread.items);
    free(in.copy);
    return json;
}
