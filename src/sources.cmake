# one list per layer, lowest first
set(SN_BASE
  base/arena.c
  base/crew.c
  base/error.c
  base/instructions.c
  base/memory.c
  base/misuse.c
  base/parallel.c
  base/pool.c
  base/random.c
  base/replace.c
  base/suggest.c
  base/table.c
  base/text.c
  base/threadpool.c
  base/version.c
  base/warning.c
)

set(SN_MATH
  math/band.c
  math/boxqp.c
  math/chol.c
  math/eig3.c
  math/inline.c
  math/lu.c
  math/rows.c
  math/mat.c
  math/misc.c
  math/quat.c
  math/sdf.c
  math/sparse.c
  math/tree.c
  math/vec.c
)

set(SN_MODEL
  model/actuator_model.c
  model/binary.c
  model/defaults.c
  model/field.c
  model/flex_hinges.c
  model/flex_lists.c
  model/hull_starts.c
  model/keyframe.c
  model/mass.c
  model/memory.c
  model/names.c
  model/plugin.c
  model/plugin_library.c
  model/print.c
  model/print_data.c
  model/registry.c
  model/rule.c
  model/sensor_types.c
  model/state.c
  model/validate.c
  model/validate_deform.c
  model/validate_flex.c
  model/validate_object.c
  model/validate_sensor.c
  model/validate_shape.c
  model/validate_tree.c
)

set(SN_SPEC
  spec/absorb.c
  spec/actuator.c
  spec/add.c
  spec/attach.c
  spec/container.c
  spec/copy.c
  spec/defaults.c
  spec/deform_preset.c
  spec/edit.c
  spec/element.c
  spec/find.c
  spec/flex_law.c
  spec/hill_preset.c
  spec/key.c
  spec/kinds.c
  spec/names.c
  spec/reference.c
  spec/renamed_copy.c
  spec/spec.c
)

set(SN_ASSET
  asset/binary.c
  asset/algebra.c
  asset/bvh.c
  asset/cache.c
  asset/distance.c
  asset/gmsh.c
  asset/gmsh_binary.c
  asset/gmsh_text.c
  asset/hfield.c
  asset/hull.c
  asset/image.c
  asset/mesh.c
  asset/mesh_builtin.c
  asset/mesh_inertia.c
  asset/mesh_msh.c
  asset/mesh_normal.c
  asset/mesh_obj.c
  asset/mesh_shape.c
  asset/mesh_stl.c
  asset/octree.c
  asset/polygon.c
  asset/resource.c
  asset/skin.c
  asset/texture.c
  asset/texture_builtin.c
  asset/vfs.c
  asset/work.c
)

set(SN_MJCF
  mjcf/attribute.c
  mjcf/bundle.c
  mjcf/composite.c
  mjcf/composite_skin.c
  mjcf/deform.c
  mjcf/flexcomp.c
  mjcf/flexcomp_body.c
  mjcf/flexcomp_file.c
  mjcf/flexcomp_shape.c
  mjcf/hint.c
  mjcf/number.c
  mjcf/order.c
  mjcf/reader.c
  mjcf/reader_actuator.c
  mjcf/reader_asset.c
  mjcf/reader_body.c
  mjcf/reader_class.c
  mjcf/reader_constraint.c
  mjcf/reader_custom.c
  mjcf/reader_sensor.c
  mjcf/reader_setting.c
  mjcf/schema.c
  mjcf/schema_attr.c
  mjcf/schema_maps.c
  mjcf/schema_print.c
  mjcf/urdf.c
  mjcf/validate.c
  mjcf/writer.c
  mjcf/writer_asset.c
  mjcf/writer_attr.c
  mjcf/writer_body.c
  mjcf/writer_file.c
  mjcf/writer_source.c
  mjcf/writer_tree.c
  mjcf/writer_class.c
  mjcf/writer_constraint.c
  mjcf/writer_key.c
  mjcf/writer_plugin.c
  mjcf/writer_sensor.c
  mjcf/writer_setting.c
  mjcf/xml.c
)

set(SN_COMPILE
  compile/actuator.c
  compile/actuator_model.c
  compile/asset.c
  compile/asset_table.c
  compile/body.c
  compile/bvh.c
  compile/camera.c
  compile/capture.c
  compile/compile.c
  compile/copyback.c
  compile/custom.c
  compile/equality.c
  compile/deform.c
  compile/deform_color.c
  compile/deform_face.c
  compile/deform_register.c
  compile/deform_shape.c
  compile/deform_side.c
  compile/deform_table.c
  compile/deform_tether.c
  compile/fixed.c
  compile/flex.c
  compile/flex_box.c
  compile/flex_constant.c
  compile/flex_material.c
  compile/flex_stiffness.c
  compile/flex_table.c
  compile/flex_topology.c
  compile/fuse.c
  compile/geom.c
  compile/inertial.c
  compile/item.c
  compile/joint.c
  compile/keyframe.c
  compile/lengthrange.c
  compile/limits.c
  compile/load.c
  compile/names.c
  compile/orientation.c
  compile/pair.c
  compile/plugin.c
  compile/prune.c
  compile/recompile.c
  compile/sensor.c
  compile/setconst.c
  compile/shape.c
  compile/sim.c
  compile/site.c
  compile/sparse.c
  compile/statistic.c
  compile/tendon.c
  compile/tree.c
  compile/user.c)

