// Images. Contexts live in NumPy records of the C layout (visual.py), which hand over their addresses.

#include "sinew/batch_render.h"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>

#include "bindings.h"
#include "guard.h"
#include "sinew/page.h"

using Bytes = nb::ndarray<uint8_t, nb::c_contig, nb::device::cpu>;
using Floats = nb::ndarray<float, nb::c_contig, nb::device::cpu>;

static snrContext* context(uintptr_t address) { return reinterpret_cast<snrContext*>(address); }

static snrRect rectangle(uintptr_t address) { return *reinterpret_cast<const snrRect*>(address); }

// memory of an array that must have room for a rectangle
template <typename A>
static auto* room(std::optional<A>& array, const snrRect& rect, size_t channels, const char* name) {
  using T = decltype(array->data());
  if (!array) return T(nullptr);
  size_t needed = channels * (size_t)std::max(rect.width, 0) * (size_t)std::max(rect.height, 0);
  if (array->size() < needed) {
    throw nb::value_error((std::string(name) + " has " + std::to_string(array->size()) +
                           " elements, " + std::to_string(needed) + " are needed")
                              .c_str());
  }
  return array->data();
}

static void bindContexts(nb::module_& module) {
  module.def("_snr_makeContext", [](Model& m, uintptr_t con, int fontscale) {
    Guard guard;
    snr_makeContext(m.m, context(con), fontscale);
  });
  module.def("_snr_freeContext", [](uintptr_t con) { snr_freeContext(context(con)); });
  module.def("_snr_changeFont", [](int fontscale, uintptr_t con) {
    Guard guard;
    snr_changeFont(fontscale, context(con));
  });
  module.def("_snr_resizeOffscreen", [](int width, int height, uintptr_t con) {
    Guard guard;
    snr_resizeOffscreen(width, height, context(con));
  });
  module.def("_snr_setBuffer", [](int buffer, uintptr_t con) {
    Guard guard;
    snr_setBuffer(buffer, context(con));
  });
  module.def("_snr_uploadTexture", [](Model& m, uintptr_t con, int id) {
    Guard guard;
    snr_uploadTexture(m.m, context(con), id);
  });
  module.def("_snr_uploadMesh", [](Model& m, uintptr_t con, int id) {
    Guard guard;
    snr_uploadMesh(m.m, context(con), id);
  });
  module.def("_snr_uploadHField", [](Model& m, uintptr_t con, int id) {
    Guard guard;
    snr_uploadHField(m.m, context(con), id);
  });
}

static void bindAux(nb::module_& module) {
  module.def("_snr_setThreads", [](int nthread, uintptr_t con) {
    Guard guard;
    snr_setThreads(nthread, context(con));
  });
  module.def("_snr_addAux", [](int index, int width, int height, int samples, uintptr_t con) {
    Guard guard;
    snr_addAux(index, width, height, samples, context(con));
  });
  module.def("_snr_setAux", [](int index, uintptr_t con) {
    Guard guard;
    snr_setAux(index, context(con));
  });
  module.def("_snr_blitAux", [](int index, uintptr_t rect, int left, int bottom, uintptr_t con) {
    Guard guard;
    snr_blitAux(index, rectangle(rect), left, bottom, context(con));
  });
}

static void bindPictures(nb::module_& module) {
  module.def("_snr_render", [](uintptr_t rect, uintptr_t scene, uintptr_t con) {
    Guard guard;
    snr_render(rectangle(rect), reinterpret_cast<snvScene*>(scene), context(con));
  });
  module.def(
      "_snr_readPixels",
      [](std::optional<Bytes> rgb, std::optional<Floats> depth, uintptr_t at, uintptr_t con) {
        snrRect rect = rectangle(at);
        auto* colors = room(rgb, rect, 3, "rgb");
        auto* distances = room(depth, rect, 1, "depth");
        Guard guard;
        snr_readPixels(colors, distances, rect, context(con));
      },
      nb::arg("rgb").none(), nb::arg("depth").none(), nb::arg("rect"), nb::arg("con"));
  module.def(
      "_snr_drawPixels",
      [](std::optional<Bytes> rgb, std::optional<Floats> depth, uintptr_t at, uintptr_t con) {
        snrRect rect = rectangle(at);
        auto* colors = room(rgb, rect, 3, "rgb");
        auto* distances = room(depth, rect, 1, "depth");
        Guard guard;
        snr_drawPixels(colors, distances, rect, context(con));
      },
      nb::arg("rgb").none(), nb::arg("depth").none(), nb::arg("rect"), nb::arg("con"));
  module.def("_snr_figure", [](uintptr_t rect, uintptr_t figure, uintptr_t con) {
    Guard guard;
    snr_figure(rectangle(rect), reinterpret_cast<snvFigure*>(figure), context(con));
  });
  module.def("_snr_rectangle", [](uintptr_t rect, float r, float g, float b, float a) {
    Guard guard;
    snr_rectangle(rectangle(rect), r, g, b, a);
  });
}

