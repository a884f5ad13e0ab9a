#include "engine/symbols/file_root.h"
#include <fcntl.h>
namespace dscope::symbols {
int openFlags(Links links) { return O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (links == Links::Refused ? O_NOFOLLOW : 0); }

Fd openToRead(const std::string& path, Links links) { return Fd(::open(path.c_str(), openFlags(links))); }
} // namespace dscope::symbols
