#pragma once
#include "engine/base/output_file.h"
#include "engine/base/result.h"
#include <functional>
#include <optional>
#include <string>
#include <string_view>
namespace dscope::format {
using Write = std::function<void(std::string_view)>;
/// Asked of each setopt() before it takes effect: an Error ("Invalid option name") is told, and the option stays as it was. Without
/// it all are taken.
using OptionCheck = std::function<Result<>(const std::string& name, const std::string& value)>;

/// What a live run's output actions do to the machine, in order with what is printed.
class Effects {
public:
    virtual ~Effects() = default;
    /// freopen(path): where the data goes from now on; appends, and makes the file when it is not there.
    virtual Result<Write> redirect(const std::string& path) = 0;
    /// freopen(""): back to where the data went at first.
    virtual void restore() = 0;
    /// ftruncate(): empties the file that the data goes to now.
    virtual void truncate() = 0;
    /// system(command): runs it with sh and waits for it; all that was printed before is out by then.
    virtual void run(const std::string& command) = 0;
    /// exit(status): the program says itself how its run ended.
    virtual void exit() { }
    /// From now on what commands print goes to standard error where the data takes standard output: the data is a document.
    virtual void keepApart() { }
};

/// The real ones.
class LiveEffects final : public Effects {
public:
    /// `output` is the descriptor that the printer's data goes to, or -1 if it goes nowhere; `flush` writes out what is still buffered
    /// for it.
    LiveEffects(int output, std::function<void()> flush);
    Result<Write> redirect(const std::string& path) override;
    void restore() override;
    void truncate() override;
    void run(const std::string& command) override;
    void exit() override { m_isStatusGiven = true; }
    bool isStatusGiven() const { return m_isStatusGiven; }
    void keepApart() override { m_isApart = true; }
    /// Whether a redirect() was refused: what was to go there went elsewhere.
    bool wasRefused() const { return m_wasRefused; }

private:
    int m_output;
    bool m_isApart = false, m_wasRefused = false, m_isStatusGiven = false;
    std::function<void()> m_flush;
    std::optional<OutputFile> m_file; ///< of the last redirect()
};
} // namespace dscope::format
