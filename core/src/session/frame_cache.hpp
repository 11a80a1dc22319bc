// Frames, and what is costly about them, kept as long as what it depends on stays the same.
#pragma once

#include <optional>
#include <roofline/calculator/machines.hpp>
#include <utility>

#include "session/view.hpp"

namespace roofline {

/// A value, kept beside what it depends on.
template <class Key, class Value>
class Cached {
 public:
  /// The one for this key: kept, or made now.
  template <class Make>
  const Value& get(const Key& key, const Make& make) {
    if (!find(key)) {
      kept_.reset();  // there need not be room for two
      kept_.emplace(key, make());
    }
    return kept_->second;
  }
  /// Null: none is kept for this key.
  [[nodiscard]] const Value* find(const Key& key) const { return kept_ && kept_->first == key ? &kept_->second : nullptr; }
  void put(const Key& key, Value value) { kept_.emplace(key, std::move(value)); }

 private:
  std::optional<std::pair<Key, Value>> kept_;
};

/// What a frame is of. The numbers count how often there was another workload, another scenario.
struct FrameSubject {
  const Workload& workload;
  std::size_t opened;
  const Scenario& scenario;
  std::size_t configured;
  const ViewSettings& view;
};

/// What each of the things kept depends on.
namespace frame_key {

struct Rows {
  std::size_t opened = 0;
  bool grouped = false;
  bool operator==(const Rows&) const = default;
};
/// What the scope depends on.
struct Counted {
  Rows rows;
  Level level = Level::operations;
  bool infeed = true;
  bool operator==(const Counted&) const = default;
};
struct Selected {
  Rows rows;
  OpFilter filter;  ///< as select_rows() looks at it
  bool operator==(const Selected&) const = default;
};
struct Ordered {
  Rows rows;
  SortBy by;
  bool operator==(const Ordered&) const = default;
};
/// What the top operations and the density depend on.
struct Placed {
  Selected selected;
  ResultFilter results;
  MemoryAxis axis = device_axis;
  std::size_t top = 0;
  Axes window;
  std::optional<std::size_t> configured;  ///< absent: no machine moves them
  bool operator==(const Placed&) const = default;
};
/// What the distinct operations of a selection depend on.
struct Distinguished {
  Selected selected;
  ResultFilter results;
  std::size_t configured = 0;  ///< the formats in force decide what is equal, and the filter what is let through
  bool operator==(const Distinguished&) const = default;
};
struct Totalled {
  Counted counted;
  std::size_t configured = 0;
  bool operator==(const Totalled&) const = default;
};

}  // namespace frame_key

class FrameCache {
 public:
  /// The rows of the table: the workload's own operations, or groups of identical ones.
  const Workload& rows(const FrameSubject& subject);
  /// The operations behind a row where they are grouped.
  const std::vector<std::vector<std::uint32_t>>& members(const FrameSubject& subject);
  /// Null: it is no profile.
  const ProfileRank* profile_rank(const FrameSubject& subject);

  /// What the view lets through. `plan` is of rows(), here and below.
  OpSet ops(const FrameSubject& subject, const Plan& plan);
  FrameRequest request(const FrameSubject& subject, const Plan& plan);
  const DistinctOps& distinct(const FrameSubject& subject, const Plan& plan);
  Frame frame(const FrameSubject& subject, const Plan& plan, const FrameRequest& request);
  /// Whether the times contradict the machine: Summary::machine_mismatch of all that is in scope.
  bool machine_mismatch(const FrameSubject& subject, const Plan& plan);

 private:
  using Rows = frame_key::Rows;
  using Counted = frame_key::Counted;
  using Selected = frame_key::Selected;
  using Ordered = frame_key::Ordered;
  using Placed = frame_key::Placed;
  using Totalled = frame_key::Totalled;
  struct Groups {
    Workload rows;
    std::vector<std::vector<std::uint32_t>> members;
  };

  static Rows rows_of(const FrameSubject& subject) { return {subject.opened, subject.view.grouped}; }
  static Counted counted(const FrameSubject& s) { return {rows_of(s), s.view.level, s.view.infeed}; }
  static Selected selected(const FrameSubject& subject);
  const Groups& groups(const FrameSubject& subject);

  Cached<Rows, Groups> groups_;
  Cached<Rows, bool> all_measured_;
  Cached<Selected, std::shared_ptr<const RowSelection>> selection_;
  Cached<Counted, ProfileRank> profile_rank_;
  Cached<Ordered, std::vector<std::uint32_t>> ranks_;
  Cached<Placed, Frame> positions_;  ///< only what ReusableFrame says
  Cached<Totalled, Frame> totals_;
  Cached<frame_key::Distinguished, DistinctOps> distinct_;
};

}  // namespace roofline
