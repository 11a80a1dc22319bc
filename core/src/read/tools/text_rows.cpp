#include "read/tools/text_rows.hpp"

#include <roofline/base/number.hpp>

#include "read/text/csv.hpp"

namespace roofline {

double number_in(std::string_view text) {
  std::string digits(without_blanks(text));
  digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
  return exact_number(digits).value_or(unknown);
}

double leading_number(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-"), text.size());
  return exact_number(text.substr(0, end)).value_or(unknown);
}

std::vector<std::string_view> trimmed_cells(std::string_view line, char separator) {
  std::vector<std::string_view> cells = split(line, separator);
  for (std::string_view& cell : cells) cell = without_blanks(cell);
  return cells;
}

std::vector<std::string> quoted_cells(std::string_view line) {
  const std::string text(line);  // which a NUL byte follows
  Csv csv(text);
  std::vector<std::string> cells;
  if (const auto more = csv.next(); more && *more)
    for (const CsvField& field : csv.fields()) cells.push_back(field.text());
  if (cells.empty()) cells.emplace_back();
  return cells;
}

}  // namespace roofline
