#include "engine/base/asker.h"
#include <charconv>
#include <cstdlib>
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
} // namespace dscope
