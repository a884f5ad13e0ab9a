#include "gui/translation.h"
#include <QFile>
#include <QLocale>
#include <QXmlStreamReader>
// Translations are in a static library: without a word from outside the linker leaves them out.
static void haveTranslations() { Q_INIT_RESOURCE(translations); }

namespace dscope::gui {
namespace {
QByteArray keyOf(QByteArrayView context, QByteArrayView source)
{
    QByteArray key;
    key.append(context);
    key.append('\0');
    key.append(source);
    return key;
}
} // namespace

std::unique_ptr<Translation> Translation::read(QIODevice& file, QString* why)
{
    auto all = std::make_unique<Translation>();
    QXmlStreamReader xml(&file);
    QByteArray context, source;
    bool isTs = false;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        if (const auto name = xml.name(); name == QLatin1String("TS"))
            isTs = true;
        else if (!isTs)
            xml.raiseError(QStringLiteral("this is no .ts file"));
        else if (name == QLatin1String("name"))
            context = xml.readElementText().toUtf8();
        else if (name == QLatin1String("source"))
            source = xml.readElementText().toUtf8();
        else if (name == QLatin1String("translation") && !xml.attributes().hasAttribute(QStringLiteral("type")))
            all->m_words.insert(keyOf(context, source), xml.readElementText());
    }
    if (!xml.hasError()) return all;
    if (why) *why = QStringLiteral("line %1: %2").arg(xml.lineNumber()).arg(xml.errorString());
    return nullptr;
}

std::unique_ptr<Translation> Translation::of(const QLocale& locale)
{
    haveTranslations();
    for (const auto& language : locale.uiLanguages()) {
        const auto base = language.section(QChar('-'), 0, 0);
        if (base == QLatin1String("en") || base == QLatin1String("C")) return nullptr;
        if (QFile file(QStringLiteral(":/translations/dscope_%1.ts").arg(base)); file.open(QIODevice::ReadOnly)) return read(file);
    }
    return nullptr;
}

QString Translation::translate(const char* context, const char* source, const char*, int) const
{
    return source ? m_words.value(keyOf(context, source)) : QString();
}
} // namespace dscope::gui
