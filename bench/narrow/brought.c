/* Brought by a user to be measured: plugins, loaded and looked at with care. */
#if defined(__linux__) || defined(__APPLE__)
#include <dlfcn.h>
#define WITH_PLUGINS
#endif
#include "bench/narrow/methods.h"

#include "bench/narrow/given.h"

#include <stdlib.h>
#include <string.h>

static bool is_name(const char *name) {
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-");
    return length > 0 && length < 32 && name[length] == '\0';
}

/* A place in the list for a method of that name; NULL with the error set. */
static bench_brought *add(bench_settings *settings, const char *path, const char *name, io_error *error) {
    if (!name || !is_name(name)) {
        io_fail(error, path, 0, "its name is %s; a name has up to 31 letters, digits and . _ + -",
                name ? "not one" : "NULL");
        return NULL;
    }
    if (bench_method_find(settings, name)) {
        io_fail(error, path, 0, "there is a method %s already", name);
        return NULL;
    }
    int m = 1;
    while (bench_method(settings, m)) m++;
    if (m >= BENCH_METHODS) {
        io_fail(error, path, 0, "too many methods: at most %d", BENCH_METHODS - 1);
        return NULL;
    }
    settings->brought =
        bench_grow(settings->brought, settings->brought_count, &settings->brought_capacity, sizeof *settings->brought);
    bench_brought *one = &settings->brought[settings->brought_count++];
    *one = (bench_brought){.info = {.method = (graze_method)m, .available = 1}, .path = bench_copy(path)};
    one->info.name = one->name = bench_copy(name);
    settings->methods[m] = true;
    return one;
}

/* ---- plugins ---- */

static bool check_plugin(const char *path, const graze_plugin_info *plugin, io_error *error) {
    if (plugin->version != GRAZE_PLUGIN_VERSION)
        return io_fail(error, path, 0, "it is of plugin version %u; this program takes version %d", plugin->version,
                       GRAZE_PLUGIN_VERSION);
    if (!plugin->ccd) return io_fail(error, path, 0, "its function ccd is NULL");
    if ((plugin->kinds & (GRAZE_PLUGIN_VF | GRAZE_PLUGIN_EE)) == 0)
        return io_fail(error, path, 0, "it answers neither vertex-face nor edge-edge (kinds)");
    return true;
}

static bool add_plugin(bench_settings *settings, const char *path, void *library, const graze_plugin_info *plugin,
                       io_error *error) {
    if (!check_plugin(path, plugin, error)) return false;
    bench_brought *one = add(settings, path, plugin->name, error);
    if (!one) return false;
    one->plugin = plugin;
    one->library = library;
    one->info.summary = plugin->summary ? plugin->summary : "";
    one->info.conservative = plugin->conservative != 0;
    one->info.exact = plugin->exact != 0;
    one->info.gives_toi = plugin->gives_toi != 0;
    one->info.kinds = plugin->kinds;
    return true;
}

#if defined(WITH_PLUGINS)
/* The loader's own words are long and begin with the path. */
static const char *reason(const char *path) {
    const char *text = dlerror();
    if (!text) return "it cannot be loaded";
    size_t length = strlen(path);
    if (strncmp(text, path, length) == 0 && text[length] == ':') text += length + 1 + strspn(text + length + 1, " ");
    return text;
}

bool bench_bring_plugin(bench_settings *settings, const char *path, io_error *error) {
    char *local = NULL;
    if (!strchr(path, '/')) { /* a file of this folder, not of the system's */
        local = bench_allocate(strlen(path) + 3, 1);
        strcat(strcpy(local, "./"), path);
    }
    const char *name = local ? local : path;
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    const graze_plugin_info *plugin = library ? dlsym(library, "graze_plugin") : NULL;
    bool good = false;
    if (!library)
        io_fail(error, path, 0, "%s", reason(name));
    else if (!plugin)
        io_fail(error, path, 0, "it exports no graze_plugin (graze/plugin.h)");
    else
        good = add_plugin(settings, path, library, plugin, error);
    if (library && !good) dlclose(library);
    free(local);
    return good;
}
#else
bool bench_bring_plugin(bench_settings *settings, const char *path, io_error *error) {
    (void)settings;
    (void)add_plugin;
    return io_fail(error, path, 0, "this build loads no plugins");
}
#endif

/* ---- answers ---- */

bool bench_bring_answers(bench_settings *settings, const char *text, io_error *error) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1]) return io_fail(error, text, 0, "expected NAME=FILE.jsonl");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    bench_given *given = bench_given_read(equals + 1, error);
    if (!given) return false;
    bench_brought *one = add(settings, equals + 1, name, error);
    if (!one) {
        bench_given_free(given);
        return false;
    }
    one->given = given;
    one->info.summary = "answers of a file";
    one->info.gives_toi = bench_given_has_toi(given);
    one->info.kinds = GRAZE_PLUGIN_VF | GRAZE_PLUGIN_EE;
    return true;
}

void bench_release_brought(bench_settings *settings) {
    for (size_t i = 0; i < settings->brought_count; i++) {
        bench_given_free(settings->brought[i].given);
        free(settings->brought[i].path);
        free(settings->brought[i].name);
#if defined(WITH_PLUGINS)
        if (settings->brought[i].library) dlclose(settings->brought[i].library);
#endif
    }
    free(settings->brought);
    settings->brought = NULL;
    settings->brought_count = settings->brought_capacity = 0;
}
