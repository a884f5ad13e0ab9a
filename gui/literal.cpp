#include "gui/literal.h"
namespace dscope::gui {
QString literal(const QString& text)
{
    QString out(QChar('"'));
    for (const auto byte : text.toUtf8()) {
        const int c = static_cast<unsigned char>(byte);
        if (c == '"' || c == '\\')
            out.append(QChar('\\')).append(QChar(c));
        else if (c < 0x20 || c >= 0x7F)
            out.append(QStringLiteral("\\%1").arg(c, 3, 8, QChar('0')));
        else
            out.append(QChar(c));
    }
    return out + QChar('"');
}
} // namespace dscope::gui
