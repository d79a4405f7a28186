#!/bin/sh
# Weakens what is proven, one thing at a time, in a copy of the tree, and expects the proof to fail by name: each proven
# constant, to one unit less than the least with which its proof closes, and operations of the traced code. Nothing else
# counts: code that cannot be traced any more is a mistake of this script.
# usage: try_to_break.sh SOURCE_DIR WORK_DIR [WORD…]   after prove.sh with the same WORK_DIR; only lines that hold a word
# Ends with 1 when a proof holds that should not, or something other than the proof failed.
set -eu
source=$(cd "$1" && pwd)
work=$(cd "$2" && pwd)
shift 2
tree=$work/broken
bounds=src/numerics/error_bounds.h
[ -s "$work/Least.log" ] || { echo "try_to_break: run prove.sh first" >&2; exit 2; }

# name, file, old text, new text, goal: one operation each
operations() {
    cat <<'TABLE'
a sum of the dot product ~ src/pair/probe_body.h ~ return v_add(v_add(v_mul(a.x, b.x), v_mul(a.y, b.y)), v_mul(a.z, b.z)); ~ return v_sub(v_add(v_mul(a.x, b.x), v_mul(a.y, b.y)), v_mul(a.z, b.z)); ~ ProbeDouble
the rows of a difference ~ src/pair/certified_kernel.h ~ w0[k] = vec_sub(x0[gz_difference_to(kind, k)], x0[gz_difference_from(kind, k)]); ~ w0[k] = vec_sub(x0[gz_difference_from(kind, k)], x0[gz_difference_to(kind, k)]); ~ ProbeDouble
the slack without |n| ~ src/pair/probe_body.h ~ vec_dot(vec_abs(n), size) ~ vec_dot(n, size) ~ ProbeDouble
a norm without its tiny constant ~ src/pair/probe_body.h ~ return v_sqrt(v_add(vec_dot(n, n), v_set1(V_CONSTANT(GZ_NORM_TINY)))); ~ return v_sqrt(vec_dot(n, n)); ~ ProbeDouble
a threshold that is not rounded up ~ src/pair/probe_body.h ~ least = v_add(v_mul(v_mul(v_set1(separation), probe_norm(n)), v_set1(V_CONSTANT(GZ_NORM_UP))), least); ~ least = v_add(v_mul(v_set1(separation), probe_norm(n)), least); ~ ProbeFloat
a sign of the cross product ~ src/pair/probe_body.h ~ v_sub(v_mul(a.x, b.y), v_mul(a.y, b.x)) ~ v_add(v_mul(a.x, b.y), v_mul(a.y, b.x)) ~ VolumeCoefficients
a coefficient of the volume ~ src/pair/volume.c ~ (vec_dot(n2, q[0]) + vec_dot(n1, q[1])) * (1.0 / 3) ~ (vec_dot(n2, q[1]) + vec_dot(n1, q[0])) * (1.0 / 3) ~ VolumeCoefficients
the order of a restriction ~ src/pair/volume.c ~ b[i] = (1 - s) * b[i - 1] + s * b[i]; ~ b[i] = s * b[i - 1] + (1 - s) * b[i]; ~ VolumeCoefficients
half of a slack ~ src/pair/volume.c ~ low[i] -= volume->slack; ~ low[i] -= 0.5 * volume->slack; ~ VolumeCoefficients
a normal whose squares may underflow ~ src/pair/volume.c ~ sqrt(x[i] * x[i] + y[i] * y[i] + z[i] * z[i] + GZ_NORM_TINY) ~ sqrt(x[i] * x[i] + y[i] * y[i] + z[i] * z[i]) ~ VolumeNormal
a length that is raised wrongly ~ src/pair/volume.c ~ (2 * length[1] + length[2]) * (1.0 / 3) ~ (length[1] + 2 * length[2]) * (1.0 / 3) ~ VolumeNormal
a reach of one radius twice ~ src/pair/thick.c ~ return (separation + radius_a + radius_b) * GZ_REACH_UP; ~ return (separation + radius_a + radius_a) * GZ_REACH_UP; ~ Times
a crossing on the wrong side ~ src/numerics/hull.h ~ double at = (i + (j - i) * (g[i] / (g[i] - g[j]))) * (1.0 / 3); ~ double at = (j - (j - i) * (g[i] / (g[i] - g[j]))) * (1.0 / 3); ~ Times
a time that is not rounded down ~ src/pair/volume.c ~ return (t + step * GZ_CLIP_DOWN) * GZ_TIME_DOWN; ~ return (t + step * GZ_CLIP_DOWN) * 1; ~ Times
a bound from the wrong end ~ src/exact/roots.c ~ value[1] = scale * ((a + a_error) / (b - b_error)) ~ value[1] = scale * ((a + a_error) / (b + b_error)) ~ Exact
an error that is not carried ~ src/exact/touch_filter.c ~ fabs(a.value) * b.error + fabs(b.value) * a.error + a.error * b.error ~ fabs(a.value) * b.error + fabs(b.value) * a.error ~ Exact
a size without its signs taken off ~ src/exact/poly.c ~ sum = sum * below + fabs(c); ~ sum = sum * below + c; ~ Exact
an extent that is not rounded up ~ src/motion/rounding.h ~ return (fabs(center) + half) * GZ_EXTENT_UP; ~ return fabs(center) + half; ~ MotionRoundings
a reach without one of its paddings ~ src/motion/rounding.h ~ double sum = separation + a + b; ~ double sum = separation + a + a; ~ MotionRoundings
a wait that is not rounded down ~ src/motion/rounding.h ~ return t + wait * GZ_WAIT_DOWN; ~ return t + wait; ~ MotionRoundings
a unit vector of a square ~ src/motion/rounding.h ~ n[c] = v[c] / length; ~ n[c] = v[c] / (length * length); ~ MotionRoundings
a length without what underflows ~ src/motion/rounding.h ~ * GZ_LENGTH_DOWN - GZ_LENGTH_TINY; ~ * GZ_LENGTH_DOWN; ~ MotionRoundings
a product of coefficients ~ src/motion/taylor.h ~ f->c[2] += x[0] * y[2] + x[1] * y[1] + x[2] * y[0]; ~ f->c[2] += x[0] * y[2] + x[1] * y[1] - x[2] * y[0]; ~ TaylorProduct
a remainder without the other one ~ src/motion/taylor.h ~ f->r += a->r * (b->n + b->r) + a->n * b->r; ~ f->r += a->r * (b->n + b->n) + a->n * b->r; ~ TaylorProduct
a size that is not rounded up ~ src/motion/taylor.h ~ fabs(a->c[2]) + fabs(a->c[3])) * GZ_TAYLOR_UP; ~ fabs(a->c[2]) + fabs(a->c[3])); ~ TaylorProduct
a bound of another function ~ src/motion/rotvec.c ~ most[0] = GZ_ROTVEC_COSINE; ~ most[0] = GZ_ROTVEC_SINE; ~ RotvecRest
a way that is a sum ~ src/motion/rotvec.c ~ path.way[c] = to[c] - from[c]; ~ path.way[c] = to[c] + from[c]; ~ StraightPath
a window without its middle ~ src/motion/rotvec.c ~ path->way[c] * window.m, ~ path->way[c] * window.h, ~ StraightPath
a window that moves by less ~ src/pair/swept.h ~ double x = a + t * (b - a), below = x - slack, above = x + slack; ~ double x = a + t * (b - a), below = x - slack, above = x + 0.5 * slack; ~ Windows
a box that grows by less ~ src/pair/swept.h ~ double wider = grow > 0 ? grow + (size + 2 * grow) * GZ_WINDOW_SLACK : 0; ~ double wider = grow > 0 ? grow + (size - grow) * GZ_WINDOW_SLACK : 0; ~ Windows
a slack of curves without |n| ~ src/narrow/curve_pair.c ~ double slack = vec_dot(vec_abs(n), curve->size) * GZ_CURVE_SLACK + GZ_DOT_TINY; ~ double slack = vec_dot(n, curve->size) * GZ_CURVE_SLACK + GZ_DOT_TINY; ~ CurvePart
a part of what is left out ~ src/numerics/kept.h ~ double gone = 2 * (GZ_KEPT_DIAGONAL * (window * step->motion)); ~ double gone = GZ_KEPT_DIAGONAL * (window * step->motion); ~ Kept
a determinant of other differences ~ src/articulated/triangles.c ~ gz_vec3 d[3] = {sub(p, o), sub(q, o), sub(r, o)}; ~ gz_vec3 d[3] = {sub(p, o), sub(q, p), sub(r, o)}; ~ Crossing
corners that are off by half ~ src/articulated/triangles.c ~ double reach = size + 2 * error, ~ double reach = size + 0.5 * error, ~ Crossing
a polygon of other halves ~ src/articulated/shapes/shapes.c ~ double x = a[0] + b[0], y = a[1] + b[1], length = sqrt(x * x + y * y); ~ double x = a[0] + b[0], y = a[1] - b[1], length = sqrt(x * x + y * y); ~ Prism
corners that stay on the circle ~ src/articulated/shapes/shapes.c ~ for (int c = 0; c < 2; c++) corners[i][c] *= GZ_PRISM_UP / sqrt(x * x + y * y); ~ for (int c = 0; c < 2; c++) corners[i][c] *= 1 / sqrt(x * x + y * y); ~ Prism
a side that counts for nothing ~ src/pair/far_look.h ~ v_min(e, f) : v_sub(f, v_max(e, zero)) ~ v_min(e, f) : v_add(f, v_max(e, zero)) ~ FarLook
a reach that is not rounded up ~ src/pair/far_look.h ~ probe_norm(n)), v_set1(GZ_NORM_UP_F32)), least) ~ probe_norm(n)), v_set1(1)), least) ~ FarLook
a size that is scaled alone ~ src/pair/narrowed.h ~ f_real least = f_mul(f_max(scale, f_set1(1)), ~ f_real least = f_mul(scale, ~ Narrowed
a product of the wrong end ~ src/pair/swept.h ~ double p = rest.hi * x0, q = t * x1, r = rest.lo * x0; ~ double p = rest.hi * x0, q = t * x0, r = rest.lo * x0; ~ PointSum
what a sum leaves over ~ src/numerics/double_double.h ~ return (gz_dd){s, (a - (s - part)) + (b - part)}; ~ return (gz_dd){s, (a - (s - part)) - (b - part)}; ~ PointSum
a direction of other entries ~ src/articulated/joint.c ~ double d = row[0] * direction[0] + row[1] * direction[1] + row[2] * direction[2]; ~ double d = row[0] * direction[0] + row[1] * direction[1] + row[2] * direction[1]; ~ Shift
a diagonal that counts twice ~ src/broad/beside_kernel.h ~ float reach = fabsf(x * ux + y * uy + z * uz) + fabsf(x * vx + y * vy + z * vz); ~ float reach = fabsf(x * ux + y * uy + z * uz) + fabsf(x * ux + y * uy + z * uz); ~ Beside
a diagonal of the other sign ~ src/broad/beside_kernel.h ~ return down >> lane & 1u ? -x : x; ~ return down >> lane & 1u ? x : -x; ~ Beside
an offset of one end ~ src/pair/view_kernel.h ~ d_mul(d_add(d_abs(a), d_abs(b)), ~ d_mul(d_add(d_abs(a), d_abs(a)), ~ FarPlaces
a slack without the growth ~ src/articulated/world/still_tree.c ~ double size = fabs(node->center[c]) + node->half[c] + grow; ~ double size = fabs(node->center[c]) + node->half[c]; ~ StillTree
a power that is missing far away ~ src/motion/rotvec.c ~ most[1] = fmin(most[1], GZ_ROTVEC_FAR_SINE * cube * w * GZ_TAYLOR_UP); ~ most[1] = fmin(most[1], GZ_ROTVEC_FAR_SINE * 0.5 * cube * w * GZ_TAYLOR_UP); ~ RotvecRest
a mean with both parts of one side ~ src/articulated/world/spline.c ~ d[j] = (1 - part) * d[j - 1] + part * d[j]; ~ d[j] = (1 - part) * d[j - 1] + (1 - part) * d[j]; ~ Splines
a slack of the first control point ~ src/articulated/world/spline.c ~ most = fabs(points[i]) <= most ? most : fabs(points[i]); ~ most = fabs(points[0]); ~ Splines
a part that counts twice ~ src/articulated/world/spline.c ~ double at = ends[0] + t * (ends[1] - ends[0]) + way * off; ~ double at = ends[0] + t * t * (ends[1] - ends[0]) + way * off; ~ PlanTime
a slack of one end ~ src/articulated/world/spline.c ~ GZ_PLAN_TIME * (fabs(ends[0]) + fabs(ends[1])) + GZ_TAYLOR_TINY; ~ GZ_PLAN_TIME * (fabs(ends[0]) + ends[1]) + GZ_TAYLOR_TINY; ~ PlanTime
a slack of the distance itself ~ src/numerics/kept.h ~ double slack = GZ_CLOSEST_SLACK * size + GZ_CLOSEST_TINY; ~ double slack = GZ_CLOSEST_SLACK * distance + GZ_CLOSEST_TINY; ~ KeptDistance
a half in the place of a third ~ src/world/controls.c ~ q[1] = (2 * q[0] + q[3]) / 3; ~ q[1] = (2 * q[0] + q[3]) / 2; ~ Controls
remainders that are left out ~ src/world/controls.c ~ rest += frame->r[i][j] * fabs(x[j]); ~ rest += frame->n[i][j] * x[j]; ~ Controls
sizes that are left out ~ src/world/controls.c ~ size += frame->n[i][j] * fabs(x[j]); ~ size += frame->r[i][j] * fabs(x[j]); ~ Controls
a slope of other coefficients ~ src/pair/adjacent.c ~ double s = 1 - t, d0 = c[1] - c[0], d1 = c[2] - c[1], d2 = c[3] - c[2]; ~ double s = 1 - t, d0 = c[1] - c[0], d1 = c[2] - c[0], d2 = c[3] - c[2]; ~ Falling
half of the slacks of a slope ~ src/pair/adjacent.c ~ if (!(-slope * sign > 8 * volume->slack + size * GZ_VOLUME_CURVE * span)) return false; ~ if (!(-slope * sign > 4 * volume->slack + size * GZ_VOLUME_CURVE * span)) return false; ~ Falling
a cross product of the other sense ~ src/motion/frame.c ~ gz_matrix cross = {{{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}}}; ~ gz_matrix cross = {{{0, a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}}}; ~ Joints
an axis that is turned twice ~ src/motion/frame.c ~ turn->fixed.m[i][j] = a[i] * a[j]; ~ turn->fixed.m[i][j] = a[i] * a[i]; ~ Joints
TABLE
}

# name k: the definition with k units
definition() {
    hex=$(printf '0x%x' "$2")
    case $1 in
    *POLY_TINY) echo "${hex}p-1020" ;;
    *_DOWN_F32) echo "(1 - ${hex}p-23f)" ;;
    GZ_ROTVEC_FAR_COSINE) echo "${hex}p-62" ;;
    GZ_ROTVEC_FAR_SINE) echo "${hex}p-63" ;;
    GZ_ROTVEC_COSINE) echo "${hex}p-68" ;;
    GZ_ROTVEC_SINE) echo "${hex}p-71" ;;
    GZ_ROTVEC_REST) echo "${hex}p-74" ;;
    *LENGTH_TINY) echo "${hex}p-560" ;;
    GZ_VOLUME_CURVE) echo "${hex}p-10" ;;
    GZ_PRISM_LEAST) echo "${hex}p-910" ;;
    GZ_KEPT_DIAGONAL) echo "${hex}p-52" ;;
    GZ_KEPT_TOLERANCE) echo "${hex}p-48" ;;
    GZ_POINT_SLACK) echo "${hex}p-116" ;;
    GZ_EXACT_PRODUCT) echo "${hex}p-1000" ;;
    GZ_NARROW_TINY) echo "${hex}p-140f" ;;
    GZ_FAR_LARGEST) echo "0x1p$(($2 + 2))f" ;; # the greatest is what is known of it
    GZ_BESIDE_WIDTH) echo "${hex}p-10" ;;
    GZ_FAR_SLACK | GZ_BESIDE_SLACK) echo "${hex}p-34f" ;;
    GZ_FAR_OFFSET) echo "${hex}p-36" ;;
    GZ_CROSSING_SLACK) echo "${hex}p-10" ;;
    *_DOWN) echo "(1 - ${hex}p-52)" ;;
    *_UP_F32) echo "(1 + ${hex}p-23f)" ;;
    *_UP) echo "(1 + ${hex}p-52)" ;;
    *_TINY_F32) echo "${hex}p-149f" ;;
    *_TINY) echo "${hex}p-1074" ;;
    *_F32) echo "${hex}p-34f" ;;
    *) echo "${hex}p-63" ;;
    esac
}

