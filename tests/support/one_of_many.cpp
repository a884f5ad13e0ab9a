#include "tests/support/one_of_many.h"
#include <cstdio>
#include <string_view>
namespace dscope::tests {
int runOneOf(std::span<const OneOfMany> all, int argc, char** argv)
{
    for (const int at : {0, 1}) {
        if (at >= argc) break;
        std::string_view name = argv[at];
        name.remove_prefix(name.rfind('/') + 1); // npos + 1 is 0
        for (const auto& test : all)
            if (name == test.name) return test.run(argc - at, argv + at);
    }
    std::fprintf(stderr, "usage: %s TEST [FUNCTION...], where TEST is one of these:\n", argc > 0 ? argv[0] : "");
    for (const auto& test : all)
        std::fprintf(stderr, "  %s\n", test.name);
    return 2;
}
} // namespace dscope::tests
