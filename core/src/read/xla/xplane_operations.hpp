// The operations that ran on a file's cores, summed by program, name and step.
#pragma once

#include <array>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "read/xla/xla.hpp"
#include "read/xla/xplane_plane.hpp"

namespace roofline::xplane {

/// What an operation did; of several executions the sum. Bytes by memory are NaN where the profile names none.
struct Work {
  double flops = 0, model_flops = 0, bytes = 0;
  double hbm = 0;
  std::array<double, xla::channel_count> channels{};
  void add(const Work& other);
  /// All zero is how XLA writes that it knows no cost (a custom call, waiting).
  [[nodiscard]] bool known() const { return flops > 0 || bytes > 0; }
};

struct Operation {
  std::string name, category, program, source, framework, step;
  double count = 0, time_s = 0, self_s = 0;  ///< self: without the operations within it
  Work work;
};

class Operations {
 public:
  /// One core's executions, and its steps; null: none.
  void add(const Plane& plane, const Line& executions, const Line* steps);

  [[nodiscard]] const std::vector<Operation>& all() const { return all_; }  ///< in the order in which they first began
  [[nodiscard]] std::size_t untimed() const { return untimed_; }            ///< executions left out: no possible duration
  [[nodiscard]] bool damaged() const { return damaged_; }                   ///< some bytes by memory were

 private:
  struct Steps;
  std::size_t place_of(const Plane& plane, const Event& event, const Steps& steps);
  const Work& work_of(const Plane& plane, std::uint64_t kind);

  std::vector<Operation> all_;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places_;
  // Of the plane at hand, where numbers stand for names:
  std::unordered_map<std::uint64_t, Work> works_;
  std::map<std::pair<std::uint64_t, std::size_t>, std::size_t> seen_;  // by kind and step
  std::size_t untimed_ = 0;
  bool damaged_ = false;
};

}  // namespace roofline::xplane
