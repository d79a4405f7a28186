/* Tetrahedra from Gmsh files: MSH 2 and 4.1, text. */
#ifndef GRAZE_SIM_READER_MSH_H
#define GRAZE_SIM_READER_MSH_H

#include "sim/reader/shape.h"

#include "io/error.h"

/* Reads nodes and tetrahedra, and makes the skin; other elements are skipped, and nodes of none left out. A file
   without tetrahedra is an error. */
bool sim_read_msh(const char *path, sim_shape *shape, io_error *error);

#endif
