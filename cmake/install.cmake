# Headers, libraries, a CMake package and a pkg-config file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# pkg-config files find the prefix from where they lie
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
set_target_properties(sinew_shared PROPERTIES EXPORT_NAME sinew)
set_target_properties(sinew_static PROPERTIES EXPORT_NAME static)
install(TARGETS sinew_shared sinew_static EXPORT sinewTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT sinewTargets NAMESPACE sinew:: DESTINATION ${package_dir})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/sinewConfig.cmake.in sinewConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(sinewConfigVersion.cmake COMPATIBILITY SameMinorVersion)
configure_file(${CMAKE_CURRENT_LIST_DIR}/sinew.pc.in sinew.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sinewConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/sinewConfigVersion.cmake DESTINATION ${package_dir})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sinew.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# MuJoCo's interface: its own headers, library, target and pkg-config file
set_target_properties(sinew_mujoco_shared PROPERTIES EXPORT_NAME mujoco)
set_target_properties(sinew_mujoco_static PROPERTIES EXPORT_NAME mujoco_static)
install(TARGETS sinew_mujoco_shared sinew_mujoco_static EXPORT sinewTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${CMAKE_BINARY_DIR}/compat/mujoco
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sinew/compat)
configure_file(${CMAKE_CURRENT_LIST_DIR}/sinew-mujoco.pc.in sinew-mujoco.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sinew-mujoco.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
