// A body is attached without the other one that its model refers to: which tendons, actuators, sensors and pairs come
// along, and whose names they have, in a model without and in one with elements of the same names. Ids behind a replicate.
#include "sample.h"

static const char kChild[] = R"(
<mujoco>
  <worldbody>
    <site name="w"/>
    <geom name="f" size=".1" pos="0 0 2"/>
    <body name="b">
      <joint name="j"/><geom name="g" size=".1"/><site name="s" pos="1 0 0"/><site name="side" pos="0 1 0"/>
    </body>
    <body name="c" pos="1 0 0"><joint name="k"/><geom name="h" size=".1"/><site name="t" pos="0 2 0"/></body>
  </worldbody>
  <tendon>
    <spatial name="t0"><site site="s"/><geom geom="g" sidesite="side"/><site site="s"/></spatial>
    <spatial name="t1"><site site="s"/><geom geom="h" sidesite="t"/><site site="t"/></spatial>
    <spatial name="t2"><site site="s"/><geom geom="g" sidesite="t"/><site site="s"/></spatial>
    <spatial name="t3"><site site="t"/><geom geom="g" sidesite="side"/><site site="t"/></spatial>
    <spatial name="t4"><site site="s"/><geom geom="h" sidesite="side"/><site site="s"/></spatial>
    <spatial name="t5"><site site="s"/><site site="t"/></spatial>
    <spatial name="t6"><site site="w"/><geom geom="f" sidesite="w"/><site site="s"/></spatial>
    <spatial name="t7"><site site="s"/><site site="side"/><pulley divisor="2"/><site site="side"/><site site="t"/></spatial>
    <spatial name="t8"><site site="t"/><geom geom="g" sidesite="t"/><site site="t"/></spatial>
    <spatial name="t9"><site site="t"/><geom geom="h" sidesite="side"/><site site="t"/></spatial>
    <fixed name="f0"><joint joint="j" coef="1"/><joint joint="k" coef="2"/></fixed>
    <fixed name="f1"><joint joint="k" coef="2"/></fixed>
    <fixed name="f2"><joint joint="j" coef="2"/></fixed>
  </tendon>
  <equality>
    <joint name="e0" joint1="j" joint2="k"/><joint name="e1" joint1="k"/><joint name="e2" joint1="j"/>
    <tendon name="e3" tendon1="f2" tendon2="f1"/><weld name="e4" body1="b" body2="c"/>
    <connect name="e5" body1="b" anchor="0 0 0"/><weld name="e6" site1="s" site2="t"/>
  </equality>
  <actuator>
    <motor name="a0" joint="j"/><motor name="a1" joint="k"/><motor name="a2" tendon="f2"/>
    <motor name="a3" site="s" refsite="t"/><motor name="a4" site="s" refsite="side"/>
    <general name="a5" cranksite="s" slidersite="t" cranklength="1"/><motor name="a6" tendon="t5"/>
    <adhesion name="a7" body="b" ctrlrange="0 1"/>
  </actuator>
  <sensor>
    <framepos name="n0" objtype="site" objname="s" reftype="site" refname="t"/>
    <framepos name="n1" objtype="site" objname="s" reftype="site" refname="side"/>
    <framepos name="n2" objtype="site" objname="t" reftype="site" refname="s"/>
    <jointpos name="n3" joint="j"/><tendonpos name="n4" tendon="f2"/><actuatorpos name="n5" actuator="a0"/>
    <actuatorpos name="n6" actuator="a1"/><clock name="n7"/><distance name="n8" geom1="g" geom2="h"/>
    <distance name="n9" body1="b" body2="c"/>
  </sensor>
  <contact>
    <pair name="p0" geom1="g" geom2="h"/><pair name="p1" geom1="g" geom2="f"/>
    <exclude name="x0" body1="b" body2="c"/><exclude name="x1" body1="b" body2="world"/>
  </contact>
  <custom>
    <tuple name="u0"><element objtype="body" objname="b"/></tuple>
    <tuple name="u1"><element objtype="body" objname="c"/><element objtype="body" objname="b"/></tuple>
    <tuple name="u2"><element objtype="body" objname="c"/></tuple>
  </custom>
</mujoco>)";

static const char kPlain[] =
    "<mujoco><worldbody><body name='p'><geom size='.1'/></body></worldbody></mujoco>";

static void attach(const char* parent, const char* body, const char* prefix, const char* suffix,
                   int deep, bool before) {
  std::printf("== %s as %s%s%s, deep %d, compiled %d\n", body, prefix, body, suffix, deep, before);
  Spec p = parse(parent), c = parse(kChild);
  mjs_setDeepCopy(p.get(), deep);
  if (before) compile(c.get());
  mjsFrame* frame = mjs_addFrame(mjs_findBody(p.get(), "world"), nullptr);
  mjsElement* made =
      mjs_attach(frame->element, mjs_findBody(c.get(), body)->element, prefix, suffix);
  show("made", made ? nameOf(made) : mjs_getError(p.get()));
  if (!compile(p.get())) return;
  static char text[100000];
  char error[500] = "";
  mj_saveXMLString(p.get(), text, sizeof(text), error, sizeof(error));
  std::printf("%s%s\n", error, text);
}

static void showIds(mjSpec* s) {
  for (mjtObj type : {mjOBJ_BODY, mjOBJ_JOINT, mjOBJ_GEOM}) {
    for (mjsElement* e = mjs_firstElement(s, type); e; e = mjs_nextElement(s, e)) {
      std::printf(" %s %d", nameOf(e), mjs_getId(e));
    }
  }
  std::printf("\n");
}

static void replicate(const char* behind) {
  std::string xml =
      std::string(
          "<mujoco><worldbody><body name='a'><geom name='f' size='1'/><replicate count='2'>"
          "<body name='b'><joint name='j'/><geom name='g' size='1'/></body></replicate></body>") +
      behind + "</worldbody></mujoco>";
  Spec s = parse(xml.c_str());
  showIds(s.get());
  mjs_addFrame(mjs_findBody(s.get(), "world"), nullptr);
  showIds(s.get());
}

int main() {
  catchMessages();
  for (const char* parent : {kPlain, kChild}) {
    for (const char* body : {"b", "c"}) {
      for (int deep = 0; deep < 2; deep++) {
        attach(parent, body, "p-", "", deep, false);
        attach(parent, body, "", "-s", deep, true);
        attach(parent, body, "p-", "-s", deep, deep);
      }
    }
  }
  title("ids behind a replicate");
  replicate("");
  replicate("<body name='z'/>");
  replicate("<frame name='z'/>");
  replicate("<geom name='z' size='1'/>");
}
