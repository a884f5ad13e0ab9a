#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>
/// Programs in D that nobody wrote: of each number another one, always the same. They use what is the same wherever they run: the
/// arguments of calls that tests/programs/given_calls makes, but no process, time or CPU.
namespace dscope::tests {
class RandomProgram {
public:
    struct Call {
        bool isWrite = false;
        std::uint64_t offset = 0, whence = 0; ///< of lseek(999, ...)
        std::string text;                     ///< of write(998, ...)
    };
    explicit RandomProgram(std::uint64_t number) : m_state(number)
    {
        m_state = random() ^ number << 32U; // the next number's is not the same one step on
        m_deep = 1 + static_cast<int>(below(3));
        declarations();
        clause("BEGIN", Where::Outside);
        const auto clauses = 2 + below(3);
        for (std::uint64_t i = 0; i < clauses; ++i)
            switch (below(4)) {
            case 0: clause("syscall::write:entry", Where::Write); break;
            case 1: clause("syscall::lseek:return", Where::Return); break;
            default: clause("syscall::lseek:entry", Where::Seek); break;
            }
        if (below(2) == 0) speculations();
        text += "syscall::lseek:entry\n/pid == $target && arg0 == 999/\n{\n\tself->in = 1;\n}\n\n"
                "syscall::lseek:return\n/self->in/\n{\n\tself->in = 0;\n}\n\n";
        end();

        const auto count = 4 + below(12);
        for (std::uint64_t i = 0; i < count; ++i)
            calls.push_back(below(3) == 0 ? Call{true, 0, 0, word(below(40))} : Call{false, anyNumber(), below(2) ? below(5) : anyNumber(), {}});
    }

    std::string text;
    std::vector<Call> calls;

private:
    /// What a clause may speak of.
    enum class Where : std::uint8_t { Outside, Seek, Return, Write };

    // -- chance ----------------------------------------------------------------------------------------------------
    std::uint64_t random() // splitmix64
    {
        std::uint64_t z = m_state += 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31U);
    }
    std::uint64_t below(std::uint64_t n) { return random() % n; }
    template <std::size_t N> std::string one(const char* const (&of)[N]) { return of[below(N)]; }
    std::uint64_t anyNumber()
    {
        static constexpr std::uint64_t kEdges[]{0, 1, 2, 7, 10, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 0x7fffffff, 0x80000000,
            0xffffffff, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff};
        return below(3) == 0 ? kEdges[below(std::size(kEdges))] : random() >> below(64);
    }
    std::string word(std::uint64_t length)
    {
        static constexpr char kLetters[] = "abcXYZ019 /._-+:%";
        std::string out;
        for (std::uint64_t i = 0; i < length; ++i)
            out += kLetters[below(sizeof kLetters - 1)];
        return out;
    }

    // -- declarations ----------------------------------------------------------------------------------------------
    static constexpr const char* kTypes[]{"char", "int8_t", "uint8_t", "int16_t", "uint16_t", "int", "uint32_t", "int64_t", "uint64_t"};
    void declarations()
    {
        text += "#pragma D option quiet\n\n";
        text += "enum colour { RED = 3, GREEN = -2, BLUE };\n";
        text += "struct raw { " + one(kTypes) + " a; " + one(kTypes) + " b; char name[16]; " + one(kTypes)
            + " list[4]; uint32_t low : 5, high : 11; };\n";
        text += "struct inner { " + one(kTypes) + " x; };\n";
        text += "struct told { " + one(kTypes) + " sum; string name; struct inner in; };\n";
        text += "translator struct inner < struct raw *R > {\n\tx = R->b * 3;\n};\n";
        text += "translator struct told < struct raw *R > {\n\tsum = R->a + R->high;\n\tname = stringof(R->name);\n\tin = xlate <struct inner> (R);\n};\n";
        text += "inline int FIVE = 2 + 3;\ninline string GREETING = \"hello\";\n";
        for (int i = 0; i < 3; ++i) {
            const auto n = std::to_string(i);
            text += one(kTypes) + " g" + n + ";\nself " + one(kTypes) + " s" + n + ";\nthis " + one(kTypes) + " t" + n + ";\n";
        }
        text += "self int in;\nself int spec;\nstring gs;\nself string ss;\nthis string ts;\n";
        text += one(kTypes) + " ga[int];\n" + one(kTypes) + " gb[string, " + one(kTypes) + "];\nstring gc[" + one(kTypes) + "];\nself "
            + one(kTypes) + " sa[int];\n\n";

        static constexpr const char* kFunctions[]{"count", "sum", "min", "max", "avg", "stddev", "quantize", "lquantize", "llquantize"};
        const auto count = 1 + below(3);
        for (std::uint64_t i = 0; i < count; ++i)
            m_aggregations.push_back({"@a" + std::to_string(i), one(kFunctions), below(3) != 0, below(3) == 0, one(kTypes), false});
    }

