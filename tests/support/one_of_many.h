#pragma once
#include <span>
namespace dscope::tests {
/// A test that shares its executable with others.
struct OneOfMany {
    const char* name;
    int (*run)(int argc, char** argv);
};
/// Runs the test that the program is called by (tests/tst_x is a link to the executable), or whose name comes first: `of_graph tst_x`.
/// Else it lists them all, with status 2.
int runOneOf(std::span<const OneOfMany> all, int argc, char** argv);
} // namespace dscope::tests
