/* A note beside the frames of a run, DIR/NAME.run.json: what they were made from and how, so that only the same run
 * goes on from them. */
#ifndef GRAZE_SIM_NOTE_H
#define GRAZE_SIM_NOTE_H

#include "sim/arguments.h"
#include "sim/reader/scene.h"

#include <cjson/cJSON.h>

/* The note of a run of this scene, as it begins; `text` is the scene's JSON. */
cJSON *sim_note_make(const sim_arguments *arguments, const sim_scene *scene, const char *text);

/* Both exit 2: when the note cannot be written, and when frames are there whose note is missing or another. */
void sim_note_write(const char *folder, const char *name, const cJSON *note);
void sim_note_check(const char *folder, const char *name, const cJSON *note);

#endif