# the engine: one world, one step; a list per room
set(SN_ENGINE_STEP  # order, state, integrators
  engine/step/awake.c
  engine/step/check.c
  engine/step/compare.c
  engine/step/consistent.c
  engine/step/energy.c
  engine/step/forward.c
  engine/step/integrate.c
  engine/step/inverse.c
  engine/step/plan.c
  engine/step/position.c
  engine/step/reset.c
  engine/step/sleep.c
  engine/step/springdamper.c
)

set(SN_ENGINE_SMOOTH  # kinematics to smooth acceleration
  engine/smooth/acceleration.c
  engine/smooth/articulated.c
  engine/smooth/bias.c
  engine/smooth/camlight.c
  engine/smooth/capstan.c
  engine/smooth/com.c
  engine/smooth/fluid.c
  engine/smooth/force.c
  engine/smooth/inertia.c
  engine/smooth/jacobian.c
  engine/smooth/kinematics.c
  engine/smooth/object.c
  engine/smooth/passive.c
  engine/smooth/tendon.c
  engine/smooth/velocity.c
  engine/smooth/wrap.c
)

set(SN_ENGINE_FLEX  # soft bodies
  engine/flex/bend.c
  engine/flex/box.c
  engine/flex/contact.c
  engine/flex/derivative.c
  engine/flex/edge.c
  engine/flex/element.c
  engine/flex/flex.c
  engine/flex/force.c
  engine/flex/implicit.c
  engine/flex/metric.c
  engine/flex/node.c
  engine/flex/ray.c
  engine/flex/piece.c
  engine/flex/soft.c
  engine/flex/stiff.c
  engine/flex/stretch.c
  engine/flex/vertex.c
)

set(SN_ENGINE_DEFORM  # cloth, soft bodies and chains by XPBD
  engine/deform/constraint.c
  engine/deform/contact.c
  engine/deform/detect.c
  engine/deform/distance.c
  engine/deform/face.c
  engine/deform/force.c
  engine/deform/grid.c
  engine/deform/nearest.c
  engine/deform/pair.c
  engine/deform/pair_detect.c
  engine/deform/patch.c
  engine/deform/step.c
  engine/deform/surface.c
)

set(SN_ENGINE_COLLIDE  # contacts, distances, rays
  engine/collide/box.c
  engine/collide/broad.c
  engine/collide/collision.c
  engine/collide/contact.c
  engine/collide/convex_pair.c
  engine/collide/convex_query.c
  engine/collide/distance_field.c
  engine/collide/element.c
  engine/collide/epa.c
  engine/collide/flex.c
  engine/collide/flex_self.c
  engine/collide/flex_sweep.c
  engine/collide/geom_distance.c
  engine/collide/gjk.c
  engine/collide/hfield.c
  engine/collide/mpr.c
  engine/collide/multicontact.c
  engine/collide/pair.c
  engine/collide/primitive.c
  engine/collide/ray.c
  engine/collide/ray_geom.c
  engine/collide/ray_mesh.c
  engine/collide/sdf.c
  engine/collide/support.c
  engine/collide/sweep.c
  engine/collide/triangle.c
)

set(SN_ENGINE_CONSTRAIN  # rows and islands
  engine/constrain/constraint.c
  engine/constrain/contact_rows.c
  engine/constrain/contact_side.c
  engine/constrain/equality_rows.c
  engine/constrain/flex_rows.c
  engine/constrain/impedance.c
  engine/constrain/island.c
  engine/constrain/limit_rows.c
  engine/constrain/project.c
  engine/constrain/reference.c
  engine/constrain/row_cost.c
  engine/constrain/row_product.c
)

set(SN_ENGINE_SOLVE  # constraint solvers
  engine/solve/dual.c
  engine/solve/factor.c
  engine/solve/hessian.c
  engine/solve/line.c
  engine/solve/order.c
  engine/solve/pattern.c
  engine/solve/primal.c
  engine/solve/qcqp.c
  engine/solve/solver.c
  engine/solve/xpbd.c
)

set(SN_ENGINE_ACTUATE  # actuators
  engine/actuate/actuation.c
  engine/actuate/hill.c
  engine/actuate/history.c
  engine/actuate/law.c
  engine/actuate/muscle.c
  engine/actuate/transmission.c
)

