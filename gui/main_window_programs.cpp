// The main window's programs: opened, saved, closed, kept for the next time, and those that recipes, runs and recordings bring.
#include "engine/base/output_file.h"
#include "gui/main_window.h"
#include "gui/run_name.h"
#include "gui/session.h"
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
namespace dscope::gui {
void MainWindow::openProgram(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        tell(tr("%1 could not be opened: %2").arg(path, file.errorString()));
        return;
    }
    const auto text = QString::fromUtf8(file.readAll());
    const int here = m_programs->current();
    if (const auto place = m_programs->placeOfFile(path)) {
        // It may have been changed by somebody else meanwhile; work that is not saved stays.
        auto& known = m_programs->editor(*place);
        if (!m_programs->isModified(*place) && known.toPlainText() != text) known.setProgram(text);
        m_programs->show(*place);
    } else if (m_programs->isDisposable(here) && editor().toPlainText().trimmed().isEmpty()) {
        editor().setProgram(text);
        m_programs->setOrigin(here, {path, {}});
    } else
        m_programs->add(text, {path, {}});
    refreshState();
}

void MainWindow::closeProgram(int place)
{
    if (!mayDiscard(place)) return;
    m_programs->close(place);
    m_unsaved->settle();
    editor().setFocus();
}

std::optional<int> MainWindow::placeOfText(const QString& program) const
{
    for (int place = 0; place < m_programs->count(); ++place)
        if (m_programs->editor(place).toPlainText() == program) return place;
    return std::nullopt;
}

void MainWindow::showProgram(const QString& text, const QString& name, Saved saved)
{
    if (const auto place = placeOfText(text); place && saved == Saved::Yes) return m_programs->show(*place);

    // An edit like any other where nobody is at work: undo leads back.
    const int here = m_programs->current();
    const bool isFree = saved == Saved::Yes ? m_programs->isDisposable(here) : m_programs->origin(here).path.isEmpty();
    if (isFree)
        m_programs->setOrigin(here, {{}, name});
    else
        m_programs->add({}, {{}, name});
    editor().replaceProgram(text);
    if (saved == Saved::Yes) editor().document()->setModified(false);
    refreshState();
}

/// What a program is called of which a run begins; empty: nobody has said.
QString MainWindow::titleOf(const QString& program) const
{
    const auto& origin = m_programs->origin(m_programs->current());
    if (!origin.path.isEmpty()) return QFileInfo(origin.path).fileName();
    if (m_proposed.program == program) return m_proposed.name;
    return recipeOf(program).value_or(origin.name);
}

// A recording brings its program along: it comes in front unless somebody is at work there.
void MainWindow::adoptProgram(const Snapshot& snapshot)
{
    if (m_isAdopted || (m_trace && !m_trace->isCollecting()) || snapshot.isImported || snapshot.source.isEmpty()) return;
    m_isAdopted = true;
    if (const auto place = placeOfText(snapshot.source)) {
        m_traced = &m_programs->editor(*place);
        if (m_traced != &editor() && m_programs->isModified(m_programs->current())) return; // it stays in front, with its command
        m_programs->show(*place);
    }
    const int here = m_programs->current();
    if (editor().toPlainText() != snapshot.source) {
        const bool hasFile = !TraceProcess::isProgramFile(snapshot.name);
        const Programs::Origin origin{{}, hasFile ? QFileInfo(snapshot.name).fileName() : QString()};
        if (m_programs->isDisposable(here)) {
            editor().setProgram(snapshot.source);
            m_programs->setOrigin(here, origin);
        } else {
            const bool isAtWork = m_programs->isModified(here);
            m_traced = &m_programs->editor(
                m_programs->add(snapshot.source, origin, isAtWork ? Programs::Where::Behind : Programs::Where::InFront));
            if (isAtWork) return; // nor is the command changed that goes with the work
        }
    }
    m_traced = &editor();
    m_command->setText(snapshot.command);
    m_command->setCursorPosition(0);
}

bool MainWindow::save(SaveAs name)
{
    const auto* const program = &editor();
    auto path = m_programs->origin(m_programs->current()).path;
    if (name == SaveAs::AskedName || path.isEmpty())
        path = QFileDialog::getSaveFileName(
            this, tr("Save program"), path.isEmpty() ? QStringLiteral("program.d") : path, tr("D programs (*.d)"));
    const auto here = m_programs->placeOf(program); // another may be on show by now
    return !path.isEmpty() && here && saveIn(path, *here);
}

