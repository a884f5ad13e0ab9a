# To build for aarch64 on another processor, with Debian's cross compiler and its packages of that architecture:
#   dpkg --add-architecture arm64 && apt-get install g++-aarch64-linux-gnu libbpf-dev:arm64 ...    (.ci/matrix.d/arm64 has the list)
#   cmake --preset aarch64 && cmake --build --preset aarch64
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_STRIP aarch64-linux-gnu-strip CACHE FILEPATH "")
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# Multiarch: headers and libraries are in this machine's own folders, those of the processor below its name.
set(PKG_CONFIG_EXECUTABLE /usr/bin/aarch64-linux-gnu-pkg-config CACHE FILEPATH "")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
