#pragma once
#include "engine/sema/analyse.h"
#include "engine/sema/print.h"
#include "tests/support/fake_host.h"
#include <QString>
/// Compiling D in tests, against a provider with a few probes of every shape.
namespace dscope::tests {
/// dtrace:::BEGIN, END; test:mod:read:entry, return and write:entry, return; test:::task and test:::other.
class TestProvider final : public probe::Provider {
public:
    explicit TestProvider(std::string name) : m_name(std::move(name)) { }
    std::string_view name() const override { return m_name; }
    std::string_view summary() const override { return "for tests"; }
    probe::Stability stability() const override
    {
        if (m_name != "dtrace") return Provider::stability();
        return {probe::kStable, probe::kPrivate, probe::kPrivate, probe::kStable, probe::kStable};
    }
    bool tellsOfProcesses() const override { return m_name == "proc"; }
    Result<> list(const host::Host&, const probe::Pattern& wanted, const Found& found) const override
    {
        std::vector<probe::Name> all;
        if (m_name == "dtrace")
            all = {{"dtrace", "", "", "BEGIN"}, {"dtrace", "", "", "END"}, {"dtrace", "", "", "ERROR"}};
        else if (m_name == "proc")
            all = {{"proc", "", "", "exit"}};
        else
            all = {{"test", "mod", "read", "entry"}, {"test", "mod", "read", "return"}, {"test", "mod", "write", "entry"},
                {"test", "mod", "write", "return"}, {"test", "mod", "", "task"}, {"test", "mod", "", "other"}, {"test", "mod", "", "path"}};
        for (auto& n : all)
            if (probe::matches(wanted, n)) found(std::move(n));
        return {};
    }
    Result<probe::Description> describe(const host::Host&, const probe::Name& probe) const override
    {
        probe::Description d;
        if (m_name == "dtrace") {
            using When = probe::Manual::When;
            d.hooks = {{.at = probe::Manual{probe.name == "BEGIN" ? When::Begin : probe.name == "END" ? When::End : When::Error}}};
            return d;
        }
        probe::Hook hook;
        hook.at = probe::RawTracepoint{"tp"};
        if (probe.name == "entry") {
            hook.selectorWord = 1;
            hook.selector = probe.function == "read" ? 0 : 1;
            d.args = {{"*(uint64_t *)(raw[0] + 112)", "unsigned int", {}}, {"*(uint64_t *)(raw[0] + 104)", "userland char *", {}},
                {"*(uint64_t *)(raw[0] + 96)", "size_t", {}}};
            d.argNames = [] { return std::vector<std::string>{"fd", "buf", "count"}; };
        } else if (probe.name == "return") {
            hook.when = "(int64_t)raw[1] < 0";
            d.args = {{"raw[1]", "int64_t", {}}};
        } else if (probe.name == "task") {
            hook.when = "(raw[1] & 0x10000) == 0";
            d.args = {{"raw[0]", "struct task *", "info_t *"}, {"raw[0]", "struct task *", {}}};
        } else if (probe.name == "path")
            d.args = {{"copyinstr(raw[2])", "string", {}}};
        else
            d.args = {{"raw[0]", "char", {}}};
        d.hooks = {hook};
        d.takesResult = probe.function == "write" || probe.name == "path";
        return d;
    }

private:
    std::string m_name;
};

inline constexpr DLibrary kLibraries[] = {{"task.d", R"(
struct list { struct list *next; };
struct task { int id; char name[16]; struct task *parent; unsigned flag : 3; unsigned rest : 29; struct { int a; int b; } pair; union { long word; char bytes[8]; }; struct list links; char *text; };
typedef struct info { int i_id; string i_name; int i_parent; string i_none; string i_text; uint64_t i_sum; } info_t;
translator info_t < struct task *T > {
    i_id = T->id;
    i_name = T->name;
    i_parent = T->parent->id;
    i_text = stringof(T->text);
    i_sum = T->id + 1;
};
translator info_t < int N > { i_id = N; };
inline int LIMIT = 3 * 4;
inline string GREETING = "hi";
inline int twice[int n] = n * 2;
enum color { RED, GREEN = 7, BLUE };
)"},
    {"task2.d", R"(
inline info_t *curinfo = xlate <info_t *> (this_task);
inline struct task *this_task = (struct task *)curthread;
)"}};

/// One compilation: what came of it, and what was said.
struct Compiled {
    syntax::Sources sources;
    Diagnostics diagnostics;
    std::optional<sema::Program> program;
    QString said(bool tags = true) const
    {
        QString all;
        for (const auto& d : diagnostics.all()) {
            if (!all.isEmpty()) all += QLatin1Char('\n');
            if (tags) all += QStringLiteral("[%1] ").arg(QString::fromUtf8(d.tag.data(), static_cast<qsizetype>(d.tag.size())));
            all += QString::fromStdString(d.message);
        }
        return all;
    }
    QString hints() const
    {
        QString all;
        for (const auto& d : diagnostics.all())
            for (const auto& h : d.hints)
                all += QString::fromStdString(h) + QLatin1Char('\n');
        return all.trimmed();
    }
    QString statements(std::size_t clause = 0) const
    {
        if (!program) return said();
        QString all;
        for (const auto& s : program->clauses.at(clause).body) {
            if (!all.isEmpty()) all += QStringLiteral("; ");
            all += QString::fromStdString(sema::print(*program, s));
        }
        return all;
    }
};
inline std::vector<std::unique_ptr<probe::Provider>> testProviders()
{
    std::vector<std::unique_ptr<probe::Provider>> all;
    for (const char* name : {"dtrace", "test", "proc"})
        all.push_back(std::make_unique<TestProvider>(name));
    return all;
}
struct Setting {
    bool script = false;
    bool allowNoMatch = false;
    options::Options options;
    bool libraries = true;
    int target = 0;
};
inline Compiled compiled(const QString& text, const Setting& setting = {})
{
    static const FakeHost host = [] {
        FakeHost machine;
        machine.files["/sys/kernel/debug/error_injection/list"] = "read\tERRNO\nwrite\tERRNO\n";
        return machine;
    }();
    const probe::Registry registry(host, testProviders());
    Compiled c;
    const auto file = c.sources.add({setting.script ? "test.d" : "", text.toStdString()});
    const syntax::Macros macros{{"dscope"}, {{"pid", 1}, {"target", setting.target}}, false, {}};
    std::vector<sema::Input> inputs;
    inputs.push_back({file, syntax::parse(c.sources, file, macros, c.diagnostics)});
    const sema::Environment environment{host, registry,
        setting.libraries ? std::span<const DLibrary>(kLibraries) : std::span<const DLibrary>(), setting.options, macros,
        setting.allowNoMatch};
    c.program = sema::analyse(inputs, c.sources, environment, c.diagnostics);
    return c;
}
} // namespace dscope::tests
