"""Figures and auxiliary buffers: axes as MuJoCo 3.5.0 lays them out (on OSMesa, stored here), colours where they belong."""

import numpy as np
import pytest
import sinew

MODEL = '<mujoco><visual><quality offsamples="0"/><global offwidth="640" offheight="480"/></visual></mujoco>'


def make_figure(lines=1, offset=0.0, **settings):
    """Parabolas of five points."""
    figure = sinew.MjvFigure()
    sinew.mjv_defaultFigure(figure)
    for n in range(lines):
        figure.linepnt[n] = 5
        for i in range(5):
            figure.linedata[n][2 * i: 2 * i + 2] = i, 0.1 * i * i + 0.3 * n + offset
    for name, value in settings.items():
        if isinstance(value, list):
            getattr(figure, name)[:] = value
        else:
            setattr(figure, name, value)
    return figure


def draw(figure, rect=(0, 0, 400, 300), scale=150):
    context = sinew.MjrContext(sinew.MjModel.from_xml_string(MODEL), scale)
    sinew.mjr_figure(sinew.MjrRect(*rect), figure, context)
    pixels = np.empty((480, 640, 3), np.uint8)
    sinew.mjr_readPixels(pixels, None, sinew.MjrRect(0, 0, 640, 480), context)
    context.free()
    return pixels


# settings, xaxispixel, yaxispixel
PANES = [
    ({}, (73, 385), (56, 285)),
    ({"title": "Hello"}, (73, 385), (56, 243)),
    ({"xlabel": "time"}, (73, 385), (91, 285)),
    ({"title": "Hello", "xlabel": "time"}, (73, 385), (91, 243)),
    ({"title": "a\nb"}, (73, 385), (56, 243)),
    ({"minwidth": "XXXXXX"}, (118, 385), (56, 285)),
    ({"minwidth": "X"}, (43, 385), (56, 285)),
    ({"flg_ticklabel": [0, 0]}, (14, 385), (14, 285)),
    ({"flg_ticklabel": [1, 0]}, (14, 385), (56, 285)),
    ({"flg_ticklabel": [0, 1]}, (73, 385), (14, 285)),
    ({"gridsize": [1, 1]}, (14, 385), (14, 285)),
]


@pytest.mark.parametrize("settings, across, up", PANES)
def test_axes_lie_where_mujoco_has_them(settings, across, up):
    figure = make_figure(**settings)
    draw(figure)
    assert tuple(figure.xaxispixel) == across and tuple(figure.yaxispixel) == up


def test_axes_move_with_the_rectangle():
    figure = make_figure()
    draw(figure, (30, 20, 400, 300))
    assert tuple(figure.xaxispixel) == (103, 415) and tuple(figure.yaxispixel) == (76, 305)


# settings, xaxisdata, yaxisdata
RANGES = [
    ({}, (0, 4), (0, 2)),
    ({"range": [[0, 10], [0, 5]]}, (0, 10), (0, 5)),
    ({"range": [[0, 0], [0, 0]]}, (0, 4), (0, 2)),
    ({"range": [[1, 0], [1, 0]]}, (0, 4), (0, 2)),
    ({"flg_extend": 0}, (0, 1), (0, 1)),
    ({"flg_extend": 0, "range": [[0, 0], [0, 0]]}, (0, 4), (0, 2)),
    ({"flg_extend": 0, "range": [[0, 1], [0.13, 0.77]]}, (0, 1), (0.1, 0.8)),
    ({"flg_symmetric": 1}, (0, 4), (-2, 2)),
    ({"offset": 3.7}, (0, 4), (0, 6)),
    ({"offset": -200.0}, (0, 4), (-200, 100)),
    ({"flg_symmetric": 1, "offset": -5.0}, (0, 4), (-5, 5)),
    ({"lines": 0}, (0, 1), (0, 1)),
]


@pytest.mark.parametrize("settings, across, up", RANGES)
def test_ranges_are_those_of_mujoco(settings, across, up):
    figure = make_figure(**settings)
    draw(figure)
    assert np.allclose(figure.xaxisdata, across) and np.allclose(figure.yaxisdata, up)


