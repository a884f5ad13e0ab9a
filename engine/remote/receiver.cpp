#include "engine/remote/receiver.h"
#include "engine/base/input_file.h"
#include "engine/remote/named_values.h"
#include <algorithm>
namespace dscope::remote {
namespace {
struct Scheme {
    std::string_view name;
    Receiver::Kind kind;
    std::string_view path; ///< where the address has none
};
// Source: the OTLP specification, "OTLP/HTTP"; pyroscope's api/push/v1/push.proto, by the Connect protocol; parca's
// proto/parca/profilestore/v1alpha1/profilestore.proto, whose gateway is mounted at /api.
constexpr std::array<Scheme, 3> kSchemes{{{"otlp+", Receiver::Kind::Otlp, "/v1development/profiles"},
    {"pyroscope+", Receiver::Kind::Pyroscope, "/push.v1.PusherService/Push"}, {"parca+", Receiver::Kind::Parca, "/api/profiles/writeraw"}}};
constexpr std::string_view kLooks
    = "it looks like otlp+http://SERVER:4318, pyroscope+http://SERVER:4040 or parca+http://SERVER:7070, or https";

template <std::string Receiver::*Member> Result<> setFile(Receiver& receiver, const std::string& value)
{
    if (value.empty()) return Error{0, "takes the name of a file, not nothing"};
    DSCOPE_TRY([[maybe_unused]] const auto text, readWholeFile(value));
    receiver.*Member = value;
    return {};
}
/// What is secret stands in a file: the command line is for everybody to see.
Result<> setHeader(Receiver& receiver, const std::string& value)
{
    std::string line = value;
    if (value.starts_with('@')) {
        DSCOPE_TRY(line, readWholeFile(value.substr(1)));
        while (line.ends_with('\n') || line.ends_with('\r'))
            line.pop_back();
    }
    const auto colon = line.find(':');
    if (colon == 0 || colon == std::string::npos || line.find_first_of("\r\n") != std::string::npos)
        return Error{0, "takes a line as 'X-Scope-OrgID: team', or @FILE that has it" + (value == line ? ", not \"" + value + '"' : "")};
    receiver.headers.push_back(line);
    return {};
}
Result<> setService(Receiver& receiver, const std::string& value)
{
    if (value.empty()) return Error{0, "takes the name of a service, not nothing"};
    receiver.service = value;
    return {};
}
Result<> setLabel(Receiver& receiver, const std::string& value)
{
    const auto equals = value.find('=');
    if (equals == 0 || equals == std::string::npos) return Error{0, "takes NAME=VALUE, as region=north, not \"" + value + '"'};
    receiver.labels[value.substr(0, equals)] = value.substr(equals + 1);
    return {};
}
Result<> setWait(Receiver& receiver, const std::string& value)
{
    DSCOPE_TRY(receiver.wait, timeOf(value));
    return {};
}
constexpr std::array<NamedValue<Receiver>, 7> kReceiverRows{
    {{"header", setHeader}, {"ca", setFile<&Receiver::authorities>}, {"cert", setFile<&Receiver::certificate>},
        {"key", setFile<&Receiver::key>}, {"service", setService}, {"label", setLabel}, {"wait", setWait}}};
} // namespace

Result<Receiver> receiverOf(const std::string& url)
{
    constexpr std::string_view kEndOfScheme = "://";
    const auto scheme = std::find_if(kSchemes.begin(), kSchemes.end(), [&](const Scheme& one) { return url.starts_with(one.name); });
    const auto colon = url.find(kEndOfScheme);
    const auto transport = scheme == kSchemes.end() || colon == std::string::npos
        ? std::string()
        : url.substr(scheme->name.size(), colon - scheme->name.size());
    if (transport != "http" && transport != "https") return Error{0, url + " is no address of who takes profiles: " + std::string(kLooks)};
    Receiver receiver;
    receiver.kind = scheme->kind;
    receiver.url = url.substr(scheme->name.size());
    receiver.shown = url;
    const auto from = colon + kEndOfScheme.size(), end = std::min(url.find('/', from), url.size());
    if (const auto at = url.substr(0, end).rfind('@'); at != std::string::npos && at > from) receiver.shown.erase(from, at + 1 - from);
    const auto path = receiver.shown.find('/', from);
    if (path == from || from == receiver.shown.size()) return Error{0, receiver.shown + " names no server: " + std::string(kLooks)};
    if (path == std::string::npos || path + 1 == receiver.shown.size()) {
        if (path != std::string::npos) receiver.url.pop_back();
        receiver.url += scheme->path;
    }
    return receiver;
}

Result<> set(Receiver& receiver, const std::string& option) { return setNamed(kReceiverRows, "--receiver", option, receiver); }
} // namespace dscope::remote
