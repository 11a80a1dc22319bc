// How the work of a device's streams lies in time: what it adds up to, from its first to its last, and how long anything ran.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace roofline {

class WorkloadBuilder;

/// Times in µs, of one clock.
class StreamTimes {
 public:
  /// In the order in which they begin.
  void add(std::uint64_t device, std::uint64_t stream, double begin, double duration);
  /// As a remark; nothing where nothing was added. Of several devices their sums.
  void report(WorkloadBuilder& rows) const;

 private:
  struct Span {
    double first, end;  ///< of the work so far
    double busy = 0;    ///< while at least one stream worked
  };
  std::map<std::uint64_t, Span> devices_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> streams_;
  double sum_ = 0;
};

}  // namespace roofline
