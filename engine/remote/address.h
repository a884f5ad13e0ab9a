#pragma once
#include "engine/base/result.h"
#include <chrono>
#include <string>
#include <vector>
namespace dscope::remote {
/// Where a run of many hosts is: nats://[USER:PASSWORD@ or TOKEN@]SERVER[:PORT][,SERVER...]/RUN, or tls://, and how to get there.
struct Address {
    static constexpr std::size_t kPrinted = std::size_t{256} << 10;
    std::vector<std::string> servers; ///< a URL each
    bool isSecure = false;            ///< tls://
    std::string run;                  ///< letters, digits, '-' and '_'
    std::string shown;                ///< the address without a password
    std::string user, password;       ///< %XX of the address is read; without a password, `user` is a token
    std::string credentials;          ///< file of a JWT and its seed; empty: none. So the others.
    std::string authorities;          ///< file of the certificates that a server's is checked by; empty: the system's
    std::string certificate, key;     ///< files of our own
    int replicas = 1;                 ///< servers that keep what is sent, when the run is begun
    std::chrono::nanoseconds every = std::chrono::seconds(1); ///< between what is sent, or between pictures
    std::chrono::nanoseconds wait = std::chrono::seconds(60); ///< at the end, for a broker that is away
    std::size_t printed = kPrinted; ///< bytes of what clauses print or trace that are sent, about, the first of it; 0: none
    std::size_t hosts = 0;          ///< that are expected; 0: those that come
};
/// Error: what is wrong with the words, with an address that would do.
Result<Address> addressOf(const std::string& url);
/// One "NAME=VALUE" of --broker. Error: what is wrong, with the names that there are.
Result<> set(Address& address, const std::string& option);
} // namespace dscope::remote
