"""Acceptance criteria of smooth dynamics and of constraints, and the tests that show them.

A line per item: numbers, then the tests (functions in tests). What no test can
show, or what belongs elsewhere, is listed with its reason.
"""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]

TABLE = """
13 A1: test_13_A1_tendon_damping, test_DT35_6j_13_A1_implicitfast_tendon_damping
13 A2: test_13_A2_velocity_feedback_through_a_tendon
13 A3: test_DT35_6r_joint_spring, test_DT35_cross_branch_couplings
13 A4: test_13_A4_without_velocity_forces_implicitfast_is_euler
13 A5: test_13_A5_spinning_double_pendulum
13 A6 A7: test_13_A6_A7_conformance, test_free_run, test_free_run_full
13 A8: test_DT35_6i_13_A8_passive_forces_are_the_integrators_business
13 A9 A10: test_13_A9_A10_velocity_block
13 A11: test_004_8_8_cost
13 A12 A13: test_13_A12_A13_cost
13 A14 A15: test_13_A14_A15_singular_matrix_is_reported
13 A16: test_13_A16_positive_feedback
13 parser: test_13_parser_004_7_3, test_13_unknown_name
33 1 2 3 8: test_33_1_2_3_8
33 4: test_33_4
33 5: test_33_5
33 6 7 10 11: test_33_6_7_10_11
33 9: test_33_9
33 12: test_33_12
34 1: test_34_1_limited_integrator_stops_at_its_range
34 2: test_34_2_unlimited_integrator_passes
34 3: test_34_3_muscle_has_no_hidden_clamp
34 4: test_34_4_muscle_with_explicit_range
34 5: test_34_5_exact_filter_and_clamp
34 6 7: test_34_6_7_early_activation
34 8: test_34_8_trajectory_is_analytic
34 9: test_34_9_default_classes
35 1: test_35_1_full_compensation_floats
35 2: test_35_2_none
35 3: test_35_3_half_is_half
35 4: test_35_4_two_rises
35 5: test_35_5_parse, test_35_5_balloons
35 6: test_35_6_arm_rests
35 7: test_35_7_no_gravity, test_35_7_gravity_disabled
35 8: test_35_8_offset_hinge
35 9: test_35_9_affected_dofs_only
35 10: test_35_10_figures
35 11: test_35_11_sleeping_tree
35 12: test_35_12_negative
35 13: test_35_13_child_loads_the_parent
35 14: test_35_14_torque_of_offset
36 1: test_36_1_loads
36 2 9: test_36_2_9_without_contact_nothing
36 3 4: test_36_3_4_one_contact
36 5: test_36_5_four_contacts
36 6: test_36_6_gear_is_ignored
36 7: test_36_7_gain
36 8: test_36_8_other_models_are_unchanged
36 10 11: test_36_10_11_length_and_velocity
36 13: test_36_13_hinged_body
36 14: test_36_14_movable_platform
37 1 2: test_37_1_2
37 3: test_37_3
37 4: test_37_4
37 5: test_37_5
37 6: test_37_6
37 7: test_37_7
37 8: test_37_8
37 9: test_37_9
37 10: test_37_10
37 11 12: test_37_11_12
37 13: test_37_13
38 1: test_38_criterion_1
38 2 20: test_38_T10_T21
38 3 14: test_38_T15
38 4 9: test_38_T8
38 5: test_38_T4
38 6 21: test_38_T5_T5b_T22
38 7: test_38_T6
38 8: test_38_T3
38 10: test_38_T11
38 11: test_38_T13
38 12: test_38_T12
38 13: test_38_T14
38 15: test_38_T16
38 16 19: test_38_T17_T20
38 17: test_38_T18
38 18: test_38_T19
38 T1: test_38_helper, test_38_T1_4_T1b
38 T2: test_38_T2
38 T7: test_38_T7
38 T9: test_38_T9
39 1 2: test_39_T1_T2_steps
39 3 4 6 18: test_39_T3_T4_T6_T18_sphere, item39_T3_sphere
39 5: item39_T5_newton
39 7 15: test_39_T7_T15_cylinder, item39_T15_cylinder_height
39 8: test_39_T8_side_site_crosses_the_surface
39 9: test_tendon, outsideArcIsShortest
39 10 17: test_39_T10_T17_jacobian
39 11: item39_T11_segment_cuts_circle
39 12: item39_T12_end_on_circle
39 13: item39_T13_fallback
39 14: test_39_T14_side_site_on_the_surface
39 16: test_39_T16_side_site_far_along_the_axis
40 1 2 3 4 6 7 8 9 10 11 13 14 23 25 27 28 29 30 31 32 33 35 36 37 40 41 42: test_40_force
40 5: test_40_T5_box_of_a_sphere
40 12 22: test_40_T12_T37_T22_T42_switch_and_inheritance
40 15 26: test_40_T15_T26_mass_guard
40 16 18: test_40_T16_T18_semi_axes
40 17: test_40_T17_virtual_mass_and_inertia
40 19 24 34: test_40_T17_T19_T24_T34_kappa
40 20: test_40_T20_trajectory
40 21: test_40_T21_both_models_in_one_world
40 38 39: test_40_T38_T39_bad_input
40b 1 2 14: test_40b_1_2_14_straight
40b 3: test_40b_3_three_sites
40b 4: test_40b_4_sphere
40b 5: test_40b_5_cylinder
40b 6: test_40b_6_pulley
40b 7: test_40b_7_cleared_geom
40b 8: test_40b_8_inside
40b 9 12 13: test_40b_9_12_13_addresses
40b 10 11: test_40b_10_11_moving, test_40b_10_side_sites_and_collinear_paths
40b 15: test_40b_15_mixed_path
40e 1: test_40a_T32_40e_site_jacobian_is_the_point_jacobian
41 1: test_41_1_contact_off
41 2: test_41_2_gravity_off
41 3: test_41_3_limit_off
41 4: test_41_4_equality_off, test_41_families
41 5: test_41_5_spring_off_damper_on
41 6: test_41_6_actuation_off
41 7: test_41_7_sensor_off
41 8: test_41_8_warmstart_off
41 9: test_41_9_constraint_off
41 10: test_41_10_spring_and_damper_off
41 11: test_41_11_no_flags
41 12: test_41_12_legacy_passive
41 13: test_41_13_fluid_of_sleeping_bodies
41 14: test_41_14_each_flag_alone, test_41_14_flags_act
42E 1 5: test_42E_1_5, item42E_own_formulation
42E 4: test_42E_4_no_overhead
DT28: test_DT28_fixed_tendon_on_ball_or_free_joint
DT31: test_DT31_joint_in_spatial_path
DT32 DT33: test_DT32_DT33_tendon_limit_parameters, test_rows_of_own_models
DT34: test_tendon
DT35 6a: test_DT35_6a_spring
DT35 6b: test_DT35_6b_damper
DT35 6c: test_DT35_6c_agrees_with_euler_at_small_steps
DT35 6d: test_DT35_6d_stability
DT35 6e: test_DT35_6e_coupling
DT35 6f: test_DT35_6f_velocity_derivative
DT35 6g: test_DT35_6g_both
DT35 6h: test_DT35_6h_energy
DT35 6i: test_DT35_6i_13_A8_passive_forces_are_the_integrators_business
DT35 6j: test_DT35_6j_13_A1_implicitfast_tendon_damping
DT35 6k: test_DT35_6k_dead_band
DT35 6l: test_DT35_6l_spatial, test_DT35_6l_half_several_tendons, test_DT35_6l_threequarters_no_op
DT35 6m: test_DT35_6m_derivative_under_all_integrators
DT35 6n: test_DT35_6n_newton_flag
DT35 6o: test_DT35_6o_solver_flag_is_no_op_without_rows
DT35 6p: test_DT35_6p_newton_with_contact, test_DT35_6p_solvers_agree, test_DT35_6p_unrelated_contact
DT35 6q: test_DT35_6q_one_dof_tendon_is_a_joint_spring
DT35 6r: test_DT35_6r_joint_spring
DT35 6s: test_DT35_6s_sleep
DT35 force: test_DT35_tendon_force
DT35 C7: test_DT35_C7_noslip, test_DT35_islands, test_DT35_discrete_inverse
004-1 1 2 4: test_no_allocation_in_a_step, item1_2_choleskyReportsIndefinite
004-1 3: item1_3_choleskyMatchesReference
004-1 5: test_DT35_6r_joint_spring
004-2 1: item2_1_branchesAndSeparateTrees
004-2 2: test_inertia_products, test_stages
004-2 5: item2_5_oneHinge, item2_5_twoLinkChain, item2_5_twoChildren, item2_5_ballChain, item2_5_freeBodyWithChain
004-2 6: test_no_allocation_in_a_step
004-3 1 2 3: test_004_3_1_2_3
004-3 4: test_004_3_4
004-3 5: test_004_3_5
004-4 1: test_item4_1_outputs_filled
004-4 2 6: test_item4_2_tendon_motor_equals_joint_motor
004-4 3: test_item4_3_springs_and_dampers_move, test_item4_3_dead_band
004-4 4: test_item4_4_limit_has_its_own_parameters
004-5 1: test_item5_1_activation_is_updated, test_item5_1_runs_with_every_integrator
004-5 2: test_item5_2_zero_at_rest_and_monotone, test_item5_2_force_length, test_item5_2_force_velocity
004-5 3: test_item5_3_peak_force, test_item5_3_peak_force_through_a_tendon
004-5 4: test_item5_4_activation_is_faster_than_deactivation
004-5 5: test_item5_5_other_dynamics_are_untouched
004-7 1 3: test_13_parser_004_7_3
004-7 4: test_DT35_6r_joint_spring
004-8 1: test_004_8_1_differs_from_euler
004-8 2: test_004_8_2_order_of_convergence
004-8 3: test_004_8_3_agrees_with_euler_at_tiny_steps
004-8 4: test_004_8_4_energy_drift
004-8 5: test_004_8_5_bouncing_ball
004-8 6: test_004_8_6_free_spin
004-8 7: test_no_allocation_in_a_step
004-8 8: test_004_8_8_cost
004-8 9: test_004_8_9_sensors_hold_the_state_before_the_step
004-8 10: test_004_8_10_warm_start_is_the_last_evaluation
"""

