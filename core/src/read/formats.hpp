// The formats that operations can come in. Adding one is its file here and a line in formats.cpp; which it is, its content says.
#pragma once

#include <memory>
#include <roofline/read/read.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// One input being read. What Reader promises, for one format.
class FormatReader {
 public:
  virtual ~FormatReader() = default;
  /// Reads on for about `bytes` of text. True: more remains.
  virtual Result<bool> step(std::size_t bytes) = 0;
  [[nodiscard]] virtual std::size_t position() const = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
  virtual Workload take() = 0;
};

using OpenReader = std::unique_ptr<FormatReader> (*)(std::string text, ReadOptions options);

struct InputFormat {
  std::string_view name;                             ///< Workload::source_format
  bool (*detects)(std::string_view text) = nullptr;  ///< looks at the beginning; `text` is followed by a NUL byte
  OpenReader open = nullptr;
};

/// The format that `text` is in; null where none knows it. commands.json is not among them: it is what everything else is taken for.
[[nodiscard]] const InputFormat* find_format(std::string_view text);

std::unique_ptr<FormatReader> open_commands(std::string text, ReadOptions options);
std::unique_ptr<FormatReader> open_kernels(std::string text, ReadOptions options);
std::unique_ptr<FormatReader> open_results(std::string text, ReadOptions options);

[[nodiscard]] bool detects_results(std::string_view text);
[[nodiscard]] bool detects_kernels(std::string_view text);  ///< tables of any tool: the last to be asked

bool detects_xprof(std::string_view text);
std::unique_ptr<FormatReader> open_xprof(std::string text, ReadOptions options);

}  // namespace roofline
