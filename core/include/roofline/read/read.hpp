// Readers: a source file's bytes to a Workload. One reader per input format; detection is by content.
#pragma once

#include <deque>
#include <memory>
#include <roofline/base/result.hpp>
#include <roofline/registry/registry.hpp>
#include <roofline/workload/record.hpp>
#include <roofline/workload/workload.hpp>
#include <string>
#include <string_view>

namespace roofline {

struct ReadOptions {
  std::string source_name;             ///< for messages and titles
  const Registry* registry = nullptr;  ///< may be null; with the Keys it was parsed with
  const Keys* keys = nullptr;
};

/// Reads operations in slices, whatever their format, so that a page can show progress and be cancelled between two of them.
class Reader {
 public:
  /// `text` is UTF-8 without a BOM (see to_utf8) and must end in at least one NUL byte beyond its size, as std::string does.
  Reader(std::string text, ReadOptions options);
  ~Reader();
  Reader(Reader&&) noexcept;

  /// Reads on for about `bytes` of text. True: more remains. An error means the whole input is unusable.
  [[nodiscard]] Result<bool> step(std::size_t bytes);
  [[nodiscard]] std::size_t position() const;
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] Workload take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The whole file at once.
[[nodiscard]] Result<Workload> read(std::string text, const ReadOptions& options);

/// BOM removed, UTF-16 turned into UTF-8; fails on binaries and NUL bytes, saying what it looks like (gzip, zip, PNG, ...).
[[nodiscard]] Result<std::string> to_utf8(std::string bytes);

/// A record with the text that its strings point into.
struct ParsedRecord {
  std::string text;
  std::deque<std::string> decoded;
  Record record;
};

/// One record's JSON text, for showing how its work was derived.
[[nodiscard]] Result<std::unique_ptr<ParsedRecord>> parse_record(std::string_view json, const Keys& keys);

}  // namespace roofline
