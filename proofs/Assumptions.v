(* What the theorems assume: prove.sh allows the axioms of the real numbers alone. *)
Require Import ProbeDouble ProbeFloat VolumeCoefficients VolumeNormal.
Require Import MotionRoundings TaylorProduct RotvecRest StraightPath.
Print Assumptions probes_in_double.
Print Assumptions probes_in_float.
Print Assumptions volume_above.
Print Assumptions volume_below.
Print Assumptions normal_above.
Print Assumptions normal_below.
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