    // -- expressions -----------------------------------------------------------------------------------------------
    std::string literal()
    {
        switch (below(6)) {
        case 0: return std::to_string(below(10));
        case 1: return std::string("'") + static_cast<char>('a' + below(26)) + '\'';
        case 2: return one({"RED", "GREEN", "BLUE", "FIVE", "sizeof(struct raw)"});
        case 3: return std::to_string(anyNumber()) + "ULL";
        case 4: return "-" + std::to_string(anyNumber() >> 33U);
        default: return std::to_string(anyNumber() >> 32U);
        }
    }
    std::string leaf()
    {
        switch (below(10)) {
        case 0:
        case 1: return m_where == Where::Outside ? "FIVE" : argument();
        case 2: return m_where == Where::Seek ? "arg2" : m_where == Where::Return ? "errno" : literal();
        case 3: return "g" + std::to_string(below(3));
        case 4: return m_where == Where::Outside ? literal() : "self->s" + std::to_string(below(3));
        case 5: return m_set.empty() ? literal() : *std::next(m_set.begin(), static_cast<std::ptrdiff_t>(below(m_set.size())));
        case 6: return "ga[" + key() + "]";
        case 7: return m_where == Where::Outside ? "ga[2]" : "self->sa[" + key() + "]";
        case 8: return m_hasRaw ? rawMember() : literal();
        default: return literal();
        }
    }
    std::string rawMember()
    {
        return one({"this->r->a", "this->r->b", "this->r->low", "this->r->high", "this->r->list[2]", "xlate <struct told> (this->r).sum",
            "xlate <struct told *> (this->r)->sum", "xlate <struct told *> (this->r)->in.x", "xlate <struct inner *> (this->r)->x"});
    }
    /// Of an associative array: few, so that they are met again.
    std::string key() { return "(int)((" + (below(2) ? leafNumber() : literal()) + ") & 3)"; }
    std::string leafNumber() { return m_where == Where::Outside || below(2) ? "g" + std::to_string(below(3)) : argument(); }
    /// write()'s second is an address, which is another one wherever it runs.
    std::string argument() const { return m_where == Where::Write ? "arg2" : "arg1"; }

    std::string number(int depth)
    {
        if (depth <= 0) return leaf();
        const auto sub = [&] { return number(depth - 1); };
        switch (below(18)) {
        case 0:
        case 1: return leaf();
        case 2: return one({"-", "~", "!", "+"}) + "(" + sub() + ")";
        case 3: return "(" + one(kTypes) + ")(" + sub() + ")";
        case 4:
        case 5:
        case 6: return "(" + sub() + " " + one({"+", "-", "*", "&", "|", "^"}) + " " + sub() + ")";
        case 7: return "(" + sub() + " " + one({"<<", ">>"}) + " (" + sub() + " & " + one({"7", "31", "63"}) + "))";
        case 8: return "(" + sub() + " " + one({"/", "%"}) + " " + (below(8) ? "(" + sub() + " | 1)" : leafNumber()) + ")"; // a constant 0 is refused
        case 9:
        case 10: return "(" + sub() + " " + one({"<", ">", "<=", ">=", "==", "!="}) + " " + sub() + ")";
        case 11: return "(" + sub() + " " + one({"&&", "||", "^^"}) + " " + sub() + ")";
        case 12: return "(" + sub() + " ? " + sub() + " : " + sub() + ")";
        case 13: return "strlen(" + string(depth - 1) + ")";
        case 14: return "(" + string(depth - 1) + " " + one({"<", ">", "<=", ">=", "==", "!="}) + " " + string(depth - 1) + ")";
        case 15: return one({"index", "rindex"}) + "(" + string(depth - 1) + ", " + string(0) + ")";
        case 16: return one({"htons", "ntohs", "htonl", "ntohl", "htonll", "ntohll"}) + "(" + sub() + ")";
        default: return "strtoll(" + string(depth - 1) + (below(2) ? ", 10" : "") + ")";
        }
    }
    std::string string(int depth)
    {
        const bool isInside = m_where != Where::Outside;
        if (depth <= 0)
            switch (below(7)) {
            case 0: return isInside ? "execname" : "GREETING";
            case 1: return one({"probefunc", "probename", "probeprov"});
            case 2: return "gs";
            case 3: return isInside ? set("self->ss") : "gs";
            case 4: return m_where == Where::Write ? "copyinstr(arg1)" : m_hasText ? "this->ts" : "GREETING";
            case 5: return m_hasRaw ? one({"stringof(this->r->name)", "xlate <struct told *> (this->r)->name"}) : set("gc[" + key() + "]");
            default: return "\"" + word(below(12)) + "\"";
            }
        switch (below(9)) {
        case 0: return "strjoin(" + string(depth - 1) + ", " + string(depth - 1) + ")";
        case 1: return "substr(" + string(depth - 1) + ", " + small() + (below(2) ? ", " + small() : "") + ")";
        case 2: return one({"toupper", "tolower", "basename", "dirname", "cleanpath"}) + "(" + string(depth - 1) + ")";
        case 3: return "lltostr(" + number(depth - 1) + (below(2) ? one({", 8", ", 10", ", 16"}) : "") + ")";
        case 4: return "(" + number(depth - 1) + " ? " + string(depth - 1) + " : " + string(depth - 1) + ")";
        default: return string(0);
        }
    }
    /// A string that may not have been set, which ends a clause where it is used: so most are looked at first.
    std::string set(const std::string& variable) { return below(8) ? "(" + variable + " != NULL ? " + variable + " : \"unset\")" : variable; }
    std::string small() { return below(4) ? std::to_string(below(9)) : "-" + std::to_string(below(6)); }

