/* FCL's continuous collision of two rigid meshes, to measure against: C++ behind a call in C. */
#ifndef GRAZE_BENCH_ARTICULATED_FCL_H
#define GRAZE_BENCH_ARTICULATED_FCL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Its bounding volumes and its motions, as far as conservative advancement of meshes takes them. */
enum { BENCH_FCL_VOLUMES = 3, BENCH_FCL_MOTIONS = 3 };
const char *bench_fcl_volume_name(int volume); /* RSS, kIOS, OBBRSS */
const char *bench_fcl_motion_name(int motion); /* translation, linear, screw */

typedef struct bench_fcl_body bench_fcl_body;

/* NULL without memory. */
bench_fcl_body *bench_fcl_body_make(int volume, const double (*vertices)[3], size_t vertex_count,
                                    const uint32_t (*faces)[3], size_t face_count);
void bench_fcl_body_free(bench_fcl_body *body);

/* Pose of a body: a position and a rotation vector. */
typedef struct bench_fcl_pose {
    double position[3], turn[3];
} bench_fcl_pose;

typedef struct bench_fcl_answer {
    bool hit;
    double time; /* of contact; 1 without */
} bench_fcl_answer;

/* Conservative advancement with FCL's defaults for everything else. Both bodies are of one volume. */
bench_fcl_answer bench_fcl_step(const bench_fcl_body *a, const bench_fcl_pose from_to_a[2], const bench_fcl_body *b,
                                const bench_fcl_pose from_to_b[2], int motion);

/* Rows of rotation and origin of both bodies; at most 0 where they touch. */
double bench_fcl_distance(const bench_fcl_body *a, const double frame_a[3][4], const bench_fcl_body *b,
                          const double frame_b[3][4]);

/* Meshes that stand or are placed again and again, in two of its broad-phase managers. */
typedef struct bench_fcl_scene bench_fcl_scene;

/* `pairs`: count × count, 0 where two bodies are not tested; kept by reference. NULL without memory. */
bench_fcl_scene *bench_fcl_scene_make(const uint8_t *pairs, size_t count);
void bench_fcl_scene_free(bench_fcl_scene *scene);
/* The next body; without faces it is only counted. `still`: it is placed once, before anything is asked. With a padding
   points are spheres and segments are capsules; false for other padded triangles, which FCL does not have. */
bool bench_fcl_scene_add(bench_fcl_scene *scene, const double (*vertices)[3], size_t vertex_count,
                         const uint32_t (*faces)[3], size_t face_count, double padding, bool still);
/* Rows of rotation and origin. A body that stands is placed by the first call alone. */
void bench_fcl_scene_place(bench_fcl_scene *scene, size_t body, const double frame[3][4]);
bool bench_fcl_scene_collides(bench_fcl_scene *scene);

#ifdef __cplusplus
}
#endif
#endif
