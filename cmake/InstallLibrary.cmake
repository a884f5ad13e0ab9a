# What a program needs that links dscope: the static libraries, their headers and a CMake package, as the component
# libdscope-dev. examples/embed is such a program, and tests/embed builds it from what is installed.
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/dscope)
add_library(dscope_library INTERFACE)
set_target_properties(dscope_library PROPERTIES EXPORT_NAME dscope)
target_compile_features(dscope_library INTERFACE cxx_std_20)
target_link_libraries(dscope_library INTERFACE dscope_engine_tracer dscope_engine_importers dscope_graph_models dscope_exporters
                      dscope_exporters_reports)

get_property(layers GLOBAL PROPERTY DSCOPE_LIBRARY_LAYERS)
set(targets dscope_library dscope_flags)
foreach(path ${layers})
  dscope_targets(target ${path})
  list(APPEND targets ${target})
  target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/dscope>)
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${path}/*.h)
  install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dscope/${path} COMPONENT libdscope-dev)
endforeach()
install(TARGETS ${targets} EXPORT dscope-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/dscope COMPONENT libdscope-dev)
install(EXPORT dscope-targets NAMESPACE dscope:: DESTINATION ${package} COMPONENT libdscope-dev)
configure_package_config_file(cmake/dscope-config.cmake.in ${PROJECT_BINARY_DIR}/generated/dscope-config.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/dscope-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/dscope-config.cmake ${PROJECT_BINARY_DIR}/generated/dscope-config-version.cmake
        DESTINATION ${package} COMPONENT libdscope-dev)
