/// The whole API. Include this, or only the subject you need.
#ifndef GRAZE_H
#define GRAZE_H

#include "graze/articulated.h"
#include "graze/ask.h"
#include "graze/base.h"
#include "graze/certificate.h"
#include "graze/clearance.h"
#include "graze/curve.h"
#include "graze/distance.h"
#include "graze/exact.h"
#include "graze/mesh.h"
#include "graze/mpi.h"
#include "graze/plan.h"
#include "graze/potential.h"
#include "graze/proximity.h"
#include "graze/query.h"
#include "graze/range.h"
#include "graze/shapes.h"
#include "graze/step.h"
#include "graze/swept.h"
#include "graze/world.h"
#include "graze/world_distance.h"
#include "graze/world_to.h"

#endif
