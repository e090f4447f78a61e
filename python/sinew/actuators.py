"""Laws of actuators as Python functions, by name; see docs/actuator-models.md. An extension.

    def pneumatic(length, velocity, rate, params):
        area, bulk = params[:2]
        return area, -bulk * length          # gain, bias: the force is gain * input + bias

    sinew.actuators.register("pneumatic", pneumatic, nparam=2)
    model = sinew.MjModel.from_xml_string('... <general joint="j" sinew:gain_model="pneumatic" sinew:gain_params="2 30"/> ...')

Such models run on CPUs, where each evaluation calls Python; a batch on a GPU refuses them by name.
"""

from sinew import _core

_MOST = 10


def register(name, law, *, slopes=None, nparam=(0, _MOST)):
    """Register a law for `sinew:gain_model`, before models that name it are loaded.

    law(length, velocity, rate, params) gives gain and bias: length and velocity are those of the actuator, rate that
    of its last activation, params a list of ten numbers. slopes, called likewise, gives d(gain)/d(length),
    d(gain)/d(velocity), d(bias)/d(length), d(bias)/d(velocity), d(bias)/d(rate); without it they are differences of
    law. Implicit integrators and derivatives of steps use them. nparam: how many parameters a model gives, a number or
    least and most. A name that was registered from Python before takes the new functions.
    """
    least, most = (nparam, nparam) if isinstance(nparam, int) else nparam
    _core._register_actuator_model(name, law, slopes, least, most)


def registered():
    """Names of the laws that programs registered in this process, from C or Python."""
    return _core._actuator_models()
