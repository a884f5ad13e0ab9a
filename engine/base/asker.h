#pragma once
#include <optional>
#include <sys/types.h>
namespace dscope {
/// The user who asked for what runs as root: through sudo or pkexec.
struct Asker {
    uid_t uid = 0;
    std::optional<gid_t> gid; ///< pkexec does not tell it
};
/// From PKEXEC_UID or SUDO_UID and SUDO_GID; nothing when we are not root, or when neither is set.
std::optional<Asker> asker();
} // namespace dscope
