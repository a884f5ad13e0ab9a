#include "cli/ordinary_user.h"
#include "engine/base/asker.h"
#include <string>
namespace dscope::cli {
Result<std::shared_ptr<const host::Kept>> becomeOrdinary(const Arguments& a)
{
    const auto asked = asker();
    if (a.stream < 0 || !asked || asked->uid == 0) return std::shared_ptr<const host::Kept>();
    const auto user = userOf(asked->uid);
    if (!user) return Error{user.error().code, "cannot become user " + std::to_string(asked->uid) + ", who asked: " + user.error().message};
    return host::giveUpRoot(*user);
}
} // namespace dscope::cli
