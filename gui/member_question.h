#pragma once
#include <QString>
#include <optional>
namespace dscope::gui {
/// What is to be compiled to learn which members may stand at the end of a text: a program whose one error is about the member, so
/// that the compiler's own types, translators and variables answer (Diagnostic::choices).
struct MemberQuestion {
    QString program;
    QString prefix; ///< the letters of the member that are there already
};
/// `before`: a D program up to the cursor. Nothing where no "->" or "." with perhaps the beginning of a name ends it.
std::optional<MemberQuestion> memberQuestion(const QString& before);
} // namespace dscope::gui
