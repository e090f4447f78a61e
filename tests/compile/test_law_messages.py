"""Bad laws and parameters of every family are load errors that name the element and list what there is (spec 42B to 42F)."""

import pytest

import sinew

FLEX = ("<mujoco><worldbody><flexcomp name='it' type='grid' count='3 3 {}' spacing='.1 .1 .1' dim='{}' radius='.001' mass='1' {}>"
        "<elasticity young='1e4' poisson='{}' thickness='.01' {}/></flexcomp></worldbody></mujoco>")
JOINT = ("<mujoco><worldbody><body><joint name='j' type='slide'/><geom size='.1'/></body></worldbody><actuator>{}</actuator></mujoco>")
OPTION = "<mujoco><option {}/></mujoco>"
CLOTH = "<mujoco><deformable><sinew:cloth name='it' count='3 3 1' {}/></deformable></mujoco>"


def solid(law, poisson=0.3):
    return FLEX.format(3, 3, law, poisson, "")


def sheet(law):
    return FLEX.format(1, 2, law, 0.3, "elastic2d='both'")


def general(law, params):
    return JOINT.format(f"<general name='it' joint='j' sinew:gain_model='{law}' sinew:gain_params='{params}'/>")


@pytest.mark.parametrize("text, message, element", [
    (solid("sinew:elasticity_model='rubber'"), "there are: linear, neo_hookean, stvk, corotated, mooney_rivlin", "name 'it'"),
    (solid("sinew:elasticity_model='neo_hookean' sinew:elasticity_param='-1 2'"), "negative parameter", "name 'it'"),
    (solid("sinew:elasticity_model='neo_hookean'", 0.5), r"Poisson ratio must be in \[0, 0.5\)", "name 'it'"),
    (sheet("sinew:bending_model='hinge'"), "there are: cotangent, bridson", "name 'it'"),
    (sheet("sinew:bending_model='bridson' sinew:bending_param='-1'"), "negative parameter", "name 'it'"),
    (general("rocket", "1"), "there are: fixed, affine, muscle, hill, series_elastic, dc_motor", "name 'it'"),
    (general("series_elastic", "-1 1 1"), "stiffness of gain model 'series_elastic' must be zero or more", "name 'it'"),
    (general("dc_motor", "-1 1 1"), "resistance of gain model 'dc_motor' must be positive", "name 'it'"),
    (JOINT.format("<muscle name='it' joint='j' sinew:optimal_length='-1' sinew:slack_length='1'/>"), "optimal_length", "'muscle'"),
    (OPTION.format("sinew:solver='lcp'"), "'sinew:solver' is one of: xpbd", "'option'"),
    (OPTION.format("sinew:solver='xpbd' sinew:xpbd_substeps='-3'"), "must be between 1 and 1000", "'option'"),
    (CLOTH.format("preset='stone'"), "there are: cotton, silk, leather", "name 'it'"),
    (CLOTH.format("young='-1'"), "young must be positive", "name 'it'"),
])
def test_wrong_law_is_an_error_that_names_its_element(text, message, element):
    with pytest.raises(ValueError, match=message) as error:
        sinew.MjModel.from_xml_string(text)
    assert f"Element {element}" in str(error.value)
