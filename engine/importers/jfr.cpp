#include "engine/text/stack_counts.h"
#include "engine/text/tables.h"
#include "engine/text/words.h"
namespace dscope::importers {
namespace {
using text::Guess;
using text::trimmed;

/// Samples of Java's flight recorder: "jdk.ExecutionSample {", its fields, of which "stackTrace = [" has a method a line from the
/// innermost, "}". Source: jfr(1), "jfr print --events jdk.ExecutionSample --stack-depth 64 recording.jfr".
class JfrReader {
public:
    explicit JfrReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        const auto words = trimmed(line);
        if (line.starts_with("jdk.")) {
            m_isOpen = true;
            m_isSample = line.starts_with("jdk.ExecutionSample") || line.starts_with("jdk.NativeMethodSample");
            m_inStack = m_isCut = false;
            m_methods.clear();
            m_thread.clear();
        } else if (line.starts_with('}')) {
            if (m_isSample) add();
            m_isSample = m_isOpen = false;
        } else if (!m_isSample) {
            if (!m_isOpen && !words.empty()) m_out.misunderstand(number, line);
        } else if (words.starts_with("sampledThread = ")) {
            const auto quote = words.find('"'), end = words.find('"', quote + 1);
            if (quote != words.npos && end != words.npos) m_thread = words.substr(quote + 1, end - quote - 1);
        } else if (words.starts_with("stackTrace = [")) {
            m_inStack = true;
        } else if (words == "]") {
            m_inStack = false;
        } else if (m_inStack && words != "...") {
            // "java.util.HashMap.putVal(int, Object) line: 635"
            m_methods.emplace_back(words.substr(0, words.find('(')));
        } else if (m_inStack) {
            m_isCut = true; // jfr leaves the outermost out
        }
    }

    text::StackCounts& stacks() { return m_stacks; }

private:
    void add()
    {
        if (!m_thread.empty()) m_stacks.frame(m_thread);
        if (m_isCut) m_stacks.frame("[truncated]");
        for (auto method = m_methods.rbegin(); method != m_methods.rend(); ++method)
            m_stacks.frame(m_stacks.numberOf({*method, record::Frame::Kind::Jit, false}));
        m_stacks.add(1);
    }

    text::StackCounts m_stacks;
    text::Imported& m_out;
    bool m_isOpen = false, m_isSample = false, m_inStack = false, m_isCut = false;
    std::string m_thread;
    std::vector<std::string> m_methods; ///< the innermost first
};

class Jfr final : public text::Importer {
public:
    std::string_view name() const override { return "jfr"; }
    std::string_view summary() const override { return "what jfr print tells of Java's flight recordings: samples with their stacks"; }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        for (int i = 0; i < 2000 && lines.next(line); ++i)
            if (line.starts_with("jdk.") && line.ends_with(" {")) return Guess::Yes;
        return Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        JfrReader reader(out);
        text::readAll(lines, reader);
        if (reader.stacks().empty())
            return out.nothing("there is no jdk.ExecutionSample in it: print them with jfr print --events jdk.ExecutionSample");
        out.add(reader.stacks().take("samples"));
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_jfr() { return std::make_unique<Jfr>(); }
} // namespace dscope::importers
