#include "read/table/columns/table_sample.hpp"

#include <cmath>
#include <optional>
#include <roofline/base/number.hpp>

#include "base/letters.hpp"
#include "read/operations/arguments.hpp"
#include "read/table/columns/column_solver.hpp"
#include "read/text/format_words.hpp"

namespace roofline {
namespace {

constexpr std::size_t rows_sampled = 64;

bool names_formats(ColumnRole role) {
  return role == ColumnRole::format || role == ColumnRole::weight_format || role == ColumnRole::output_format ||
         role == ColumnRole::dim_types;
}

void add_format(ColumnSample& sample, const std::string& text) {
  const FormatId format = text.empty() ? no_format : format_in(text);
  sample.formats.push_back(format);
  if (!text.empty()) ++(format != no_format ? sample.named : is_transpose(text) ? sample.transposes : sample.unnamed);
}

double flops_of_call(const ColumnMap& map, const TableRows& rows) {
  const auto text = [&](ColumnRole role) {
    const CsvField* field = rows.field(map.at(role));
    return field ? field->text() : std::string();
  };
  const std::string name = text(ColumnRole::name), dims = text(ColumnRole::dims), types = text(ColumnRole::dim_types),
                    values = text(ColumnRole::dim_values);
  const Operator* op = find_operator(name);
  if (!op || (op->symbol != Symbol::circle && op->symbol != Symbol::square)) return unknown;
  const auto work = work_of_call(*op, name, {dims, types, values});
  return work ? work->matrix_flops : unknown;
}

}  // namespace

TableSample::TableSample(const ColumnMap& map, TableRows& rows) : map_(map), columns_(map.meaning.size()) {
  std::vector<bool> no_texts(columns_.size());
  for (; rows_ < rows_sampled; ++rows_) {
    const auto more = rows.next();
    if (!more || !*more) break;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      ColumnSample& sample = columns_[c];
      const ColumnRole role = map.meaning[c].role;
      const CsvField* field = rows.field(static_cast<int>(c));
      if (names_formats(role)) {
        add_format(sample, field ? field->text() : "");
      } else if (is_quantity(role)) {
        const double unit = map.meaning[c].unit_in_row ? rows.seconds_in(map.at(ColumnRole::time_unit)) : 1;
        const double number = field ? rows.number(*field).value_or(unknown) * unit : unknown;
        has_numbers_ = has_numbers_ || std::isfinite(number);
        sample.numbers.push_back(number > 0 && std::isfinite(number) ? number : unknown);
      } else if (role == ColumnRole::none || role == ColumnRole::type) {
        const std::optional<double> number = field ? rows.number(*field) : unknown;
        if (!number) sample.texts.insert(field->text());
        has_numbers_ = has_numbers_ || (number && std::isfinite(*number));
        no_texts[c] = no_texts[c] || number;
        sample.fractions = sample.fractions || (field && number && contains(field->view(), '.'));
      }
    }
    if (map.has(ColumnRole::dims)) call_flops_.push_back(flops_of_call(map, rows));
  }
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (no_texts[c]) columns_[c].texts.clear();
}

double TableSample::number(int column, std::size_t row) const { return column == ColumnMap::none ? unknown : (*this)[column].numbers[row]; }

double TableSample::value(ColumnRole role, std::size_t row) const {
  return map_.has(role) ? number(map_.at(role), row) * map_.unit(role) : unknown;
}

FormatId TableSample::format(std::size_t row) const {
  for (const int c : map_.formats)
    if (const FormatId f = (*this)[c].formats[row]; f != no_format) return f;
  return no_format;
}

bool TableSample::multiplies(int one, int count, int all) const {
  std::vector<double> off;
  for (std::size_t r = 0; r < rows_; ++r)
    off.push_back(std::abs(std::log(number(one, r) * map_[one].scale * number(count, r) / (number(all, r) * map_[all].scale))));
  return agree(off);
}

}  // namespace roofline
