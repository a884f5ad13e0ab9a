#include "cli/push.h"
#include "cli/messages.h"
#include "cli/output.h"
#include "engine/base/base64.h"
#include "engine/remote/broker.h"
#include "engine/remote/http.h"
#include "engine/text/protobuf.h"
#include "exporters/protobuf.h"
#include "graph/text.h"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <thread>
namespace dscope::cli {
namespace {
using exporters::Message;
using remote::HttpAnswer;
using remote::Receiver;
constexpr std::chrono::milliseconds kFirstPause(250), kLongestPause(8000);
constexpr std::size_t kLongestLine = 300;
constexpr int kRequestTimeout = 408, kTooManyRequests = 429, kNotImplemented = 501; // Source: RFC 9110 and 6585

/// The labels by which a store finds a profile.
std::map<std::string, std::string> labelsOf(const Receiver& receiver, const graph::StackSource& source)
{
    // What stores call the profile of a processor, which their own agents send.
    std::map<std::string, std::string> labels{
        {"__name__", source.period > 0 ? "process_cpu" : "dscope"}, {"service_name", receiver.service}};
    if (!source.host.empty()) labels["host"] = source.host;
    for (const auto& [name, value] : receiver.labels)
        labels[name] = value;
    return labels;
}
/// A UUID of version 4, by which a store knows a profile that it was sent twice. Source: RFC 9562.
std::string newId()
{
    std::random_device random;
    std::string id;
    constexpr std::string_view kPattern = "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx", kDigits = "0123456789abcdef";
    for (const char c : kPattern) {
        const auto digit = random() & 0xf;
        id += c == 'x' ? kDigits[digit] : c == 'y' ? kDigits[8 + (digit & 3)] : c;
    }
    return id;
}
std::string forPyroscope(const std::map<std::string, std::string>& labels, const std::string& profile)
{
    Message series, sample, request;
    for (const auto& [name, value] : labels) {
        Message label;
        label.bytes(1, name);
        label.bytes(2, value);
        series.message(1, label);
    }
    sample.bytes(1, profile);
    sample.bytes(2, newId());
    series.message(2, sample);
    request.message(1, series);
    return request.data();
}
std::string forParca(const std::map<std::string, std::string>& labels, const std::string& profile)
{
    auto all = nlohmann::json::array();
    for (const auto& [name, value] : labels)
        all.push_back({{"name", name}, {"value", value}});
    const nlohmann::json series{{"labels", {{"labels", all}}}, {"samples", {{{"rawProfile", base64(profile)}}}}};
    return nlohmann::json{{"series", nlohmann::json::array({series})}}.dump();
}
Result<remote::HttpRequest> requestOf(const Receiver& receiver, const Arguments& a, const Export& e, const FigureData& data)
{
    remote::HttpRequest request{receiver.url, receiver.headers, {}, receiver.authorities, receiver.certificate, receiver.key};
    const auto type = [&](const char* name) { request.headers.insert(request.headers.begin(), std::string("Content-Type: ") + name); };
    if (receiver.kind == Receiver::Kind::Otlp) {
        auto attributes = receiver.labels;
        attributes.try_emplace("service.name", receiver.service);
        DSCOPE_TRY(const auto written, exported(a, e, data, {attributes.begin(), attributes.end()}));
        request.body = written.bytes;
        type("application/x-protobuf");
        return request;
    }

    DSCOPE_TRY(const auto written, exported(a, e, data, {}));
    const auto labels = labelsOf(receiver, written.source);
    const bool isParca = receiver.kind == Receiver::Kind::Parca;
    request.body = isParca ? forParca(labels, written.bytes) : forPyroscope(labels, written.bytes);
    type(isParca ? "application/json" : "application/proto");
    return request;
}

bool isProtobuf(const HttpAnswer& answer) { return answer.type.starts_with("application/x-protobuf"); }
/// The text with that number of a message, or nothing.
std::string fieldOf(std::string_view message, std::uint32_t number)
{
    text::ProtoFields fields(message);
    while (fields.next())
        if (fields.field == number && fields.wire == text::ProtoFields::kBytes) return std::string(fields.bytes);
    return {};
}
/// What a server says, from a line of text or google.rpc.Status.
std::string reasonOf(const HttpAnswer& answer)
{
    const auto all = isProtobuf(answer) ? fieldOf(answer.body, 2) : answer.body;
    auto line = graph::printable(std::string_view(all).substr(0, std::min(all.find_first_of("\r\n"), kLongestLine)));
    return "it answers " + std::to_string(answer.status) + (line.empty() ? "" : ": " + line);
}
/// What a collector did not take of a request that it answers well. Source: ExportProfilesPartialSuccess.
Result<> checkTaken(const HttpAnswer& answer)
{
    const auto partial = fieldOf(answer.body, 1);
    text::ProtoFields fields(partial);
    std::uint64_t refused = 0;
    while (fields.next())
        if (fields.field == 1) refused = fields.number;
    if (refused == 0) return {};
    const auto why = graph::printable(fieldOf(partial, 2).substr(0, kLongestLine));
    return Error{0, "it refused the profile" + (why.empty() ? "" : ": " + why)};
}

bool isTaken(const HttpAnswer& answer) { return answer.status >= 200 && answer.status < 300; }
/// Source: the OTLP specification, "Retryable response codes", and what other servers say when they have no time.
bool mayWorkLater(const HttpAnswer& answer)
{
    return answer.status == kRequestTimeout || answer.status == kTooManyRequests || answer.status > kNotImplemented;
}
Result<> send(const Receiver& receiver, const remote::HttpRequest& request)
{
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(receiver.wait);
    Clock::duration pause = kFirstPause;
    bool isTold = false;
    for (;;) {
        const auto answer = remote::post(request);
        if (answer && isTaken(*answer))
            return receiver.kind == Receiver::Kind::Otlp && isProtobuf(*answer) ? checkTaken(*answer) : Result<>();
        const auto why = answer ? reasonOf(*answer) : answer.error().message;
        if (answer ? !mayWorkLater(*answer) : answer.error().code != remote::kAway) return Error{0, why};
        const auto asked = answer ? std::max<Clock::duration>(pause, answer->retryAfter) : pause;
        if (Clock::now() + asked > until) return Error{0, why + " (it was tried for as long as --receiver wait says)"};
        if (!std::exchange(isTold, true)) tell("dtrace: waiting for " + receiver.shown + ": " + why + '\n');
        std::this_thread::sleep_for(asked);
        pause = std::min<Clock::duration>(pause * 2, kLongestPause);
    }
}
} // namespace

Result<> takePushed(Arguments& a)
{
    if (a.pushes.empty()) {
        if (!a.receiverOptions.empty()) return Error{0, "--receiver says how --push gets to who takes profiles, and there is none"};
        return {};
    }
    for (auto& push : a.pushes)
        for (const auto& option : a.receiverOptions)
            DSCOPE_CHECK(remote::set(push.to, option));
    if (!a.diff.empty()) return Error{0, "--push sends one run, and --diff compares two: leave one of them out"};
    if (!a.others.empty()) return Error{0, "--push sends one run: make one data set of several with --by"};
    return {};
}

Export exportOf(const Push& push) { return {push.view, push.to.shown, push.to.kind == Receiver::Kind::Otlp ? "otlp" : "pb.gz"}; }

Result<> push(const Arguments& a, const FigureData& data)
{
    Failures failures;
    for (const auto& one : a.pushes) {
        const auto done = [&]() -> Result<> {
            DSCOPE_TRY(const auto request, requestOf(one.to, a, exportOf(one), data));
            return send(one.to, request);
        }();
        if (!done) failures.note(Error(done.error()).in("cannot push to " + one.to.shown));
    }
    return failures.all();
}
} // namespace dscope::cli
