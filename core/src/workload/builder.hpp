// Fills a Workload row by row: columns in, rows out. What every reader needs is here once: columns that stay empty while nothing is in
// them, words as numbers, names' own text, and diagnostics up to a limit.
#pragma once

#include <roofline/workload/limits.hpp>
#include <roofline/workload/workload.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/interner.hpp"
#include "workload/columns.hpp"
#include "workload/sizes_index.hpp"

namespace roofline {

/// About 3 years. A longer "time" is a timestamp or a mistake.
inline constexpr double longest_time_s = 1e8;
/// Seconds: 1 ps, below the resolution of any clock. A shorter time is a unit error.
inline constexpr double shortest_time_s = 1e-12;

struct WorkloadRow {
  std::uint32_t op_class = 0;  ///< WorkloadBuilder::op_class()
  OpNumbers numbers;
  TextRange name;  ///< WorkloadBuilder::keep()
  SourceRange record;
  std::uint32_t shape_hash = 0;
};

class WorkloadBuilder {
 public:
  WorkloadBuilder(std::string source, SourceFormat source_format, const WorkloadLimits& limits = {});

  // --- rows

  void push(const WorkloadRow& row);
  /// Why rows were refused: the limits have no room for them. Such a workload is not to be used. Empty: all are there.
  [[nodiscard]] const std::string& refused() const { return refused_; }
  [[nodiscard]] std::size_t size() const { return work_.size(); }
  /// Reserves what the rows in all of `all` bytes will take, once those in `read` of them tell: growing by doubling would leave half of the
  /// memory unused. Rows that would take several times what there is are refused at once. `all` 0: not known.
  void reserve_for(std::uint64_t read, std::uint64_t all);

  // --- words as numbers

  /// The number of a type or a category. Equal words have equal numbers.
  std::uint32_t word(std::string_view text, bool* is_new = nullptr) { return words_.intern(text, is_new); }
  /// The class of these traits; its type and category are words.
  std::uint32_t op_class(std::uint32_t type, std::uint32_t category, const OpClass& traits);
  std::uint32_t op_class(const OpClass& whole) { return op_class(word(whole.type), word(whole.category), whole); }
  /// A name in the workload's text.
  TextRange keep(std::string_view name);
  /// A record in the workload's text, where its source cannot be read again.
  SourceRange keep_record(std::string_view record);

  // --- of the row pushed last, beside its numbers

  /// Rows without a step are of the step "" once any has one.
  void set_step(std::string_view name);
  void set_views(std::uint8_t views);
  std::size_t add_category(std::string name);
  void set_word(std::size_t category, std::string_view word);
  /// By the category's name; adds the category with its first word.
  void set_word(std::string_view category, std::string_view word);
  std::size_t add_channel(std::string name, bool link);
  void set_channel(std::size_t channel, double bytes) { work_.channels[channel].bytes.push_back(bytes); }
  std::size_t add_measure(std::string name, std::string unit);
  void set_measure(std::size_t measure, double value) { work_.measures[measure].values.push_back(value); }

  // --- diagnostics

  /// Beyond this many they are only counted.
  static constexpr std::size_t max_diagnostics = 10000;
  [[nodiscard]] bool full() const { return work_.diagnostics.size() >= max_diagnostics; }
  /// About the row that is pushed next; `error()` makes it, and is not asked where it would not be kept.
  template <class MakeError>
  void report(Severity severity, const MakeError& error) {
    if (full())
      ++work_.hidden_diagnostics;
    else
      add(severity, error(), static_cast<std::uint32_t>(size()));
  }
  /// About the whole.
  void note(Severity severity, std::string message, std::string path = {}) {
    add(severity, Error{std::move(message), 0, 0, std::move(path)}, {});
  }

  /// What is set beside the rows: the machine, properties, finished columns of words.
  [[nodiscard]] Workload& workload() { return work_; }
  [[nodiscard]] Workload take();

 private:
  [[nodiscard]] double row_bytes() const;
  [[nodiscard]] double text_bytes() const;
  [[nodiscard]] double rows_that_fit() const;
  void refuse(const std::string& found, double most);
  bool make_room(double rows);
  bool add_text(std::string_view more);
  void reserve(std::size_t rows);
  void add(Severity severity, Error error, std::optional<std::uint32_t> op);

  const WorkloadLimits limits_;
  Workload work_;
  std::string text_;
  std::string refused_;
  std::size_t room_ = 0;                                // rows that the columns have room for
  static constexpr std::uint32_t no_step = 0xffffffff;  // of the last row, until it has one
  void close_step();

  Interner words_, steps_;
  std::vector<Interner> category_words_;
  SizesIndex sizes_;
  HashIndex class_index_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> class_keys_;
  std::uint64_t last_low_ = ~0ull, last_high_ = ~0ull;
  std::uint32_t last_class_ = 0;
  bool text_full_ = false, reserved_ = false;
};

}  // namespace roofline
