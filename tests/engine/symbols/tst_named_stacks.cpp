#include "engine/symbols/named_stacks.h"
#include <QObject>
#include <QTest>
#include <algorithm>
#include <random>
using namespace dscope;
using namespace dscope::symbols;
using record::Frame;

namespace {
/// Names by arithmetic: every fifth address interrupts, every third has an inlined function, every seventh has another name each time
/// that the process has mapped something.
class Arithmetic final : public NamedStacks::Namer {
public:
    explicit Arithmetic(FrameStore& store) : m_store(store) { }
    static std::vector<Frame> framesOf(std::uint64_t address, bool isReturnAddress, int image)
    {
        Frame frame;
        frame.address = address;
        frame.offset = isReturnAddress ? 1 : 0;
        frame.function = "f" + std::to_string(address) + (address % 7 == 0 ? "." + std::to_string(image) : "");
        std::vector<Frame> frames;
        if (address % 3 == 0) {
            frames.push_back(frame);
            frames.back().inlined = true;
        }
        frames.push_back(frame);
        return frames;
    }
    static bool interrupts(std::uint64_t address) { return address % 5 == 0; }
    static NamedStacks::Callers callers(std::uint64_t address)
    {
        if (address % 17 != 0) return NamedStacks::Callers::Follow;
        return address % 2 != 0 ? NamedStacks::Callers::None : NamedStacks::Callers::Unknown;
    }
    static bool stays(std::uint64_t address) { return address % 4 != 0; }
    NamedStacks::Name operator()(std::uint64_t address, bool isReturnAddress, const NamedStacks::Name*) override
    {
        ++asked;
        NamedStacks::Name name;
        for (auto& frame : framesOf(address, isReturnAddress, image))
            name.frames.push_back(m_store.add(frame));
        name.signal = interrupts(address);
        name.stays = stays(address);
        name.callers = callers(address);
        if (clears && asked % 50 == 0) clears->clear();
        return name;
    }
    int image = 0, asked = 0;
    NamedStacks* clears = nullptr; ///< while it asks

private:
    FrameStore& m_store;
};

std::vector<Frame> plain(const std::vector<std::uint64_t>& addresses, int image)
{
    std::vector<Frame> all;
    bool isReturnAddress = false;
    for (const auto address : addresses) {
        const auto frames = Arithmetic::framesOf(address, isReturnAddress, image);
        all.insert(all.end(), frames.begin(), frames.end());
        if (Arithmetic::callers(address) != NamedStacks::Callers::Follow) break;
        isReturnAddress = !Arithmetic::interrupts(address);
    }
    return all;
}
} // namespace

class TestNamedStacks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eachStackIsAsIfItWereNamedAlone_data()
    {
        QTest::addColumn<bool>("clearsMeanwhile");
        QTest::newRow("mappings change between stacks") << false;
        QTest::newRow("and while one is named") << true;
    }
    void eachStackIsAsIfItWereNamedAlone()
    {
        QFETCH(bool, clearsMeanwhile);
        std::mt19937 random(3);
        FrameStore store;
        NamedStacks stacks;
        Arithmetic namer(store);
        if (clearsMeanwhile) namer.clears = &stacks;
        std::vector<std::uint64_t> addresses;
        for (int round = 0; round < 20'000; ++round) {
            if (random() % 40 == 0) {
                ++namer.image;
                stacks.clear();
            }
            // Some of the innermost frames return, others are called.
            addresses.erase(addresses.begin(), addresses.begin() + static_cast<std::ptrdiff_t>(random() % (addresses.size() + 1)));
            for (auto more = random() % 8; more > 0; --more)
                addresses.insert(addresses.begin(), 1 + random() % 60);
            QVERIFY(store.list(stacks.name(addresses, namer)) == record::FrameList(plain(addresses, namer.image)));
            const auto last = std::find_if(addresses.begin(), addresses.end(), [](std::uint64_t a) { return a % 17 == 0; });
            QVERIFY(stacks.ended() == (last == addresses.end() ? NamedStacks::Callers::Follow : Arithmetic::callers(*last)));
        }
    }
    void whatStaysIsAskedOnce()
    {
        FrameStore store;
        NamedStacks stacks;
        Arithmetic namer(store);
        const std::vector<std::uint64_t> one{1, 2, 3}, other{1, 6, 3}, changing{1, 8, 3};
        stacks.name(one, namer);
        QCOMPARE(namer.asked, 3);
        stacks.name(one, namer);
        stacks.name(other, namer);
        QCOMPARE(namer.asked, 4);
        stacks.name(changing, namer);
        stacks.name(changing, namer);
        QCOMPARE(namer.asked, 6);
    }
    void listsOutliveTheStore()
    {
        record::FrameList list;
        {
            FrameStore store;
            list = store.list({store.add(Frame{1, "a.out", "main"}), store.truncated(record::Truncation::TooDeep)});
            store.clear();
            QCOMPARE(store.size(), std::size_t{0});
        }
        QCOMPARE(list.size(), std::size_t{2});
        QCOMPARE(list[0].function, std::string("main"));
        QVERIFY(list[1] == record::truncated(record::Truncation::TooDeep));
    }
};
QTEST_GUILESS_MAIN(TestNamedStacks)
#include "tst_named_stacks.moc"
