/* The part of YAML that tools print messages in, as a tree of values: block and flow lists and maps, plain and quoted
   scalars, comments, one document. Anchors, tags, block scalars and whatever else YAML has are refused by name. */
#ifndef GRAZE_ROBOT_YAML_H
#define GRAZE_ROBOT_YAML_H

#include "io/json_reader.h"

/* On failure there is nothing to free; else io_json_free. */
bool robot_parse_yaml(io_source source, io_json_file *file, io_error *error);

#endif
