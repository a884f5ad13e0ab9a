#include "engine/base/asker.h"
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <grp.h>
#include <pwd.h>
#include <string_view>
#include <unistd.h>
namespace dscope {
namespace {
template <typename Id> std::optional<Id> idIn(const char* variable)
{
    const char* value = ::getenv(variable);
    const std::string_view text = value ? value : "";
    Id id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    return error == std::errc{} && !text.empty() && end == text.data() + text.size() ? std::optional(id) : std::nullopt;
}
} // namespace

std::optional<Asker> asker()
{
    if (::geteuid() != 0) return {};
    if (const auto uid = idIn<uid_t>("PKEXEC_UID"); uid) return Asker{*uid, {}};
    if (const auto uid = idIn<uid_t>("SUDO_UID"); uid) return Asker{*uid, idIn<gid_t>("SUDO_GID")};
    return {};
}

Result<User> userOf(uid_t uid)
{
    errno = 0;
    const auto* entry = ::getpwuid(uid);
    if (!entry) return Error{errno, "no such user"};
    return User{entry->pw_name, entry->pw_dir, uid, entry->pw_gid};
}

bool becomeUser(const User& user)
{
    ::setenv("HOME", user.home.c_str(), 1);
    ::setenv("USER", user.name.c_str(), 1);
    ::setenv("LOGNAME", user.name.c_str(), 1);
    return ::initgroups(user.name.c_str(), user.gid) == 0 && ::setresgid(user.gid, user.gid, user.gid) == 0
        && ::setresuid(user.uid, user.uid, user.uid) == 0;
}
} // namespace dscope
