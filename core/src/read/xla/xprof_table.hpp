// XProf's roofline_model table, as JSON or CSV, as rows of the columns that mean something to us, in SI units.
#pragma once

#include <array>
#include <cstdint>
#include <roofline/base/result.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline::xprof {

enum Text : std::uint8_t { step, category, operation, bound_by, program, source, text_count };
enum Number : std::uint8_t {
  occurrences,
  total_time,       // s, with what it calls; the sum over cores
  total_self_time,  // s
  time_per_core,    // s
  flop_rate,        // FLOP/s over total_time, normalised to the matrix unit's peak format
  model_flop_rate,  // FLOP/s as the model counts them
  memory_rate,      // B/s of all memories together
  hbm_rate,         // B/s
  cmem_read_rate,
  cmem_write_rate,
  vmem_read_rate,
  vmem_write_rate,      // on a GPU: shared memory and L1
  compute_utilization,  // fraction of the peak
  memory_utilization,   // largest fraction of a memory's bandwidth
  with_infeed,          // 1 or 0
  number_count
};

struct Row {
  std::array<std::string, text_count> texts;
  std::array<double, number_count> numbers;  ///< NaN: not given
  std::size_t begin = 0, length = 0;         ///< its text in the file, where it is CSV
};

struct Table {
  std::array<bool, text_count> has_text{};
  std::array<bool, number_count> has_number{};
  bool shared_memory = false;  ///< the last memory column is a GPU's shared memory and L1
  std::vector<Row> rows;
  std::vector<std::pair<std::string, std::string>> properties;  ///< device_type, peak_flop_rate, ...: as written, GFLOP/s and GiB/s
  Diagnostics diagnostics;                                      ///< faults of single cells, and what the profiler itself had to say
};

/// Whether a text begins like such a table: JSON with "cols", or a CSV header with several of its columns.
[[nodiscard]] bool detects(std::string_view text);

/// `text` is followed by a NUL byte. An error means that the whole input is unusable.
[[nodiscard]] Result<Table> read_table(std::string_view text);

}  // namespace roofline::xprof
