#include "engine/remote/broker.h"
#include "engine/remote/http_interface.h"
#include <algorithm>
#include <array>
#include <curl/curl.h>
namespace dscope::remote {
namespace {
constexpr long kConnectTimeout = 10'000, kTimeout = 60'000; // ms
constexpr std::size_t kMostBody = std::size_t{64} << 10;
struct EndHandle {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct EndList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
/// What is beyond the bound is read and left out.
std::size_t takeBody(char* bytes, std::size_t, std::size_t count, void* to)
{
    auto& body = *static_cast<std::string*>(to);
    body.append(bytes, std::min(count, kMostBody - body.size()));
    return count;
}
/// Whether the same may work later.
bool passes(CURLcode code)
{
    constexpr std::array kPassing{CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT,
        CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE};
    return std::find(kPassing.begin(), kPassing.end(), code) != kPassing.end();
}
} // namespace
} // namespace dscope::remote

extern "C" __attribute__((visibility("default"))) bool DSCOPE_HTTP_FUNCTION(
    const dscope::remote::HttpRequest& request, dscope::remote::HttpAnswer& answer, dscope::Error& error)
{
    using namespace dscope::remote;
    static const bool isReady = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    const std::unique_ptr<CURL, EndHandle> handle(isReady ? curl_easy_init() : nullptr);
    if (!handle) {
        error.message = "libcurl refused to start";
        return false;
    }

    // "Expect: 100-continue" costs a second where a server knows nothing of it.
    std::unique_ptr<curl_slist, EndList> headers(curl_slist_append(nullptr, "Expect:"));
    for (const auto& header : request.headers)
        if (auto* longer = curl_slist_append(headers.get(), header.c_str())) {
            (void)headers.release();
            headers.reset(longer);
        }
    std::array<char, CURL_ERROR_SIZE> why{};
    CURLcode code = CURLE_OK;
    const auto set = [&](CURLoption option, auto value) {
        if (code == CURLE_OK) code = curl_easy_setopt(handle.get(), option, value);
    };
    set(CURLOPT_ERRORBUFFER, why.data());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_URL, request.url.c_str());
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDS, request.body.data());
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    set(CURLOPT_HTTPHEADER, headers.get());
    set(CURLOPT_USERAGENT, "dscope/" DSCOPE_VERSION);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_CONNECTTIMEOUT_MS, kConnectTimeout);
    set(CURLOPT_TIMEOUT_MS, kTimeout);
    set(CURLOPT_WRITEFUNCTION, takeBody);
    set(CURLOPT_WRITEDATA, &answer.body);
    if (!request.authorities.empty()) set(CURLOPT_CAINFO, request.authorities.c_str());
    if (!request.certificate.empty()) set(CURLOPT_SSLCERT, request.certificate.c_str());
    if (!request.key.empty()) set(CURLOPT_SSLKEY, request.key.c_str());
    if (code == CURLE_OK) code = curl_easy_perform(handle.get());
    if (code != CURLE_OK) {
        error.code = passes(code) ? kAway : 0;
        error.message = why.front() != '\0' ? why.data() : curl_easy_strerror(code);
        return false;
    }

    long status = 0;
    curl_off_t wait = 0;
    const char* type = nullptr;
    curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(handle.get(), CURLINFO_RETRY_AFTER, &wait);
    curl_easy_getinfo(handle.get(), CURLINFO_CONTENT_TYPE, &type);
    answer.status = static_cast<int>(status);
    answer.retryAfter = std::chrono::seconds(wait);
    if (type) answer.type = type;
    return true;
}
