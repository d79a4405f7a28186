(* What the theorems assume: prove.sh allows the axioms of the real numbers alone. *)
Require Import ProbeDouble ProbeFloat VolumeCoefficients VolumeNormal.
Require Import Times Exact.
Require Import MotionRoundings TaylorProduct RotvecRest StraightPath.
Require Import Windows Kept CurvePart Crossing Prism.
Require Import StillTree FarPlaces FarLook Narrowed PointSum Shift Beside.
Require Import PlanTime Splines KeptDistance Controls Falling Joints.
Print Assumptions probes_in_double.
Print Assumptions probes_in_float.
Print Assumptions volume_above.
Print Assumptions volume_below.
Print Assumptions normal_above.
Print Assumptions normal_below.
Print Assumptions reaches_are_above.
Print Assumptions falls_are_not_late.
Print Assumptions rises_are_not_early.
Print Assumptions falls_in_float_are_not_late.
Print Assumptions rises_in_float_are_not_early.
Print Assumptions steps_are_not_late.
Print Assumptions later_times_are_not_late.
Print Assumptions quotients_are_enclosed.
Print Assumptions cut_quotients_are_enclosed.
Print Assumptions polynomials_are_within.
Print Assumptions lines_are_within.
Print Assumptions products_carry_their_errors.
Print Assumptions sums_carry_their_errors.
Print Assumptions an_extent_is_at_least.
Print Assumptions a_reach_is_at_most.
Print Assumptions a_wait_ends_in_time.
Print Assumptions a_length_is_at_most.
Print Assumptions a_distance_along_a_unit_is_enough.
Print Assumptions a_product_is_a_model.
Print Assumptions the_cosine_leaves_out_at_most.
Print Assumptions the_sine_leaves_out_at_most.
Print Assumptions the_rest_leaves_out_at_most.
Print Assumptions the_cosine_leaves_out_less_far_away.
Print Assumptions the_sine_leaves_out_less_far_away.
Print Assumptions a_straight_path_is_a_model.
Print Assumptions windows_hold_their_ends.
Print Assumptions windows_grow_by_more.
Print Assumptions control_points_are_beyond.
Print Assumptions pairs_keep_at_most.
Print Assumptions the_quotient_is_near.
Print Assumptions sides_of_near_corners_are_certain.
Print Assumptions sides_of_far_corners_are_certain.
Print Assumptions prisms_hold_their_cylinders.
Print Assumptions still_boxes_grow_by_more.
Print Assumptions small_still_boxes_grow.
Print Assumptions places_in_a_view_are_near.
Print Assumptions far_faces_are_apart.
Print Assumptions far_edges_are_apart.
Print Assumptions looks_do_not_overflow.
Print Assumptions narrowed_probes_are_right.
Print Assumptions places_at_a_time_are_within.
Print Assumptions exact_places_are_exact.
Print Assumptions sliding_origins_are_near.
Print Assumptions edges_beside_each_other_are_apart.
Print Assumptions looks_at_boxes_do_not_overflow.
Print Assumptions no_place_overflows.
Print Assumptions times_of_a_plan_are_not_late.
Print Assumptions spline_values_are_within.
Print Assumptions a_part_of_a_distance_is_kept.
Print Assumptions straight_controls_are_within.
Print Assumptions cubic_controls_are_within.
Print Assumptions turned_controls_are_within.
Print Assumptions the_rate_is_the_derivative.
Print Assumptions volumes_fall_in_brackets.
Print Assumptions entries_of_joints_are_within.