static void bindText(nb::module_& module) {
  module.def("_snr_text", [](int font, const std::string& text, uintptr_t con, float x, float y,
                             float r, float g, float b) {
    Guard guard;
    snr_text(font, text.c_str(), context(con), x, y, r, g, b);
  });
  module.def("_snr_overlay", [](int font, int place, uintptr_t rect, const std::string& first,
                                const std::string& second, uintptr_t con) {
    Guard guard;
    snr_overlay(font, place, rectangle(rect), first.c_str(), second.c_str(), context(con));
  });
  module.def("_snr_label", [](uintptr_t rect, int font, const std::string& text, float r, float g,
                              float b, float a, float rt, float gt, float bt, uintptr_t con) {
    Guard guard;
    snr_label(rectangle(rect), font, text.c_str(), r, g, b, a, rt, gt, bt, context(con));
  });
}

// ---- batches ----

namespace {

struct BatchRenderer {
  snBatchRenderer* r;
  ~BatchRenderer() { sn_deleteBatchRenderer(r); }
};

}  // namespace

static const snBatch* batch(uintptr_t address) { return reinterpret_cast<const snBatch*>(address); }

static void makeBatchRenderer(BatchRenderer* self, uintptr_t worlds, int width, int height,
                              int nthread) {
  char error[300] = "";
  snBatchRenderer* made =
      sn_makeBatchRenderer(batch(worlds), width, height, nthread, error, sizeof(error));
  if (!made) throw nb::value_error(error);
  new (self) BatchRenderer{made};
}

static void renderBatch(BatchRenderer& self, uintptr_t worlds, int camera, uintptr_t option,
                        uintptr_t rgb, uintptr_t depth, uintptr_t ids) {
  Guard guard;
  sn_batchRender(self.r, batch(worlds), camera, reinterpret_cast<snvOption*>(option),
                 reinterpret_cast<unsigned char*>(rgb), reinterpret_cast<float*>(depth),
                 reinterpret_cast<int*>(ids));
}

static void renderBatchAt(BatchRenderer& self, uintptr_t worlds, int camera, uintptr_t option,
                          uint64_t rgb, uint64_t depth, uint64_t ids) {
  Guard guard;
  sn_batchRenderAt(self.r, batch(worlds), camera, reinterpret_cast<snvOption*>(option), rgb, depth,
                   ids);
}

static void bindBatches(nb::module_& module) {
  nb::class_<BatchRenderer>(module, "_BatchRenderer")
      .def("__init__", &makeBatchRenderer)
      .def("render", &renderBatch)
      .def("render_at", &renderBatchAt);
}

// ---- recordings ----

namespace {

struct Page {
  snPage* page;
  ~Page() { sn_deletePage(page); }
};

}  // namespace

static void makePage(Page* self, Model& m, uintptr_t camera, double rate) {
  char error[300] = "";
  snPage* made = sn_makePage(m.m, reinterpret_cast<snvCamera*>(camera), rate, error, sizeof(error));
  if (!made) throw nb::value_error(error);
  new (self) Page{made};
}

static nb::str finishPage(Page& self, Model& m) {
  size_t size = 0;
  char* text = nullptr;
  {
    Guard guard;
    text = sn_finishPage(self.page, m.m, &size);
  }
  nb::str found(text ? text : "", text ? size : 0);
  snu_free(text);
  return found;
}

static void bindPages(nb::module_& module) {
  nb::class_<Page>(module, "_Page")
      .def("__init__", &makePage)
      .def("add",
           [](Page& self, Model& m, Data& d) {
             snData* data = d.of(m);
             Guard guard;
             sn_addPageFrame(self.page, m.m, data);
           })
      .def("finish", &finishPage);
}

void bindRender(nb::module_& module) {
  bindPages(module);
  bindBatches(module);
  bindText(module);
  bindContexts(module);
  bindAux(module);
  bindPictures(module);
}
