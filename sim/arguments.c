#include "sim/arguments.h"

#include "app/app.h"

#include <stdlib.h>

void sim_arguments_read(sim_arguments *a, int argc, char **argv) {
    *a = (sim_arguments){0};
    const app_option options[] = {
        {"--out", APP_TEXT, &a->out, "DIR", "folder of the run; its frames go to DIR/frames/NAME_<k>.ply"},
        {"--frames", APP_COUNT, &a->frames, "N", "frames, the start among them (per scene)"},
        {"--size", APP_NUMBER, &a->size, "S", "finer meshes: all cell counts grow with it (per scene)"},
        {"--method", APP_TEXT, &a->method, "M", "method of collision detection (certified)"},
        {"--tolerance", APP_NUMBER, &a->tolerance, "X", "of the method, a length (0: automatic)"},
        {"--broad", APP_TEXT, &a->broad, "B", "broad phase (auto)"},
        {"--step-filter", APP_TEXT, &a->filter, "global|relative|vertex",
         "global: one step length, by a line search (default); relative: one, every pair keeps 0.2 of its distance;"
         " vertex: one for each vertex"},
        {"--resume", APP_FLAG, &a->resume, NULL,
         "continue the same run in DIR after its last whole frame; without it the run starts again"},
        {"--certificates", APP_FLAG, &a->certificates, NULL,
         "write a proof of every step for `graze verify`: DIR/certificates/NAME_<k>.json"},
        {"--record", APP_TEXT, &a->record, "FILE", "write the questions to collision detection, for `graze bench sim`"},
        {"--replay", APP_TEXT, &a->replay, "FILE", "ask the recorded questions again; nothing is simulated"},
        {"--calls", APP_COUNT, &a->calls, "N", "with --replay: the first N calls alone"},
        {"--seconds", APP_NUMBER, &a->seconds, "S", "time limit; with --replay, of collision detection alone"},
        {"--list", APP_FLAG, &a->list, NULL, "list the scenes of the program"},
        {"--exit-code", APP_FLAG, &a->exit_code, NULL, "exit status 1 when a frame has intersections"},
        {"--threads", APP_COUNT, &a->threads, "N", "threads (0: all cores)"},
        {"--json", APP_FLAG, &a->json, NULL, "one JSON object on stdout"},
        {0},
    };
    const app_usage usage = {
        "sim", "NAME|SCENE.json|SCENE.txt --out DIR [options] | --list",
        "Simulates elastic bodies, cloth and strings that cannot interpenetrate, and writes PLY frames. Every frame "
        "is\n"
        "checked free of intersections in exact arithmetic. The format of scenes: docs/simulator.md.",
        options, "example:\n  graze sim cloth-ball --out /tmp/cloth && graze sequence /tmp/cloth"};
    const char **operands = app_allocate((size_t)argc, sizeof *operands);
    int count = app_parse(&usage, argc, argv, operands);
    a->scene = count > 0 ? operands[0] : NULL;
    free(operands);
    if (a->list ? count > 0 : count != 1) app_fail("sim: give one scene, by name or as a JSON file, or --list");
    if (!a->list && !a->replay && (!a->out || !*a->out)) app_fail("sim: --out DIR is missing");
    if (a->frames > 1000000) app_fail("sim: --frames: at most 1000000");
    if (a->size < 0 || a->size > 2000) app_fail("sim: --size: at most 2000");
}
