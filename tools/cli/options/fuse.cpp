#include "options/fuse.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <roofline/base/names.hpp>
#include <roofline/write/fusion.hpp>

#include "options/output.hpp"
#include "options/workload.hpp"

namespace roofline::cli {
namespace {

std::optional<std::uint32_t> whole(std::string_view text) {
  if (text.starts_with('#')) text.remove_prefix(1);  // as operations without a name are called
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The one row of that name, or of that index where no row is called so.
Outcome<std::uint32_t> row_of(const Workload& w, const std::string& word) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < w.size(); ++i)
    if (w.name_of(i) == word) found.push_back(i);
  if (found.size() == 1) return found[0];
  if (found.size() > 1) {
    std::string rows;
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 8); ++i) rows += (i > 0 ? ", " : "") + std::to_string(found[i]);
    return give_up("--fuse: " + std::to_string(found.size()) + " operations are called \"" + word + "\": expected an index, one of " +
                       rows + (found.size() > 8 ? ", ..." : ""),
                   wrong_command_line);
  }
  if (const auto index = whole(word); index && *index < w.size()) return *index;
  if (whole(word))
    return give_up("--fuse: no operation has the index " + word + ": expected 0 to " + std::to_string(w.size() - 1), wrong_command_line);
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < w.size(); ++i) names.push_back(w.name_of(i));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return give_up("--fuse: no operation is called \"" + word + '"' +
                     did_you_mean(near_matches(word, names), "expected a name, an index or a range of them"),
                 wrong_command_line);
}

}  // namespace

Outcome<std::vector<std::uint32_t>> rows_to_fuse(const Workload& w, const std::vector<std::string>& words) {
  std::vector<std::uint32_t> rows;
  for (const std::string& word : words) {
    // A name may hold dots and hyphens: two ends are looked for where both are operations.
    std::size_t at = word.find(".."), width = 2;
    if (at == std::string::npos && word.find_first_not_of("0123456789-") == std::string::npos) at = word.find('-'), width = 1;
    const bool range = at != std::string::npos && at > 0 && at + width < word.size();
    const Outcome<std::uint32_t> first = row_of(w, range ? word.substr(0, at) : word);
    if (!first) return tl::unexpected(first.error());
    const Outcome<std::uint32_t> last = range ? row_of(w, word.substr(at + width)) : first;
    if (!last) return tl::unexpected(last.error());
    for (std::uint32_t row = std::min(*first, *last); row <= std::max(*first, *last); ++row) rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

int print_fusion(const Plan& plan, const std::vector<std::uint32_t>& rows, const std::vector<std::string>& registries,
                 const std::string& form) {
  Keys keys;
  const Outcome<Registry> registry = read_registries(registries, keys);
  if (!registry) return report(registry.error());
  std::vector<OperationTensors> tensors;
  for (const std::uint32_t row : rows) tensors.push_back(tensors_of(plan.workload().record_of(row), keys, *registry));
  const Result<Fusion> fusion = fuse(plan, rows, tensors);
  if (!fusion) return report("--fuse: " + fusion.error().message, wrong_command_line);
  return print_pieces([&](const Sink& sink) {
    (form == "json" ? write_fusion_json : write_fusion_table)(plan, *fusion, sink);
    if (form == "json") sink("\n");
  });
}

}  // namespace roofline::cli
