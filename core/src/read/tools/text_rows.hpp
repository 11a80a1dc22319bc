// Lines, cells and numbers of tables that are printed for people.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/letters.hpp"
#include "read/text/lines.hpp"

namespace roofline {

/// "1,234.5"; NaN: the text is anything but a number.
[[nodiscard]] double number_in(std::string_view text);
/// The number with which a text begins; NaN: it begins with none.
[[nodiscard]] double leading_number(std::string_view text);

[[nodiscard]] std::vector<std::string_view> trimmed_cells(std::string_view line, char separator);
/// The cells of a line of CSV.
[[nodiscard]] std::vector<std::string> quoted_cells(std::string_view line);

/// The place of a header's cell; its size where there is none.
template <class Cells>
[[nodiscard]] std::size_t place(const Cells& header, std::string_view name) {
  return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
}

/// A row's cells by header. A missing column gives an empty cell.
template <class Cells>
struct NamedCells {
  const Cells& header;
  const Cells& cells;
  [[nodiscard]] std::string_view operator[](std::string_view name) const {
    const std::size_t at = place(header, name);
    return at < header.size() && at < cells.size() ? std::string_view(cells[at]) : std::string_view();
  }
};

template <class Cells>
NamedCells(const Cells&, const Cells&) -> NamedCells<Cells>;

/// Calls `use` with the NamedCells of each line below a header. A header is a line with `mark`.
template <class Use>
void each_row(std::string_view text, char separator, std::string_view mark, const Use& use) {
  std::vector<std::string_view> header;
  for (const std::string_view line : lines_of(text)) {
    const std::vector<std::string_view> cells = trimmed_cells(line, separator);
    if (contains(line, mark))
      header = cells;
    else if (!header.empty())
      use(NamedCells{header, cells});
  }
}

}  // namespace roofline
