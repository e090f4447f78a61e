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
install(DIRECTORY ${PROJECT_BINARY_DIR}/compat/mujoco
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sinew/compat)
configure_file(${CMAKE_CURRENT_LIST_DIR}/sinew-mujoco.pc.in sinew-mujoco.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sinew-mujoco.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# programs that say find_package(mujoco): a package of that name in a folder of its own, so that MuJoCo's own
# package may lie in the same prefix
set(shim_dir ${CMAKE_INSTALL_LIBDIR}/cmake/mujoco-sinew)
file(STRINGS ${PROJECT_SOURCE_DIR}/include/sinew/types.h header REGEX "#define snVERSION_HEADER ")
string(REGEX REPLACE ".* 0*([0-9]+)([0-9][0-9][0-9])([0-9][0-9][0-9])$" "\\1.\\2.\\3" SN_MUJOCO_VERSION "${header}")
string(REGEX REPLACE "\\.0+([0-9])" ".\\1" SN_MUJOCO_VERSION ${SN_MUJOCO_VERSION})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/mujocoConfig.cmake.in mujocoConfig.cmake
                              INSTALL_DESTINATION ${shim_dir})
write_basic_package_version_file(mujocoConfigVersion.cmake VERSION ${SN_MUJOCO_VERSION}
                                 COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/mujocoConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/mujocoConfigVersion.cmake DESTINATION ${shim_dir})

# what a reader needs
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "*.1" EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models DESTINATION ${CMAKE_INSTALL_DOCDIR})  # which examples load
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
        PATTERN "__pycache__" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/docs/sinew.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
