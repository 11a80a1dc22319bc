// Trace events as Chrome's tracing format has them: {"traceEvents": [{"ph": "X", "cat": ..., "name": ..., "ts": µs, "dur": µs, "args":
// {}}]}. Cut out of a text that comes in pieces; each is looked at once and not kept.
#pragma once

#include <functional>
#include <string_view>

#include "read/text/text_window.hpp"

namespace roofline {

/// Where the JSON value that begins at `at` ends; npos: not within the text. Brackets and strings count, nothing else is checked.
[[nodiscard]] std::size_t value_end(std::string_view text, std::size_t at);

/// A member of an object, its value as it stands, quotes included.
struct TraceMember {
  std::string_view key, value;
};
/// The next member of the object that `object` is, from `at` on, which is 0 before the first. False: there is none; then `at` is the
/// object's size where it ends as it should.
[[nodiscard]] bool next_member(std::string_view object, std::size_t& at, TraceMember& member);

/// The word of an event's "cat", without its quotes; empty where it has none.
[[nodiscard]] std::string_view category_of(std::string_view event);

class TraceScanner {
 public:
  /// `event`: its text and where it begins in the window. `member`: any other member of the outer object.
  struct Use {
    std::function<void(std::string_view event, std::size_t begin)> event;
    std::function<void(std::string_view key, std::string_view value)> member;
  };
  /// Takes what is whole and drops it. An error where it is no such document.
  [[nodiscard]] Result<void> read(TextWindow& window, bool last, const Use& use);
  [[nodiscard]] std::size_t events() const { return events_; }
  /// Whether the last error was a truncated text; the events before it are kept.
  [[nodiscard]] bool truncated() const { return truncated_; }

 private:
  enum class Part { start, members, events, end };
  Part part_ = Part::start;
  std::size_t events_ = 0;
  bool list_ = false;  // the events are all there is
  bool truncated_ = false;
};

}  // namespace roofline
