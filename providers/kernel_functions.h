#pragma once
#include "engine/probe/provider.h"
#include <cstdint>
#include <memory>
namespace dscope::providers {
/// How functions of the kernel are probed: by programs at their entry where the kernel takes them (arguments have types then), or by
/// kprobes whatever the kernel takes.
enum class By : std::uint8_t { TheBest, Kprobes };
/// The provider of entries to and returns from functions of the kernel: fbt, or rawfbt with kprobes.
std::unique_ptr<probe::Provider> kernelFunctions(By by);
} // namespace dscope::providers
