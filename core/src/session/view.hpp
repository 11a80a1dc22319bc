// What is looked at: the page's view document as a plain struct, and one table of its keys.
#pragma once

#include <cstdint>
#include <optional>
#include <roofline/analysis/selection.hpp>
#include <roofline/frame/frame.hpp>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/json.hpp"

namespace roofline {

struct SortBy {
  SortKey key = SortKey::lost;
  std::string label;  ///< for SortKey::label
  bool operator==(const SortBy&) const = default;
};

/// A document holds what is not at its default.
struct ViewSettings : OpFilter {
  ViewSettings() { level = Level::operations; }
  std::string memory;
  bool grouped = false;
  std::size_t top = FrameRequest().top;
  SortBy sort;
  bool descending = true;
  std::optional<std::uint32_t> selected;
  std::size_t offset = FrameRequest().offset, rows = FrameRequest().rows;
  std::optional<double> log_x0, log_x1, log_y0, log_y1;
  Json before_machine;
  std::string compare_sort;
  bool compare_descending = true;
};

/// A key of the document: its name, the member it is kept in (whose type says what is expected), and what it means.
struct ViewKey {
  template <class T>
  using Member = T ViewSettings::*;
  std::string_view name;
  std::variant<Member<bool>, Member<std::size_t>, Member<std::optional<std::uint32_t>>, Member<std::optional<double>>, Member<std::string>,
               Member<Words>, Member<std::optional<Words>>, Member<Where>, Member<Level>, Member<std::uint16_t>, Member<SortBy>,
               Member<Json>>
      member;
  std::string_view meaning;
};
[[nodiscard]] std::span<const ViewKey> view_keys();

inline constexpr std::string_view sort_label = "label:";  ///< and the name of a column of words or a measure: a name to sort by

/// The view's filter without what the open run has no words for: that is no filter. Of another run beside it, which lacks what the open
/// one filters by, nothing is let through.
[[nodiscard]] OpFilter in_force(OpFilter filter, const Workload& open_run);

/// Words that mean nothing on this machine are no filter.
[[nodiscard]] ResultFilter results_in_force(const OpFilter& filter, const Plan& plan);

/// A value of another kind than expected is left out, not trusted.
[[nodiscard]] Result<ViewSettings> parse_view(std::string_view text);

}  // namespace roofline
