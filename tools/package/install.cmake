# What `cmake --install` puts where, and CPack into Debian packages. Two components: the command with the page, and the library to link.
#   cmake --install build/native --prefix DIR [--component command|library]
#   cpack --config build/native/CPackConfig.cmake -B build/packages
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS roofline RUNTIME COMPONENT command)
install(FILES ${PROJECT_SOURCE_DIR}/docs/reference/roofline.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
# The page, where it is built: `roofline serve` and `-o html` look there (tools/cli/io/site.cpp, report.cpp).
install(DIRECTORY ${PROJECT_SOURCE_DIR}/dist/ DESTINATION ${CMAKE_INSTALL_DATADIR}/roofline COMPONENT command OPTIONAL)

set_target_properties(roofline_core PROPERTIES EXPORT_NAME roofline)
set_target_properties(roofline_presets PROPERTIES EXPORT_NAME presets)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/roofline)
install(TARGETS roofline_core roofline_presets EXPORT roofline-targets ARCHIVE COMPONENT library)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/core/include/roofline DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
install(EXPORT roofline-targets NAMESPACE roofline:: DESTINATION ${package_folder} COMPONENT library)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/roofline-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/roofline-config.cmake ${PROJECT_BINARY_DIR}/roofline-config-version.cmake
  DESTINATION ${package_folder} COMPONENT library)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/roofline COMPONENT command)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libroofline-dev COMPONENT library)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME roofline)
set(CPACK_PACKAGE_CONTACT "The authors of Roofline <roofline@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "What limits each operation of a model on a machine")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL command library)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME roofline)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libroofline-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS libexpected-dev)
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "Analyses operations, profiles and language models against the roofline of a machine; serves its page.")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "The C++20 library: headers, static library and its CMake package.")
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(DPKG_SHLIBDEPS)
  set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)
