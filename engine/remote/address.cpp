#include "engine/remote/address.h"
#include <algorithm>
#include <array>
#include <charconv>
namespace dscope::remote {
namespace {
constexpr std::string_view kNats = "nats://", kTls = "tls://";
constexpr std::size_t kLongestRun = 64, kMostHosts = 1'000'000;
constexpr int kMostReplicas = 5; // Source: NATS's server, StreamMaxReplicas
bool isOfName(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; }
template <typename Number> bool read(std::string_view text, Number& out)
{
    return std::from_chars(text.data(), text.data() + text.size(), out).ptr == text.data() + text.size() && !text.empty();
}
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
Result<std::chrono::nanoseconds> timeOf(const std::string& text)
{
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 3> kUnits{
        {{"ms", 1'000'000}, {"s", 1'000'000'000}, {"min", 60'000'000'000}}};
    constexpr std::int64_t kLongest = 1'000'000;
    std::int64_t number = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
    const auto unit = std::string_view(text).substr(static_cast<std::size_t>(end - text.data()));
    for (const auto& [name, size] : kUnits)
        if (unit == name && number >= 0 && number <= kLongest) return std::chrono::nanoseconds(number * size);
    return Error{0, "takes a time, as 500ms, 2s or 10min, not \"" + text + '"'};
}
struct Row {
    std::string_view name;
    Result<> (*set)(Address&, const std::string&);
};
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
    if (read(value, address.replicas) && address.replicas >= 1 && address.replicas <= kMostReplicas) return {};
    return Error{0, "takes a number from 1 to 5, not \"" + value + '"'};
}
Result<> setHosts(Address& address, const std::string& value)
{
    if (read(value, address.hosts) && address.hosts >= 1 && address.hosts <= kMostHosts) return {};
    return Error{0, "takes the number of hosts that are expected, not \"" + value + '"'};
}
constexpr std::array<Row, 8> kRows{{{"creds", setFile<&Address::credentials>}, {"ca", setFile<&Address::authorities>},
    {"cert", setFile<&Address::certificate>}, {"key", setFile<&Address::key>}, {"replicas", setReplicas},
    {"every", setTime<&Address::every>}, {"wait", setTime<&Address::wait>}, {"hosts", setHosts}}};
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

Result<> set(Address& address, const std::string& option)
{
    const auto equals = option.find('=');
    std::string names;
    for (const auto& row : kRows) {
        if (equals != std::string::npos && row.name == option.substr(0, equals)) {
            if (auto done = row.set(address, option.substr(equals + 1)); !done)
                return Error{0, "--broker " + std::string(row.name) + ' ' + done.error().message};
            return {};
        }
        names += (names.empty() ? "" : ", ") + std::string(row.name);
    }
    return Error{0, "--broker takes NAME=VALUE with one of the names " + names + ", not \"" + option + '"'};
}
} // namespace dscope::remote
