#pragma once
#include "engine/types/type.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::types {
class TypeTable;
/// Types that a traced program or library tells of itself. Its pointers lead into its own memory. Types are those of one
/// TypeTable, which asks for them by name and for members when they are first needed.
class TypeSource {
public:
    virtual ~TypeSource() = default;
    /// "struct point", "point_t". nullptr when unknown.
    virtual const Type* find(std::string_view name) = 0;
    /// Those of a struct or union that is one of ours; else nullptr.
    virtual const std::vector<Member>* members(const Type* t) = 0;
    /// The type (Kind::Function) of the function whose code begins at an address, as the file is linked; nullptr when unknown.
    virtual const Type* function(std::uint64_t address) = 0;
    /// The names of what that function takes, in its order; an empty one where it has none.
    virtual std::vector<std::string> parameterNames(std::uint64_t address) = 0;
};
/// Opens that of a program by the name that D gives it: "a.out", "libfoo.so", "pid123.libfoo.so". Null where there is none, with the
/// reason in `why` if the program is there.
using TypeSources = std::function<std::shared_ptr<TypeSource>(TypeTable& table, std::string_view program, std::string& why)>;
} // namespace dscope::types
