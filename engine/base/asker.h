#pragma once
#include "engine/base/result.h"
#include <optional>
#include <string>
#include <sys/types.h>
namespace dscope {
/// The user who asked for what runs as root: through sudo or pkexec.
struct Asker {
    uid_t uid = 0;
    std::optional<gid_t> gid; ///< pkexec does not tell it
};
/// From PKEXEC_UID or SUDO_UID and SUDO_GID; nothing when we are not root, or when neither is set.
std::optional<Asker> asker();

/// A user as this machine's list of users has it.
struct User {
    std::string name, home;
    uid_t uid = 0;
    gid_t gid = 0;
};
/// Error: the list has no such user.
Result<User> userOf(uid_t uid);
/// This process becomes `user` for good, with that user's groups, and with home and name in its environment. It loses root's capabilities,
/// unless the caller holds them (PR_SET_KEEPCAPS). False: errno says why.
bool becomeUser(const User& user);
} // namespace dscope