constants() { # the same table from what Coq printed
    tr '\n' ' ' <"$work/Least.log" | sed 's/::/\n/g; s/= /\n/g' |
        sed -n 's/.*("\(GZ_[A-Z0-9_]*\)", (\([0-9]*\), \([0-9]*\))).*/\1 \3/p' |
        while read -r name least; do
            theorem=$(sed -n "s/^$name [^ ]* [^ ]* coq //p" "$source/proofs/constants.txt")
            goal=$(basename "$(grep -l "^Theorem $theorem\b" "$source"/proofs/*.v)" .v)
            old=$(grep "^#define $name " "$source/$bounds")
            echo "$name ~ $bounds ~ $old ~ #define $name $(definition "$name" $((least - 1))) ~ $goal"
        done
}

wanted() { # line, words
    line=$1
    shift
    [ $# -eq 0 ] && return 0
    for word; do case $line in *"$word"*) return 0 ;; esac; done
    return 1
}

{ constants; operations; } >"$work/breaks"
status=0 tried=0
while read -r line; do
    wanted "$line" "$@" || continue
    rm -rf "$tree"
    mkdir -p "$tree"
    cp -r "$source/include" "$source/src" "$source/proofs" "$tree/"
    field() { echo "$line" | awk -v which="$1" 'BEGIN { FS = " ~ " } { print $which }'; }
    name=$(field 1) file=$(field 2) goal=$(field 5)
    OLD=$(field 3) NEW=$(field 4) awk 'BEGIN { old = ENVIRON["OLD"]; new = ENVIRON["NEW"] }
        { at = index($0, old); if (at) { found = 1; $0 = substr($0, 1, at - 1) new substr($0, at + length(old)) } print }
        END { exit !found }' "$source/$file" >"$tree/$file" || { echo "try_to_break: $file no longer has: $(field 3)" >&2; exit 2; }
    if sh "$tree/proofs/prove.sh" "$tree" "$work/breaking" "$goal" >"$work/break.log" 2>&1; then
        echo "$name: $goal still holds"
        status=1
    elif grep -qE 'Cannot find a physical path|Unable to locate library|No such file' "$work/break.log"; then
        echo "$name: $goal was not asked: a file is missing"
        status=1
    elif grep -qx "prove: $goal is not proven" "$work/break.log"; then
        echo "$name: $goal is not proven"
    else
        echo "$name: $goal was not asked: $(tail -1 "$work/break.log")"
        status=1
    fi
    tried=$((tried + 1))
done <"$work/breaks"
rm -rf "$tree"
[ $tried -gt 0 ] || { echo "try_to_break: nothing was tried" >&2; exit 2; }
[ $status = 0 ] && echo "try_to_break: all $tried break their proofs"
exit $status
