// What any number of runs add up to, as "roofline-summary/1": docs/guide/fleet.md.
#pragma once

#include <memory>
#include <roofline/analysis/op_set.hpp>
#include <roofline/base/sink.hpp>
#include <string_view>

namespace roofline {

/// Sums are exact: what is written does not depend on the order in which runs and documents were added, nor on how they were grouped
/// before.
class RunSummary {
 public:
  RunSummary();
  ~RunSummary();
  RunSummary(RunSummary&&) noexcept;

  /// Another piece of the run being added: the operations of a set. Fails where machine or settings are not those of what came before.
  [[nodiscard]] Result<void> add(const OpSet& ops);
  /// The pieces so far were one run.
  void end_run();
  /// Every "roofline-summary/1" in `text`, one after the other. `last`: nothing follows; else what may be the beginning of one is left, and
  /// the bytes taken are returned.
  [[nodiscard]] Result<std::size_t> add_documents(std::string_view text, bool last);

  /// On one line, those operations first that lose most time.
  void write(const Sink& sink) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace roofline
