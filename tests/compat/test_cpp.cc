// What C++ programs do with MuJoCo's interface, in the manner of a test suite: containers of the spec,
// handlers that throw, plugins, resource providers, plain parts of visualisation.

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace {

struct DeleteModel {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
};
struct DeleteData {
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using ModelPtr = std::unique_ptr<mjModel, DeleteModel>;
using DataPtr = std::unique_ptr<mjData, DeleteData>;
using Attributes = std::map<std::string, std::string, std::less<>>;

ModelPtr load(const std::string& xml, std::string* message = nullptr) {
  char error[1024] = "";
  mjSpec* spec = mj_parseXMLString(xml.c_str(), nullptr, error, sizeof(error));
  mjModel* m = spec ? mj_compile(spec, nullptr) : nullptr;
  if (message) *message = spec ? mjs_getError(spec) : error;
  mj_deleteSpec(spec);
  return ModelPtr(m);
}

// any message fails the test
class CompatTest : public ::testing::Test {
 protected:
  CompatTest() {
    mju_user_error = [](const char* text) { ADD_FAILURE() << text; };
    mju_user_warning = [](const char* text) { ADD_FAILURE() << text; };
  }
  ~CompatTest() override { mju_user_error = mju_user_warning = nullptr; }
};

TEST_F(CompatTest, StringsActLikeStandardOnes) {
  mjSpec* spec = mj_makeSpec();
  mjsBody* body = mjs_addBody(mjs_findBody(spec, "world"), nullptr);
  mjs_setName(body->element, "foo");
  EXPECT_EQ(*mjs_getName(body->element), "foo");
  EXPECT_STREQ(mjs_getName(body->element)->c_str(), "foo");
  std::string name = *mjs_getName(body->element), other(*mjs_getName(body->element));
  EXPECT_EQ(name, other);
  EXPECT_EQ("a/" + *mjs_getName(body->element) + "x", "a/foox");
  *spec->modelname = "model";
  *spec->comment = std::string("com") + "ment";
  EXPECT_EQ(spec->modelname->size(), 5u);
  EXPECT_STREQ(mjs_getString(spec->comment), "comment");
  mj_deleteSpec(spec);
}

TEST_F(CompatTest, VectorsActLikeStandardOnes) {
  mjSpec* spec = mj_makeSpec();
  mjsBody* body = mjs_addBody(mjs_findBody(spec, "world"), nullptr);
  body->userdata->push_back(3.5);
  body->userdata->push_back(4);
  mjsMesh* mesh = mjs_addMesh(spec, nullptr);
  mjs_setName(mesh->element, "tetra");
  *mesh->uservert = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::vector<int> face = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  *mesh->userface = face;
  mjsGeom* geom = mjs_addGeom(body, nullptr);
  geom->type = mjGEOM_MESH;
  mjs_setString(geom->meshname, "tetra");
  ModelPtr m(mj_compile(spec, nullptr));
  ASSERT_TRUE(m) << mjs_getError(spec);
  EXPECT_EQ(m->nmeshvert, 4);
  EXPECT_EQ(m->nuser_body, 2);
  EXPECT_EQ(m->body_user[2], 3.5);
  EXPECT_EQ(*mesh->userface, face);
  std::vector<float> copy = *mesh->uservert;
  EXPECT_EQ(copy.size(), 12u);
  float sum = 0;
  for (float value : *mesh->uservert) sum += value;
  EXPECT_EQ(sum, 3);
  mesh->uservert->resize(3);
  mesh->uservert->insert(mesh->uservert->begin(), 7);
  EXPECT_EQ(mesh->uservert->front(), 7);
  mj_deleteSpec(spec);
}

// what every member of a text does, as one line
template <typename Text>
std::string useText(Text t) {
  std::ostringstream out;
  t.push_back('x');
  t.insert(0, "ab");
  t.insert(t.begin(), 'q');
  t.replace(0, 1, "zz");
  t.erase(0, 1);
  t.erase(t.begin());
  t[0] = 'Q';
  t.resize(t.size() + 1, '!');
  t.pop_back();
  t += 'c';
  t += "d";
  t += t;
  t.append(3, 'z').append(std::string("view")).append("words");
  out << t << ' ' << t.substr(2, 4) << ' ' << t.find("c") << ' ' << t.rfind('c') << ' '
      << t.find_first_of("cz") << ' ' << t.find_last_of("cz") << ' ' << t.find_first_not_of("Q")
      << ' ' << (t.find("none") == Text::npos) << ' ' << t.compare("x") << t.compare(0, 1, "Q")
      << ' ' << t.front() << t.back() << t.at(1) << t.length();
  std::reverse(t.begin(), t.end());
  std::sort(t.begin() + 2, t.end());
  out << ' ' << t << ' ' << std::string(t.rbegin(), t.rend()) << ' ' << (t < "m") << (t > Text("a"))
      << (t == t);
  try {
    t.at(100) = 'x';
  } catch (const std::out_of_range&) {
    out << " beyond";
  }
  t.assign("hello");
  std::string_view view = t;
  std::map<std::string, int> map;
  map[t]++;
  std::unordered_map<Text, int> hashed;
  hashed[t]++;
  out << ' ' << view << map.count("hello") << hashed.count("hello") << ' ' << t + 'c' << 'c' + t
      << t + t;
  t.clear();
  Text other = "other";
  swap(t, other);
  out << ' ' << t << other.empty() << std::string(t) + "x";
  return out.str();
}

template <typename Vector>
std::string useVector(Vector v) {
  std::ostringstream out;
  const double more[] = {7, 8};
  auto add = [&] {
    for (double value : v) out << value << ' ';
    out << v.size() << '|';
  };
  v = {1, 2, 3};
  v.push_back(4);
  v.insert(v.end(), {5, 6});
  v.insert(v.begin(), 2, 9.0);
  v.insert(v.begin() + 1, std::begin(more), std::end(more));
  std::copy(std::begin(more), std::end(more), std::back_inserter(v));
  add();
  v.emplace(v.begin() + 1, 3.25);
  v.erase(v.begin());
  v.erase(v.begin() + 1, v.begin() + 3);
  v.shrink_to_fit();
  add();
  out << *std::max_element(v.begin(), v.end()) << std::accumulate(v.begin(), v.end(), 0.0)
      << v.front() << v.back();
  std::sort(v.begin(), v.end(), std::greater<>());
  add();
  Vector other(v.begin(), v.begin() + 2), filled(3, 1.5);
  out << (other < v) << (other == v) << (filled != v) << (v == std::vector<double>(v)) << '|';
  swap(other, v);
  add();
  v.assign(3, 2);
  v.assign({4, 5});
  v.resize(4, 7);
  v.resize(5);
  for (auto i = v.rbegin(); i != v.rend(); ++i) *i += 1;
  add();
  v = std::vector<double>(2, 3);
  add();
  v.clear();
  out << v.empty();
  return out.str();
}

TEST_F(CompatTest, ContainersDoWhatThoseOfTheStandardLibraryDo) {
  EXPECT_EQ(useText(mjString("text")), useText(std::string("text")));
  EXPECT_EQ(useText(mjString()), useText(std::string()));
  EXPECT_EQ(useVector(mjDoubleVec()), useVector(std::vector<double>()));
  mjStringVec names = {"a", "b"};
  names.push_back(std::string("c"));
  names.at(1) += "x";
  std::vector<std::string> copy(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"a", "bx", "c"}));
  EXPECT_EQ(copy, (std::vector<std::string>(names)));
  EXPECT_NE(std::find(names.begin(), names.end(), "c"), names.end());
}

