/// A stand-in: versions that have this file take boxes, as broad_phase.hpp says.
#pragma once
