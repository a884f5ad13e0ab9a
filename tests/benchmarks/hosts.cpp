// What a run of many hosts costs: each host that publishes, the broker, and who collects. Simulated hosts publish through a nats-server on loopback once a
// second, each two aggregations of which every row changed.
//   cmake --build build/release --target benchmark_hosts && build/release/benchmark_hosts [HOSTS...]
// Prints a line for each number of hosts, and before them what a host pays by number of keys. docs/scale.md has the fits.
#include "engine/record/merged_runs.h"
#include "engine/remote/address.h"
#include "engine/remote/collection.h"
#include "engine/remote/run_state.h"
#include "tests/support/streams.h"
#include <random>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
using namespace dscope;
using namespace dscope::test;
namespace {
constexpr int kSeconds = 10, kSenders = 8, kPort = 24'222;
constexpr std::size_t kKeys = 100;
/// Of this thread, in seconds.
double cpuTime()
{
    timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}
record::Program programOf(const std::string& host)
{
    auto p = program("syscall::read:entry { @size[execname] = quantize(arg2); @who[execname, pid] = sum(arg2); }", {"syscall::read:entry"});
    p.host = host;
    p.aggregations = {aggregation("size", Aggregator::Quantize, "arg2", {textKey("execname")}),
        aggregation("who", Aggregator::Sum, "arg2", {textKey("execname"), numberKey("pid")})};
    return p;
}
/// One host: its rows grow each second.
class Host {
public:
    Host(const std::string& name, std::size_t keys, std::uint32_t seed) : m_random(seed)
    {
        Stream s;
        begin(s, programOf(name));
        for (const auto& r : s)
            m_state.take(r);
        for (std::size_t i = 0; i < keys; ++i) {
            const auto program = "worker-" + std::to_string(i % 50);
            if (i < 50) m_sizes.push_back({Key().text(program).bytes(), {70, 1, 71, 1, 75, 1}});
            m_whos.push_back({Key().text(program).number(static_cast<std::int64_t>(1000 + i)).bytes(), {1}});
        }
    }

