#include "read/table/stated_twice.hpp"

#include <roofline/base/text.hpp>

#include "workload/builder.hpp"

namespace roofline {

void StatedTwice::report(WorkloadBuilder& rows, const ColumnMap& map) const {
  struct Wording {
    ColumnRole role;
    const char *unit, *follows;
  };
  constexpr std::array<Wording, 3> wording = {Wording{ColumnRole::rate, "FLOP/s", "FLOPs over time"},
                                              Wording{ColumnRole::bandwidth, "B/s", "bytes over time"},
                                              Wording{ColumnRole::intensity, "FLOP/B", "FLOPs over bytes"}};
  std::string agreeing;
  Diagnostics said;
  for (std::size_t i = 0; i < wording.size(); ++i) {
    const Compared& c = compared_[i];
    const Wording& w = wording[i];
    if (c.rows == 0) continue;
    const std::string column = map.header_of(w.role);
    if (c.off == 0) {
      agreeing += (agreeing.empty() ? "" : ", ") + column + " matches " + w.follows;
      continue;
    }
    const bool one = number(c.least) == number(c.most);
    // Where calls differ in time, the mean of their rates is more than the rate over all of it.
    const bool mean = w.role != ColumnRole::intensity && c.least > 1 && map[w.role].rank == 0;
    said.push_back({mean ? Severity::info : Severity::warning,
                    (mean ? "a mean of rates is more than the rate over all the time, in " : "the table contradicts itself in ") +
                        std::to_string(c.off) + " of " + std::to_string(c.rows) + " rows: " + column + " is " + number(c.least) +
                        (one ? "" : " to " + number(c.most)) + " times " + w.follows + " (first " + with_unit(c.first_stated, w.unit) +
                        " stated, " + with_unit(c.first, w.unit) + " by " + w.follows + "); the latter is shown",
                    {},
                    0,
                    0,
                    {}});
  }
  if (!agreeing.empty()) said.push_back({Severity::info, "check passed: " + agreeing, {}, 0, 0, {}});
  Diagnostics& all = rows.workload().diagnostics;
  all.insert(all.begin(), said.begin(), said.end());
}

}  // namespace roofline
