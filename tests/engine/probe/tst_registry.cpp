#include "engine/probe/registry.h"
#include "tests/support/fake_host.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::probe;
namespace {
/// A provider of a fixed list, or of what is asked for by name.
class Listed : public Provider {
public:
    Listed(std::string_view name, std::vector<std::string> probes, bool large = false)
        : m_name(name), m_probes(std::move(probes)), m_large(large)
    {
    }
    std::string_view name() const override { return m_name; }
    std::string_view summary() const override { return "for a test"; }
    bool isLarge() const override { return m_large; }
    Result<> list(const host::Host&, const Pattern& wanted, const Found& found) const override
    {
        ++asked;
        for (const auto& probe : m_probes) {
            Name name{std::string(m_name), "m", "f", probe};
            if (matches(wanted, name)) found(std::move(name));
        }
        return {};
    }
    Result<Description> describe(const host::Host&, const Name&) const override { return Description{}; }
    bool owns(std::string_view probe) const override { return probe == owned; }
    mutable int asked = 0;
    std::string_view owned = "-";

private:
    std::string_view m_name;
    std::vector<std::string> m_probes;
    bool m_large;
};
/// Serves on<N>, whose probes come into being when they are asked for.
class OnDemand final : public Provider {
public:
    std::string_view name() const override { return "on"; }
    std::string_view summary() const override { return "for a test"; }
    bool onDemand() const override { return true; }
    bool serves(std::string_view provider) const override { return provider.starts_with("on"); }
    Result<> list(const host::Host&, const Pattern& wanted, const Found& found) const override
    {
        if (wanted.name == "bad") return mistake("D_PROC_NAME", "no such place");
        if (wanted.provider.find_first_of("0123456789") != std::string::npos) found({wanted.provider, "", "", wanted.name});
        return {};
    }
    Result<Description> describe(const host::Host&, const Name&) const override { return Description{}; }
};

struct Fixture {
    tests::FakeHost host;
    Listed *small = nullptr, *large = nullptr;
    std::unique_ptr<Registry> registry;
    Fixture()
    {
        std::vector<std::unique_ptr<Provider>> all;
        auto big = std::make_unique<Listed>("big", std::vector<std::string>{"x", "y"}, true);
        auto little = std::make_unique<Listed>("little", std::vector<std::string>{"a", "b", "c"});
        large = big.get();
        small = little.get();
        all.push_back(std::move(big));
        all.push_back(std::move(little));
        all.push_back(std::make_unique<OnDemand>());
        registry = std::make_unique<Registry>(host, std::move(all));
    }
    std::vector<std::string> match(const char* description)
    {
        const auto found = registry->match(*parsePattern(description));
        if (!found) return {"error: " + found.error().message};
        std::vector<std::string> out;
        for (const auto& p : *found)
            out.push_back(std::to_string(p.id.value) + " " + p.name.provider + ":" + p.name.name);
        return out;
    }
};
using Found = std::vector<std::string>;
} // namespace

class TestRegistry : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void numbersFollowTheListsWithTheLargeOnesLast()
    {
        Fixture f;
        QVERIFY((f.match("*:::") == Found{"1 little:a", "2 little:b", "3 little:c", "4 big:x", "5 big:y"}));
        QVERIFY((f.match("b") == Found{"2 little:b"}));
        QVERIFY((f.match("big:::y") == Found{"5 big:y"}));
        QVERIFY(f.match("none:::a").empty());
    }
    void whatExistsOnlyOnDemandIsNumberedBehindAllAndOnce()
    {
        Fixture f;
        const auto first = std::to_string(Registry::kFirstMade), second = std::to_string(Registry::kFirstMade + 1);
        QVERIFY((f.match("on7:::p") == Found{first + " on7:p"}));
        QVERIFY((f.match("on7:::q") == Found{second + " on7:q"}));
        QVERIFY((f.match("on7:::p") == Found{first + " on7:p"}));
        QCOMPARE(f.small->asked + f.large->asked, 0); // no list is needed for a number
    }
    void aNameThatOneProviderOwnsAsksNoOther()
    {
        Fixture f;
        f.small->owned = "b";
        QVERIFY((f.match("b") == Found{"2 little:b"}));
        QCOMPARE(f.large->asked, 0);
        QVERIFY((f.match("x") == Found{"4 big:x"}));
        QVERIFY(f.match("big:::b").empty());
    }
    void anErrorOfAProviderIsHandedOnWithItsTag()
    {
        Fixture f;
        const auto found = f.registry->match(*parsePattern("on7:::bad"));
        QVERIFY(!found);
        QCOMPARE(std::string(found.error().tag), std::string("D_PROC_NAME"));
        QCOMPARE(found.error().message, std::string("no such place"));
    }
    void aDescriptionOfOneProviderAsksNoOther()
    {
        Fixture f;
        f.match("little:::a");
        QCOMPARE(f.large->asked, 0);
        QVERIFY(f.small->asked > 0);
    }
    void aListIsMadeOnce()
    {
        Fixture f;
        f.match("little:::a");
        f.match("little:::b");
        QCOMPARE(f.small->asked, 1);
    }
    void everyProbeIsFoundByItsNumber()
    {
        Fixture f;
        f.match("on7:::p");
        const Found expected{"little:a", "little:b", "little:c", "big:x", "big:y", "on7:p"};
        for (std::uint32_t i = 0; i < expected.size(); ++i) {
            const auto probe = f.registry->byId(ProbeId{i + 1 == expected.size() ? Registry::kFirstMade : i + 1});
            QVERIFY(probe);
            QCOMPARE(probe->name.provider + ":" + probe->name.name, expected[i]);
        }
        QVERIFY(!f.registry->byId(ProbeId{0}));
        QVERIFY(!f.registry->byId(ProbeId{6}));
        QVERIFY(!f.registry->byId(ProbeId{Registry::kFirstMade + 1}));
    }
};
QTEST_GUILESS_MAIN(TestRegistry)
#include "tst_registry.moc"
