// The steps of a trace, from its annotations: those of an inference engine, else the profiler's own (ProfilerStep#7).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace roofline {

class WorkloadBuilder;

class TraceSteps {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  /// An annotation of any kind; what is no step is left out. Times in µs.
  void add(double begin, double end, const std::string& name);
  /// After the last: engines annotate a step again within it, and within the profiler's. The one that says most of it counts.
  void settle();

  /// The last that began before `time`, because a step's annotation may end before its kernels are launched.
  [[nodiscard]] std::uint32_t at(double time) const;
  [[nodiscard]] const std::string& name(std::uint32_t step) const { return steps_[step].name; }
  /// Whether rows are of a step: of several, or of one that says what was run.
  [[nodiscard]] bool apart() const { return steps_.size() > 1 || (!steps_.empty() && steps_[0].engine); }
  void report(WorkloadBuilder& rows) const;

 private:
  struct Step {
    double begin, end;
    std::string name;
    bool engine, states_context;
  };
  std::vector<Step> steps_;  // in order of time, once settled
};

}  // namespace roofline
