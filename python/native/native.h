/* The functions of libgraze_python.so; python/graze/_native.py has them once more. Any thread may call those of files.
 */
#ifndef GRAZE_PYTHON_NATIVE_H
#define GRAZE_PYTHON_NATIVE_H

#include "io/folder.h"
#include "io/mesh.h"
#include "io/query_csv.h"

#define GZPY_API __attribute__((visibility("default")))

/* ---- Ctrl-C ---- */

/* From here on SIGINT is noted, and goes on to the handler that was there. Only where there is one: what is ignored, or
   ends the process, stays so. For the main thread alone. Either may be called twice, or never. */
GZPY_API void gzpy_watch(void);
/* The handler that was there is back; whether a signal came since gzpy_watch. */
GZPY_API int gzpy_unwatch(void);
/* A graze_cancel. */
GZPY_API int gzpy_interrupted(void *user);

/* ---- files, as the program reads them; 0: `error` says why ---- */

GZPY_API int gzpy_parse_mesh(const io_source *source, io_mesh *mesh, io_error *error);
GZPY_API int gzpy_parse_mesh_pair(const io_source *source_a, const io_source *source_b, io_mesh *a, io_mesh *b,
                                  io_error *error);
GZPY_API void gzpy_free_mesh(io_mesh *mesh);
GZPY_API int gzpy_parse_queries(const io_source *source, io_queries *queries, io_error *error);
GZPY_API void gzpy_free_queries(io_queries *queries);
GZPY_API int gzpy_query_kind_of(const char *path);
GZPY_API int gzpy_list_frames(const char *folder, io_frames *frames, io_error *error);
GZPY_API void gzpy_free_frames(io_frames *frames);
/* A PLY file in memory, or NULL; free it by gzpy_free. Edges may be none. */
GZPY_API char *gzpy_print_ply(const double (*positions)[3], size_t vertex_count, const uint32_t (*faces)[3],
                              size_t face_count, const uint32_t (*edges)[2], size_t edge_count, size_t *size);
GZPY_API void gzpy_free(char *bytes);

#endif
