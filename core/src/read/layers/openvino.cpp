// OpenVINO's XML: the graph that a device executed, with times (benchmark_app -exec_graph_path), and the model itself, without.
// docs/formats/engines.md has the rules.
#include <algorithm>
#include <map>
#include <roofline/base/text.hpp>
#include <set>

#include "base/xml.hpp"
#include "read/formats.hpp"
#include "read/layers/layers.hpp"
#include "read/operations/operations.hpp"
#include "read/text/csv.hpp"
#include "read/text/format_words.hpp"

namespace roofline {
namespace {

const XmlElement* child(const XmlElement& element, std::string_view name) {
  for (const XmlElement& c : element.children)
    if (c.name == name) return &c;
  return nullptr;
}

using Port = std::pair<std::string, std::string>;  // a layer's id and a port's

/// "2,2" as a record's list.
Json numbers(std::string_view text) {
  Json out = Json::array();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    if (const auto number = exact_number(text.substr(at, end - at))) out.push_back(*number);
    at = end + 1;
  }
  return out;
}

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

class OpenVinoReader final : public FormatReader {
 public:
  explicit OpenVinoReader(const ReadOptions& options) : layers_(options, SourceFormat::openvino, "layer") {}

  Result<void> read(TextWindow& window, bool) override {
    const Result<XmlElement> net = parse_xml(window.text());
    if (!net) return Unexpected(net.error());
    const XmlElement* layers = child(*net, "layers");
    if (net->name != "net" || !layers)
      return fail("the root element is <" + net->name + ">; expected <net> with <layers>, as OpenVINO writes it");
    if (const XmlElement* edges = child(*net, "edges"))
      for (const XmlElement& edge : edges->children)
        source_[{std::string(edge.attribute("to-layer")), std::string(edge.attribute("to-port"))}] = {
            std::string(edge.attribute("from-layer")), std::string(edge.attribute("from-port"))};
    for (const XmlElement& layer : layers->children)
      if (const XmlElement* outputs = child(layer, "output"))
        for (const XmlElement& port : outputs->children)
          formats_[{std::string(layer.attribute("id")), std::string(port.attribute("id"))}] = format_in(port.attribute("precision"));
    for (const XmlElement& layer : layers->children)
      if (layer.name == "layer" && !is_constant(layer)) read_layer(layer);
    window.drop(window.text().size());
    return {};
  }

  const WorkloadBuilder& rows() const override { return layers_.rows(); }
  Workload take() override {
    WorkloadBuilder& rows = layers_.rows();
    if (not_executed_ > 0) rows.note(Severity::info, quantity(not_executed_, "layer") + " not executed: left out");
    if (unread_ > 0) rows.note(Severity::warning, quantity(unread_, "layer") + " with a time that is no number of microseconds: no time");
    if (!timed_ && rows.size() > 0)
      rows.note(Severity::info, "an OpenVINO model states no times: benchmark_app -exec_graph_path writes the graph with them");
    return layers_.take();
  }

 private:
  /// A constant, or what follows from constants alone: it is worked out once, before anything runs. Layers stand behind those that feed
  /// them.
  bool is_constant(const XmlElement& layer) {
    const XmlElement* inputs = child(layer, "input");
    const std::string id(layer.attribute("id"));
    bool constant = layer.attribute("type") == "Const";
    if (inputs && !inputs->children.empty())
      constant = std::all_of(inputs->children.begin(), inputs->children.end(), [&](const XmlElement& port) {
        const auto from = source_.find({id, std::string(port.attribute("id"))});
        return from != source_.end() && constants_.contains(from->second.first);
      });
    if (constant) constants_.insert(id);
    return constant;
  }

  void read_layer(const XmlElement& element) {
    const XmlElement none;
    const XmlElement* found = child(element, "data");
    const XmlElement& data = found ? *found : none;
    Layer layer;
    layer.name = element.attribute("name");
    layer.type = element.attribute("type");
    if (const std::string_view type = data.attribute("layerType"); !type.empty()) layer.type = type;
    const std::string_view time = data.attribute("execTimeMcs");
    if (time == "not_executed") {
      ++not_executed_;
      return;
    }
    const double time_us = exact_number(time).value_or(unknown);
    if (holds_a_tensor(layer.type) && !(time_us > 0)) return;
    timed_ = timed_ || !time.empty();
    unread_ += !time.empty() && !(time_us >= 0) ? 1 : 0;
    layer.time_s = time_us * 1e-6;
    layer.op = openvino_operator(layer.type);
    const FormatId runs_in = format_in(data.attribute("runtimePrecision"));
    layer.inputs = operands(element, "input", runs_in);
    layer.outputs = operands(element, "output", runs_in);
    put_fields(layer, data);
    layers_.add(layer);
  }

  std::vector<Operand> operands(const XmlElement& element, std::string_view side, FormatId otherwise) const {
    std::vector<Operand> out;
    const XmlElement* ports = child(element, side);
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

  static void put_fields(Layer& layer, const XmlElement& data) {
    const auto copy = [&](std::string_view from, const char* to) {
      if (const std::string_view value = data.attribute(from); !value.empty()) layer.fields[to] = numbers(value);
    };
    copy("strides", "stride");
    copy("dilations", "dilation");
    if (layer.op && layer.op->family == OpFamily::pooling) copy("kernel", "kernel_size");
    const Json before = numbers(data.attribute("pads_begin")), after = numbers(data.attribute("pads_end"));
    for (std::size_t i = 0; i < before.size() && i < after.size(); ++i)
      layer.fields["padding"].push_back(Json::array({before[i], after[i]}));
    if (data.attribute("auto_pad").substr(0, 4) == "same") layer.fields["padding"] = "SAME";
    for (const char* key : {"transpose_a", "transpose_b"})
      if (const std::string_view value = data.attribute(key); !value.empty()) layer.fields[key] = value == "true" || value == "1";
    // [groups, Co / groups, Ci / groups, kernel...]
    if (layer.type == "GroupConvolution" && layer.inputs.size() > 1 && layer.inputs[1].shape.size() > 3) {
      std::vector<double>& weight = layer.inputs[1].shape;
      layer.fields["groups"] = weight[0];
      weight[1] *= weight[0];
      weight.erase(weight.begin());
    }
  }

  Layers layers_;
  std::map<Port, Port> source_;       // of an input port: the output port that feeds it
  std::map<Port, FormatId> formats_;  // of output ports
  std::set<std::string> constants_;   // ids of layers
  std::size_t not_executed_ = 0, unread_ = 0;
  bool timed_ = false;
};

}  // namespace

bool detects_openvino(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '<') return false;
  const std::size_t root = text.find("<net");
  return root < 1024 && text.find("<layers") != std::string_view::npos;
}

std::unique_ptr<FormatReader> open_openvino(const ReadOptions& options) { return std::make_unique<OpenVinoReader>(options); }

}  // namespace roofline
