// The text that ncu prints without --csv: a line for each kernel, and below it tables of the details page's metrics. It is read as the CSV
// of that page. docs/formats/nsight.md has the rules.
#include <algorithm>

#include "base/letters.hpp"
#include "read/formats.hpp"
#include "read/text/lines.hpp"
#include "read/tools/tool_tables.hpp"

namespace roofline {
namespace {

/// "saxpy(int, float *) (4096, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.0"; older: "saxpy(int), 2021-Apr-19 12:00:00, Context
/// 1".
struct KernelLine {
  std::string_view name, grid, block, capability;
};

std::optional<KernelLine> kernel_in(std::string_view line) {
  const std::size_t context = line.rfind(", Context ");
  if (!line.starts_with("  ") || line.starts_with("    ") || context == std::string_view::npos) return std::nullopt;
  KernelLine kernel;
  if (const std::size_t capability = line.find(", CC ", context); capability != std::string_view::npos)
    kernel.capability = without_blanks(line.substr(capability + 5));
  std::string_view before = without_blanks(line.substr(0, context));
  const std::size_t by = before.rfind(")x("), open = by == std::string_view::npos ? by : before.rfind('(', by);
  if (open != std::string_view::npos) {
    kernel.grid = before.substr(open, by + 1 - open);
    kernel.block = before.substr(by + 2);
    before = without_blanks(before.substr(0, open));
  } else {
    before = before.substr(0, before.rfind(", "));
  }
  kernel.name = before;
  return kernel;
}

/// Where the columns of "------- ------- -------" end; empty: it is no such line.
std::vector<std::size_t> columns_in(std::string_view line) {
  if (line.find_first_not_of(" -") != std::string_view::npos || !contains(line, "---")) return {};
  std::vector<std::size_t> ends;
  for (std::size_t at = line.find('-'); at < line.size(); at = line.find('-', ends.back()))
    ends.push_back(std::min(line.find(' ', at), line.size()));
  return ends;
}

std::string csv_of_ncu_text(std::string_view text) {
  CsvRows rows("\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"CC\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"");
  KernelLine kernel;
  std::vector<std::size_t> ends;
  std::size_t kernels = 0;
  for (std::string_view line : lines_of(text)) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (const auto found = kernel_in(line)) {
      kernel = *found;
      ++kernels;
    }
    if (std::vector<std::size_t> found = columns_in(line); !found.empty()) ends = std::move(found);
    if (line.empty() || contains(line, "Section:")) ends.clear();
    if (kernels == 0 || ends.size() != 3 || line.size() <= ends[1] || line.size() > ends[2]) continue;
    const std::string_view metric = without_blanks(line.substr(0, ends[0])), unit = without_blanks(line.substr(ends[0], ends[1] - ends[0])),
                           value = without_blanks(line.substr(ends[1]));
    if (metric.empty() || value.find_first_of("0123456789") == std::string_view::npos) continue;
    rows.add({std::to_string(kernels - 1), kernel.name, kernel.block, kernel.grid, kernel.capability, metric, unit, value});
  }
  return rows.text();
}

class NsightTextReader final : public RewritingReader {
 public:
  explicit NsightTextReader(const ReadOptions& options) : RewritingReader(open_nsight_compute_csv, options) {}
  Result<void> read(TextWindow& window, bool) override {
    const std::string csv = csv_of_ncu_text(window.text());
    window.drop(window.text().size());
    return read_as(csv);
  }
};

}  // namespace

bool detects_nsight_compute_text(std::string_view text) {
  return contains(text, "    Section: ") && contains(text, ", Context ") && contains(text, "-----");
}

std::unique_ptr<FormatReader> open_nsight_compute_text(const ReadOptions& options) { return std::make_unique<NsightTextReader>(options); }

}  // namespace roofline
