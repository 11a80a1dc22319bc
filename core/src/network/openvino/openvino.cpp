#include "network/open_dimensions.hpp"
#include "network/openvino/sizing.hpp"
#include "network/readers.hpp"

namespace roofline {
namespace {

using openvino::Block;
using openvino::Layer;

class OpenVinoNetwork final : public Network {
 public:
  explicit OpenVinoNetwork(Block model) : model_(std::move(model)) {
    for (const Layer& layer : model_.layers) collect(layer);
  }

  [[nodiscard]] std::vector<Dimension> open_dimensions() const override { return open_.all(); }
  [[nodiscard]] SizedNetwork at(const std::vector<Dimension>& dimensions) const override {
    return openvino::size_network(model_, dimensions);
  }

 private:
  void collect(const Layer& layer) {
    if (layer.type == "PagedAttentionExtension") open_.add({.name = openvino::context_name});
    if (layer.outputs.empty() || (layer.type != "Parameter" && layer.type != "ReadValue")) return;
    const Lengths& shape = layer.outputs[0].shape;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (known(shape[i])) continue;
      const openvino::Bounds bounds = layer.bounds(i);
      open_.add({.name = openvino::dimension_name(layer, i),
                 .least = layer.type == "ReadValue" && i > 0 ? 0 : bounds.least,
                 .greatest = bounds.greatest,
                 .leads_input = i == 0 && shape.size() > 1});
    }
  }

  Block model_;
  OpenDimensions open_;
};

}  // namespace

bool is_openvino_model(std::string_view start) {
  const std::size_t first = start.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos || start[first] != '<') return false;
  return start.find("<net ") < 1024 && start.find("execTimeMcs") == std::string_view::npos;
}

Result<std::unique_ptr<Network>> open_openvino_model(const ByteSource& source) {
  const Result<std::string> text = source.read(0, source.size());
  if (!text) return Unexpected(text.error());
  std::string_view xml = *text;
  if (xml.starts_with("\xEF\xBB\xBF")) xml.remove_prefix(3);
  Result<Block> model = openvino::read_model(xml);
  if (!model) return Unexpected(model.error());
  return std::unique_ptr<Network>(std::make_unique<OpenVinoNetwork>(std::move(*model)));
}

}  // namespace roofline
