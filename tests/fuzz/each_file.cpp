// Gives a fuzz target the files that are named, one after another, in a build that valgrind can run: each_import FILE...
// Where libFuzzer's own main() is missing. What is tried is printed before it is tried, so that a fault has its file.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int count, char** names)
{
    for (int i = 1; i < count; ++i) {
        std::ifstream file(names[i], std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        if (!file) {
            std::fprintf(stderr, "each_import: %s cannot be read\n", names[i]);
            return 1;
        }
        std::fprintf(stderr, "%s\n", names[i]);
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    return 0;
}
