#!/bin/sh
# Runs the library's code on numbers that remember how they were computed, and writes the trees for Coq: Traces*.v. No Coq is needed for that. usage: trace.sh SOURCE_DIR WORK_DIR
set -eu
source=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)

# functions of files that are not C++ as a whole
cut() { sh "$source/proofs/cut.sh" "$source/src/$1" $2; }
{
    cut exact/touch_filter.c "near_number near_vector multiply add at_root"
    cut exact/roots.c "quotient clamp gz_enclose_integers gz_enclose_quotient"
    cut exact/poly.c gz_poly_round
} >"$work/cut_rooms.h"
{
    cut narrow/curve_pair.c "difference between gz_curve_part least_along"
} >"$work/cut_steps.h"
{
    cut articulated/triangles.c "sub side_of"
    cut articulated/world/spline.c gz_spline_seconds
    cut articulated/shapes/shapes.c "half_way polygon put_corners" | sed 's/(double\[3\])\({[^}]*}\)/proofs::row_of<double>(\1).data()/'
} >"$work/cut_links.h"
{
    cut articulated/world/still_tree.c gz_still_may_meet
    cut broad/windows_kernel.h "window_lanes window_of"
    cut broad/beside_kernel.h "beside_block beside_sign beside_prepare beside_lanes"
    cut step/float_look.c "reach_of gz_far_beside"
    cut articulated/joint.c "value_path straight_path is_still add_shift start_shift"
} >"$work/cut_looks.h"
{
    cut narrow/curve_pair.c "between gz_curve_part"
    cut world/controls.c "straight cubic turned"
    cut articulated/world/spline.c "blossom gz_spline_piece"
    cut motion/frame.c "gz_matrix_product set_axis_matrices product_of_three gz_turn_about"
} >"$work/cut_models.h"

trace() { # program, what it writes, options
    program=$1 made=$2
    shift 2
    "${CXX:-c++}" -std=c++17 -O0 -w -I"$source/include" -I"$source/src" "$@" -o "$work/$program" "$source/proofs/$program.cpp"
    "$work/$program" "$work/$made"
    ! grep -n an_operation_that_is_not_followed "$work/$made"
}
trace trace Traces.v
trace trace_rooms TracesRooms.v -DCUT="\"$work/cut_rooms.h\""
trace trace_steps TracesSteps.v -DCUT="\"$work/cut_steps.h\""
# g++ reads C with -fpermissive: its structs are set to zero, and its pointers to void turn into others
trace trace_motion TracesMotion.v -fpermissive
trace trace_links TracesLinks.v -fpermissive -DCUT="\"$work/cut_links.h\""
trace trace_looks TracesLooks.v -fpermissive -DCUT="\"$work/cut_looks.h\""
trace trace_models TracesModels.v -fpermissive -DCUT="\"$work/cut_models.h\""
