// Which of the formats a network's file is in.
#include <algorithm>
#include <roofline/network/network.hpp>

#include "network/onnx/onnx.hpp"
#include "network/torch/torch_export.hpp"

namespace roofline {
namespace {

struct NetworkFormat {
  std::string_view ending;
  bool (*begins)(std::string_view start);
  Result<std::unique_ptr<Network>> (*open)(const ByteSource& source);
};

constexpr NetworkFormat formats[] = {{".onnx", is_onnx, open_onnx}, {".pt2", is_torch_export, open_torch_export}};

/// By how the file begins, else by its name: its reader then says what is wrong.
const NetworkFormat* format_of(std::string_view name, std::string_view start) {
  for (const NetworkFormat& format : formats)
    if (format.begins(start)) return &format;
  for (const NetworkFormat& format : formats)
    if (name.ends_with(format.ending)) return &format;
  return nullptr;
}

}  // namespace

bool is_network(std::string_view name, std::string_view start) { return format_of(name, start) != nullptr; }

Result<std::unique_ptr<Network>> open_network(std::string_view name, const ByteSource& source) {
  constexpr std::uint64_t enough = 64;
  const Result<std::string> start = source.read(0, std::min(enough, source.size()));
  if (!start) return Unexpected(start.error());
  if (const NetworkFormat* format = format_of(name, *start)) return format->open(source);
  return fail(std::string(name) +
              " does not begin as a network does: expected an ONNX model (.onnx) or an exported program of PyTorch (.pt2)");
}

}  // namespace roofline
