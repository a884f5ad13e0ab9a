#pragma once
#include "engine/base/result.h"
#include <chrono>
#include <map>
#include <string>
#include <vector>
namespace dscope::remote {
/// Who takes the stacks of a run over HTTP: --push and --receiver.
struct Receiver {
    enum class Kind : std::uint8_t {
        Otlp,      ///< a collector of OpenTelemetry: profiles, v1development
        Pyroscope, ///< push.v1.PusherService
        Parca      ///< parca.profilestore.v1alpha1.ProfileStoreService, through its gateway
    } kind = Kind::Otlp;
    std::string url;                                          ///< http:// or https://, with a path
    std::string shown;                                        ///< the address as it was given, without a password
    std::vector<std::string> headers;                         ///< "Name: value"
    std::string authorities, certificate, key;                ///< files, as HttpRequest has them
    std::string service = "dscope";                           ///< whose stacks they are
    std::map<std::string, std::string> labels;                ///< further ones, which replace our own of the name
    std::chrono::nanoseconds wait = std::chrono::seconds(30); ///< for a host that is away; then it is given up
};
/// "otlp+http://SERVER:4318", pyroscope+, parca+, https; a path replaces the usual one. Error: what is wrong with the words, with an
/// address that would do.
Result<Receiver> receiverOf(const std::string& url);
/// One "NAME=VALUE" of --receiver. Error: what is wrong, with the names that there are.
Result<> set(Receiver& receiver, const std::string& option);
} // namespace dscope::remote
