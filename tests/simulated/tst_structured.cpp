// needs: engine/syntax engine/sema engine/codegen engine/decode engine/format engine/bpf providers
// uses: nlohmann_json::nlohmann_json
// Every simulated run as a document, too: parsers that know nothing of us read it, and what it holds stands in dtrace's text.
#include "case_run.h"
#include "engine/format/structured_printer.h"
#include <QDirIterator>
#include <QObject>
#include <QTest>
#include <QXmlStreamReader>
#include <nlohmann/json.hpp>
using namespace dscope;
using namespace dscope::tests;
using Json = nlohmann::ordered_json;

namespace {
std::string documentOf(const std::vector<record::Record>& records, const char* oformat)
{
    std::string out;
    format::StructuredPrinter printer(*format::documentStyle(oformat), [&](std::string_view t) { out += t; }, [](std::string_view) {});
    for (const auto& r : records)
        printer.take(r);
    printer.finish();
    return out;
}

/// Names and values in the order of the document.
using Leaves = std::vector<std::pair<std::string, std::string>>;
void leavesOf(const Json& json, const std::string& name, Leaves& leaves)
{
    if (json.is_object())
        for (const auto& [key, value] : json.items())
            leavesOf(value, key, leaves);
    else if (json.is_array())
        for (const auto& value : json)
            leavesOf(value, name, leaves);
    else
        leaves.emplace_back(name, json.is_string() ? json.get<std::string>() : json.dump());
}

/// As XML has it, which knows no control characters.
std::string withoutControls(const std::string& text)
{
    std::string out;
    for (const char c : text) {
        char octal[8];
        std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned>(static_cast<unsigned char>(c)));
        const bool isControl = static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t' && c != '\r';
        out += isControl ? std::string(octal) : std::string(1, c);
    }
    return out;
}

Leaves leavesOfXml(const std::string& xml, QString& error)
{
    QXmlStreamReader reader(QByteArray::fromStdString(xml));
    Leaves leaves;
    bool isLeaf = false;
    QString text;
    while (!reader.atEnd()) {
        const auto token = reader.readNext();
        if (token == QXmlStreamReader::StartElement) {
            isLeaf = true;
            text.clear();
        } else if (token == QXmlStreamReader::Characters) {
            text += reader.text();
        } else if (token == QXmlStreamReader::EndElement) {
            // Elements of lists may be empty, too: those are no leaves.
            static const QStringList lists{"dtrace", "probes", "output", "keys", "aggregation-data", "stack-frames", "ustack-frames", "type"};
            if (isLeaf && !lists.contains(reader.name().toString())) leaves.emplace_back(reader.name().toString().toStdString(), text.toStdString());
            isLeaf = false;
        }
    }
    error = reader.errorString();
    return leaves;
}

/// Looks for what a document holds in a text, from where it found the last.
class InText {
public:
    explicit InText(const std::string& text) : m_text(text) { }
    std::string missing;

    void probe(const Json& probe)
    {
        const auto begin = m_at;
        auto end = m_at;
        bool behindMessage = false;
        Json keysTold; // in the message of a printa() that shows several aggregations
        for (const auto& output : probe["output"]) {
            const bool isValue = output.contains("value") || output.contains("stack-frames") || output.contains("ustack-frames") || isSymbol(output);
            const bool isArgument = behindMessage && isValue;
            behindMessage = output.contains("message") || isArgument;
            if (isArgument) continue; // printf() may show it in another way
            if (const auto rows = output.find("aggregation-data"); rows != output.end()) {
                m_at = begin; // of those that are shown together
                Json keys;
                for (const auto& row : *rows)
                    keys.push_back(row["keys"]);
                const bool isTold = !keys.empty() && keys == keysTold;
                keysTold = !rows->empty() && rows->front().contains("message") ? keys : isTold ? keysTold : Json();
                if (isTold && !rows->front().contains("message")) continue;
            }
            one(output);
            end = m_at = std::max(end, m_at);
        }
    }

private:
    static bool isSymbol(const Json& output)
    {
        return output.contains("sym") || output.contains("usym") || output.contains("uaddr") || output.contains("mod") || output.contains("umod");
    }
    void one(const Json& json)
    {
        for (const auto& [key, value] : json.items()) {
            if (key == "aggregation-data")
                for (const auto& row : value)
                    row.contains("message") ? find(row["message"].get<std::string>()) : one(row);
            else if (value.is_array())
                for (const auto& element : value) {
                    // Of print(): text leaves out elements that are 0, too.
                    const bool isZero = key == "value" && element.contains("value") && element["value"] == 0;
                    if (!isZero) one(element);
                }
            else if (key == "message" || key == "value" || key == "symbol" || key == "count" || key == "sum" || key == "min" || key == "max"
                || key == "avg" || key == "stddev" || key == "sym" || key == "usym" || key == "mod" || key == "umod" || key == "uaddr"
                || key == "tracemem" || key == "address")
                leaf(json, value);
        }
    }
    void leaf(const Json& around, const Json& value)
    {
        const auto text = value.is_string() ? value.get<std::string>() : value.dump();
        const bool isMember = around.contains("depth"); // print() shows nothing of what is zero
        if (isMember && (text == "0" || text == "0x0" || text.empty() || text == "\\000")) return;
        if (isMember && around["name"].get<std::string>().starts_with("char [")) {
            for (const char c : text)
                find(std::string("'") + c + '\'');
            return;
        }
        if (text.starts_with("0x") && m_text.find(text, m_at) == std::string::npos) return dump(text.substr(2));
        find(text);
    }
    void dump(const std::string& digits)
    {
        for (std::size_t line = 0; line < digits.size(); line += 32) {
            std::string shown;
            for (std::size_t i = line; i < std::min(line + 32, digits.size()); i += 2)
                shown += ' ' + digits.substr(i, 2);
            find(shown);
        }
    }
    void find(const std::string& what)
    {
        const auto at = m_text.find(what, m_at);
        if (at == std::string::npos && missing.empty()) missing = '"' + what + "\" behind byte " + std::to_string(m_at);
        if (at != std::string::npos) m_at = at + what.size();
    }

