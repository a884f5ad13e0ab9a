#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include <chrono>
#include <functional>
#include <string>
#include <vector>
namespace dscope::cli {
/// Numbers of a run for who scrapes them by HTTP: GET /metrics. Used by one thread, which never waits for a client.
class MetricsServer {
public:
    /// "9100", "127.0.0.1:9100", "[::]:9100": without an address only this machine can ask. Error: what is wrong with it, or why nothing
    /// can listen there.
    static Result<MetricsServer> open(const std::string& where);
    /// Called often: answers who has asked. `text` makes the numbers, once for all that ask now.
    void keepUp(const std::function<std::string()>& text);

private:
    struct Client {
        Fd fd;
        std::chrono::steady_clock::time_point until; ///< it is given up then
        std::string asked, answer;
        std::size_t sent = 0;
    };
    void accept();
    /// False: it is done, or gone.
    static bool read(Client& client);
    static bool write(Client& client);
    Fd m_socket;
    std::vector<Client> m_clients;
};
} // namespace dscope::cli
