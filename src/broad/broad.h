/* What a broad phase is. */
#ifndef GZ_BROAD_BROAD_H
#define GZ_BROAD_BROAD_H

#include "graze/step.h"

#endif