    const std::string& m_text;
    std::size_t m_at = 0;
};
} // namespace

class TestStructured : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void holdsWhatTheTextHolds_data()
    {
        QTest::addColumn<QString>("path");
        QDirIterator it(QStringLiteral(TEST_DATA "/simulated"), {QStringLiteral("*.d")}, QDir::Files);
        while (it.hasNext()) {
            const auto path = it.next();
            QTest::newRow(qPrintable(QFileInfo(path).baseName())) << path;
        }
    }
    void holdsWhatTheTextHolds()
    {
        QFETCH(QString, path);
        QFile data(path);
        QVERIFY(data.open(QIODevice::ReadOnly));
        const auto file = caseFile(data.readAll().toStdString());
        for (const auto& d : file.directives)
            if (d.word == "needs" && !QFile::exists(QStringLiteral("/sys/kernel/btf/vmlinux")))
                QSKIP("this kernel describes no types (BTF)");
        SimulatedRun run;
        const auto done = perform(file, run);
        QVERIFY2(done, done ? "" : done.error().message.c_str());

        const auto text = documentOf(run.records(), "json");
        const auto json = Json::parse(text, nullptr, false);
        QVERIFY2(!json.is_discarded(), text.c_str());
        QVERIFY(Json::parse(documentOf(run.records(), "json,pretty"), nullptr, false) == json);

        InText inText(run.output());
        for (auto probe : json["dtrace"]["probes"]) {
            if (!probe.contains("output")) continue;
            // The text has values of CPUs below those of all, without their keys.
            auto& output = probe["output"];
            const auto isByCpu = [](const Json& one) { return one.contains("aggregation-name") && std::string(one["aggregation-name"]).ends_with("by CPU"); };
            output.erase(std::remove_if(output.begin(), output.end(), isByCpu), output.end());
            inText.probe(probe);
        }
        QVERIFY2(inText.missing.empty(), ("the text lacks " + inText.missing + "\n" + text + "\n" + run.output()).c_str());

        // The clauses that fired, counted from the records.
        std::size_t fired = 0;
        for (const auto& r : run.records())
            if (const auto* f = std::get_if<record::Fired>(&r)) {
                const auto& actions = run.object().schema.clauses.at(f->clause.value).actions;
                using Kind = record::ActionKind;
                fired += actions.empty() || std::any_of(actions.begin(), actions.end(), [](const record::Action& a) {
                    return a.kind != Kind::Commit && a.kind != Kind::Discard;
                });
            }
        std::size_t told = 0;
        for (const auto& probe : json["dtrace"]["probes"])
            told += probe["id"] != -1;
        QCOMPARE(told, fired);

        for (const char* style : {"xml", "xml,pretty"}) {
            QString error;
            auto xml = leavesOfXml(documentOf(run.records(), style), error);
            QVERIFY2(error.isEmpty(), qPrintable(error));
            Leaves leaves;
            leavesOf(json, {}, leaves);
            for (auto& [name, value] : leaves)
                value = withoutControls(value);
            QCOMPARE(xml.size(), leaves.size());
            for (std::size_t i = 0; i < leaves.size(); ++i)
                QVERIFY2(xml[i] == leaves[i], (leaves[i].first + ": " + leaves[i].second + " is " + xml[i].first + ": " + xml[i].second).c_str());
        }
    }
};
QTEST_GUILESS_MAIN(TestStructured)
#include "tst_structured.moc"
