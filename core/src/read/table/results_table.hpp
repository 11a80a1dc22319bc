// A results table, as CSV or JSON, as rows of cells under columns whose meaning is known.
#pragma once

#include <cstdint>
#include <roofline/base/number.hpp>
#include <roofline/base/result.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace roofline::results {

enum class Role : std::uint8_t { none, type, name, format, shape, measured, predicted, machine, field };

struct Column {
  std::string name;
  Role role = Role::none;
  int rank = 0;         ///< of several measured columns, the one that says so best
  double ns = unknown;  ///< nanoseconds of one unit; NaN: the name has no unit
  std::string field;    ///< Role::field: the key of commands.json
};

struct Table {
  struct Row {
    std::size_t line = 0;     ///< in the source; 0: not known
    std::vector<Json> cells;  ///< by column: a number, a text, an array, or null
  };
  std::vector<Column> columns;
  std::vector<Row> rows;
  std::string machine;  ///< JSON: an id or an object; empty: none
  std::size_t header_line = 1;
};

/// `text` is followed by a NUL byte.
[[nodiscard]] Result<Table> read_table(std::string_view text);

/// Whether a text begins like such a table: it has operators and measured times.
[[nodiscard]] bool detects(std::string_view text);

/// What a column is used as; empty: it is not.
[[nodiscard]] std::string_view words_of(Role role);

/// Nanoseconds of a unit of time; NaN where the word is none.
[[nodiscard]] double unit_ns(std::string_view word);

}  // namespace roofline::results
