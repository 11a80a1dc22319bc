// The formats that operations can come in. To add one, add its file here and its names in formats.cpp. A file's content decides its format.
#pragma once

#include <memory>
#include <roofline/read/read.hpp>
#include <string_view>
#include <type_traits>
#include <utility>

#include "read/text/text_window.hpp"
#include "workload/builder.hpp"

namespace roofline {

/// One input being read. What Reader promises, for one format.
class FormatReader {
 public:
  virtual ~FormatReader() = default;
  /// Reads what is whole and drops it; `last`: nothing follows. A record that reaches the end of what is at hand may go on in the next
  /// piece.
  virtual Result<void> read(TextWindow& window, bool last) = 0;
  virtual Workload take() = 0;
  [[nodiscard]] virtual const WorkloadBuilder& rows() const = 0;
};

using OpenReader = std::unique_ptr<FormatReader> (*)(const ReadOptions& options);

/// Reads into `Rows`: a WorkloadBuilder, or a class with one, such as Layers.
template <class Rows>
class RowsReader : public FormatReader {
 public:
  Workload take() override { return rows_.take(); }
  [[nodiscard]] const WorkloadBuilder& rows() const final { return builder_of(rows_); }

 protected:
  template <class... Arguments>
  explicit RowsReader(Arguments&&... arguments) : rows_(std::forward<Arguments>(arguments)...) {}
  [[nodiscard]] WorkloadBuilder& builder() { return builder_of(rows_); }

  Rows rows_;

 private:
  template <class Some>
  static auto& builder_of(Some& rows) {
    if constexpr (std::is_same_v<Rows, WorkloadBuilder>)
      return rows;
    else
      return rows.rows();
  }
};

/// Rewrites its input as a table that another reader reads.
class RewritingReader : public FormatReader {
 public:
  Workload take() override { return reader_->take(); }
  [[nodiscard]] const WorkloadBuilder& rows() const final { return reader_->rows(); }

 protected:
  RewritingReader(OpenReader open, ReadOptions options) {
    options.keep_records = true;  // they are not in the source
    options.columns.clear();      // they are the input's, not the table's
    reader_ = open(options);
  }
  Result<void> read_as(std::string_view table) {
    table_.append(table);
    return reader_->read(table_, true);
  }

 private:
  TextWindow table_;
  std::unique_ptr<FormatReader> reader_;
};

struct InputFormat {
  bool (*detects)(std::string_view text) = nullptr;  ///< looks at the beginning; `text` is followed by a NUL byte
  OpenReader open = nullptr;
  bool whole = false;  ///< small tables: read once all of the text is there
};

/// The format that these first bytes of a file are in, which are no text; null where none knows them. `binary_head` of them tell, unless
/// the file ends before.
[[nodiscard]] const InputFormat* find_binary_format(std::string_view bytes);
inline constexpr std::size_t binary_head = 64;

/// One record is longer than the options allow.
[[nodiscard]] Error too_long(const LineIndex& lines, std::size_t at, std::size_t most);

/// The format that `text` is in; null where none knows it. commands.json is not among them: it is what everything else is taken for.
[[nodiscard]] const InputFormat* find_format(std::string_view text);

/// Tables of any tool.
[[nodiscard]] const InputFormat* table_format();

std::unique_ptr<FormatReader> open_commands(const ReadOptions& options);
/// All of a text that is known to be commands.json.
[[nodiscard]] Result<Workload> read_commands(std::string_view text, const ReadOptions& options = {});

// Formats that others are read as.
std::unique_ptr<FormatReader> open_kernels(const ReadOptions& options);
std::unique_ptr<FormatReader> open_nsight_compute_csv(const ReadOptions& options);
[[nodiscard]] bool detects_results(std::string_view text);

// Binary formats.
std::unique_ptr<FormatReader> open_nsight_compute_report(const ReadOptions& options);
std::unique_ptr<FormatReader> open_xplane(const ReadOptions& options);

}  // namespace roofline