TEST_F(CompatTest, FunctionsOfContainersTakeStandardOnes) {
  std::string text;
  mjs_setString(&text, "word");
  EXPECT_STREQ(mjs_getString(&text), "word");
  std::vector<std::string> texts;
  mjs_setStringVec(&texts, "a b c");
  mjs_appendString(&texts, "d");
  EXPECT_TRUE(mjs_setInStringVec(&texts, 1, "x"));
  EXPECT_EQ(texts, (std::vector<std::string>{"a", "x", "c", "d"}));
  const double numbers[] = {1, 2};
  std::vector<double> doubles;
  mjs_setDouble(&doubles, numbers, 2);
  int size = 0;
  EXPECT_EQ(mjs_getDouble(&doubles, &size)[1], 2);
  EXPECT_EQ(size, 2);
  std::vector<std::byte> bytes;
  mjs_setBuffer(&bytes, "ab", 2);
  EXPECT_EQ(bytes, (std::vector<std::byte>{std::byte{'a'}, std::byte{'b'}}));
  const int integers[] = {3, 4};
  std::vector<std::vector<int>> lists;
  mjs_appendIntVec(&lists, integers, 2);
  mjs_appendIntVec(&lists, integers, 1);
  EXPECT_EQ(lists, (std::vector<std::vector<int>>{{3, 4}, {3}}));
}

