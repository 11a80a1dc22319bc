#include "tensor/gguf_tensor_name.hpp"

#include "base/parse_number.hpp"

namespace roofline {

GgufTensorName split_gguf_name(std::string_view name) {
  GgufTensorName out;
  if (name.starts_with("blk.")) {
    const std::size_t dot = name.find('.', 4);
    const double layer = dot == std::string_view::npos ? unknown : parse_number(name.substr(4, dot - 4));
    if (layer >= 0 && layer < most_gguf_layers) {
      out.layer = static_cast<int>(layer);
      name.remove_prefix(dot + 1);
    }
  }
  const std::size_t dot = name.rfind('.');
  out.base = name.substr(0, dot);
  if (dot != std::string_view::npos) out.ending = name.substr(dot + 1);
  return out;
}

}  // namespace roofline
