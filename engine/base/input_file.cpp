#include "engine/base/input_file.h"
#include "engine/base/fd.h"
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
namespace dscope {
Result<std::string> readWholeFile(const std::string& path, std::size_t limit)
{
    const auto refused = [&](int code) { return Error{code, "failed to open " + path + ": " + std::strerror(code)}; };
    const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!file) return refused(errno);

    std::string text;
    std::array<char, std::size_t{64} << 10> piece;
    for (;;) {
        const auto got = ::read(file.get(), piece.data(), piece.size());
        if (got == 0) return text;
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return refused(errno); // EISDIR: a directory opens
        text.append(piece.data(), static_cast<std::size_t>(got));
        if (text.size() > limit)
            return Error{
                EFBIG, "failed to open " + path + ": it has more than " + std::to_string(limit >> 20) + " MiB: is it a D program?"};
    }
}
} // namespace dscope
