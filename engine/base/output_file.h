#pragma once
#include "engine/base/place.h"
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
namespace dscope {
/// A file that we write for the user: the one place that knows how not to lose what was there.
///
/// A regular file is written beside its target and takes its place at commit(), in one step: until then, and after any
/// failure, the target is as it was. Its mode and owner stay. Where that can't be (the folder takes no new file, the owner
/// can't be kept) the text waits in memory and is copied at commit(). Devices, pipes and descriptors (/dev/stdout, /dev/fd/3)
/// are written directly. What root writes for a user (engine/base/asker.h) into a folder of that user belongs to that user, and
/// symbolic links are followed as Place says.
class OutputFile {
public:
    enum class Kind {
        Whole, ///< as above
        /// Read while it grows, and kept when we are killed: written in place; begin() empties it. It is locked, by flock(2): a second
        /// writer is refused, with the process that has it.
        Growing,
        Appended, ///< written in place, behind what is there
    };
    /// Error: "cannot write PATH: reason".
    static Result<OutputFile> open(const std::string& path, Kind kind);
    /// Whether open() can be expected to work, without touching anything: to be asked before a long run. Error as of open().
    static Result<> check(const std::string& path);
    OutputFile(OutputFile&&) noexcept;
    OutputFile& operator=(OutputFile&&) noexcept;
    /// Without commit() nothing is left of a Whole file, nor of a Growing one that is new and that begin() was not called for.
    ~OutputFile();

    /// What to write to; owned by this object.
    int descriptor() const;
    const std::string& path() const;
    /// Buffered, over descriptor(). Its badbit says that something was not written; error() says why.
    std::ostream& stream();
    /// Of a Growing file: what was there is gone.
    Result<> begin();
    /// Everything is written: the target is the new file now. Error: "cannot write PATH: reason", with the first failure of all, or what
    /// became of a Growing file that others have moved, removed, replaced or shortened.
    Result<> commit();
    /// Whether it is a Growing file that was locked: no device, pipe or descriptor.
    bool isLocked() const;
    /// The same file, to be read; none where that is not allowed.
    Fd reopened() const;
    /// Whether what was written to a Growing file is in no file any more: it was removed, or shortened. Error as of commit().
    Result<> checkKept() const;
    /// The first failure of stream(), if any, worded as commit() words it.
    std::optional<Error> error() const;
    /// The same words for a failure that happened elsewhere.
    Error refused(const Error& why) const;

private:
    struct Impl;
    explicit OutputFile(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m;
};
} // namespace dscope
