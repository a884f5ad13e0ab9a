#include "engine/remote/address.h"
#include "engine/remote/named_values.h"
#include <algorithm>
namespace dscope::remote {
namespace {
constexpr std::string_view kNats = "nats://", kTls = "tls://";
constexpr std::size_t kLongestRun = 64, kMostHosts = 1'000'000;
constexpr int kMostReplicas = 5; // Source: NATS's server, StreamMaxReplicas
bool isOfName(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; }
/// "p%40ss" is "p@ss".
std::string decoded(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned byte = 0;
        const auto digits = text[i] == '%' ? text.substr(i + 1, 2) : std::string_view();
        const bool isByte
            = digits.size() == 2 && std::from_chars(digits.data(), digits.data() + 2, byte, 16).ptr == digits.data() + digits.size();
        out += isByte ? static_cast<char>(byte) : text[i];
        i += isByte ? 2 : 0;
    }
    return out;
}
template <std::string Address::*Member> Result<> setFile(Address& address, const std::string& value)
{
    if (value.empty()) return Error{0, "takes the name of a file, not nothing"};
    address.*Member = value;
    return {};
}
template <std::chrono::nanoseconds Address::*Member> Result<> setTime(Address& address, const std::string& value)
{
    DSCOPE_TRY(address.*Member, timeOf(value));
    return {};
}
Result<> setReplicas(Address& address, const std::string& value)
{
    if (readNumber(value, address.replicas) && address.replicas >= 1 && address.replicas <= kMostReplicas) return {};
    return Error{0, "takes a number from 1 to 5, not \"" + value + '"'};
}
Result<> setHosts(Address& address, const std::string& value)
{
    if (readNumber(value, address.hosts) && address.hosts >= 1 && address.hosts <= kMostHosts) return {};
    return Error{0, "takes the number of hosts that are expected, not \"" + value + '"'};
}
Result<> setPrinted(Address& address, const std::string& value)
{
    DSCOPE_TRY(address.printed, sizeOf(value));
    return {};
}
constexpr std::array<NamedValue<Address>, 9> kAddressRows{
    {{"creds", setFile<&Address::credentials>}, {"ca", setFile<&Address::authorities>}, {"cert", setFile<&Address::certificate>},
        {"key", setFile<&Address::key>}, {"replicas", setReplicas}, {"every", setTime<&Address::every>}, {"wait", setTime<&Address::wait>},
        {"hosts", setHosts}, {"printed", setPrinted}}};
} // namespace

Result<Address> addressOf(const std::string& url)
{
    const auto wrong = [&](const std::string& why) { return Error{0, url + ' ' + why + ": it looks like nats://SERVER:4222/RUN"}; };
    Address address;
    address.isSecure = url.starts_with(kTls);
    if (!address.isSecure && !url.starts_with(kNats))
        return Error{0, url + " is no address of a broker: it looks like nats://SERVER:4222/RUN"};
    const std::string scheme(address.isSecure ? kTls : kNats);
    auto rest = url.substr(scheme.size());
    const auto slash = rest.find('/');
    if (slash == std::string::npos) return wrong("names no run");
    address.run = rest.substr(slash + 1);
    if (address.run.empty() || address.run.size() > kLongestRun || !std::all_of(address.run.begin(), address.run.end(), isOfName))
        return wrong("names a run by other than 1 to 64 letters, digits, '-' and '_'");

    rest.resize(slash);
    const auto at = rest.rfind('@');
    if (at != std::string::npos) {
        const auto colon = std::min(rest.find(':'), at);
        address.user = decoded(std::string_view(rest).substr(0, colon));
        address.password = colon < at ? decoded(std::string_view(rest).substr(colon + 1, at - colon - 1)) : std::string();
    }
    rest = at == std::string::npos ? rest : rest.substr(at + 1);
    address.shown = scheme + rest + '/' + address.run;
    for (std::size_t from = 0; from <= rest.size();) {
        const auto end = std::min(rest.find(',', from), rest.size());
        if (end == from) return Error{0, address.shown + " names no server: it looks like nats://SERVER:4222/RUN"};
        address.servers.push_back(scheme + rest.substr(from, end - from));
        from = end + 1;
    }
    return address;
}

Result<> set(Address& address, const std::string& option) { return setNamed(kAddressRows, "--broker", option, address); }
} // namespace dscope::remote
