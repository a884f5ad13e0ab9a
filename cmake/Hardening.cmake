# What makes a fault in us harder to use against who runs us, which is often root: position-independent programs, tables
# that are read-only once they are filled, guarded stacks, checked copies, control-flow marks. tests/hardening looks at what
# was built. Sanitizers bring their own checks, and FORTIFY needs an optimized build.
if(NOT DSCOPE_HARDENING OR DSCOPE_SANITIZE OR DSCOPE_FUZZ OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  return()
endif()
include(CheckCXXCompilerFlag)
set(module $<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>)
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER "DSCOPE_HAS${flag}" has)
  check_cxx_compiler_flag(${flag} ${has})
  if(${has})
    add_compile_options(${flag})
  endif()
endforeach()
add_compile_options($<$<NOT:${module}>:-fPIE>)
# A packager's flags come with a build type of their own, or none.
add_compile_options("$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie> -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
