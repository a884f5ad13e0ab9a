#include "engine/session/maps.h"
#include "engine/session/walk_tables.h"
#include <QObject>
#include <QTest>
#include <bpf/bpf.h>
#include <elf.h>
#include <fcntl.h>
#include <unistd.h>
using namespace dscope;
using object::MapKind;

/// A machine that builds all day runs a new program every moment: what is kept of those that are gone is bounded.
class TestWalkTables : public QObject {
    Q_OBJECT
    static constexpr std::uint64_t kCode = 0x1000, kCodeSize = 0x1000;
    /// A program with a page of code and a build id of its own, and nothing else.
    static std::shared_ptr<symbols::Module> program(std::uint32_t number)
    {
        constexpr std::size_t kIdSize = 20;
        struct Image {
            Elf64_Ehdr header{};
            Elf64_Phdr segments[2]{};
            Elf64_Nhdr note{4, kIdSize, NT_GNU_BUILD_ID};
            char name[4]{'G', 'N', 'U', 0};
            std::uint32_t id[kIdSize / 4]{};
        } image;
        std::memcpy(image.header.e_ident, ELFMAG, SELFMAG);
        image.header.e_ident[EI_CLASS] = ELFCLASS64;
        image.header.e_ident[EI_DATA] = ELFDATA2LSB;
        image.header.e_type = ET_EXEC;
        image.header.e_phoff = offsetof(Image, segments);
        image.header.e_phentsize = sizeof(Elf64_Phdr);
        image.header.e_phnum = 2;
        image.segments[0] = {PT_LOAD, PF_R | PF_X, 0, kCode, kCode, kCodeSize, kCodeSize, 0x1000};
        image.segments[1] = {PT_NOTE, PF_R, offsetof(Image, note), 0, 0, sizeof image - offsetof(Image, note), 0, 4};
        image.id[0] = number;
        const auto bytes = std::as_bytes(std::span(&image, 1));
        auto file = symbols::ElfFile::inMemory(Bytes(bytes.begin(), bytes.end()));
        return file ? std::make_shared<symbols::Module>(*std::move(file), "program", symbols::DebugPlaces{}) : nullptr;
    }
    static symbols::Mapping mapped(const std::shared_ptr<symbols::Module>& module, std::uint32_t number)
    {
        symbols::Mapping mapping;
        mapping.start = 0x400000;
        mapping.end = mapping.start + kCodeSize;
        mapping.major = 8;
        mapping.inode = 1000 + number;
        mapping.changed = 1'700'000'000'000'000'000 + number;
        mapping.path = "/tmp/program";
        mapping.displacement = mapping.start - kCode;
        mapping.module = module;
        mapping.resolved = true;
        return mapping;
    }
    static std::size_t keysIn(int map)
    {
        std::size_t count = 0;
        object::WalkFileKey key{};
        for (const void* before = nullptr; bpf_map_get_next_key(map, before, &key) == 0; before = &key)
            ++count;
        return count;
    }
    struct Made {
        session::Maps maps;
        session::WalkTables tables;
        object::Object::Walks walks;
    };
    static Result<std::unique_ptr<Made>> makeTables(object::Object& object, std::uint32_t chunks)
    {
        const auto add = [&](const char* name, MapKind kind, std::uint32_t key, std::size_t value, std::uint32_t most) {
            object.maps.push_back({.name = name,
                .kind = kind,
                .keySize = key,
                .valueSize = static_cast<std::uint32_t>(value),
                .maxEntries = most,
                .shared = kind == MapKind::Array});
            return MapId{static_cast<std::uint32_t>(object.maps.size() - 1)};
        };
        auto made = std::make_unique<Made>();
        auto& walks = made->walks;
        walks.spaces = add("walk_spaces", MapKind::Hash, 8, sizeof(object::WalkSpace), 64);
        walks.files = add("walk_files", MapKind::Hash, sizeof(object::WalkFileKey), sizeof(object::WalkFile), object::kWalkFiles);
        walks.epochs = add("walk_epochs", MapKind::Array, 4, 8 * object::kWalkEpochs, 1);
        walks.forgotten = add("walk_forgotten", MapKind::Array, 4, 8, 1);
        walks.rules = add("walk_rules", MapKind::Array, 4, 8 * object::kWalkRules, 1);
        walks.rows = add("walk_rows", MapKind::Array, 4, object::kWalkChunk, chunks);
        walks.pages = add("walk_pages", MapKind::Array, 4, object::kWalkChunk, object::kWalkPages / object::kPagesOfChunk);
        DSCOPE_TRY(made->maps, session::Maps::create(object, 1));
        DSCOPE_TRY(made->tables, session::WalkTables::open(made->maps, walks));
        return made;
    }
private Q_SLOTS:
    void init()
    {
        if (::geteuid() != 0) QSKIP("making BPF maps needs root");
    }
    /// What is loaded of all of a file's code is what parts of it are: the kernel's arrays tell the same rule of each place.
    void aWholeTableIsWhatItsPartsAre()
    {
        auto file = symbols::ElfFile::open(Fd(::open("/proc/self/exe", O_RDONLY | O_CLOEXEC)));
        QVERIFY(file);
        const auto module = std::make_shared<symbols::Module>(*std::move(file), "self", symbols::DebugPlaces{});
        const std::atomic<bool> over = false;
        const auto whole = symbols::compileWholeTable(*module, over);
        QVERIFY(!whole.rows.empty() && whole.isSound());
        const auto rules = [&](auto load) {
            std::vector<std::uint64_t> all;
            object::Object object;
            auto made = makeTables(object, 2048);
            if (!made) return all;
            auto& [maps, tables, walks] = **made;
            if (!load(tables)) return all;
            const auto words = [&maps = maps](MapId id, std::uint32_t count) {
                Bytes bytes;
                for (std::uint32_t i = 0; i < count; ++i) {
                    const auto one = maps.element(id, i);
                    if (one) bytes.insert(bytes.end(), one->begin(), one->end());
                }
                return bytes;
            };
            const auto pages = words(walks.pages, 64), rows = words(walks.rows, 2048), known = words(walks.rules, 1);
            for (std::size_t number = 0; number < 64 * object::kPagesOfChunk; ++number) {
                const auto page = readAt<std::uint32_t>(pages, number * sizeof(std::uint32_t));
                const auto first = page & ((1U << object::kFirstRowBits) - 1), count = page >> object::kFirstRowBits;
                all.push_back(count);
                for (std::uint32_t i = first; i < first + count; ++i) {
                    const auto row = readAt<object::WalkRow>(rows, i * sizeof(object::WalkRow));
                    all.push_back(row >> object::kRuleBits);
                    all.push_back(readAt<std::uint64_t>(known, object::ruleOf(row) * sizeof(std::uint64_t)));
                }
            }
            return all;
        };
        const auto ofWhole = rules([&](session::WalkTables& tables) { return tables.loadWhole(module, whole); });
        const auto ofParts = rules([&](session::WalkTables& tables) {
            for (const auto& run : symbols::runsOfCode(module->file()))
                for (auto at = run.begin; at < run.end; at = (at & ~(symbols::FrameParts::kPart - 1)) + symbols::FrameParts::kPart)
                    if (!tables.load(module, at)) return false;
            return true;
        });
        QVERIFY(!ofWhole.empty());
        QCOMPARE(ofWhole, ofParts);
    }
    void programsThatAreGoneAreForgotten()
    {
        constexpr std::uint32_t kPrograms = 3 * object::kWalkFiles;
        object::Object object;
        auto made = makeTables(object, 64);
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        auto& [maps, tables, walks] = **made;

        std::size_t most = 0;
        int forgotten = 0;
        for (std::uint32_t i = 1; i <= kPrograms; ++i) {
            const auto module = program(i);
            QVERIFY(module);
            const std::array mappings{mapped(module, i)};
            if (!tables.hasRoomFor(mappings)) {
                tables.forgetAll();
                ++forgotten;
            }
            QVERIFY(tables.install(i, tables.epoch(i), mappings));
            most = std::max({most, tables.tables(), tables.told()});
            tables.remove(i); // it has ended
        }
        QVERIFY2(most <= object::kWalkFiles, QByteArray::number(qulonglong(most)));
        QVERIFY2(forgotten == 2, QByteArray::number(forgotten)); // each time by its caller, who keeps what was installed
        // The kernel knows those that came last, too.
        QCOMPARE(keysIn(maps.fd(walks.files)), tables.told());
        QVERIFY(tables.told() > 0);
    }
};
QTEST_GUILESS_MAIN(TestWalkTables)
#include "tst_walk_tables.moc"