TEST_F(CompatTest, ConfigurationsAreMaps) {
  mjSpec* spec = mj_makeSpec();
  mjsPlugin* plugin = mjs_addPlugin(spec);
  Attributes attributes = {{"twist", "1"}, {"bend", "2"}};
  mjs_setPluginAttributes(plugin, &attributes);
  EXPECT_EQ(*static_cast<const Attributes*>(mjs_getPluginAttributes(plugin)), attributes);
  mj_deleteSpec(spec);
}

TEST_F(CompatTest, HandlersMayThrow) {
  ModelPtr m = load("<mujoco/>");
  DataPtr d(mj_makeData(m.get()));
  mju_user_error = [](const char* text) { throw std::string(text); };
  std::string caught;
  try {
    mjtNum state;
    mj_getState(m.get(), d.get(), &state, 1 << 30);
  } catch (const std::string& text) {
    caught = text;
  }
  EXPECT_NE(caught.find("mj_getState: invalid state signature"), std::string::npos) << caught;
}

TEST_F(CompatTest, ErrorsNameElementAndLine) {
  std::string error;
  EXPECT_FALSE(load("<mujoco><worldbody>\n<geom type='foo'/></worldbody></mujoco>", &error));
  EXPECT_NE(error.find("invalid keyword: 'foo'"), std::string::npos) << error;
  EXPECT_NE(error.find("line 2"), std::string::npos) << error;
  EXPECT_FALSE(load("<mujoco><worldbody><body><joint/></body></worldbody></mujoco>", &error));
  EXPECT_NE(error.find("mass and inertia of moving bodies must be larger than mjMINVAL"),
            std::string::npos)
      << error;
}

int calls, alive;

