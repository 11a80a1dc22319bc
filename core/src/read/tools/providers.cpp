// Tables with a column for each implementation, as Triton's perf_report writes them: "M,N,K,cuBLAS,Triton". If the header ("Triton
// (GB/s)") or --column says what these columns hold, each becomes a row, so that they can be compared.
#include <algorithm>
#include <roofline/base/names.hpp>

#include "read/formats.hpp"
#include "read/table/columns/column_meaning.hpp"
#include "read/text/csv.hpp"
#include "read/text/lines.hpp"
#include "read/tools/tool_tables.hpp"

namespace roofline {
namespace {

using Columns = std::vector<std::pair<std::string, std::string>>;

/// Columns such as "Triton (GB/s)" in the unit of Triton's column, with that unit; empty if there are fewer than two.
Columns stated_providers(const std::vector<std::string>& header) {
  Columns all, out;
  std::string unit;
  for (const std::string& h : header) {
    const std::size_t open = h.rfind(" (");
    if (open == std::string::npos || h.back() != ')') continue;
    all.emplace_back(h, h.substr(open + 2, h.size() - open - 3));
    const ColumnMeaning meaning = meaning_of(all.back().second);
    if (normalised(h.substr(0, open)) == "triton" &&
        (meaning.maybe_rate || meaning.role == ColumnRole::rate || meaning.role == ColumnRole::bandwidth))
      unit = all.back().second;
  }
  std::copy_if(all.begin(), all.end(), std::back_inserter(out), [&](const auto& column) { return column.second == unit; });
  return out.size() > 1 ? out : Columns();
}

class ProvidersReader final : public RewritingReader {
 public:
  explicit ProvidersReader(const ReadOptions& options) : RewritingReader(open_kernels, options), columns_(options.columns) {}

  /// All of it is there.
  Result<void> read(TextWindow& window, bool) override {
    const std::string text(window.text());
    Csv csv(text);
    std::vector<std::string> header;
    std::string all;
    for (;;) {
      const auto more = csv.next();
      if (!more) return Unexpected(more.error());
      if (!*more) break;
      std::vector<std::string> cells;
      for (const CsvField& field : csv.fields()) cells.emplace_back(without_blanks(field.text()));
      if (header.empty()) {
        header = cells;
        if (columns_.empty()) columns_ = stated_providers(header);
        for (const auto& [from, to] : columns_)
          if (std::find(header.begin(), header.end(), from) == header.end()) return fail("no column is called \"" + from + '"', "columns");
      }
      all += rows_of(header, cells, all.empty());
    }
    window.drop(window.text().size());
    return read_as(all);
  }

 private:
  [[nodiscard]] const std::string* said_of(const std::string& header) const {
    const auto found = std::find_if(columns_.begin(), columns_.end(), [&](const auto& column) { return column.first == header; });
    return found == columns_.end() ? nullptr : &found->second;
  }

  /// One row for each provider, or the header.
  [[nodiscard]] std::string rows_of(const std::vector<std::string>& header, const std::vector<std::string>& cells, bool is_header) const {
    std::vector<std::string> shared;
    std::string shape, out, what;
    for (std::size_t c = 0; c < header.size() && c < cells.size(); ++c) {
      const std::string* as = said_of(header[c]);
      if (as && shared_target(*as)) {
        what = *as;
        continue;
      }
      if (header[c].empty() || (as && as->empty())) continue;  // pandas' index
      shared.push_back(is_header && as ? *as : cells[c]);
      shape += (shape.empty() ? "" : "x") + cells[c].substr(0, cells[c].find('.'));
    }
    const auto add = [&](const std::string& name, const std::string& provider, const std::string& value) {
      for (const std::string& cell : shared) out += quoted_cell(cell) + ',';
      out += quoted_cell(name) + ',' + quoted_cell(provider) + ',' + quoted_cell(value) + '\n';
    };
    if (is_header) add("name", "provider", what);
    for (std::size_t c = 0; c < header.size() && c < cells.size() && !is_header; ++c)
      if (const std::string* as = said_of(header[c]); as && shared_target(*as)) add(header[c] + ' ' + shape, header[c], cells[c]);
    return out;
  }
  [[nodiscard]] bool shared_target(const std::string& as) const {
    return !as.empty() && std::count_if(columns_.begin(), columns_.end(), [&](const auto& column) { return column.second == as; }) > 1;
  }

  Columns columns_;
};

}  // namespace

bool detects_providers(std::string_view text) {
  std::vector<std::string> header;
  for (const std::string_view cell : split(text.substr(0, text.find_first_of("\r\n")), ',')) header.emplace_back(without_blanks(cell));
  return !stated_providers(header).empty();
}

bool names_providers(const ReadOptions& options) {
  return std::any_of(options.columns.begin(), options.columns.end(), [&](const auto& a) {
    return !a.second.empty() &&
           std::count_if(options.columns.begin(), options.columns.end(), [&](const auto& b) { return a.second == b.second; }) > 1;
  });
}

std::unique_ptr<FormatReader> open_providers(const ReadOptions& options) { return std::make_unique<ProvidersReader>(options); }

}  // namespace roofline
