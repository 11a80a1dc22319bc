#include "read/table/columns/category_columns.hpp"

#include <cmath>
#include <roofline/base/number.hpp>
#include <roofline/base/text.hpp>

#include "base/sort_stably.hpp"

namespace roofline {

void CategoryColumn::add(const TableRows& rows) {
  if (!few_) return;
  const CsvField* field = rows.field(static_cast<int>(column_));
  if (!field) return value_.push_back(Category::none);
  bool is_new = false;
  const std::uint32_t code = values_.intern(field->view(), &is_new);
  if (is_new) {
    const auto number = rows.number(*field);
    numbers_ = numbers_ && number.has_value();
    above_one_ = above_one_ || (number && *number > 1);
    const bool measurement = number && *number != std::floor(*number);  // a fraction names nothing
    if (measurement || code >= (numbers_ ? 64u : 255u)) {
      few_ = false;
      value_ = {};
      return;
    }
  }
  value_.push_back(code);
}

void CategoryColumn::keep(Workload& workload, const std::vector<std::string>& header) {
  if (!tells_apart(workload.size())) return;
  std::vector<double> numbers(values_.size());
  for (std::size_t i = 0; numbers_ && i < numbers.size(); ++i) numbers[i] = table_number(values_[i], false).value_or(0);
  const auto less = [&](std::uint32_t a, std::uint32_t b) { return numbers[a] < numbers[b]; };
  const std::vector<std::uint32_t> order = sorted_indices(values_.size(), ComesBefore(less));
  Category category;
  std::vector<std::uint32_t> rank(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    rank[order[i]] = static_cast<std::uint32_t>(i);
    category.values.push_back(valid_utf8(values_[order[i]]));
  }
  for (std::uint32_t& value : value_)
    if (value != Category::none) value = rank[value];
  category.name = valid_utf8(header[column_]);
  for (const Category& other : workload.categories)
    if (other.name == category.name) category.name += " (2)";
  category.value = std::move(value_);
  workload.categories.push_back(std::move(category));
}

}  // namespace roofline