    // -- statements ------------------------------------------------------------------------------------------------
    std::string indented(int depth) const { return std::string(static_cast<std::size_t>(depth), '\t'); }
    void line(int depth, const std::string& statement) { text += indented(depth) + statement + "\n"; }
    static std::string escaped(const std::string& format)
    {
        std::string out;
        for (const char c : format)
            out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
        return out;
    }

    std::string printed()
    {
        std::string format, arguments;
        const auto count = 1 + below(3);
        for (std::uint64_t i = 0; i < count; ++i) {
            if (below(3) == 0) {
                format += one({"[%s]", "[%-12s]", "[%12s]", "[%.5s]", "[%-8.3s]", "[%S]"});
                arguments += ", " + string(m_deep);
            } else if (below(5) == 0) {
                format += "<%c>";
                arguments += ", (char)('a' + ((" + number(1) + ") & 15))";
            } else {
                format += one({"%d ", "%i ", "%u ", "%x ", "%X ", "%o ", "%8d ", "%-8d|", "%08x ", "%#x ", "%+d ", "%lld ", "%llx "});
                arguments += ", " + (format.find("ll", format.size() - 5) != format.npos ? "(int64_t)(" + number(m_deep) + ")" : number(m_deep));
            }
        }
        return "printf(\"" + escaped(format) + "\\n\"" + arguments + ");";
    }

    std::string aggregated()
    {
        auto& a = m_aggregations[below(m_aggregations.size())];
        a.isUsed = true;
        std::string keys;
        if (a.byNumber) keys += "(" + a.type + ")((" + number(1) + ") & 7)";
        if (a.byText) keys += (keys.empty() ? "" : ", ") + string(1);
        std::string arguments;
        if (a.function == "lquantize")
            arguments = "(int)(" + number(m_deep) + "), -20, 100, 7";
        else if (a.function == "llquantize")
            arguments = number(m_deep) + ", 10, 0, 6, 20";
        else if (a.function != "count")
            arguments = number(m_deep);
        return a.name + (keys.empty() ? "" : "[" + keys + "]") + " = " + a.function + "(" + arguments + ");";
    }

    void statement(int depth, bool isNested)
    {
        const bool isInside = m_where != Where::Outside;
        const auto n = std::to_string(below(3));
        switch (below(16)) {
        case 0: return line(depth, "g" + n + " " + one({"=", "+=", "-=", "^=", "|=", "*="}) + " " + number(m_deep) + ";");
        case 1: return line(depth, isInside ? "self->s" + n + " = " + number(m_deep) + ";" : "g" + n + "++;");
        case 2:
            line(depth, "this->t" + n + " = " + number(m_deep) + ";");
            if (!isNested) m_set.insert("this->t" + n);
            return;
        case 3: return line(depth, "gs = " + string(m_deep) + ";");
        case 4: return line(depth, isInside ? "self->ss = " + string(m_deep) + ";" : "gs = " + string(1) + ";");
        case 5:
            line(depth, "this->ts = " + string(m_deep) + ";");
            if (!isNested) m_hasText = true;
            return;
        case 6: return line(depth, "ga[" + key() + "] " + one({"=", "+="}) + " " + number(1) + ";");
        case 7: return line(depth, "gb[" + string(0) + ", (" + leafNumber() + ") & 1] = " + number(1) + ";");
        case 8: return line(depth, "gc[(" + leafNumber() + ") & 3] = " + string(1) + ";");
        case 9: return line(depth, isInside ? "self->sa[" + key() + "] = " + number(1) + ";" : one({"g0--;", "++g1;"}));
        case 10: return line(depth, below(2) ? "trace(" + number(m_deep) + ");" : "trace(" + string(1) + ");");
        case 11:
            if (isNested) return line(depth, printed());
            line(depth, "if (" + number(m_deep) + ") {");
            statement(depth + 1, true);
            line(depth, "} else {");
            statement(depth + 1, true);
            return line(depth, "}");
        case 12:
        case 13: return line(depth, aggregated());
        default: return line(depth, printed());
        }
    }

