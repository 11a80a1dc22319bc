// How the work of a device's streams lies in time: what it adds up to, from its first to its last, and how long anything ran.
#pragma once

#include <cstdint>
#include <roofline/workload/workload.hpp>
#include <utility>
#include <vector>

namespace roofline {

class WorkloadBuilder;

/// Times in µs, of one clock.
struct StreamWork {
  double begin, duration;
  std::uint64_t device, stream;
  std::uint32_t op;  ///< its row
};

class StreamTimes {
 public:
  /// In the order in which they begin.
  void add(const StreamWork& work);
  /// In any order; all there is.
  void add_all(std::vector<StreamWork> work);
  /// Sets the workload's device_time and launches, and adds a property and a note that state it; does nothing if no work was added.
  void report(WorkloadBuilder& rows) const;

 private:
  struct Device {
    std::uint64_t id;
    double first, end;  ///< of the work so far
    double busy = 0;    ///< while at least one stream worked
  };
  static constexpr std::size_t most = 1024;  ///< beyond it devices count as the last, and streams are not counted
  // As lists: a trace has few of each.
  std::vector<Device> devices_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> streams_;  // of which device
  double sum_ = 0, longest_gap_ = 0;
  std::size_t gaps_ = 0;
  Launches launches_;
};

}  // namespace roofline
