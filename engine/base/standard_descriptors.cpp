#include "engine/base/standard_descriptors.h"
#include <cerrno>
#include <fcntl.h>
#include <initializer_list>
#include <unistd.h>
namespace dscope {
void occupyStandardDescriptors()
{
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
        // The lowest free number is given out: this one. Opened the wrong way round on purpose.
        const int mode = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;
        if (::open("/dev/null", mode) < 0) ::open("/", O_RDONLY | O_DIRECTORY);
    }
}
} // namespace dscope