set(SN_ENGINE_SENSE  # sensors
  engine/sense/contact.c
  engine/sense/frame.c
  engine/sense/joint.c
  engine/sense/ray.c
  engine/sense/sensor.c
  engine/sense/surface.c
)

set(SN_ENGINE_PLUGIN  # built-in plugins
  engine/plugin/cable.c
  engine/plugin/pid.c
  engine/plugin/touchgrid.c
  engine/plugin/user.c
)

set(SN_ENGINE_DIFFERENTIATE  # derivatives
  engine/differentiate/acceleration_derivative.c
  engine/differentiate/inverse_derivative.c
  engine/differentiate/kept.c
  engine/differentiate/position_contact.c
  engine/differentiate/position_element.c
  engine/differentiate/position_derivative.c
  engine/differentiate/position_flex.c
  engine/differentiate/position_force.c
  engine/differentiate/position_row.c
  engine/differentiate/position_tendon.c
  engine/differentiate/residual.c
  engine/differentiate/transition.c
  engine/differentiate/transition_rk4.c
  engine/differentiate/trial.c
  engine/differentiate/velocity_derivative.c
)

# Code for teams of lanes alone: nothing calls it where a team is one lane, so libraries of a CPU do without.
set(SN_TEAM
  math/tree_team.c
  engine/lanes/actuation.c
  engine/lanes/collision.c
  engine/lanes/dense.c
  engine/lanes/dynamics.c
  engine/lanes/flex_sweep.c
  engine/lanes/integrate.c
  engine/lanes/kinematics.c
  engine/lanes/newton.c
  engine/lanes/newton_primal.c
  engine/lanes/row_product.c
  engine/lanes/rows.c
  engine/lanes/tendon.c
)

set(SN_ENGINE
  ${SN_ENGINE_STEP}
  ${SN_ENGINE_SMOOTH}
  ${SN_ENGINE_FLEX}
  ${SN_ENGINE_DEFORM}
  ${SN_ENGINE_COLLIDE}
  ${SN_ENGINE_CONSTRAIN}
  ${SN_ENGINE_SOLVE}
  ${SN_ENGINE_ACTUATE}
  ${SN_ENGINE_SENSE}
  ${SN_ENGINE_PLUGIN}
  ${SN_ENGINE_DIFFERENTIATE}
)

# memory, launches and copies; the driver is loaded at run time
set(SN_GPU_HOST
  gpu/batch.c
  gpu/driver.c
  gpu/engine.c
  gpu/field.c
  gpu/pack.c
  gpu/pack_single.c
  gpu/step.c
)
if(SN_SINGLE)
  set(SN_GPU_HOST gpu/absent.c)
endif()

set(SN_BATCH
  batch/batch.c
  batch/derivative.c
  batch/device.c
  batch/field.c
  batch/rollout.c
  batch/step.c
)

set(SN_VISUAL
  visual/decoration.c
  visual/deform.c
  visual/flex.c
  visual/interact.c
  visual/print.c
  visual/scene.c
  visual/select.c
  visual/visual.c
)

# images of scenes: compiled for GPUs too, with the scenes (tools/gpu_build.py)
set(SN_RENDER_DEVICE
  render/band.c
  render/easel.c
  render/fill.c
  render/frame.c
  render/line.c
  render/raster.c
  render/run.c
  render/shade.c
  render/shadow.c
  render/sky.c
  render/texture.c
  render/view.c
)

set(SN_RENDER
  ${SN_RENDER_DEVICE}
  render/assets.c
  render/aux.c
  render/batch.c
  render/builder.c
  render/context.c
  render/device.c
  render/device_assets.c
  render/figure.c
  render/page.c
  render/page_text.c
  render/pixels.c
  render/tessellate.c
  render/text.c
  render/texture_levels.c
)
if(SN_SINGLE)
  list(REMOVE_ITEM SN_RENDER render/device.c render/device_assets.c)
  list(APPEND SN_RENDER render/device_absent.c)
endif()

# Without deformables their files give way to those that refuse them. Fields and sizes stay in the structs: one
# layout for every build.
set(SN_DEFORM_WITHOUT
  compile/deform_without.c
  engine/deform/without.c
  mjcf/deform_without.c
  model/validate_deform_without.c
  spec/deform_without.c
  visual/deform_without.c
)
if(DEFINED SN_DEFORM AND NOT SN_DEFORM)
  foreach(layer MODEL SPEC MJCF COMPILE ENGINE ENGINE_DEFORM VISUAL)
    list(FILTER SN_${layer} EXCLUDE REGEX "deform")
  endforeach()
  list(APPEND SN_COMPILE ${SN_DEFORM_WITHOUT})
endif()
