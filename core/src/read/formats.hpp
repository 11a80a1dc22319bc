// The formats that operations can come in. Adding one is its file here and a line in formats.cpp; which it is, its content says.
#pragma once

#include <memory>
#include <roofline/read/read.hpp>
#include <string_view>

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
[[nodiscard]] Result<Workload> read_commands(std::string_view text);
std::unique_ptr<FormatReader> open_kernels(const ReadOptions& options);
std::unique_ptr<FormatReader> open_results(const ReadOptions& options);

[[nodiscard]] bool detects_results(std::string_view text);
[[nodiscard]] bool detects_kernels(std::string_view text);  ///< tables of any tool: the last to be asked

bool detects_pytorch(std::string_view text);
std::unique_ptr<FormatReader> open_pytorch(const ReadOptions& options);

bool detects_nsight_compute_csv(std::string_view text);
std::unique_ptr<FormatReader> open_nsight_compute_csv(const ReadOptions& options);
bool detects_nsight_compute_report(std::string_view bytes);
std::unique_ptr<FormatReader> open_nsight_compute_report(const ReadOptions& options);

/// The text that ncu prints without --csv.
bool detects_nsight_compute_text(std::string_view text);
std::unique_ptr<FormatReader> open_nsight_compute_text(const ReadOptions& options);

bool detects_nsight_systems(std::string_view text);
std::unique_ptr<FormatReader> open_nsight_systems(const ReadOptions& options);

bool detects_xplane(std::string_view bytes);
std::unique_ptr<FormatReader> open_xplane(const ReadOptions& options);

bool detects_xprof(std::string_view text);
std::unique_ptr<FormatReader> open_xprof(const ReadOptions& options);

bool detects_tensorrt(std::string_view text);
std::unique_ptr<FormatReader> open_tensorrt(const ReadOptions& options);

bool detects_ascend(std::string_view text);
std::unique_ptr<FormatReader> open_ascend(const ReadOptions& options);

bool detects_rocprof_compute(std::string_view text);
std::unique_ptr<FormatReader> open_rocprof_compute(const ReadOptions& options);

bool detects_rocprofv3(std::string_view text);
std::unique_ptr<FormatReader> open_rocprofv3(const ReadOptions& options);

bool detects_onnxruntime(std::string_view text);
std::unique_ptr<FormatReader> open_onnxruntime(const ReadOptions& options);

/// Chrome traces of other devices: trace/device_trace.cpp has them.
bool detects_device_trace(std::string_view text);
std::unique_ptr<FormatReader> open_device_trace(const ReadOptions& options);

bool detects_openvino(std::string_view text);
std::unique_ptr<FormatReader> open_openvino(const ReadOptions& options);

bool detects_summary(std::string_view text);
std::unique_ptr<FormatReader> open_summary(const ReadOptions& options);

/// What Roofline wrote and does not read: opening it fails, and says what was expected.
bool detects_answer(std::string_view text);
std::unique_ptr<FormatReader> open_answer(const ReadOptions& options);

bool detects_tenstorrent(std::string_view text);
std::unique_ptr<FormatReader> open_tenstorrent(const ReadOptions& options);

/// Tools that print tables for people, and what is known and not read: tools/tool_tables.cpp and tools/known_files.cpp have them.
bool detects_tool_table(std::string_view text);
std::unique_ptr<FormatReader> open_tool_table(const ReadOptions& options);
/// A table of which several columns are said to be the same: one for each implementation.
[[nodiscard]] bool names_providers(const ReadOptions& options);
bool detects_providers(std::string_view text);
std::unique_ptr<FormatReader> open_providers(const ReadOptions& options);
bool detects_known_file(std::string_view text);
std::unique_ptr<FormatReader> open_known_file(const ReadOptions& options);

bool detects_rknn(std::string_view text);
std::unique_ptr<FormatReader> open_rknn(const ReadOptions& options);

}  // namespace roofline
