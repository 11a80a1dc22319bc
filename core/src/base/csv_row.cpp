#include "base/csv_row.hpp"

#include <roofline/base/text.hpp>

namespace roofline {

std::string csv_cell(const std::string& text) {
  // A cell that begins like a formula is run by spreadsheets: a leading quote keeps it text.
  const std::string safe = !text.empty() && std::string_view("=+-@\t\r\n").find(text[0]) != std::string_view::npos ? '\'' + text : text;
  if (safe.find_first_of(",\"\r\n") == std::string::npos) return valid_utf8(safe);
  std::string quoted = "\"";
  for (const char c : safe) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return valid_utf8(quoted + '"');
}

}  // namespace roofline
