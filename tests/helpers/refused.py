"""Why a model is refused."""


def told(module, text):
    """First line of the message of a model that is refused; None when it is taken."""
    try:
        module.MjModel.from_xml_string(text)
    except ValueError as error:
        return str(error).split("\n")[0]
    return None
