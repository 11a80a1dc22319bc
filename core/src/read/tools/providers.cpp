// Tables with a column for each implementation, as Triton's perf_report writes them: "M,N,K,cuBLAS,Triton". If the header ("Triton
// (GB/s)") or --column says what these columns hold, each becomes a row, so that they can be compared. "Triton [FP16]" names its format.
#include <algorithm>
#include <roofline/base/names.hpp>

#include "base/parse_number.hpp"
#include "read/formats.hpp"
#include "read/table/columns/column_meaning.hpp"
#include "read/table/columns/header_words.hpp"
#include "read/text/csv.hpp"
#include "read/text/format_words.hpp"
#include "read/text/lines.hpp"
#include "read/tools/tool_tables.hpp"

namespace roofline {
namespace {

using Columns = std::vector<std::pair<std::string, std::string>>;

/// What stands behind "Triton (" in a header, if the words before it may be an implementation's name; empty: none.
std::string_view unit_behind_name(const std::string& header) {
  const std::size_t open = header.rfind(" (");
  if (open == std::string::npos || header.back() != ')') return {};
  const std::string name = header.substr(0, open);
  const bool is_statistic = header_words(without_statistic(name)).size() < header_words(name).size();
  if (is_statistic || is_no_amount(name) || meaning_of(name).role != ColumnRole::none) return {};
  return std::string_view(header).substr(open + 2, header.size() - open - 3);
}

/// The header of a column of amounts in this unit, a rate, a bandwidth or a time; empty: the unit is none of these.
std::string header_in(std::string_view unit) {
  const std::vector<std::string> words = header_words(unit);
  if (words.size() == 1 && known(seconds_per(words[0]))) return "time (" + std::string(unit) + ')';
  const ColumnMeaning meaning = meaning_of(unit);
  const bool known_unit = meaning.maybe_rate || meaning.role == ColumnRole::rate || meaning.role == ColumnRole::bandwidth;
  return known_unit ? std::string(unit) : std::string();
}

/// Columns such as "cuBLAS (GB/s)" in the unit of Triton's column, with a header for them; empty if there are fewer than two.
Columns stated_providers(const std::vector<std::string>& header) {
  std::string_view unit;
  for (const std::string& h : header)
    if (normalised(h).starts_with("triton") && !header_in(unit_behind_name(h)).empty()) unit = unit_behind_name(h);
  Columns out;
  for (const std::string& h : header)
    if (!unit.empty() && unit_behind_name(h) == unit) out.emplace_back(h, header_in(unit));
  return out.size() > 1 ? out : Columns();
}

/// "fp16" of "Triton [FP16] (TFLOPS)"; empty: no brackets, or no format in them.
std::string format_in_brackets(const std::string& header) {
  const std::size_t open = header.find('['), close = header.find(']', std::min(open, header.size()));
  if (close == std::string::npos) return {};
  const FormatId format = format_in(header.substr(open + 1, close - open - 1));
  return format == no_format ? std::string() : Formats::catalogue()[format].id;
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
    const bool formats = std::any_of(columns_.begin(), columns_.end(), [](const auto& c) { return !format_in_brackets(c.first).empty(); });
    const auto add = [&](const std::string& name, const std::string& provider, const std::string& format, const std::string& value) {
      for (const std::string& cell : shared) out += quoted_cell(cell) + ',';
      if (formats) out += format + ',';
      out += quoted_cell(name) + ',' + quoted_cell(provider) + ',' + quoted_cell(value) + '\n';
    };
    if (is_header) add("name", "provider", "input_dtype", what);
    for (std::size_t c = 0; c < header.size() && c < cells.size() && !is_header; ++c)
      if (const std::string* as = said_of(header[c]); as && shared_target(*as))
        add(header[c] + ' ' + shape, header[c], format_in_brackets(header[c]), cells[c]);
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
