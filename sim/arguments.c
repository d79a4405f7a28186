#include "sim/arguments.h"

#include "app/app.h"

#include <stdlib.h>

void sim_arguments_read(sim_arguments *a, int argc, char **argv) {
    *a = (sim_arguments){0};
    const cli_option options[] = {
        {"--out", CLI_TEXT, &a->out, "DIR", "folder of the run; its frames go to DIR/frames/NAME_<k>.ply"},
        {"--frames", CLI_COUNT, &a->frames, "N", "frames, the start among them (per scene)"},
        {"--size", CLI_NUMBER, &a->size, "S", "finer meshes: all numbers of cells grow with it (per scene)"},
        {"--method", CLI_TEXT, &a->method, "M", "method of collision detection (certified)"},
        {"--tolerance", CLI_NUMBER, &a->tolerance, "X", "of the method, a length (0: automatic)"},
        {"--broad", CLI_TEXT, &a->broad, "B", "broad phase (auto)"},
        {"--step-filter", CLI_TEXT, &a->filter, "global|relative|vertex",
         "global: one step length, by a line search (default); relative: one, every pair keeps 0.2 of its distance;"
         " vertex: one for each vertex"},
        {"--resume", CLI_FLAG, &a->resume, NULL,
         "goes on from the last whole frame of the same run in DIR; otherwise it is begun anew"},
        {"--certificates", CLI_FLAG, &a->certificates, NULL,
         "a proof of every step for `graze verify`: DIR/certificates/NAME_<k>.json"},
        {"--record", CLI_TEXT, &a->record, "FILE", "writes what collision detection was asked, for `graze bench sim`"},
        {"--replay", CLI_TEXT, &a->replay, "FILE", "asks what was recorded again, and simulates nothing"},
        {"--calls", CLI_COUNT, &a->calls, "N", "with --replay: the first N calls alone"},
        {"--seconds", CLI_NUMBER, &a->seconds, "S",
         "ends after so much time; with --replay, so much of it in collision detection"},
        {"--list", CLI_FLAG, &a->list, NULL, "the scenes that come with the program"},
        {"--exit-code", CLI_FLAG, &a->exit_code, NULL, "exit status 1 when a frame has intersections"},
        {"--threads", CLI_COUNT, &a->threads, "N", "threads (all that the program may use)"},
        {"--json", CLI_FLAG, &a->json, NULL, "one JSON object on stdout"},
        {0},
    };
    const cli_usage usage = {
        "sim", "NAME|SCENE.json|SCENE.txt --out DIR [options] | --list",
        "Simulates elastic bodies, cloth and strings that cannot interpenetrate, and writes PLY frames. Every frame "
        "is\n"
        "checked free of intersections in exact arithmetic. The format of scenes: docs/simulator.md.",
        options, "example:\n  graze sim cloth-ball --out /tmp/cloth && graze sequence /tmp/cloth"};
    const char **operands = cli_allocate((size_t)argc, sizeof *operands);
    int count = cli_parse(&usage, argc, argv, operands);
    a->scene = count > 0 ? operands[0] : NULL;
    free(operands);
    if (a->list ? count > 0 : count != 1) cli_fail("sim: give one scene, by name or as a JSON file, or --list");
    if (!a->list && !a->replay && (!a->out || !*a->out)) cli_fail("sim: --out DIR is missing");
    if (a->frames > 1000000) cli_fail("sim: --frames: at most 1000000");
    if (a->size < 0 || a->size > 2000) cli_fail("sim: --size: at most 2000");
}
