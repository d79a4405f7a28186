/* The question asked of every pair: checked options, with every default filled in. It goes as a whole from the entry of
   a call to the method, to a back end and to its kernels. */
#ifndef GZ_BASE_QUESTION_H
#define GZ_BASE_QUESTION_H

#include <stdint.h>

typedef struct gz_question {
    double separation; /* that counts as contact; ≥ 0 */
    double t_max;      /* in (0, 1] */
    double tolerance;  /* 0: the method works its own out of the pair */
    uint64_t max_checks;
} gz_question;

#endif