TEST_F(CompatTest, PluginsTakePartInAStep) {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  const char* attributes[] = {"stiffness", "damping"};
  plugin.name = "test.spring";
  plugin.nattribute = 2;
  plugin.attributes = attributes;
  plugin.capabilityflags = mjPLUGIN_PASSIVE;
  plugin.nstate = +[](const mjModel* m, int instance) {
    return std::strcmp(mj_getPluginConfig(m, instance, "damping"), "") ? 2 : 1;
  };
  plugin.init = +[](const mjModel*, mjData* d, int instance) {
    d->plugin_data[instance] = reinterpret_cast<uintptr_t>(new int(5));
    return ++alive;
  };
  plugin.destroy = +[](mjData* d, int instance) {
    delete reinterpret_cast<int*>(d->plugin_data[instance]);
    alive--;
  };
  plugin.copy = +[](mjData* dest, const mjModel*, const mjData* source, int instance) {
    *reinterpret_cast<int*>(dest->plugin_data[instance]) =
        *reinterpret_cast<int*>(source->plugin_data[instance]);
  };
  plugin.reset =
      +[](const mjModel*, mjtNum* state, void* data, int) { state[0] = *static_cast<int*>(data); };
  plugin.compute = +[](const mjModel* m, mjData* d, int instance, int capability) {
    calls++;
    EXPECT_EQ(capability, mjPLUGIN_PASSIVE);
    d->qfrc_passive[0] -= std::stod(mj_getPluginConfig(m, instance, "stiffness")) * d->qpos[0];
  };
  plugin.advance = +[](const mjModel* m, mjData* d, int instance) {
    d->plugin_state[m->plugin_stateadr[instance]] += 1;
  };
  int count = mjp_pluginCount(), slot = mjp_registerPlugin(&plugin), found = -1;
  EXPECT_EQ(mjp_pluginCount(), count + 1);
  EXPECT_EQ(mjp_registerPlugin(&plugin), slot);
  ASSERT_NE(mjp_getPlugin("test.spring", &found), nullptr);
  EXPECT_EQ(found, slot);
  EXPECT_EQ(mjp_getPlugin("none", nullptr), nullptr);
  std::string error;
  ModelPtr m = load(
      "<mujoco><extension><plugin plugin='test.spring'/></extension><worldbody><body>"
      "<joint type='slide'/><geom size='1'/><plugin plugin='test.spring'><config key='stiffness' "
      "value='5'/>"
      "<config key='damping' value='1'/></plugin></body></worldbody></mujoco>",
      &error);
  ASSERT_TRUE(m) << error;
  EXPECT_EQ(m->npluginstate, 2);
  {
    DataPtr d(mj_makeData(m.get()));
    EXPECT_EQ(d->plugin_state[0], 5);
    d->qpos[0] = 0.5;
    mj_step(m.get(), d.get());
    EXPECT_GE(calls, 1);
    EXPECT_EQ(d->plugin_state[0], 6);
    mj_forward(m.get(), d.get());
    EXPECT_DOUBLE_EQ(d->qfrc_passive[0], -5 * d->qpos[0]);
    DataPtr copy(mj_copyData(nullptr, m.get(), d.get()));
    EXPECT_EQ(alive, 2);
    mj_copyData(copy.get(), m.get(), d.get());
    EXPECT_EQ(alive, 2);
  }
  EXPECT_EQ(alive, 0);
}

TEST_F(CompatTest, ProvidersServeModels) {
  static const char* xml = "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>";
  mjpResourceProvider provider;
  mjp_defaultResourceProvider(&provider);
  provider.prefix = "memory";
  provider.open = +[](mjResource*) { return 1; };
  provider.read = +[](mjResource*, const void** buffer) {
    *buffer = xml;
    return static_cast<int>(std::strlen(xml));
  };
  provider.close = +[](mjResource*) {};
  int count = mjp_resourceProviderCount();
  EXPECT_EQ(mjp_registerResourceProvider(&provider), count + 1);
  EXPECT_NE(mjp_getResourceProvider("memory:any"), nullptr);
  char error[1024] = "";
  ModelPtr m(mj_loadXML("memory:model.xml", nullptr, error, sizeof(error)));
  ASSERT_TRUE(m) << error;
  EXPECT_EQ(m->ngeom, 1);
}

TEST_F(CompatTest, PlainVisualisation) {
  mjvScene scene;
  mjv_defaultScene(&scene);
  ModelPtr m = load("<mujoco><worldbody><light/><geom size='1'/></worldbody></mujoco>");
  mjv_makeScene(m.get(), &scene, 100);
  EXPECT_EQ(scene.maxgeom, 100);
  EXPECT_EQ(scene.flags[mjRND_SHADOW], 1);
  mjtNum from[3] = {0, 1, 2}, to[3] = {1, 1, 4};
  mjv_initGeom(scene.geoms, mjGEOM_NONE, nullptr, nullptr, nullptr, nullptr);
  mjv_connector(scene.geoms, mjGEOM_CAPSULE, 0.02, from, to);
  EXPECT_FLOAT_EQ(scene.geoms[0].pos[2], 3);
  mjv_freeScene(&scene);
  mjvOption option;
  mjv_defaultOption(&option);
  EXPECT_EQ(option.flags[mjVIS_STATIC], 1);
}

}  // namespace
