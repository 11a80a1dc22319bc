// The operators of a trace at work on the host, one within another, and which of them launched a kernel.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace roofline {

/// Times in µs. `call` is the caller's own number of what was called with which arguments.
struct HostOp {
  double begin, end;
  std::uint64_t thread, external;  ///< the second: its number in the trace ("External id"); 0: none
  std::uint32_t call;
  std::uint32_t parent = 0xffffffff;  ///< the one around it; set by settle()
};

class HostOps {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  /// At most so many: their numbers are 32 bits wide.
  explicit HostOps(std::uint64_t most = none) : most_(most) {}

  void add(const HostOp& op) {
    if (ops_.size() < most_)
      ops_.push_back(op);
    else
      full_ = true;
  }
  /// One was left out.
  [[nodiscard]] bool full() const { return full_; }
  /// A call of the runtime that started what has this correlation on the device; 0: it started nothing.
  void add_launch(double begin, std::uint64_t thread, std::uint64_t correlation);
  [[nodiscard]] bool launched() const { return !launches_.empty(); }
  /// After the last: sorts, and finds what lies within what. Numbers of operators are good from here on.
  void settle();

  /// The innermost operator that launched what has these numbers; none: launched from a graph, or before the recording.
  [[nodiscard]] std::uint32_t launcher(std::uint64_t external, std::uint64_t correlation) const;
  /// When it was launched; `otherwise` where that is not known.
  [[nodiscard]] double launched_at(std::uint64_t correlation, double otherwise) const;

  [[nodiscard]] std::size_t size() const { return ops_.size(); }
  [[nodiscard]] const HostOp& operator[](std::size_t i) const { return ops_[i]; }
  void set_call(std::size_t i, std::uint32_t call) { ops_[i].call = call; }

 private:
  struct Launch {
    std::uint64_t correlation;
    double begin;
    std::uint64_t thread;
  };
  [[nodiscard]] const Launch* launch_of(std::uint64_t correlation) const;
  [[nodiscard]] std::uint32_t innermost(const Launch& launch) const;

  const std::uint64_t most_;
  bool full_ = false;
  // As lists in order, not as tables: a long trace has millions of each.
  std::vector<HostOp> ops_;
  std::vector<Launch> launches_;                                      // by correlation, once settled
  std::vector<std::pair<std::uint64_t, std::uint32_t>> by_external_;  // numbers of operators by theirs in the trace
};

}  // namespace roofline
