// OpenVINO's XML of the graph that a device executed, with times (benchmark_app -exec_graph_path). docs/formats/engines.md has the rules.
// The model itself is a network: network/openvino.
#include <map>
#include <roofline/base/text.hpp>

#include "base/letters.hpp"
#include "base/xml.hpp"
#include "read/formats.hpp"
#include "read/layers/layers.hpp"
#include "read/text/csv.hpp"
#include "read/text/format_words.hpp"

namespace roofline {
namespace {

using Port = std::pair<std::string, std::string>;  // a layer's id and a port's

/// The operators of types that have other names here.
const Operator* openvino_operator(std::string_view type) {
  constexpr std::pair<std::string_view, const char*> names[] = {{"GroupConvolution", "conv"},
                                                                {"ConvolutionBackpropData", "conv_transpose"},
                                                                {"Deconvolution", "conv_transpose"},
                                                                {"Concatenation", "concat"},
                                                                {"Reorder", "copy"},
                                                                {"SoftMax", "softmax"}};
  for (const auto& [name, id] : names)
    if (name == type) return find_operator(id);
  return find_operator(type);
}

bool holds_a_tensor(std::string_view type) {
  return type == "Parameter" || type == "Const" || type == "Result" || type == "Input" || type == "Output" || type == "Constant";
}

class OpenVinoReader final : public RowsReader<Layers> {
 public:
  explicit OpenVinoReader(const ReadOptions& options) : RowsReader(options, SourceFormat::openvino, "layer") {}

  Result<void> read(TextWindow& window, bool) override {
    const Result<XmlElement> net = parse_xml(window.text());
    if (!net) return Unexpected(net.error());
    const XmlElement* layers = net->child("layers");
    if (net->name != "net" || !layers)
      return fail("the root element is <" + net->name + ">; expected <net> with <layers>, as OpenVINO writes it");
    if (const XmlElement* edges = net->child("edges"))
      for (const XmlElement& edge : edges->children)
        source_[{std::string(edge.attribute("to-layer")), std::string(edge.attribute("to-port"))}] = {
            std::string(edge.attribute("from-layer")), std::string(edge.attribute("from-port"))};
    for (const XmlElement& layer : layers->children)
      if (const XmlElement* outputs = layer.child("output"))
        for (const XmlElement& port : outputs->children)
          formats_[{std::string(layer.attribute("id")), std::string(port.attribute("id"))}] = format_in(port.attribute("precision"));
    for (const XmlElement& layer : layers->children)
      if (layer.name == "layer") read_layer(layer);
    if (!states_times_)
      return fail(
          "an OpenVINO model, which states no times: it opens as a network, from its file; benchmark_app -exec_graph_path writes the graph "
          "with times");
    window.drop(window.text().size());
    return {};
  }

  Workload take() override {
    WorkloadBuilder& rows = builder();
    if (not_executed_ > 0) rows.note(Severity::info, quantity(not_executed_, "layer") + " not executed: left out");
    if (unread_ > 0) rows.note(Severity::warning, quantity(unread_, "layer") + " with a time that is no number of microseconds: no time");
    return rows_.take();
  }

 private:
  void read_layer(const XmlElement& element) {
    const XmlElement none;
    const XmlElement* found = element.child("data");
    const XmlElement& data = found ? *found : none;
    Layer layer;
    layer.name = element.attribute("name");
    layer.type = element.attribute("type");
    if (const std::string_view type = data.attribute("layerType"); !type.empty()) layer.type = type;
    const std::string_view time = data.attribute("execTimeMcs");
    states_times_ = states_times_ || !time.empty();
    if (layer.type == "Const") return;
    if (time == "not_executed") {
      ++not_executed_;
      return;
    }
    const double time_us = exact_number(time).value_or(unknown);
    if (holds_a_tensor(layer.type) && !(time_us > 0)) return;
    unread_ += !time.empty() && !(time_us >= 0) ? 1 : 0;
    layer.time_s = time_us * 1e-6;
    layer.op = openvino_operator(layer.type);
    const FormatId runs_in = format_in(data.attribute("runtimePrecision"));
    layer.inputs = operands(element, "input", runs_in);
    layer.outputs = operands(element, "output", runs_in);
    put_groups(layer);
    rows_.add(layer);
    if (const std::string nodes = joined_names(data.attribute("originalLayersNames")); !nodes.empty())
      builder().set_word(merged_category, nodes);
  }

  /// "conv,relu" with merged_separator between the names.
  static std::string joined_names(std::string_view list) {
    std::string out;
    for (const std::string_view name : split(list, ',')) out.append(out.empty() ? "" : merged_separator).append(name);
    return out;
  }

  std::vector<Operand> operands(const XmlElement& element, std::string_view side, FormatId otherwise) const {
    std::vector<Operand> out;
    const XmlElement* ports = element.child(side);
    if (!ports) return out;
    for (const XmlElement& port : ports->children) {
      Operand operand;
      for (const XmlElement& dim : port.children) operand.shape.push_back(exact_number(dim.text).value_or(-1));
      operand.format = format_in(port.attribute("precision"));
      const auto from = source_.find({std::string(element.attribute("id")), std::string(port.attribute("id"))});
      if (operand.format == no_format && side == "input" && from != source_.end())
        if (const auto format = formats_.find(from->second); format != formats_.end()) operand.format = format->second;
      if (operand.format == no_format) operand.format = otherwise;
      out.push_back(std::move(operand));
    }
    return out;
  }

  static void put_groups(Layer& layer) {
    // [groups, Co / groups, Ci / groups, kernel...]
    if (layer.type == "GroupConvolution" && layer.inputs.size() > 1 && layer.inputs[1].shape.size() > 3) {
      std::vector<double>& weight = layer.inputs[1].shape;
      layer.fields["groups"] = weight[0];
      weight[1] *= weight[0];
      weight.erase(weight.begin());
    }
  }

  std::map<Port, Port> source_;       // of an input port: the output port that feeds it
  std::map<Port, FormatId> formats_;  // of output ports
  std::size_t not_executed_ = 0, unread_ = 0;
  bool states_times_ = false;
};

}  // namespace

bool detects_openvino(std::string_view text) {
  if (first_visible(text) != '<') return false;
  const std::size_t root = text.find("<net");
  return root < 1024 && contains(text, "<layers");
}

std::unique_ptr<FormatReader> open_openvino(const ReadOptions& options) { return std::make_unique<OpenVinoReader>(options); }

}  // namespace roofline
