#include "read/table/left_out_rows.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>

#include "base/letters.hpp"
#include "read/table/columns/header_words.hpp"
#include "workload/builder.hpp"

namespace roofline {

bool LeftOutRows::repeats_header(const TableRows& table) const {
  const std::vector<CsvField>& fields = table.fields();
  return fields.size() > 1 && fields[0].size > 0 && fields[0].view() == map_.header[0] && fields.size() == map_.header.size() &&
         fields[1].view() == map_.header[1];
}

bool LeftOutRows::is_remark(const TableRows& table) {
  const std::vector<CsvField>& fields = table.fields();
  const auto is_filled = [](const CsvField& f) { return f.size > 0; };
  if (table.is_json() || (fields.size() > 1 && is_filled(fields[0]) && fields[0].view()[0] != '#')) return false;  // most rows
  if (map_.header.size() < 2 || std::count_if(fields.begin(), fields.end(), is_filled) != 1) return false;
  const std::string_view text = without_blanks(std::find_if(fields.begin(), fields.end(), is_filled)->view());
  if (text.starts_with('#')) return true;
  constexpr std::ptrdiff_t most_blanks = 2;  // of a name
  if (fields.size() > 1 || std::count(text.begin(), text.end(), ' ') <= most_blanks) return false;
  if (sentences_++ == 0) first_sentence_ = text;
  return true;
}

bool LeftOutRows::did_not_run(const TableRows& table) {
  const CsvField* cell = table.field(map_.at(ColumnRole::success));
  if (!cell || !is_one_of(normalised(cell->view()), "notrun notsupported skipped invalidproblem optimizedout")) return false;
  if (not_run_++ == 0) not_run_word_ = cell->text();
  return true;
}

bool LeftOutRows::is_statistic(const TableRows& table) {
  const CsvField* cell = table.field(map_.at(ColumnRole::name));
  if (!cell) return false;
  const std::string_view name = cell->view(), of = name.substr(0, name.rfind('_'));
  const std::string_view statistic = name.substr(std::min(of.size() + 1, name.size()));
  if (is_one_of(statistic, "mean median stddev cv min max") && of == repeated_name_) {
    ++statistics_;
    return true;
  }
  repeated_name_ = statistic == "mean" ? of : name;
  return false;
}

void LeftOutRows::report(WorkloadBuilder& rows) const {
  if (not_run_ > 0)
    rows.note(Severity::info, quantity(not_run_, "row is", "rows are") + " marked " + printed(not_run_word_) + " in the column " +
                                  map_.header_of(ColumnRole::success) + " and left out");
  if (statistics_ > 0) rows.note(Severity::info, quantity(statistics_, "row is", "rows are") + " statistics of repetitions and left out");
  if (sentences_ > 0)
    rows.note(Severity::warning, quantity(sentences_, "line of text is", "lines of text are") + " left out (first: " +
                                     printed(std::string_view(first_sentence_).substr(0, 60)) + "): expected rows of the table");
}

}  // namespace roofline
