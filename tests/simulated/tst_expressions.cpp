// needs: engine/syntax engine/sema engine/codegen engine/decode engine/format engine/bpf providers
#include "simulated_run.h"
#include <QObject>
#include <QProcess>
#include <QRandomGenerator>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;
/// D's integers are C's (but for the type of what is smaller than int): random expressions give what the C compiler makes of them.
class TestExpressions : public QObject {
    Q_OBJECT
private:
    static constexpr int kPrograms = 24, kExpressions = 12;
    struct Variable {
        std::string type, name, value;
    };
    /// DSCOPE_SEED asks for other expressions.
    QRandomGenerator m_random{
        qEnvironmentVariableIsSet("DSCOPE_SEED") ? static_cast<quint32>(qEnvironmentVariableIntValue("DSCOPE_SEED")) : 20261120u};
    std::vector<Variable> m_variables;

    template <typename T, std::size_t N> const T& any(const T (&of)[N]) { return of[m_random.bounded(static_cast<int>(N))]; }
    std::string literal()
    {
        static const char* const kLiterals[]{"0", "1", "2", "7", "255", "1000", "65536", "2147483647", "0x80000000", "4294967296",
            "0x7fffffffffffffff", "0xffffffffffffffff", "'a'"};
        return any(kLiterals);
    }
    std::string leaf()
    {
        return m_random.bounded(3) ? m_variables[m_random.bounded(static_cast<quint32>(m_variables.size()))].name : literal();
    }
    /// Operands are widened to 64 bits, so that what int makes of an overflow is not asked; divisors and shifts are tamed.
    std::string expression(int depth)
    {
        static const char* const kWide[]{"(int64_t)", "(uint64_t)"};
        static const char* const kNarrow[]{
            "(int8_t)", "(uint8_t)", "(int16_t)", "(uint16_t)", "(int32_t)", "(uint32_t)", "(int64_t)", "(uint64_t)"};
        static const char* const kArithmetic[]{"+", "-", "*", "&", "|", "^"};
        static const char* const kComparison[]{"<", "<=", ">", ">=", "==", "!="};
        static const char* const kUnary[]{"-", "~", "!"};
        if (depth == 0) return leaf();
        const auto wide = [&] { return any(kWide) + ("(" + expression(depth - 1) + ")"); };
        switch (m_random.bounded(9)) {
        case 0: return "(" + wide() + " " + any(kArithmetic) + " " + wide() + ")";
        case 1: return "(" + wide() + " " + any(kComparison) + " " + wide() + ")";
        case 2: return "(" + wide() + " / (" + wide() + " & 0xff | 1))";
        case 3: return "(" + wide() + " % (" + wide() + " & 0xff | 1))";
        case 4: return "(" + wide() + any(m_shifts) + "(" + wide() + " & 63))";
        case 5: return "(" + wide() + (m_random.bounded(2) ? " && " : " || ") + wide() + ")";
        case 6: return "(" + wide() + " ? " + wide() + " : " + wide() + ")";
        case 7: return any(kNarrow) + ("(" + expression(depth - 1) + ")");
        default: return any(kUnary) + ("(" + wide() + ")");
        }
    }
    static constexpr const char* m_shifts[]{" << ", " >> "};
    void declare()
    {
        static const char* const kTypes[]{"int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t"};
        m_variables.clear();
        for (const auto* type : kTypes) {
            const auto value = m_random.bounded(2) ? quint64{m_random.generate64()} : quint64{m_random.bounded(4u)} - 2;
            m_variables.push_back({type, "v" + std::to_string(m_variables.size()), "0x" + QByteArray::number(value, 16).toStdString()});
        }
    }
    /// What a C program prints; nothing where it could not be compiled.
    static QList<QByteArray> linesOf(const QString& compiler, const std::string& c)
    {
        const QTemporaryDir folder;
        QFile source(folder.filePath(QStringLiteral("expressions.c")));
        if (!source.open(QIODevice::WriteOnly)) return {};
        source.write(c.data(), static_cast<qint64>(c.size()));
        source.close();
        QProcess compile;
        compile.start(compiler,
            {QStringLiteral("-w"), QStringLiteral("-fwrapv"), QStringLiteral("-o"), folder.filePath(QStringLiteral("expressions")),
                source.fileName()});
        if (!compile.waitForFinished(120000) || compile.exitCode() != 0) return {};
        QProcess run;
        run.start(folder.filePath(QStringLiteral("expressions")), QStringList());
        return run.waitForFinished(60000) ? run.readAllStandardOutput().split('\n') : QList<QByteArray>();
    }
    static QByteArray printed(const std::string& program)
    {
        SimulatedRun simulated;
        if (const auto started = simulated.start(program); !started) return QByteArray::fromStdString(started.error().message);
        if (const auto finished = simulated.finish(); !finished) return QByteArray::fromStdString(finished.error().message);
        return QByteArray::fromStdString(simulated.output());
    }
private Q_SLOTS:
    /// But that D has no promotion to int: the operand of lower rank takes the type of the other, and so does the result.
    void narrowTypesStayNarrow()
    {
        const auto compiler = QStandardPaths::findExecutable(QStringLiteral("cc"));
        if (compiler.isEmpty()) QSKIP("there is no C compiler");
        const std::vector<std::string> byRank{"int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t"};
        const std::pair<std::string, std::string> operands[]{{"-2", "-3"}, {"2", "-3"}, {"-2", "3"}, {"100", "100"}};
        std::string c = "#include <inttypes.h>\n#include <stdio.h>\nint main(void) {\n";
        QByteArray got;
        for (const auto& [a, b] : operands) {
            std::string variables, values, clauses;
            for (std::size_t i = 0; i < byRank.size(); ++i) {
                const auto n = std::to_string(i);
                variables += byRank[i] + " a" + n + ", b" + n + ";\n";
                values += "\ta" + n + " = " + a + ";\n\tb" + n + " = " + b + ";\n";
                for (std::size_t j = 0; j < byRank.size(); ++j) {
                    std::string prints;
                    for (const std::string op : {"+", "-", "*", "/", "%", "&", "|", "^"}) {
                        const auto& type = byRank[std::max(i, j)];
                        const auto left = "(" + type + ")(" + byRank[i] + ")" + a, right = "(" + type + ")(" + byRank[j] + ")" + b;
                        c += "printf(\"%zu %\" PRId64 \"\\n\", sizeof(" + type + "), (int64_t)(" + type + ")(" + left + " " + op + " "
                            + right + "));\n";
                        const auto sum = "a" + std::to_string(i) + " " + op + " b" + std::to_string(j);
                        prints += "\tprintf(\"%d %d\\n\", sizeof(" + sum + "), (int64_t)(" + sum + "));\n";
                    }
                    clauses += "BEGIN\n{\n" + prints + "}\n";
                }
            }
            got += printed("#pragma D option quiet\n" + variables + "BEGIN\n{\n" + values + "}\n" + clauses).trimmed() + '\n';
        }
        const auto wanted = linesOf(compiler, c + "return 0; }\n");
        QCOMPARE(wanted.size(), qsizetype(4 * 64 * 8 + 1));
        QCOMPARE(got.split('\n'), wanted);
    }
    void giveWhatTheCCompilerGives()
    {
        const auto compiler = QStandardPaths::findExecutable(QStringLiteral("cc"));
        if (compiler.isEmpty()) QSKIP("there is no C compiler");
        std::vector<std::vector<std::string>> programs;
        std::vector<std::string> texts;
        std::string c = "#include <inttypes.h>\n#include <stdio.h>\n";
        std::string calls;
        for (int p = 0; p < kPrograms; ++p) {
            declare();
            std::string d = "#pragma D option quiet\n", assign, body;
            std::vector<std::string> expressions;
            for (const auto& v : m_variables) {
                d += v.type + " " + v.name + ";\n";
                assign += "\t" + v.name + " = (" + v.type + ")" + v.value + ";\n";
            }
            c += "static void p" + std::to_string(p) + "(void) {\n";
            for (const auto& v : m_variables)
                c += "volatile " + v.type + " " + v.name + " = (" + v.type + ")" + v.value + "u;\n";
            for (int e = 0; e < kExpressions; ++e) {
                expressions.push_back(expression(3));
                body += "BEGIN\n{\n\tprintf(\"%d\\n\", (int64_t)" + expressions.back() + ");\n}\n";
                c += "printf(\"%\" PRId64 \"\\n\", (int64_t)" + expressions.back() + ");\n";
            }
            c += "}\n";
            calls += "p" + std::to_string(p) + "();\n";
            d += "BEGIN\n{\n" + assign + "}\n" + body;
            texts.push_back(d);
            programs.push_back(expressions);
        }
        c += "int main(void) {\n" + calls + "return 0; }\n";

        const auto wanted = linesOf(compiler, c);
        QVERIFY2(!wanted.isEmpty(), "the C program could not be compiled and run");

        for (std::size_t p = 0; p < texts.size(); ++p) {
            const auto got = printed(texts[p]).split('\n');
            for (std::size_t e = 0; e < programs[p].size(); ++e) {
                const auto& want = wanted[static_cast<qsizetype>(p * kExpressions + e)];
                const auto& value = got.value(static_cast<qsizetype>(e));
                if (value == want) continue;
                const auto told = programs[p][e] + "\nis " + want.toStdString() + ", not " + value.toStdString() + "\n"
                    + texts[p].substr(0, texts[p].find("printf"));
                QFAIL(told.c_str());
            }
        }
    }
};
QTEST_GUILESS_MAIN(TestExpressions)
#include "tst_expressions.moc"