WITHOUT_TEST = {
    "36 12": "contacts of flexes: with the flexes",
    "42E 2": "position-based contacts: with the position-based bodies",
    "42E 3": "position-based contacts: with the position-based bodies",
    "004-2 3": "structure: there is one factorisation",
    "004-2 4": "structure: stages are ordered, there is no flag of validity",
    "004-2 7": "the whole suite",
    "004-4 5": "structure: loops over no tendons",
    "004-7 2": "documentation",
}

# how many numbered criteria each item has
COUNTS = {"33": 12, "34": 9, "35": 14, "36": 14, "37": 13, "38": 21, "39": 18, "40": 42, "40b": 15, "41": 14,
          "42E": 5, "004-1": 5, "004-2": 7, "004-3": 5, "004-4": 6, "004-5": 5, "004-7": 4, "004-8": 10}  # fmt: skip


def rows():
    for line in TABLE.strip().splitlines():
        left, tests = line.split(":")
        item, *numbers = left.split()
        yield item, numbers, [t.strip() for t in tests.split(",")]


def defined():
    names = set()
    for path in (*ROOT.rglob("test_*.py"), *ROOT.rglob("test_*.c")):
        names.update(re.findall(r"^(?:def|static void) (\w+)\(", path.read_text(), re.MULTILINE))
    return names


def test_named_tests_exist():
    missing = {t for _, _, tests in rows() for t in tests} - defined()
    assert not missing


@pytest.mark.parametrize("item", COUNTS)
def test_every_criterion_has_a_test(item):
    covered = {n for i, numbers, _ in rows() if i == item for n in numbers}
    covered |= {key.split()[1] for key in WITHOUT_TEST if key.split()[0] == item}
    assert {str(n) for n in range(1, COUNTS[item] + 1)} <= covered


def test_figures(capsys):
    """Criteria with a test and without."""
    named = sum(max(1, len(numbers)) for _, numbers, _ in rows())
    with capsys.disabled():
        print(f"\n{named} criteria shown by tests, {len(WITHOUT_TEST)} listed with a reason instead")
    assert named > 200
