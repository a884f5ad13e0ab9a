#include "engine/host/lockdown.h"
namespace dscope::host {
std::string whyLockdownHidesTracefs(const Host& host)
{
    // "none integrity [confidentiality]"
    const auto levels = host.read("/sys/kernel/security/lockdown");
    if (!levels || levels->find("[confidentiality]") == std::string::npos) return {};
    return "this kernel is locked down for confidentiality, which takes tracefs away (see kernel_lockdown(7)); lockdown=integrity allows "
           "it";
}
} // namespace dscope::host