    void clause(const char* probe, Where where)
    {
        m_where = where;
        m_set.clear();
        m_hasText = m_hasRaw = false;
        std::string predicate;
        switch (where) {
        case Where::Outside: break;
        case Where::Seek: predicate = "pid == $target && arg0 == 999"; break;
        case Where::Return: predicate = "self->in"; break;
        case Where::Write: predicate = "pid == $target && arg0 == 998"; break;
        }
        if (!predicate.empty() && below(2) == 0) predicate += " && (" + number(m_deep) + ") != 0";
        text += std::string(probe) + "\n";
        if (!predicate.empty()) text += "/" + predicate + "/\n";
        text += "{\n";
        if (std::string_view(probe) == "BEGIN") line(1, "gs = \"first\";");
        if (below(2) == 0) {
            line(1, "this->r = (struct raw *)alloca(sizeof (struct raw));");
            line(1, "this->r->a = " + number(1) + ";");
            line(1, "this->r->b = " + number(1) + ";");
            line(1, "this->r->name[0] = 'a' + ((" + number(0) + ") & 15);");
            line(1, "this->r->list[2] = " + number(1) + ";");
            line(1, "this->r->high = " + number(1) + ";");
            m_hasRaw = true;
        }
        const auto count = 1 + below(7);
        for (std::uint64_t i = 0; i < count; ++i)
            statement(1, false);
        text += "}\n\n";
    }

    void speculations()
    {
        m_where = Where::Seek;
        m_set.clear();
        m_hasText = m_hasRaw = false;
        text += "syscall::lseek:entry\n/pid == $target && arg0 == 999/\n{\n\tself->spec = speculation();\n}\n\n"
                "syscall::lseek:entry\n/self->spec/\n{\n\tspeculate(self->spec);\n\t" + printed() + "\n\t" + printed() + "\n}\n\n";
        m_where = Where::Return;
        text += "syscall::lseek:return\n/self->spec && (" + number(1) + ") > 0/\n{\n\tcommit(self->spec);\n\tself->spec = 0;\n}\n\n"
                "syscall::lseek:return\n/self->spec/\n{\n\tdiscard(self->spec);\n\tself->spec = 0;\n}\n\n";
    }

    void end()
    {
        m_where = Where::Outside;
        m_set.clear();
        m_hasText = m_hasRaw = false;
        text += "END\n{\n\t" + printed() + "\n";
        for (const auto& a : m_aggregations) {
            if (!a.isUsed) continue;
            const bool isNumber = a.function.find("quantize") == a.function.npos;
            if (below(4) == 0) line(1, "normalize(" + a.name + ", " + std::to_string(1 + below(9)) + ");");
            if (below(4) == 0 && (a.byNumber || a.byText)) line(1, "trunc(" + a.name + ", " + small() + ");");
            if (below(8) == 0) line(1, "clear(" + a.name + ");");
            if (below(3) == 0) continue; // it is printed at the end
            std::string format = "%@" + std::string(isNumber ? one({"d", "u", "8d", "x"}) : "d") + "\\n";
            if (a.byText) format = "%s=" + format;
            if (a.byNumber) format = "%d " + format;
            line(1, below(2) ? "printa(" + a.name + ");" : "printa(\"" + format + "\", " + a.name + ");");
        }
        text += "}\n";
    }

    struct Aggregation {
        std::string name, function;
        bool byNumber, byText;
        std::string type;
        bool isUsed = false;
    };
    std::uint64_t m_state;
    int m_deep = 2; ///< of expressions
    Where m_where = Where::Outside;
    std::set<std::string> m_set; ///< clause-local variables that have a value
    bool m_hasText = false, m_hasRaw = false;
    std::vector<Aggregation> m_aggregations;
};
} // namespace dscope::tests
