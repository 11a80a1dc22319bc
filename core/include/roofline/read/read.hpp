// Readers: a source file's bytes to a Workload. One reader per input format; detection is by content.
#pragma once

#include <deque>
#include <memory>
#include <roofline/base/result.hpp>
#include <roofline/registry/registry.hpp>
#include <roofline/workload/limits.hpp>
#include <roofline/workload/record.hpp>
#include <roofline/workload/workload.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

struct ReadOptions {
  std::string source_name;             ///< for messages and titles
  const Registry* registry = nullptr;  ///< may be null; with the Keys it was parsed with
  const Keys* keys = nullptr;
  bool lines = false;                   ///< operations as commands.json has them, one on each line: nothing else is looked for
  FormatId assumed_format = no_format;  ///< of operations that name none; no_format: the reader's own, INT8 of records, FP32 of tables
  /// Records are kept in Workload::text, where the source cannot be read again; else their places in it are.
  bool keep_records = false;
  std::uint64_t first_byte = 0;    ///< where the fed bytes begin in the source, for those places
  std::uint64_t source_bytes = 0;  ///< how many there will be, so that the columns are made large enough at once; 0: not known
  /// Of a trace of PyTorch's profiler: a row for each kernel and copy, in the order in which they began, with its whole name, its time and
  /// step, and no work. What ran one after the other tells a model's operators in kernels that have none (place_kernels()).
  bool each_launch = false;
  /// Of a table: its headers that are to be read as others (table_columns.hpp has which), "" for a column that is not to be used. With any,
  /// every table is one of kernels.
  std::vector<std::pair<std::string, std::string>> columns = {};
  /// In bytes. A longer record, or a longer table of a form that is only read as a whole, is an error: it bounds the memory.
  std::size_t longest_record = std::size_t{64} << 20;
  WorkloadLimits limits = {};
  /// So many of the first bytes tell what an input is, its units and its columns.
  std::size_t head_bytes = standard_head;
  static constexpr std::size_t standard_head = std::size_t{1} << 20;
};

/// Reads operations from bytes in pieces of any size, whatever their format: JSON, CSV and profilers' binaries. Only what is not read yet
/// is held, so that a file may be larger than memory, and a page can show progress and be cancelled between two pieces.
class Reader {
 public:
  explicit Reader(ReadOptions options);
  ~Reader();
  Reader(Reader&&) noexcept;

  /// An error means that the whole input is unusable; nothing more is to be fed then.
  [[nodiscard]] Result<void> feed(std::string_view bytes);
  /// After the last piece.
  [[nodiscard]] Result<Workload> finish();
  /// Whether the error is that there are more operations than ReadOptions::limits allow.
  [[nodiscard]] bool full() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// All bytes at once.
[[nodiscard]] Result<Workload> read(std::string_view bytes, const ReadOptions& options);

/// The text of a small file: BOM removed, UTF-16 turned into UTF-8; fails on binaries and NUL bytes, saying what it looks like (gzip, zip,
/// PNG, ...).
[[nodiscard]] Result<std::string> to_utf8(std::string_view bytes);

/// A record with the text that its strings point into.
struct ParsedRecord {
  std::string text;
  std::deque<std::string> decoded;
  Record record;
};

/// One record's JSON text, for showing how its work was derived.
[[nodiscard]] Result<std::unique_ptr<ParsedRecord>> parse_record(std::string_view json, const Keys& keys);

}  // namespace roofline
