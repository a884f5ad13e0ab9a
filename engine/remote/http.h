#pragma once
#include "engine/base/result.h"
#include <chrono>
#include <string>
#include <vector>
namespace dscope::remote {
/// What is sent to a server by POST.
struct HttpRequest {
    std::string url;                  ///< http:// or https://; USER:PASSWORD@ in it is sent as HTTP's basic authentication
    std::vector<std::string> headers; ///< "Name: value" each
    std::string body;
    std::string authorities;      ///< file of the certificates that the server's is checked by; empty: the system's
    std::string certificate, key; ///< files of our own; empty: none
};
struct HttpAnswer {
    int status = 0;
    std::string type, body;             ///< Content-Type; at most 64 KiB of the body
    std::chrono::seconds retryAfter{0}; ///< that the server asks for; 0: it does not say
};
/// Waits ten seconds to connect and a minute in all; follows no redirection; heeds the environment's proxies. Error: why there is no
/// answer, with kAway as its code where a later try may work; or the library of HTTP is missing.
Result<HttpAnswer> post(const HttpRequest& request);
} // namespace dscope::remote
