/* A back end without a device: its parts. */
#ifndef GRAZE_TEST_FAKE_BACKEND_H
#define GRAZE_TEST_FAKE_BACKEND_H

#include "base/backend.h"

/* True if GRAZE_FAKE has this value. */
int fake_is(const char *mode);

/* Answers a step by the CPU, whatever its size. */
graze_status fake_step_by_cpu(const gz_backend_request *request, gz_backend_answer *answer);
void fake_close_cpu(void);

/* A request of many worlds as one of all pairs of the joined mesh, whose positions are brought together, with a filter
   that parts the worlds. False where there is no memory; fake_worlds_close in any case. */
int fake_worlds_open(const gz_backend_request *request, gz_backend_request *joined, graze_mesh *mesh);
void fake_worlds_close(gz_backend_request *joined);

/* Leaves every pair of a caller's list, and every pair that may be near, to the host. */
void fake_answer_list(const gz_backend_request *request, gz_backend_answer *answer);
graze_status fake_find_near(const gz_backend_request *request, gz_backend_answer *answer);

graze_status fake_batch(void *device, const gz_batch_request *request, gz_batch_answer *answer);

#endif
