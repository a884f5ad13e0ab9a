#pragma once
#include "engine/record/wire.h"
#include "tests/support/streams.h"
#include <QString>
#include <QTest>
#include <algorithm>
#include <fcntl.h>
#include <random>
#include <unistd.h>
namespace dscope::test {
/// Of two aggregations, of which one is by stack, that change `states` times.
inline Stream runOf(const std::string& host, int states, std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    auto p = program(
        "syscall::read:entry { @size[execname] = quantize(arg2); @who[execname, ustack()] = sum(arg2); }", {"syscall::read:entry"});
    p.host = host;
    p.started += static_cast<std::int64_t>(seed % 1000) * kMillisecond;
    p.aggregations = {aggregation("size", Aggregator::Quantize, "arg2", {textKey("execname")}),
        aggregation("who", Aggregator::Sum, "arg2", {textKey("execname"), stackKey(FieldKind::UserStack)})};
    Stream s;
    begin(s, p);
    std::map<std::string, std::int64_t> size;
    std::map<std::pair<std::string, std::uint32_t>, std::int64_t> who;
    std::uint32_t stacks = 0;
    std::int64_t now = p.started;
    for (int state = 0; state < states; ++state) {
        now += kSecond;
        auto inner = frame("libc.so.6", "read", record::Frame::Kind::Library),
             outer = frame("app", "f" + std::to_string(state % 40), record::Frame::Kind::User);
        inner.address = 0x7f00'0000'0000 + random() % 0xffff;
        outer.address = 0x40'0000 + random() % 0xffff;
        s.emplace_back(stack(++stacks, {inner, outer}));
        for (const auto* name : {"cat", "dd", "postgres", "java"}) {
            size[name] += static_cast<std::int64_t>(random() % 100);
            who[{name, 1 + static_cast<std::uint32_t>(random() % std::min(stacks, 30U))}] += static_cast<std::int64_t>(random() % 4096);
        }
        std::vector<record::AggregationRow> sizes, whos;
        for (const auto& [name, count] : size)
            sizes.push_back({Key().text(name).bytes(), {70, count, 71, 1 + count / 2}});
        for (const auto& [key, sum] : who)
            whos.push_back({Key().text(key.first).stack(key.second).bytes(), {sum}});
        s.emplace_back(record::AggregationRows{AggregationId{0}, record::Nanoseconds(now), sizes});
        s.emplace_back(record::AggregationRows{AggregationId{1}, record::Nanoseconds(now), whos});
    }
    s.emplace_back(record::Exit{0, false, record::Nanoseconds(now)});
    return s;
}
/// What is said of runOf() of several hosts when they are merged: its streams are of before clocks were recorded.
inline QByteArray unknownClocks(int hosts)
{
    return "dtrace: how far the clocks of " + QByteArray::number(hosts) + " hosts are apart is not known\n";
}
/// `Blocks::Each`: a record is a block, so that a cut leaves what is before it.
enum class Blocks { Few, Each };
inline void writeRecording(const QString& path, const Stream& stream, Blocks blocks = Blocks::Few)
{
    const int fd = ::open(path.toUtf8().constData(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    {
        record::Writer writer(fd);
        for (const auto& one : stream) {
            writer.take(one);
            if (blocks == Blocks::Each) writer.flush();
        }
        QVERIFY(writer.finish());
    }
    ::close(fd);
}
} // namespace dscope::test
