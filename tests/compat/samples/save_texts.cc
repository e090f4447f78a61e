// Models as they are saved, to the byte, and whether the text is read again.
#include "sample.h"

static const char* const kModels[] = {
    // frames and classes
    R"(<worldbody><geom name="w0" size="1"/><frame name="A" pos="1 0 0" euler="0 0 90"><geom name="w1" size="1"
      pos="0 1 0"/><body name="b1"/></frame><frame pos="0 0 1"><geom name="w2" size="1"/><body name="b2"/></frame>
      <body name="b3"/></worldbody>)",
    R"(<default><default class="c"><geom size=".3"/><joint damping="1"/><site size=".2"/></default><default class="d">
      <geom size=".4"/></default></default><worldbody><frame name="x"/><frame childclass="c"><geom name="g1"/><body
      name="b1"><geom name="g2"/><joint/></body><frame name="in" childclass="d"><geom name="g3"/><geom name="g3c"
      class="c"/></frame><frame childclass="c"><site/></frame></frame><body name="q" childclass="c"><frame name="ff"
      childclass="c"><geom/></frame><frame name="gg"><geom class="d"/><body name="qq" childclass="c"><geom/></body>
      </frame><joint/><body name="z" childclass="d"><geom/></body></body></worldbody>)",
    R"(<worldbody><body name="o"><frame name="f1"><frame name="f2"><frame name="f3"><site name="s"/></frame></frame>
      </frame><geom size="1"/><body name="p1"/><frame name="f4"><body name="p2"/><joint/></frame><body name="p3"/>
      </body></worldbody>)",
    R"(<worldbody><replicate count="2" offset="1 0 0"><body name="r"><geom size="1"/></body></replicate></worldbody>)",
    R"(<worldbody><frame name="f" pos="1 2 3"><light name="l" dir="1 0 0"/><camera name="c" euler="0 90 0"/><site
      name="s" type="capsule" fromto="0 0 0 0 0 1" size=".1"/></frame></worldbody>)",
    // skins and flexes
    R"(<worldbody><body name="b1"/><body name="b2"/></worldbody><asset><material name="m"/></asset><deformable><skin
      name="s" group="2" rgba="1 0 0 1" inflate=".1" material="m" vertex="0 0 0 1 0 0 0 1 0" texcoord="0 0 1 0 0 1"
      face="0 1 2"><bone body="b1" bindpos="0 0 0" bindquat="2 0 0 0" vertid="0 1" vertweight="2 2"/><bone body="b2"
      bindpos="0 0 0" bindquat="1 0 0 0" vertid="1 2" vertweight="2 1"/></skin></deformable>)",
    R"(<worldbody><flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" mass="1" radius=".01"><edge
      equality="true" damping="1"/><elasticity young="10" poisson=".1" thickness=".01" damping="2" elastic2d="bend"/>
      <contact condim="1" selfcollide="none" internal="false"/><pin id="0"/></flexcomp></worldbody>)",
    R"(<worldbody><flexcomp name="f" type="grid" count="2 2 2" spacing=".1 .1 .1" mass="1" radius=".01" dim="3"
      dof="trilinear"><elasticity young="10" poisson=".1"/></flexcomp></worldbody>)",
    R"(<worldbody><flexcomp name="f" type="grid" count="3 1 1" spacing=".1 .1 .1" mass="1" radius=".01" dim="1"
      rgba="1 0 0 1" flatskin="true" group="3"><edge stiffness="5" damping="1"/></flexcomp></worldbody>)",
    // height fields, sizes, statistics
    R"(<asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 .25 .75"/><hfield name="h2" nrow="2"
      ncol="3" size="1 2 3 4"/><hfield name="h3" nrow="2" ncol="2" size="1 1 1 1" elevation="0 4 2 8"/></asset>
      <worldbody><geom type="hfield" hfield="h"/></worldbody>)",
    R"(<size memory="1M"/>)",
    R"(<size memory="3K"/>)",
    R"(<size memory="1000000"/>)",
    R"(<size njmax="10" nconmax="20"/>)",
    R"(<size nstack="1000000"/>)",
    R"(<size nuserdata="3"/>)",
    R"(<size nkey="3"/>)",
    R"(<statistic meanmass="2" center="1 2 3"/>)",
    R"(<statistic meaninertia="2" meansize="1" extent="3"/>)",
};

int main() {
  catchMessages();
  for (const char* content : kModels) {
    Spec spec = parse((std::string("<mujoco>") + content + "</mujoco>").c_str());
    compile(spec.get());
    std::vector<char> text(60000);
    char error[500] = "";
    show("saved", mj_saveXMLString(spec.get(), text.data(), 60000, error, sizeof(error)));
    std::printf("%s%s", error, text.data());
    show("again", load(text.data()) != nullptr);
  }
}