bool MainWindow::saveIn(const QString& path, int place)
{
    const auto* const program = &m_programs->editor(place);
    // Of two tabs with one file, the one that is saved last would undo the other's work.
    const int other = m_programs->placeOfFile(path).value_or(place);
    if (other != place && m_programs->isModified(other)) {
        tell(tr("%1 is open in another tab, with changes that are not saved: save or close it first, or choose another name.").arg(path));
        return false;
    }

    auto file = OutputFile::open(QFile::encodeName(path).toStdString(), OutputFile::Kind::Whole);
    if (file) file->stream() << program->toPlainText().toStdString();
    if (const auto saved = file ? file->commit() : Result<>(file.error()); !saved) {
        tell(QString::fromStdString(saved.error().message));
        return false;
    }

    if (other != place) m_programs->close(other); // it has what the file had before
    m_programs->setOrigin(*m_programs->placeOf(program), {QFileInfo(path).absoluteFilePath(), {}});
    program->document()->setModified(false);
    remember(QFileInfo(path).absoluteFilePath());
    note(tr("Written: %1").arg(path));
    refreshState();
    return true;
}

void MainWindow::saveAndRun(SaveAs name)
{
    if (!save(name) || !m_runOnSave->isChecked()) return;
    // What runs is another text by now; stopped, it shows what it has, and makes way.
    m_traced = &editor();
    m_runsAgain = isRunning();
    isRunning() ? stop() : run();
}

bool MainWindow::mayDiscard(int place)
{
    if (!m_programs->isModified(place)) return true;
    m_programs->show(place); // one sees what is asked about
    const auto answer = m_confirm ? m_confirm(*this) : Answer::Discard;
    return answer == Answer::Discard || (answer == Answer::Save && save(SaveAs::KnownName));
}

MainWindow::Answer askAboutChanges(QWidget& window)
{
    auto text = MainWindow::tr("The program has changes that are not saved.");
    if (auto* ours = qobject_cast<MainWindow*>(&window); ours && ours->programs().count() > 1)
        text = MainWindow::tr("%1 has changes that are not saved.").arg(ours->programs().title(ours->programs().current()));
    QMessageBox question(
        QMessageBox::Question, MainWindow::tr("dscope"), text, QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &window);
    question.setTextFormat(Qt::PlainText);
    switch (question.exec()) {
    case QMessageBox::Save: return MainWindow::Answer::Save;
    case QMessageBox::Discard: return MainWindow::Answer::Discard;
    default: return MainWindow::Answer::Cancel;
    }
}

std::vector<Unsaved::Program> MainWindow::unsavedPrograms() const
{
    std::vector<Unsaved::Program> all;
    for (int place = 0; place < m_programs->count(); ++place) {
        auto& editor = m_programs->editor(place);
        if (m_programs->isModified(place))
            all.push_back({reinterpret_cast<quintptr>(&editor), m_programs->origin(place).path, editor.toPlainText()});
    }
    return all;
}

void MainWindow::recover()
{
    const auto left = Unsaved::found();
    for (const auto& program : left) {
        // Two windows may have had one file; then only the first is saved in it.
        const bool isTaken = !program.path.isEmpty() && m_programs->placeOfFile(program.path).has_value();
        const auto origin = isTaken ? Programs::Origin{{}, QFileInfo(program.path).fileName()} : Programs::Origin{program.path, {}};
        if (&program == &left.front())
            m_programs->setOrigin(m_programs->current(), origin);
        else
            m_programs->add({}, origin);
        editor().replaceProgram(program.text);
    }
    if (!left.empty()) m_unsaved->settle(); // the files that they were found in are gone
    if (left.size() == 1) note(tr("This program was not saved when the window ended unexpectedly"));
    if (left.size() > 1) note(tr("These programs were not saved when the window ended unexpectedly"));
}

// What was thrown away on purpose is not kept.
void MainWindow::leaveSession() const
{
    Session session;
    for (int place = 0; place < m_programs->count(); ++place) {
        const auto text = m_programs->editor(place).toPlainText();
        if (m_programs->editor(place).document()->isModified() || text.trimmed().isEmpty()) continue;
        if (place == m_programs->current()) session.current = session.programs.size();
        const auto path = m_programs->origin(place).path;
        session.programs.push_back({path, path.isEmpty() ? text : QString()});
    }
    session.command = m_command->text().trimmed();
    if (!session.programs.empty()) keepSession(session);
}

void MainWindow::resume(int place)
{
    const auto all = sessions();
    if (place < 0 || static_cast<std::size_t>(place) >= all.size()) return;
    const auto& session = all[static_cast<std::size_t>(place)];
    std::vector<const Editor*> opened;
    for (const auto& program : session.programs) {
        if (!program.path.isEmpty())
            open(program.path);
        else if (const auto known = placeOfText(program.text))
            m_programs->show(*known);
        else if (m_programs->isDisposable(m_programs->current()) && editor().toPlainText().trimmed().isEmpty())
            editor().setProgram(program.text);
        else
            m_programs->add(program.text, {});
        opened.push_back(&editor());
    }
    if (const auto shown = m_programs->placeOf(opened[session.current])) m_programs->show(*shown);
    m_command->setText(session.command);
    editor().setFocus();
}
} // namespace dscope::gui
