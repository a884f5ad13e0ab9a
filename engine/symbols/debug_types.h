#pragma once
#include "engine/base/result.h"
#include "engine/host/host.h"
#include "engine/symbols/debug_files.h"
#include "engine/types/type_source.h"
#include <memory>
#include <span>
#include <string_view>
namespace dscope::symbols {
/// The types that a program's or library's debug information tells, read when they are asked for. Error, with the way out, where it has
/// none, or libdw is missing.
Result<std::unique_ptr<types::TypeSource>> debugTypes(const ElfFile& program, const DebugPlaces& places, types::TypeTable& table);
/// Those of what processes have mapped, each file once: "a.out" and "libfoo.so" are of the first of `processes` that has such a file,
/// "pid123.libfoo.so" of process 123.
types::TypeSources typesOfProcesses(const host::Host& host, std::vector<int> processes);
} // namespace dscope::symbols
