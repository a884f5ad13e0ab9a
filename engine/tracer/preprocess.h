#pragma once
#include "engine/base/result.h"
#include "engine/tracer/request.h"
namespace dscope::tracer {
/// `text` as cpp(1) leaves it, called with the request's cppArguments and what its options about cpp say (cpppath, define,
/// undef, incdir, cppargs, cpphdrs, stdc). What cpp complains of goes to standard error; Error when it refuses the program or
/// cannot be run.
Result<std::string> preprocessed(const Text& text, const Request& request);
} // namespace dscope::tracer
