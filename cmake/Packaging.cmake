# What is installed beside the programs, and the packages that are made of it:
#   cmake --preset package && cmake --build --preset package       # build/package/*.deb
# Their folders are those of the prefix that was configured: /usr there.
option(DSCOPE_DEBIAN "Install what Debian's policy wants: compressed manual pages, copyright and changelog" OFF)

set(components dscope)
if(TARGET dscope-gui)
  list(APPEND components dscope-gui)
endif()
list(APPEND components libdscope-dev)
set(pages_dscope packaging/dscope.8 packaging/dscope-d.7)
set(pages_dscope-gui packaging/dscope-gui.1)
set(description_dscope "Trace a system with D programs and draw what they yield
dscope runs programs in D, the language of DTrace: it compiles them to eBPF
and prints what dtrace would print. What they yield is drawn, too: who
started whom as a tree, sizes and times as histograms, stacks as flame
graphs. It also draws what perf, bpftrace, strace and dtrace wrote.

This package has the command line.")
set(description_dscope-gui "Desktop app for tracing with D programs
An editor for programs in D, the language of DTrace, with recipes for common
questions, and what a program yields as pictures that grow while it runs:
process trees, histograms, flame graphs. It opens recordings of dscope and
what perf, bpftrace, strace and dtrace wrote.

The window never runs as root: dscope is started through pkexec or sudo.")
set(description_libdscope-dev "Trace a system with D programs from programs of your own
The engine of dscope as static libraries with headers and a CMake package:
a program in D is compiled to eBPF, run, and yields records, which become
figures and files in many formats.

examples/embed in the package dscope is a program that links it.")

install(FILES packaging/dscope.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME dscope COMPONENT dscope)
install(FILES packaging/_dscope DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT dscope)
install(FILES packaging/dscope.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT dscope)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT dscope
  FILES_MATCHING PATTERN "*.d" PATTERN "*.dscope" PATTERN workloads EXCLUDE PATTERN pictures EXCLUDE)
if(TARGET dscope-gui)
  install(FILES packaging/dscope.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT dscope-gui)
  install(FILES gui/app/dscope.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT dscope-gui)
  install(FILES packaging/dscope.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo RENAME org.dscope.dscope.metainfo.xml
    COMPONENT dscope-gui)
  install(FILES packaging/dscope.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT dscope-gui)
  configure_file(packaging/dscope.policy.in dscope.policy @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/dscope.policy DESTINATION ${CMAKE_INSTALL_DATADIR}/polkit-1/actions COMPONENT dscope-gui)
endif()

# Compressed without name and time: two builds make the same bytes.
function(compressed out from name)
  set(file ${PROJECT_BINARY_DIR}/packaging/${name}.gz)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/packaging)
  execute_process(COMMAND gzip -9nc ${from} OUTPUT_FILE ${file} COMMAND_ERROR_IS_FATAL ANY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${from})
  set(${out} ${file} PARENT_SCOPE)
endfunction()
set(DSCOPE_MAINTAINER "The dscope authors <dscope@packages.debian.org>" CACHE STRING "Who is named in packages as their maintainer")
foreach(component ${components})
  foreach(page ${pages_${component}})
    cmake_path(GET page EXTENSION LAST_ONLY section)
    string(SUBSTRING ${section} 1 -1 section)
    cmake_path(GET page FILENAME name)
    set(file ${PROJECT_SOURCE_DIR}/${page})
    if(DSCOPE_DEBIAN)
      compressed(file ${file} ${name})
    endif()
    install(FILES ${file} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} COMPONENT ${component})
  endforeach()
  if(NOT DSCOPE_DEBIAN)
    continue()
  endif()
  set(folder ${CMAKE_INSTALL_DATADIR}/doc/${component})
  string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(CONFIGURE OUTPUT packaging/changelog.${component} @ONLY CONTENT "${component} (${PROJECT_VERSION}) unstable; urgency=medium

  * Built from the sources; CHANGELOG.md there tells what changed.

 -- @DSCOPE_MAINTAINER@  ${now}
")
  compressed(changelog ${PROJECT_BINARY_DIR}/packaging/changelog.${component} changelog.${component})
  install(FILES ${changelog} DESTINATION ${folder} RENAME changelog.gz COMPONENT ${component})
  install(FILES packaging/copyright DESTINATION ${folder} COMPONENT ${component})
endforeach()
if(NOT DSCOPE_DEBIAN)
  install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT dscope)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL ${components})
set(CPACK_PACKAGE_VENDOR "dscope")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGE_CONTACT "${DSCOPE_MAINTAINER}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
foreach(component ${components})
  string(TOUPPER ${component} name)
  set(CPACK_DEBIAN_${name}_PACKAGE_NAME ${component})
  set(CPACK_DEBIAN_${name}_DESCRIPTION "${description_${component}}")
endforeach()
set(CPACK_DEBIAN_DSCOPE_PACKAGE_RECOMMENDS fonts-dejavu-core)
set(CPACK_DEBIAN_DSCOPE_PACKAGE_SUGGESTS "libdebuginfod1, libdw1") # loaded by -x debuginfod and -x ustacklines
set(CPACK_DEBIAN_LIBDSCOPE-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBDSCOPE-DEV_PACKAGE_SHLIBDEPS OFF) # archives need nothing to be loaded
set(CPACK_DEBIAN_LIBDSCOPE-DEV_PACKAGE_DEPENDS
  "libbpf-dev, libzstd-dev, liblzma-dev, zlib1g-dev, libzydis-dev, libgraphviz-dev, libboost-dev, nlohmann-json3-dev")
set(CPACK_DEBIAN_LIBDSCOPE-DEV_PACKAGE_RECOMMENDS "dscope (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DSCOPE-GUI_PACKAGE_DEPENDS "dscope (= ${PROJECT_VERSION}), qt6-svg-plugins | libqt6svg6 (<< 6.8)") # of its icons
set(CPACK_DEBIAN_DSCOPE-GUI_PACKAGE_RECOMMENDS "pkexec, qt6-translations-l10n, qt6-wayland")
# cpack -G RPM, where rpmbuild is: what a distribution with RPM starts from. Its own packager names the dependencies, which rpm
# finds in the programs.
set(CPACK_RPM_COMPONENT_INSTALL ON)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE Apache-2.0)
set(CPACK_RPM_PACKAGE_AUTOREQ ON)
# Folders of the system belong to its own packages.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/share/man /usr/share/man/man1 /usr/share/man/man7 /usr/share/man/man8
  /usr/share/bash-completion /usr/share/bash-completion/completions /usr/share/zsh /usr/share/zsh/vendor-completions /usr/share/fish
  /usr/share/fish/vendor_completions.d /usr/share/applications /usr/share/icons /usr/share/icons/hicolor /usr/share/icons/hicolor/scalable
  /usr/share/icons/hicolor/scalable/apps /usr/share/metainfo /usr/share/mime /usr/share/mime/packages /usr/share/polkit-1
  /usr/share/polkit-1/actions)
foreach(component ${components})
  string(TOUPPER ${component} name)
  set(CPACK_RPM_${name}_PACKAGE_NAME ${component})
  string(REGEX MATCH "^[^\n]*" summary "${description_${component}}")
  set(CPACK_RPM_${name}_PACKAGE_SUMMARY "${summary}")
  set(CPACK_RPM_${name}_PACKAGE_DESCRIPTION "${description_${component}}")
endforeach()
include(CPack)