def test_colours_are_where_they_belong():
    figure = make_figure(figurergba=[0.2, 0.2, 0.4, 1], panergba=[0, 0.4, 0, 1], gridsize=[3, 3], flg_legend=0)
    pixels = draw(figure)
    (left, right), (bottom, top) = figure.xaxispixel, figure.yaxispixel
    assert tuple(pixels[5, 5]) == (51, 51, 102)                             # beside the axes
    assert tuple(pixels[top - 10, left + 20]) == (0, 102, 0)                # between grid lines
    middle = (bottom + top) // 2
    assert (pixels[middle: middle + 2, left + 20] == (102, 102, 102)).all(axis=1).any()  # the grid
    assert tuple(pixels[350, 500]) == (0, 0, 0)                             # beside the figure
    for i in range(1, 4):  # the line goes through its points
        x = left + (right - left) * i / 4
        y = bottom + (top - bottom) * 0.1 * i * i / 2
        assert tuple(pixels[round(y), round(x)]) == (255, 76, 76), i


def test_bars_are_separate_strokes():
    figure = make_figure(flg_barplot=1, flg_legend=0, gridsize=[0, 0])
    pixels = draw(figure)
    red = (pixels == (255, 76, 76)).all(axis=2).any(axis=0)
    quarter = (figure.xaxispixel[1] - figure.xaxispixel[0]) / 4
    at = lambda i: red[int(figure.xaxispixel[0] + quarter * i)]  # noqa: E731
    assert at(0.5) and not at(1.5) and at(2.5) and not at(3.5)


@pytest.mark.parametrize("settings", [
    {"xformat": "%n%n%n%s"}, {"yformat": "%999.999f"}, {"xformat": "x"}, {"gridsize": [-5, 10000]}, {"linewidth": 1e30},
    {"linewidth": float("nan")}, {"range": [[float("nan"), 1], [0, float("inf")]]}, {"offset": float("inf")},
    {"offset": 1e30}, {"highlightid": 10000}, {"highlightid": 0}, {"legendoffset": -3}, {"subplot": 77, "title": "a\nb"},
    {"flg_selection": 1, "selection": float("nan")}, {"linepnt": [100000] * 100}])
def test_odd_figures_stay_in_their_rectangle(settings):
    for left, bottom, width, height in ((0, 0, 400, 300), (0, 0, 1, 1), (-50, -50, 100, 100), (600, 400, 500, 500), (0, 0, -3, 5)):
        pixels = draw(make_figure(**settings), (left, bottom, width, height))
        # the label beside a highlighted point is text: it may go on to the right
        right = 640 if "highlightid" in settings else max(left + width, 0)
        pixels[max(bottom, 0):max(bottom + height, 0), max(left, 0):right] = 0
        assert not pixels.any(), (left, bottom, width, height)


# ---- auxiliary buffers ----

def read(context, width=640, height=480):
    pixels = np.empty((height, width, 3), np.uint8)
    sinew.mjr_readPixels(pixels, None, sinew.MjrRect(0, 0, width, height), context)
    return pixels


def test_auxiliary_buffers_are_drawn_into_and_copied_from():
    context = sinew.MjrContext(sinew.MjModel.from_xml_string(MODEL), 150)
    sinew.mjr_addAux(3, 100, 80, 0, context)
    assert context.auxWidth[3] == 100 and context.auxHeight[3] == 80
    sinew.mjr_setAux(3, context)
    sinew.mjr_rectangle(sinew.MjrRect(0, 0, 50, 80), 1, 0, 0, 1)
    assert tuple(read(context, 100, 80)[10, 20]) == (255, 0, 0)
    sinew.mjr_restoreBuffer(context)
    assert not read(context).any()
    sinew.mjr_blitAux(3, sinew.MjrRect(40, 0, 20, 10), 200, 100, context)
    pixels = read(context)
    assert (pixels[100:110, 200:210] == (255, 0, 0)).all() and not pixels[100:110, 210:220].any()
    assert pixels.any(axis=2).sum() == 100
    sinew.mjr_addAux(3, 0, 0, 0, context)  # removed
    with pytest.raises(Exception, match="auxFBO 3 does not exist"):
        sinew.mjr_setAux(3, context)
    context.free()


def test_wrong_auxiliary_buffers_are_refused():
    context = sinew.MjrContext(sinew.MjModel.from_xml_string(MODEL), 150)
    for index in (-1, 10):
        with pytest.raises(Exception, match="Invalid aux buffer index"):
            sinew.mjr_addAux(index, 10, 10, 0, context)
    with pytest.raises(Exception, match="sizes from 1"):
        sinew.mjr_addAux(0, 1 << 20, 10, 0, context)
    with pytest.raises(Exception, match="auxFBO 0 does not exist"):
        sinew.mjr_blitAux(0, sinew.MjrRect(0, 0, 5, 5), 0, 0, context)
    sinew.mjr_addAux(0, 10, 10, 0, context)
    sinew.mjr_blitAux(0, sinew.MjrRect(-5, -5, 100, 100), -3, 475, context)  # only what lies inside of both
    context.free()
