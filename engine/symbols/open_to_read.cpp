#include "engine/base/descriptor_limit.h"
#include "engine/symbols/file_root.h"
#include <cerrno>
#include <fcntl.h>
namespace dscope::symbols {
int openFlags(Links links) { return O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (links == Links::Refused ? O_NOFOLLOW : 0); }

Fd openToRead(const std::string& path, Links links)
{
    Fd file(::open(path.c_str(), openFlags(links)));
    if (!file) noteUnopened(errno);
    return file;
}
} // namespace dscope::symbols
