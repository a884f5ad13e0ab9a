#include "engine/probe/pattern.h"
#include <algorithm>
#include <array>
namespace dscope::providers {
namespace {
/// Functions that end a request made by read(2) or write(2) with O_DIRECT: what bi_private of such a request leads to.
struct DirectEnd {
    std::string_view function;
    std::string_view file, offset; ///< D over this->dscope_new and the struct bio *
};
#define DSCOPE_BIO "((struct bio *)raw[0])"
#define DSCOPE_DIO "((struct iomap_dio *)" DSCOPE_BIO "->bi_private)"
// Source: fs/iomap/direct-io.c; dio->size has been added to when a request is submitted.
constexpr DirectEnd kDirectEnds[] = {
    {"iomap_dio_bio_end_io", "(uintptr_t)" DSCOPE_DIO "->iocb->ki_filp",
        DSCOPE_DIO "->iocb->ki_pos + " DSCOPE_DIO "->size - this->dscope_new.bytes"},
};
// Source: include/linux/blk_types.h. Of the operations only these move data: read, write, zone append.
constexpr std::string_view kNote
    = "this->dscope_new.thread = (uintptr_t)curthread,"
      "this->dscope_new.bdev = (uintptr_t)" DSCOPE_BIO "->bi_bdev,"
      "this->dscope_new.sector = " DSCOPE_BIO "->bi_iter.bi_sector,"
      "this->dscope_new.iodone = (uintptr_t)" DSCOPE_BIO "->bi_end_io,"
      "this->dscope_new.flags = " DSCOPE_BIO "->bi_opf,"
      "this->dscope_new.bytes = (this->dscope_new.flags & 0xff) < 2 || (this->dscope_new.flags & 0xff) == 7"
      " ? " DSCOPE_BIO "->bi_iter.bi_size : 0,"
      "this->dscope_new.page = this->dscope_new.bytes"
      " ? (uintptr_t)" DSCOPE_BIO "->bi_io_vec[" DSCOPE_BIO "->bi_iter.bi_idx].bv_page : 0,"
      // A page of a larger folio tells where that begins.
      "this->dscope_new.folio = this->dscope_new.page"
      " ? dscope_peek(this->dscope_new.page + offsetof(struct page, compound_head)) : 0,"
      "this->dscope_new.folio = this->dscope_new.folio & 1 ? this->dscope_new.folio - 1 : this->dscope_new.page,"
      "this->dscope_new.mapping = this->dscope_new.folio"
      " ? dscope_peek(this->dscope_new.folio + offsetof(struct folio, mapping)) : 0,"
      // Not every page has a mapping there: it is one if its inode says so, too.
      "this->dscope_new.inode = dscope_peek(this->dscope_new.mapping + offsetof(struct address_space, host)),"
      "this->dscope_new.inode = this->dscope_new.mapping"
      " && dscope_peek(this->dscope_new.inode + offsetof(struct inode, i_mapping)) == this->dscope_new.mapping"
      // Metadata belongs to the inode of the device (BDEVFS_MAGIC), which is no file.
      " && ((struct inode *)this->dscope_new.inode)->i_sb->s_magic != 0x62646576 ? this->dscope_new.inode : 0,"
      "this->dscope_new.offset = this->dscope_new.inode"
      " ? (int64_t)((((struct folio *)this->dscope_new.folio)->index << 12)"
      "   + (this->dscope_new.page - this->dscope_new.folio) / sizeof(struct page) * 4096"
      "   + " DSCOPE_BIO "->bi_io_vec[" DSCOPE_BIO "->bi_iter.bi_idx].bv_offset) : 0,";
// B_READ or B_WRITE; B_PHYS for memory of a process (the low bit of its mapping is set), B_PAGEIO for that of a file; B_ASYNC
// when nobody waits for it: read ahead (bit 19), or written without REQ_SYNC (11), REQ_FUA (17) and REQ_PREFLUSH (18).
constexpr std::string_view kFlags
    = "this->dscope_new.flags = (this->dscope_new.flags & 1 ? 0x100 : 0x40)"
      " | (this->dscope_new.file || this->dscope_new.mapping & 1 ? 0x20 : this->dscope_new.inode ? 0x10 : 0)"
      " | ((this->dscope_new.flags & 1 ? !(this->dscope_new.flags & 0x60800) : (this->dscope_new.flags >> 19) & 1) ? 0x400 : 0),"
      "self->dscope_made = raw[0],"
      "dscope_io[raw[0]] = this->dscope_new, 1";

constexpr std::string_view kIsKnown = "dscope_io[this->dscope_ended].bdev != 0";

/// The address of a function of the kernel's own, as D text; empty when there is none of that name.
std::string addressOf(const std::string& symbols, std::string_view function)
{
    const auto line = " " + std::string(function) + "\n";
    const auto at = symbols.find(line);
    if (at == std::string::npos) return {};
    const auto begin = symbols.rfind('\n', at);
    const auto from = begin == std::string::npos ? 0 : begin + 1;
    return "0x" + symbols.substr(from, symbols.find(' ', from) - from);
}

/// Requests to disks: made, done, waited for. A request is a struct bio, what a file system asks for and what a buf is on
/// Solaris; the block layer may merge several into one that the disk sees, or split one.
/// Source of the tracepoints: include/trace/events/{block,sched}.h.
class Io final : public probe::Provider {
public:
    std::string_view name() const override { return "io"; }
    std::string_view summary() const override { return "requests to disks: made, done, waited for"; }
    std::string_view example() const override { return "io:::start"; }
    Result<> list(const host::Host&, const probe::Pattern& wanted, const Found& found) const override
    {
        for (const auto* probe : {"done", "start", "wait-done", "wait-start"}) {
            probe::Name name{"io", "vmlinux", "", probe};
            if (probe::matches(wanted, name)) found(std::move(name));
        }
        return {};
    }
    Result<probe::Description> describe(const host::Host& host, const probe::Name& probe) const override
    {
        using probe::Hook, probe::RawTracepoint;
        const auto at = [](std::string tracepoint, std::string when, std::string again = {}) {
            return Hook{.at = RawTracepoint{std::move(tracepoint)}, .when = std::move(when), .again = std::move(again)};
        };
        const auto arguments = [](const std::string& bio) -> std::vector<probe::Arg> {
            return {{bio, "struct bio *", "bufinfo_t *"}, {bio, "struct bio *", "devinfo_t *"}, {bio, "struct bio *", "fileinfo_t *"}};
        };
        // block_bio_queue(bio), in the thread that asks.
        const auto noted = at("block_bio_queue", note(host));
        // block_bio_complete(queue, bio), of drivers that take requests as they are; parts of requests that were split complete
        // too, and are not ours. block_rq_complete(request, status, bytes), of all others: for each of those that were merged.
        const std::string bioEnds = "this->dscope_ended = raw[1]," + std::string(kIsKnown),
                          bioStatus = "((struct bio *)this->dscope_ended)->bi_status";
        const std::string requestEnds
            = "this->dscope_ended = this->dscope_next ? this->dscope_next : (uintptr_t)((struct request *)raw[0])->bio,"
              "this->dscope_next = this->dscope_ended ? (uintptr_t)((struct bio *)this->dscope_ended)->bi_next : 0,"
              "this->dscope_sum = this->dscope_ended"
              " ? this->dscope_sum + ((struct bio *)this->dscope_ended)->bi_iter.bi_size : 0,"
              "this->dscope_sum <= (uint32_t)raw[2] && "
            + std::string(kIsKnown),
            requestStatus = "(uint8_t)raw[1]", next = "this->dscope_next != 0";
        const auto done = [&](const std::string& ends, const std::string& status) {
            return ends + " && (dscope_io[this->dscope_ended].status = " + status
                + ", dscope_io[this->dscope_ended].resid = dscope_io[this->dscope_ended].status ? dscope_io[this->dscope_ended].bytes : 0, "
                  "1)";
        };
        const auto forget = [&](const std::string& ends, const std::string& status) {
            return ends + " && (dscope_io[this->dscope_ended + 1].bdev ? (dscope_io[this->dscope_ended + 1].status = " + status
                + ", 0) : 0, dscope_io[this->dscope_ended] = 0, 1)";
        };
        const auto bioForgotten = at("block_bio_complete", forget(bioEnds, bioStatus)),
                   requestForgotten = at("block_rq_complete", forget(requestEnds, requestStatus), next);
        // sched_switch(preempted, previous, next, state), in the thread that leaves.
        const auto waits = at("sched_switch",
            "!(raw[0] & 1) && ((struct task_struct *)raw[1])->in_iowait && self->dscope_made"
            " && dscope_io[self->dscope_made].thread == (uintptr_t)curthread"
            " && (dscope_io[self->dscope_made + 1] = dscope_io[self->dscope_made], self->dscope_waits = self->dscope_made + 1, 1)");
        // sched_exit_tp(switched), in the thread that has come back.
        const auto waited = at("sched_exit_tp", "self->dscope_waits != 0");
        const auto waitForgotten
            = at("sched_exit_tp", "self->dscope_waits ? (dscope_io[self->dscope_waits] = 0, self->dscope_waits = 0, 1) : 0");
        const std::vector<Hook> always{noted, bioForgotten, requestForgotten};
        const auto with = [&](std::vector<Hook> more) {
            more.insert(more.end(), always.begin(), always.end());
            return more;
        };
        const auto description = [](std::vector<Hook> hooks, std::vector<probe::Arg> args, std::vector<Hook> watches) {
            return probe::Description{.hooks = std::move(hooks), .args = std::move(args), .watches = std::move(watches)};
        };
        if (probe.name == "start") return description({noted}, arguments("raw[0]"), always);
        if (probe.name == "done")
            return description(
                {at("block_bio_complete", done(bioEnds, bioStatus)), at("block_rq_complete", done(requestEnds, requestStatus), next)},
                arguments("this->dscope_ended"), always);
        if (probe.name == "wait-start") return description({waits}, arguments("self->dscope_waits"), with({waitForgotten}));
        if (probe.name == "wait-done") return description({waited}, arguments("self->dscope_waits"), with({waits, waitForgotten}));
        return Error{0, "no probe " + probe.spelled()};
    }

private:
    static std::string note(const host::Host& host)
    {
        const auto symbols = host.read("/proc/kallsyms");
        std::string text(kNote);
        std::string file = "0", offset = "this->dscope_new.offset";
        for (const auto& end : kDirectEnds) {
            const auto address = symbols ? addressOf(*symbols, end.function) : std::string();
            if (address.empty()) continue;
            const auto isIt = "this->dscope_new.iodone == " + address;
            file = isIt + " ? " + std::string(end.file) + " : " + file;
            offset = isIt + " ? (int64_t)(" + std::string(end.offset) + ") : " + offset;
        }
        text += "this->dscope_new.file = " + file + ", this->dscope_new.offset = " + offset
            + ", this->dscope_new.inode = this->dscope_new.file ? (uintptr_t)((struct file *)this->dscope_new.file)->f_inode"
              " : this->dscope_new.inode,";
        return text + std::string(kFlags);
    }
};
#undef DSCOPE_BIO
#undef DSCOPE_DIO
} // namespace
std::unique_ptr<probe::Provider> make_io() { return std::make_unique<Io>(); }
} // namespace dscope::providers
