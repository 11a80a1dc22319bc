#include "read/table/table_rows.hpp"

#include <algorithm>

#include "base/letters.hpp"
#include "read/table/columns/column_meaning.hpp"
#include "read/text/lines.hpp"

namespace roofline {
namespace {

/// "h100" of "h100::TFLOPS/s_mean"; empty: the column is of no run.
std::string run_in_header(const std::string& header) {
  const std::size_t colons = header.find("::");
  return colons == std::string::npos ? std::string() : header.substr(0, colons);
}

/// Cells that only draw the line below a Markdown header.
bool is_rule(const std::vector<CsvField>& fields) {
  return std::all_of(fields.begin(), fields.end(),
                     [](const CsvField& f) { return f.view().find_first_not_of(" -:") == std::string_view::npos; });
}

/// Whether records with these columns say how long something took, or what it did.
bool holds_measurements(const std::vector<std::string>& header) {
  const ColumnMap map(header, header, std::vector<bool>(header.size()));
  return map.timed() || map.has_work_columns();
}

}  // namespace

std::size_t before_table(std::string_view text) {
  constexpr std::size_t most_lines = 32;
  bool any = false;
  std::size_t comment = std::string_view::npos;  // a line that begins with '#', which may be the header
  for (std::size_t at = 0, lines = 0; lines < most_lines && at < text.size(); ++lines) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    std::size_t cells = 0, numbers = 0;
    for (std::size_t cell = 0; cell < line.size();) {
      const std::size_t first = line.find_first_not_of(" \t\r\"", cell);
      const std::size_t quote = line.substr(cell).starts_with('"') ? std::min(line.find('"', cell + 1), line.size()) : cell;
      cell = std::min(line.find_first_of(",;\t|", quote), line.size());
      cells += first < cell ? 1 : 0;
      numbers += first < cell && line[first] >= '0' && line[first] <= '9' ? 1 : 0;
      ++cell;
    }
    const std::size_t first = line.find_first_not_of(" \t\r\"");
    if (cells > 0 && !any && (line[first] == '[' || line[first] == '{')) return 0;  // JSON
    any = any || cells > 0;
    if (cells > 1 && line[first] != '#') return comment < at && numbers > 0 ? comment : at;
    if (cells > 1) comment = at;
    at = std::min(end + 1, text.size());
  }
  return 0;
}

TableRows::TableRows(std::string_view text, bool last) : text_(text) {
  if (begins_json(text))
    json_.emplace(text, last);
  else
    csv_.emplace(text, last);
}

Result<void> TableRows::start() {
  if (json_) {
    auto ok = json_->start(holds_measurements);
    header_ = renamed_.empty() ? json_->columns() : renamed_;
    return ok;
  }
  csv_->seek(0);
  const auto more = csv_->next();
  if (!more) return Unexpected(more.error());
  header_.clear();
  if (*more)
    for (const CsvField& field : csv_->fields()) header_.emplace_back(without_blanks(field.text()));
  take_units();
  if (!renamed_.empty()) header_ = renamed_;
  return {};
}

bool TableRows::rename(const std::vector<std::pair<std::string, std::string>>& columns, std::string& missing) {
  if (columns.empty()) return true;
  std::vector<std::string> renamed = header_;
  chosen_.assign(header_.size(), false);
  for (const auto& [from, to] : columns) {
    const auto at = std::find(header_.begin(), header_.end(), from);
    if (at == header_.end()) return missing = from, false;
    const auto place = static_cast<std::size_t>(at - header_.begin());
    renamed[place] = to;
    chosen_[place] = true;
  }
  std::vector<ColumnRole> taken;  // a column that was not chosen no longer means what a chosen one does
  for (std::size_t i = 0; i < header_.size(); ++i)
    if (const ColumnRole role = chosen_[i] ? meaning_of(renamed[i]).role : ColumnRole::none; role != ColumnRole::none)
      taken.push_back(role);
  const auto is_taken = [&](ColumnRole role) { return std::find(taken.begin(), taken.end(), role) != taken.end(); };
  if (is_taken(ColumnRole::time) || is_taken(ColumnRole::time_sum)) taken.insert(taken.end(), {ColumnRole::time, ColumnRole::time_sum});
  const std::string run = run_in_header(columns.front().first);  // of several runs side by side only the chosen column's is meant
  for (std::size_t i = 0; i < header_.size() && !taken.empty(); ++i) {
    const std::string other = run_in_header(renamed[i]);
    if (!chosen_[i] && (is_taken(meaning_of(renamed[i]).role) || (!run.empty() && !other.empty() && other != run))) renamed[i].clear();
  }
  in_file_ = header_;
  header_ = renamed_ = std::move(renamed);
  return true;
}

/// A second row of units, such as ",us,GFLOP" or "[-],[ms],[M]": each becomes a part of its header. Position: the first row of data.
void TableRows::take_units() {
  const std::size_t begin = csv_->position();
  const auto more = csv_->next();
  if (!more || !*more) return csv_->seek(begin);
  if (is_rule(csv_->fields())) return;
  std::vector<std::string> with_units = header_;
  bool any = false;
  for (std::size_t i = 0; i < csv_->fields().size(); ++i) {
    std::string unit(without_blanks(csv_->fields()[i].text()));
    const bool in_brackets = unit.size() > 1 && (unit[0] == '[' || unit[0] == '(');
    if (in_brackets) unit = std::string(without_blanks(unit.substr(1, unit.size() - 2)));
    if (unit.empty() || unit == "-") continue;
    constexpr std::size_t longest_unit = 12;
    if (i >= header_.size() || unit.size() > longest_unit || unit.find_first_of("0123456789") != std::string::npos)
      return csv_->seek(begin);
    const ColumnMeaning bare = meaning_of(header_[i]), whole = meaning_of(header_[i] + " (" + unit + ')');
    if (whole.role == bare.role && whole.scale > 0 && (!(bare.scale > 0) || (in_brackets && whole.scale != bare.scale)))
      any = true;
    else if (!in_brackets && (bare.role == ColumnRole::name || bare.role == ColumnRole::type))
      return csv_->seek(begin);  // a row of data
    with_units[i] += " (" + unit + ')';
  }
  if (!any) return csv_->seek(begin);
  header_ = std::move(with_units);
}

/// Names of C++ kernels hold commas, which older profilers do not quote: an open bracket in the name's field says so.
void TableRows::join_name() {
  const std::vector<CsvField>& fields = csv_->fields();
  for (std::size_t at = 0; at < header_.size(); ++at) {
    if (meaning_of(header_[at]).role != ColumnRole::name) continue;
    const std::string_view begin = fields[at].view();
    const auto count = [&](const char* brackets) {
      return std::count_if(begin.begin(), begin.end(), [&](char c) { return c == brackets[0] || c == brackets[1]; });
    };
    const bool quoted = std::any_of(fields.begin(), fields.end(), [](const CsvField& f) { return f.quoted; });
    if (!quoted && count("<(") > count(">)")) csv_->join(at, fields.size() - header_.size());
    return;
  }
}

void TableRows::reset(std::string_view text, LineStart start, bool last) {
  text_ = text;
  if (csv_)
    csv_->reset(text, start, last);
  else
    json_->reset(text, start, last);
}

}  // namespace roofline