    /// The messages of a second. The first time the program is among them.
    std::vector<std::pair<remote::Place, Bytes>> second()
    {
        m_now += kSecond;
        for (auto* rows : {&m_sizes, &m_whos})
            for (auto& row : *rows)
                row.data.back() += static_cast<std::int64_t>(1 + m_random() % 4096);
        m_state.take(record::AggregationRows{AggregationId{0}, record::Nanoseconds(kStart + m_now), m_sizes});
        m_state.take(record::AggregationRows{AggregationId{1}, record::Nanoseconds(kStart + m_now), m_whos});
        std::vector<std::pair<remote::Place, Bytes>> out;
        const auto add = [&](remote::Topic topic, std::uint32_t number, const remote::Message& message) {
            const auto packed = remote::pack(message);
            if (packed) out.push_back({{m_state.origin(), topic, number, {}}, remote::seal(remote::Envelope::Kind::Whole, message.sequence, *packed)});
        };
        if (m_now == kSecond) add(remote::Topic::Program, 0, m_state.programMessage());
        for (AggregationId id{0}; id.value < 2; ++id.value)
            m_state.tellRows(id, [&](const remote::Message& rows) { add(remote::Topic::Rows, id.value, rows); });
        return out;
    }

private:
    std::mt19937 m_random;
    remote::RunState m_state;
    std::int64_t m_now = 0;
    std::vector<record::AggregationRow> m_sizes, m_whos;
};
/// A nats-server with JetStream in a folder of its own; what it cost is known when it has ended.
class Server {
public:
    Server() : m_folder(std::filesystem::temp_directory_path() / ("dscope-hosts-" + std::to_string(::getpid())))
    {
        std::filesystem::create_directories(m_folder);
        const auto conf = (m_folder / "conf").string();
        std::ofstream(conf) << "listen: 127.0.0.1:" << kPort << "\njetstream { store_dir: \"" << m_folder.string() << "\" }\nlog_file: \"" << m_folder.string() << "/log\"\n";
        std::string words[] = {"nats-server", "-c", conf};
        char* argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
        if (::posix_spawnp(&m_pid, argv[0], nullptr, nullptr, argv, environ) != 0) std::exit((std::puts("nats-server is not installed"), 1));
    }
    double end()
    {
        rusage used{};
        ::kill(m_pid, SIGTERM);
        ::wait4(m_pid, nullptr, 0, &used);
        std::filesystem::remove_all(m_folder);
        const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
        return seconds(used.ru_utime) + seconds(used.ru_stime);
    }

private:
    std::filesystem::path m_folder;
    pid_t m_pid = 0;
};
std::unique_ptr<remote::Broker> brokerOf(const std::string& run)
{
    auto broker = remote::natsBroker(*remote::addressOf("nats://127.0.0.1:" + std::to_string(kPort) + '/' + run));
    if (!broker) std::exit((std::puts(broker.error().message.c_str()), 1));
    return *std::move(broker);
}

void costOfKeys()
{
    std::puts("keys   ms to make a state   bytes");
    for (const std::size_t keys : {100U, 1000U, 10'000U}) {
        Host host("web1", keys, 1);
        host.second();
        std::size_t bytes = 0;
        constexpr int kTimes = 20;
        const auto before = cpuTime();
        for (int i = 0; i < kTimes; ++i)
            for (const auto& message : host.second())
                bytes += message.second.size();
        std::printf("%5zu  %.3f  %zu\n", keys, (cpuTime() - before) / kTimes * 1e3, bytes / kTimes);
    }
}

void costOfHosts(std::size_t count)
{
    Server server;
    const std::string run = "hosts";
    std::atomic<bool> isOver = false;
    std::atomic<double> making = 0, sending = 0;
    std::atomic<std::size_t> bytes = 0, late = 0, sent = 0;
    std::vector<std::thread> senders;
    const auto begun = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    for (int s = 0; s < kSenders; ++s)
        senders.emplace_back([&, s] {
            std::vector<Host> hosts;
            for (std::size_t i = static_cast<std::size_t>(s); i < count; i += kSenders)
                hosts.emplace_back("web" + std::to_string(i), kKeys, static_cast<std::uint32_t>(i));
            auto broker = brokerOf(run);
            std::map<std::string, std::uint64_t> known;
            for (int second = 0; second < kSeconds; ++second) {
                std::this_thread::sleep_until(begun + std::chrono::seconds(second));
                for (auto& host : hosts) {
                    const auto a = cpuTime();
                    const auto messages = host.second();
                    const auto b = cpuTime();
                    for (const auto& [place, payload] : messages) {
                        auto& number = known[remote::subjectOf(run, place)];
                        auto kept = broker->keep(remote::subjectOf(run, place), payload, number);
                        while (!kept && kept.error().code == remote::kAway)
                            kept = broker->keep(remote::subjectOf(run, place), payload, number);
                        if (kept) number = *kept, ++sent;
                        bytes += payload.size();
                    }
                    making = making + (b - a);
                    sending = sending + (cpuTime() - b);
                }
                if (std::chrono::steady_clock::now() > begun + std::chrono::seconds(second + 1)) ++late;
            }
        });

    double taking = 0, merging = 0;
    int merges = 0;
    std::size_t inPicture = 0;
    std::thread collector([&] {
        auto broker = brokerOf(run);
        remote::Collection collection(run, count);
        auto next = begun + std::chrono::seconds(1);
        while (!isOver) {
            auto before = cpuTime();
            if (auto kept = broker->next(std::chrono::milliseconds(50)); kept && *kept) collection.take(**kept);
            taking += cpuTime() - before;
            if (const auto now = std::chrono::steady_clock::now(); now < next) continue;
            before = cpuTime();
            auto set = collection.dataSet();
            inPicture = set.summary.hosts;
            if (!set.runs.empty()) {
                record::MergedRuns merged(std::move(set.runs), record::MergedBy::Host);
                for (Result<bool> more = true; more && *more;)
                    more = merged.poll({}, [](const record::Record&) {});
            }
            merging += cpuTime() - before;
            ++merges;
            next = std::chrono::steady_clock::now() + std::chrono::seconds(1);
        }
    });
    for (auto& sender : senders)
        sender.join();
    isOver = true;
    collector.join();
    const auto total = static_cast<double>(count) * kSeconds;
    std::printf("%5zu  %8.3f  %8.3f  %7.0f  %10.1f  %10.1f  %10.1f  %5zu  %zu of %zu  %zu of %zu\n", count, making / total * 1e3, sending / total * 1e3, static_cast<double>(bytes) / total,
        server.end() / kSeconds * 100, taking / kSeconds * 100, merging / std::max(merges, 1) * 1e3, late.load(), inPicture, count, sent.load(), count * (2 * kSeconds + 1));
    std::fflush(stdout);
}
} // namespace

int main(int argc, char** argv)
{
    costOfKeys();
    std::puts("\nhosts  ms a host and second to make, to send;  bytes;  broker's % of a CPU;  collector's % to take;  ms a picture;  seconds late (of 80);  in the picture;  kept of sent");
    if (argc < 2)
        for (const std::size_t count : {10U, 100U, 300U, 1000U})
            costOfHosts(count);
    for (int i = 1; i < argc; ++i)
        costOfHosts(static_cast<std::size_t>(std::atoi(argv[i])));
    return 0;
}
