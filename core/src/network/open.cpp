// Which of the formats a network's file is in.
#include <algorithm>
#include <roofline/network/network.hpp>

#include "network/readers.hpp"

namespace roofline {
namespace {

struct NetworkFormat {
  std::string_view ending;  ///< of names that are of this format alone
  bool (*begins)(std::string_view start);
  Result<std::unique_ptr<Network>> (*open)(const ByteSource& source);
};

constexpr NetworkFormat formats[] = {{".tflite", is_tflite, open_tflite},
                                     {".onnx", is_onnx, open_onnx},
                                     {".pt2", is_torch_export, open_torch_export},
                                     {"", is_openvino_model, open_openvino_model}};  // the graph that was executed is .xml, too

/// By how the file begins, else by its name: its reader then says what is wrong.
const NetworkFormat* format_of(std::string_view name, std::string_view start) {
  for (const NetworkFormat& format : formats)
    if (format.begins(start)) return &format;
  for (const NetworkFormat& format : formats)
    if (!format.ending.empty() && name.ends_with(format.ending)) return &format;
  return nullptr;
}

}  // namespace

bool is_network(std::string_view name, std::string_view start) { return format_of(name, start) != nullptr; }

Result<std::unique_ptr<Network>> open_network(std::string_view name, const ByteSource& source) {
  const Result<std::string> start = source.read(0, std::min(network_start_bytes, source.size()));
  if (!start) return Unexpected(start.error());
  if (const NetworkFormat* format = format_of(name, *start)) return format->open(source);
  return fail(std::string(name) + " does not begin as a network does: expected " + std::string(network_kinds));
}

}  // namespace roofline
