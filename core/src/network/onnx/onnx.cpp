#include <roofline/base/text.hpp>

#include "network/length_expression.hpp"
#include "network/onnx/sizing.hpp"
#include "network/open_dimensions.hpp"
#include "network/readers.hpp"

namespace roofline {
namespace {

using namespace onnx;

/// Operators whose results are as long as the data have it.
bool has_data_dependent_shape(const PlacedNode& node) {
  for (const char* type : {"NonZero", "Unique", "Compress", "NonMaxSuppression"})
    if (node.is(type)) return true;
  return false;
}

class OnnxNetwork final : public Network {
 public:
  OnnxNetwork(Model model) : model_(std::move(model)) {}

  Result<void> prepare() {
    auto placed = place(model_);
    if (!placed) return Unexpected(placed.error());
    graph_ = std::move(*placed);
    collect(graph_.main);
    return {};
  }

  [[nodiscard]] std::vector<Dimension> open_dimensions() const override { return open_.all(); }

  [[nodiscard]] SizedNetwork at(const std::vector<Dimension>& dimensions) const override {
    SizedNetwork out = size_network(graph_, model_, dimensions);
    out.format = "ONNX";
    out.producer = model_.producer;
    note_missing(out.notes, true, "in other files, which are not opened");
    note_missing(out.notes, false, "not in the file");
    if (const std::vector<std::string>& missing = graph_.missing; !missing.empty())
      out.notes.push_back("nodes read \"" + printable(missing[0]) + '"' +
                          (missing.size() > 1 ? " and " + with_commas(missing.size() - 1) + " more tensors" : std::string()) +
                          ", which no node, input or weight of the file makes: their shapes are not known");
    return out;
  }

 private:
  /// Adds a note on the weights whose data is missing; their bytes follow from their shapes. `external`: those in other files.
  void note_missing(std::vector<std::string>& notes, bool external, const std::string& where) const {
    double bytes = 0;
    std::size_t tensors = 0;
    for (const Constant& c : model_.graph.constants)
      if (!c.sparse && c.bytes > 0 && c.external == external && (external || !c.has_data)) bytes += c.bytes, ++tensors;
    if (tensors > 0)
      notes.push_back(with_commas(tensors) + (tensors == 1 ? " weight is " : " weights are ") + where + ": " + with_unit(bytes, "B") +
                      " by shape");
  }

  /// The open lengths of what goes in; those of what comes out follow.
  void collect(const Block& block) {
    for (const TensorId id : block.inputs) {
      const ValueInfo* declared = graph_.tensors[id].declared;
      if (!declared || !declared->shape) continue;
      for (std::size_t i = 0; i < declared->shape->size(); ++i) {
        const DeclaredLength& length = (*declared->shape)[i];
        if (known(length.value)) continue;
        const LengthExpression expression(dimension_name(declared->name, i, length));
        for (const std::string& name : expression.names())
          open_.add({.name = name,
                     .least = name.find("past") == std::string::npos ? 1.0 : 0.0,
                     .leads_input = i == 0 && declared->shape->size() > 1 && expression.is_name()});
      }
    }
    collect_decided(block);
    // A search has networks as its bodies: what goes into them is not among its own inputs.
    for (const PlacedNode& node : block.nodes)
      if (!node.is("If") && !node.is("Loop") && !node.is("Scan"))
        for (const Block& body : node.bodies) collect(body);
  }

  void collect_decided(const Block& block) {
    for (const PlacedNode& node : block.nodes)
      if (has_data_dependent_shape(node) && !node.node->outputs.empty())
        open_.add({.name = node.node->outputs[0], .least = 0, .decided_by_data = true});
  }

  Model model_;
  PlacedGraph graph_;
  OpenDimensions open_;
};

}  // namespace

bool is_onnx(std::string_view start) {
  // ir_version, field 1, a small number; then a field of ModelProto with bytes, or the version of the model.
  if (start.size() < 4 || start[0] != 0x08) return false;
  const auto version = static_cast<unsigned char>(start[1]), next = static_cast<unsigned char>(start[2]);
  if (version == 0 || version > 0x20) return false;
  for (const unsigned char tag : {0x12, 0x1A, 0x22, 0x28, 0x32, 0x3A, 0x42, 0x72, 0xCA})
    if (next == tag) return true;
  return false;
}

Result<std::unique_ptr<Network>> open_onnx(const ByteSource& source) {
  Result<Model> model = read_model(source);
  if (!model) return Unexpected(model.error());
  auto network = std::make_unique<OnnxNetwork>(std::move(*model));
  if (const Result<void> prepared = network->prepare(); !prepared) return Unexpected(prepared.error());
  return std::unique_ptr<Network>(std::move(network));
}

}  // namespace roofline
