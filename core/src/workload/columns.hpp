// One table of the Workload's number columns, with the value that each has if the source states none. Code that fills, merges, stores or
// measures a Workload iterates over it. Two places list columns by hand: the analysis' Slicer, for speed, and the keys of match and parity,
// which use only some columns.
#pragma once

#include <roofline/base/number.hpp>
#include <roofline/workload/workload.hpp>

namespace roofline {

/// One operation's numbers. Totals over `count` occurrences, sizes aside; NaN: not known.
struct OpNumbers : Work {
  double given_bytes = unknown;
  double time_s = unknown, self_time_s = unknown, stated_time_s = unknown;
  double count = 1;
};

enum class ColumnOf : std::uint8_t {
  work,   ///< what is done: equal for identical operations
  time,   ///< how long it took
  count,  ///< occurrences
};

struct NumberColumn {
  const char* name;
  std::vector<double> Workload::* values;
  double OpNumbers::* value;
  double standard;  ///< what an empty column stands for
  ColumnOf of;
  bool always = false;  ///< stored even while it only holds its standard
};

/// Calls `use` with every column. A call for each, not a loop: the compiler then knows each column's place.
template <class Use>
void for_each_column(const Use& use) {
  use(NumberColumn{"matrix_flops", &Workload::matrix_flops, &OpNumbers::matrix_flops, 0, ColumnOf::work, true});
  use(NumberColumn{"vector_flops", &Workload::vector_flops, &OpNumbers::vector_flops, 0, ColumnOf::work});
  use(NumberColumn{"weight", &Workload::weight, &OpNumbers::weight, 0, ColumnOf::work});
  use(NumberColumn{"activation", &Workload::activation, &OpNumbers::activation, 0, ColumnOf::work, true});
  use(NumberColumn{"output", &Workload::output, &OpNumbers::output, 0, ColumnOf::work, true});
  use(NumberColumn{"kv_read", &Workload::kv_read, &OpNumbers::kv_read, 0, ColumnOf::work});
  use(NumberColumn{"kv_write", &Workload::kv_write, &OpNumbers::kv_write, 0, ColumnOf::work});
  use(NumberColumn{"given_bytes", &Workload::given_bytes, &OpNumbers::given_bytes, unknown, ColumnOf::work});
  use(NumberColumn{"time_s", &Workload::time_s, &OpNumbers::time_s, unknown, ColumnOf::time});
  use(NumberColumn{"self_time_s", &Workload::self_time_s, &OpNumbers::self_time_s, unknown, ColumnOf::time});
  use(NumberColumn{"stated_time_s", &Workload::stated_time_s, &OpNumbers::stated_time_s, unknown, ColumnOf::time});
  use(NumberColumn{"count", &Workload::count, &OpNumbers::count, 1, ColumnOf::count});
}

/// Row i of a column.
[[nodiscard]] inline double at(const std::vector<double>& column, std::size_t i, double standard) {
  return column.empty() ? standard : column[i];
}

inline constexpr std::size_t number_columns = 12;

/// The values of a column's first i rows, which held its standard, and `value` as row i.
[[gnu::noinline]] inline void begin_column(std::vector<double>& column, std::size_t i, double value, double standard,
                                           std::size_t capacity) {
  column.reserve(capacity);
  column.resize(i, standard);
  column.push_back(value);
}

/// Appends `value` as row i to a column that stays empty while it only holds its standard.
[[gnu::always_inline]] inline void append(std::vector<double>& column, std::size_t i, double value, double standard, std::size_t capacity) {
  if (!column.empty())
    column.push_back(value);
  else if (value != standard && (known(value) || known(standard)))
    begin_column(column, i, value, standard, capacity);
}

/// The numbers of one operation as those of `count` occurrences.
[[nodiscard]] inline OpNumbers times(OpNumbers n, double count) {
  for_each_column([&](const NumberColumn& c) {
    if (c.of != ColumnOf::count) n.*c.value *= count;
  });
  n.count = count;
  return n;
}

}  // namespace roofline
