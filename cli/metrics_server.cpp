#include "cli/metrics_server.h"
#include "exporters/prom.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <netdb.h>
#include <optional>
#include <sys/socket.h>
namespace dscope::cli {
namespace {
constexpr std::size_t kMostClients = 64, kLongestRequest = 8192;
constexpr std::chrono::seconds kPatience(10);
constexpr int kWaiting = 128, kMostAtOnce = 1024; // connections: that the kernel keeps for us, that we take at a time
constexpr std::string_view kEndOfHead = "\r\n\r\n";
struct Endpoint {
    std::string address = "127.0.0.1", port;
};
std::optional<Endpoint> endpointOf(const std::string& where)
{
    Endpoint place;
    const auto colon = where.rfind(':');
    place.port = colon == where.npos ? where : where.substr(colon + 1);
    if (colon != where.npos) place.address = where.substr(0, colon);
    if (place.address.starts_with('[') && place.address.ends_with(']')) place.address = place.address.substr(1, place.address.size() - 2);
    std::uint16_t number = 0;
    const auto* end = place.port.data() + place.port.size();
    if (place.address.empty() || std::from_chars(place.port.data(), end, number).ptr != end || number == 0) return std::nullopt;
    return place;
}
std::string answerOf(std::string_view status, std::string_view type, const std::string& body)
{
    return "HTTP/1.1 " + std::string(status) + "\r\nContent-Type: " + std::string(type)
        + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + body;
}
bool isAgain() { return errno == EAGAIN || errno == EINTR; }
} // namespace

Result<MetricsServer> MetricsServer::open(const std::string& where)
{
    const auto place = endpointOf(where);
    if (!place) return Error{0, "--metrics takes a port, or ADDRESS:PORT, as 127.0.0.1:9100, not \"" + where + '"'};
    addrinfo wanted{};
    wanted.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV;
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int failed = ::getaddrinfo(place->address.c_str(), place->port.c_str(), &wanted, &found); failed != 0)
        return Error{0, "--metrics " + where + ": " + ::gai_strerror(failed) + ": give the address as a number"};
    MetricsServer server;
    server.m_socket = Fd(::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int again = 1;
    const bool listens = server.m_socket && ::setsockopt(server.m_socket.get(), SOL_SOCKET, SO_REUSEADDR, &again, sizeof again) == 0
        && ::bind(server.m_socket.get(), found->ai_addr, found->ai_addrlen) == 0 && ::listen(server.m_socket.get(), kWaiting) == 0;
    const int why = errno;
    ::freeaddrinfo(found);
    if (!listens) return Error{why, "--metrics " + where + ": " + std::strerror(why)};
    return server;
}

/// Idle connections do not block new ones: when there are too many, the oldest idle one is closed.
void MetricsServer::accept()
{
    for (int i = 0; i < kMostAtOnce; ++i) {
        Fd fd(::accept4(m_socket.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!fd) return;
        if (m_clients.size() >= kMostClients) {
            const auto isIdle = [](Client& client) { return client.answer.empty() && (!read(client) || client.asked.empty()); };
            const auto idle = std::find_if(m_clients.begin(), m_clients.end(), isIdle);
            m_clients.erase(idle != m_clients.end() ? idle : m_clients.begin());
        }
        m_clients.push_back({std::move(fd), std::chrono::steady_clock::now() + kPatience, {}, {}, 0});
    }
}

bool MetricsServer::read(Client& client)
{
    std::array<char, 4096> bytes{};
    while (client.asked.size() < kLongestRequest && client.asked.find(kEndOfHead) == std::string::npos) {
        const auto count = ::recv(client.fd.get(), bytes.data(), bytes.size(), 0);
        if (count < 0) return isAgain();
        if (count == 0) return false;
        client.asked.append(bytes.data(), static_cast<std::size_t>(count));
    }
    return true;
}

bool MetricsServer::write(Client& client)
{
    while (client.sent < client.answer.size()) {
        const auto count = ::send(client.fd.get(), client.answer.data() + client.sent, client.answer.size() - client.sent, MSG_NOSIGNAL);
        if (count < 0) return isAgain();
        client.sent += static_cast<std::size_t>(count);
    }
    return false;
}

void MetricsServer::keepUp(const std::function<std::string()>& text)
{
    accept();
    std::string numbers;
    const auto now = std::chrono::steady_clock::now();
    std::erase_if(m_clients, [&](Client& client) {
        if (now > client.until) return true;
        if (client.answer.empty() && !read(client)) return true;
        const bool isWhole = client.asked.find(kEndOfHead) != std::string::npos;
        if (client.answer.empty() && !isWhole && client.asked.size() < kLongestRequest) return false;
        if (client.answer.empty()) {
            if (!isWhole)
                client.answer = answerOf("431 Request Header Fields Too Large", "text/plain", "");
            else if (!client.asked.starts_with("GET /metrics ") && !client.asked.starts_with("GET /metrics?"))
                client.answer = answerOf("404 Not Found", "text/plain", "dscope: the numbers are at /metrics\n");
            else {
                if (numbers.empty()) numbers = text();
                client.answer = answerOf("200 OK", exporters::kOpenMetricsType, numbers);
            }
        }
        return !write(client);
    });
}
} // namespace dscope::cli
