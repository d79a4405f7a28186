#define _XOPEN_SOURCE 700 /* realpath */
#include "sim/import.h"

#include "sim/path.h"

#include "cli/cli.h"
#include "cli/folders.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct import {
    const char *file, *next; /* the rest of the text */
    size_t line;
    char *words[64]; /* of the line, cut out of `copy` */
    int count, at;
    char *copy;
    cJSON *scene, *bodies;
    double density, young, poisson, friction;
    bool absolute; /* lengths are not parts of the scene's size */
    double reach, slip;
} import;

/* ---- lines and words ---- */

_Noreturn static void fail(const import *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
_Noreturn static void fail(const import *in, const char *format, ...) {
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cli_fail("sim: %s:%zu: %s", in->file, in->line, text);
}

/* The next line in words; false at the end. */
static bool read_line(import *in) {
    if (!*in->next) return false;
    size_t length = strcspn(in->next, "\n");
    free(in->copy);
    in->copy = cli_text("%.*s", (int)length, in->next);
    in->next += length + (in->next[length] == '\n');
    in->line++;
    in->count = in->at = 0;
    in->copy[strcspn(in->copy, "#")] = '\0';
    for (char *word = strtok(in->copy, " \t\r"); word && in->count < 64; word = strtok(NULL, " \t\r"))
        in->words[in->count++] = word;
    return true;
}

static const char *word(import *in) {
    if (in->at == in->count) fail(in, "the line ends too early");
    return in->words[in->at++];
}

static double number(import *in) {
    const char *text = word(in);
    char *end;
    double x = strtod(text, &end);
    if (*end || !isfinite(x)) fail(in, "'%s' is no number", text);
    return x;
}

static void vector(import *in, double out[3]) {
    for (int c = 0; c < 3; c++) out[c] = number(in);
}

static bool next_is(import *in, const char *text) {
    if (in->at == in->count || strcmp(in->words[in->at], text) != 0) return false;
    in->at++;
    return true;
}

static bool more_numbers(const import *in) {
    char *end;
    if (in->at == in->count) return false;
    strtod(in->words[in->at], &end);
    return *end == '\0';
}

/* ---- JSON ---- */

static void put_number(cJSON *object, const char *key, double x) {
    cJSON_AddItemToObject(object, key, cli_json_double(x));
}

static void put_vector(cJSON *object, const char *key, const double *x, int n) {
    cJSON *array = cJSON_AddArrayToObject(object, key);
    for (int i = 0; i < n; i++) cJSON_AddItemToArray(array, cli_json_double(x[i]));
}

/* ---- files ---- */

/* The path as it is, or below the file's folder or one of those above it. */
static char *find_file(const import *in, const char *path) {
    if (*path == '/' && access(path, R_OK) == 0) return cli_text("%s", path);
    char *folder = realpath(in->file, NULL);
    for (char *slash; folder && (slash = strrchr(folder, '/'));) {
        *slash = '\0';
        char *whole = cli_text("%s/%s", folder, path);
        if (access(whole, R_OK) == 0) {
            free(folder);
            return whole;
        }
        free(whole);
    }
    fail(in, "%s: there is no such file in this folder or those above", path);
}

static cJSON *add_body(import *in, const char *path) {
    cJSON *body = cJSON_CreateObject(), *shape = cJSON_AddObjectToObject(body, "shape");
    char *whole = find_file(in, path);
    if (!sim_ends_with(path, ".msh") && !sim_ends_with(path, ".obj")) fail(in, "%s: only .msh and .obj are read", path);
    cJSON_AddStringToObject(shape, "kind", "file");
    cJSON_AddStringToObject(shape, "path", whole);
    if (sim_ends_with(path, ".obj")) cJSON_AddBoolToObject(body, "obstacle", true);
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
    if (spin[0] != 0 || spin[1] != 0 || spin[2] != 0) fail(in, "DBC: a rotation is not read");
    cJSON *handles = cJSON_GetObjectItem(body, "handles");
    if (!handles) handles = cJSON_AddArrayToObject(body, "handles");
    cJSON *handle = cJSON_CreateObject(), *motion;
    cJSON_AddItemToArray(handles, handle);
    cJSON_AddBoolToObject(handle, "relative", true);
    put_vector(handle, "min", low, 3);
    put_vector(handle, "max", high, 3);
    motion = cJSON_AddObjectToObject(handle, "motion");
    put_vector(motion, "velocity", velocity, 3);
    if (isfinite(range[1])) put_number(motion, "until", range[1]);
}

static void read_motion(import *in, cJSON *body) {
    double velocity[3];
    if (!cJSON_GetObjectItem(body, "obstacle")) fail(in, "linearVelocity is read for surfaces only");
    vector(in, velocity);
    put_vector(cJSON_AddObjectToObject(body, "motion"), "velocity", velocity, 3);
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
        read_motion(in, body);
    else if (strcmp(key, "initVel") == 0)
        read_start_velocity(in, body);
    else
        fail(in, "'%s' is not read here", key);
}

static void read_shape(import *in) {
    double position[3], rotation[3], scale[3], material[3] = {in->density, in->young, in->poisson};
    cJSON *body = add_body(in, word(in));
    vector(in, position);
    vector(in, rotation);
    vector(in, scale);
    put_vector(body, "position", position, 3);
    put_vector(body, "rotation", rotation, 3);
    put_vector(body, "scale", scale, 3);
    while (in->at < in->count) read_shape_extra(in, body, material);
    put_number(body, "density", material[0]);
    put_number(body, "young", material[1]);
    put_number(body, "poisson", material[2]);
}

static void read_shapes(import *in) {
    const char *kind = word(in);
    if (strcmp(kind, "input") != 0) fail(in, "shapes %s: only `shapes input N` is read", kind);
    double count = number(in);
    for (double i = 0; i < count; i++) {
        do {
            if (!read_line(in)) fail(in, "%g shapes are announced, %g are there", count, i);
        } while (in->count == 0);
        read_shape(in);
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

/* A plane is a square of a kilometre; its normal is turned out of the y axis about z, then about y. */
static void add_plane(import *in, const double origin[3], const double normal[3]) {
    enum { SIDE = 1000 };
    const double degrees = 180 / acos(-1.0), side[2] = {SIDE, SIDE};
    double across = hypot(normal[0], normal[2]);
    double rotation[3] = {0, across > 0 ? atan2(-normal[2], normal[0]) * degrees : 0,
                          -atan2(across, normal[1]) * degrees};
    const uint32_t one[2] = {1, 1};
    cJSON *body = cJSON_CreateObject(), *shape = cJSON_AddObjectToObject(body, "shape");
    double cells[2] = {one[0], one[1]};
    cJSON_AddItemToArray(in->bodies, body);
    cJSON_AddStringToObject(shape, "kind", "sheet");
    put_vector(shape, "size", side, 2);
    put_vector(shape, "cells", cells, 2);
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
        cli_notice("sim: %s:%zu: energy FCR: simulated as NH", in->file, in->line);
    else if (strcmp(name, "NH") != 0)
        fail(in, "energy %s is not in this solver; NH is", name);
}

/* The word after the keyword must be one of those in `allowed`. */
static void expect(import *in, const char *allowed) {
    const char *key = in->words[0], *name = word(in);
    size_t length = strlen(name);
    for (const char *at = allowed; (at = strstr(at, name)); at += length)
        if ((at == allowed || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return;
    fail(in, "%s %s is not in this solver; there is: %s", key, name, allowed);
}

static void read_integration(import *in) { expect(in, "BE"); }
static void read_solver(import *in) { expect(in, "interiorPoint IP"); }

/* `fall` lifts everything by half of its diagonal first. */
static void read_script(import *in) {
    if (in->count > 1 && strcmp(in->words[1], "fall") == 0) put_number(in->scene, "lift", 0.5);
    expect(in, "fall fallNoShift null DCOFix");
}

/* Settings for other solvers, up to the next section. */
static void read_section(import *in) {
    for (int i = 1; i < in->count; i++)
        if (strcmp(in->words[i], "interiorPoint") == 0 || strcmp(in->words[i], "IP") == 0 ||
            strcmp(in->words[i], "end") == 0)
            return;
    while (read_line(in))
        if (in->count && strcmp(in->words[0], "section") == 0) return;
}

/* `tol N` and N lines with a number: how exactly Newton's method is solved there. */
static void skip_list(import *in) {
    double count = number(in);
    for (double i = 0; i < count; i++) read_line(in);
}

static void skip(import *in) { (void)in; }

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
    {"tol", skip_list},
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

static void read_keyword(import *in) {
    const char *key = word(in);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strcmp(key, keywords[i].key) == 0) {
            keywords[i].read(in);
            return;
        }
    fail(in, "'%s' is not in this solver", key);
}

/* "x.txt" in the folder "y" is called x; what is no letter, digit, - or _ becomes _. */
static void put_name(import *in) {
    const char *slash = strrchr(in->file, '/'), *base = slash ? slash + 1 : in->file;
    char *name = cli_text("%.*s", (int)strcspn(base, "."), base);
    for (char *c = name; *c; c++)
        if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", *c)) *c = '_';
    cJSON_AddStringToObject(in->scene, "name", *name ? name : "scene");
    free(name);
}

char *sim_import(const char *file, const char *text) {
import in = {.file = file, .next = text, .density = 1000, .young = 1e5, .poisson = 0.4, .reach = 1e-3, .slip = 1e-3 };
    in.scene = cJSON_CreateObject();
    in.bodies = cJSON_CreateArray();
    put_name(&in);
    while (read_line(&in))
        if (in.count) read_keyword(&in);
    put_number(in.scene, in.absolute ? "reach" : "relative_reach", in.reach);
    put_number(in.scene, in.absolute ? "slip" : "relative_slip", in.slip);
    put_number(in.scene, "friction", in.friction);
    cJSON_AddItemToObject(in.scene, "bodies", in.bodies);
    char *json = cJSON_Print(in.scene);
    if (!json) cli_fail("sim: out of memory");
    cJSON_Delete(in.scene);
    free(in.copy);
    return json;
}
