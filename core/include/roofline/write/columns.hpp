// An analysis as columns of numbers: for programs, which want arrays where people want rows.
#pragma once

#include <cstdint>
#include <roofline/analysis/op_set.hpp>
#include <string>
#include <vector>

namespace roofline {

/// One entry per operation, in source order; NaN: not known, or does not apply.
struct Columns {
  std::vector<std::uint32_t> index;  ///< of the operation in its source
  std::vector<double> count, flops, bytes, intensity, predicted_time_s, typical_time_s, time_s, self_time_s, lost_time_s, achieved_flops,
      achieved_bandwidth, attainable_flops, efficiency;
  std::vector<std::uint8_t> status;    ///< Status as a number
  std::vector<std::uint8_t> bound_by;  ///< index into the plan's resources, or no_resource
  std::vector<std::string> name, type;
};

/// Calls visit(name, column) for each of the numbers, under their names in the JSON document.
template <class Visit>
void each_number(const Columns& c, const Visit& visit) {
  visit("index", c.index);
  visit("count", c.count);
  visit("flops", c.flops);
  visit("bytes", c.bytes);
  visit("intensity", c.intensity);
  visit("predicted_time_s", c.predicted_time_s);
  visit("typical_time_s", c.typical_time_s);
  visit("time_s", c.time_s);
  visit("self_time_s", c.self_time_s);
  visit("lost_time_s", c.lost_time_s);
  visit("achieved_flops", c.achieved_flops);
  visit("achieved_bandwidth", c.achieved_bandwidth);
  visit("attainable_flops", c.attainable_flops);
  visit("efficiency", c.efficiency);
  visit("status", c.status);
  visit("bound_by", c.bound_by);
}

/// Of the operations that count.
[[nodiscard]] Columns columns_of(const OpSet& ops);

/// {"statuses": [names], "resources": [names], "name": [...], "type": [...]}: what a status and a bound are numbers of, and the words.
[[nodiscard]] std::string column_words_json(const Columns& columns, const Plan& plan);

}  // namespace roofline
