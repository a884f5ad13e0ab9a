#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>
namespace dscope::graph {
class Store;
/// The lines of files of source, by the names that stacks have for them; null: the file is not here. Whoever has the files reads them: views
/// read none.
using SourceTexts = std::map<std::string, std::shared_ptr<const std::vector<std::string>>>;
using ReadSource = std::function<std::optional<std::vector<std::string>>(const std::string& file)>;
/// Gives the store the text of each file that its stacks have lines of, and it has not yet.
void supplySources(Store& store, const ReadSource& read);
} // namespace dscope::graph
