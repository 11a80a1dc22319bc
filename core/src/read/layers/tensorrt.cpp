// What trtexec exports of an engine: --exportProfile, the time of each layer, and --exportLayerInfo, what each layer is.
// docs/formats/engines.md has the rules.
#include <roofline/base/text.hpp>
#include <roofline/machine/format.hpp>

#include "base/json.hpp"
#include "base/letters.hpp"
#include "read/formats.hpp"
#include "read/layers/layers.hpp"
#include "read/text/format_words.hpp"

namespace roofline {
namespace {

std::vector<double> numbers(const Json& list) {
  std::vector<double> out;
  for (const Json& item : list) out.push_back(number_of(item));
  return out;
}

/// [{"Name": "input", "Dimensions": [1, 3, 224, 224], "Format/Datatype": "Row major linear FP32"}]
std::vector<Operand> tensorrt_operands(const Json& list) {
  std::vector<Operand> out;
  for (const Json& item : list) out.push_back({numbers(member(item, "Dimensions")), format_in(text_of(member(item, "Format/Datatype")))});
  return out;
}

/// The operator that a layer's type tells; null: none.
const Operator* tensorrt_operator(const std::string& type) {
  if (type == "Reformat" || type == "Reformatting CopyNode") return find_operator("copy");
  return find_operator(type);
}

/// [[before, after], ...] of two lists.
Json paddings(const Json& before, const Json& after) {
  Json out = Json::array();
  if (!before.is_array() || !after.is_array()) return out;
  for (std::size_t i = 0; i < before.size() && i < after.size(); ++i) out.push_back(Json::array({before[i], after[i]}));
  return out;
}

Layer layer_of(const Json& item) {
  Layer layer;
  layer.name = text_of(member(item, "Name"));
  const std::string kind = text_of(member(item, "ParameterType"));  // "Convolution" of the LayerType "CaskConvolution"
  layer.type = kind.empty() ? text_of(member(item, "LayerType")) : kind;
  layer.idle = layer.type == "NoOp";
  layer.op = tensorrt_operator(layer.type);
  layer.inputs = tensorrt_operands(member(item, "Inputs"));
  layer.outputs = tensorrt_operands(member(item, "Outputs"));
  const auto copy = [&](const char* from, const char* to) {
    if (const Json& value = member(item, from); !value.is_null()) layer.fields[to] = value;
  };
  copy("Kernel", "kernel_size");
  copy("WindowSize", "kernel_size");
  copy("Stride", "stride");
  copy("Dilation", "dilation");
  copy("Groups", "groups");
  copy("OutMaps", "output_channels");
  if (item.contains("PrePadding")) layer.fields["padding"] = paddings(member(item, "PrePadding"), member(item, "PostPadding"));
  if (const Json& weights = member(item, "Weights"); weights.is_object()) {
    layer.weight = format_in(text_of(member(weights, "Type")));
    layer.fields["bias"] = number_of(member(member(item, "Bias"), "Count")) > 0;
  }
  return layer;
}

constexpr const char* a_profile = R"(a profile of trtexec: [{"count": 100}, {"name": "layer", "averageMs": 0.1}, ...])";
constexpr const char* a_layer_list = R"(a layer list of trtexec: {"Layers": [{"Name": ..., "LayerType": ..., "Inputs": [...]}, ...]})";

class TensorRtReader final : public RowsReader<Layers> {
 public:
  explicit TensorRtReader(const ReadOptions& options) : RowsReader(options, SourceFormat::tensorrt, "layer") {}

  Result<void> read(TextWindow& window, bool) override {
    const std::string_view text = window.text();
    const Result<Json> json = parse_json(text, text.find_first_not_of(" \t\r\n") == text.find('[') ? a_profile : a_layer_list);
    if (!json) return Unexpected(json.error());
    auto ok = json->is_array() ? read_profile(*json) : read_layers(*json);
    window.drop(text.size());
    return ok;
  }

  Workload take() override {
    if (unread_ > 0) builder().note(Severity::warning, quantity(unread_, "item") + " without a name or a time: left out");
    Workload work = rows_.take();
    if (runs_ > 1) {
      work.properties.emplace_back("Runs", std::to_string(static_cast<long long>(runs_)));
      work.diagnostics.push_back({Severity::info, "times are averages of " + work.properties.back().second + " runs", {}, 0, 0, {}});
    }
    work.machine_words = {"tensorrt"};
    return work;
  }

 private:
  Result<void> read_profile(const Json& list) {
    for (const Json& item : list) {
      if (const double runs = number_of(member(item, "count")); runs >= 1 && !item.contains("name")) {
        runs_ = runs;
        continue;
      }
      Layer layer;
      layer.name = text_of(member(item, "name"));
      layer.type = "layer";
      layer.time_s = number_of(member(item, "averageMs")) * 1e-3;
      if (!known(layer.time_s)) layer.time_s = number_of(member(item, "timeMs")) * 1e-3 / runs_;
      if (layer.name.empty() || !known(layer.time_s))
        ++unread_;
      else
        rows_.add(layer);
    }
    return {};
  }

  Result<void> read_layers(const Json& json) {
    const Json& list = member(json, "Layers");
    if (!list.is_array()) return fail(std::string(kind_of(list)) + ": expected " + a_layer_list, "Layers");
    std::size_t names = 0;
    for (const Json& item : list) {
      names += item.is_string() ? 1 : 0;
      if (item.is_object() && !text_of(member(item, "Name")).empty())
        rows_.add(layer_of(item));
      else
        ++unread_;
    }
    if (names > 0 && names == list.size())
      return fail("names of layers and nothing more: expected their shapes; build the engine with --profilingVerbosity=detailed", "Layers");
    return {};
  }

  double runs_ = 1;
  std::size_t unread_ = 0;
};

}  // namespace

bool detects_tensorrt(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  if (text[first] == '[') return contains(text, "\"averageMs\"") && contains(text, "\"percentage\"") && !contains(text, "\"traceEvents\"");
  const std::size_t key = text.find_first_not_of(" \t\r\n", first + 1);
  return text[first] == '{' && key != std::string_view::npos && text.substr(key, 8) == "\"Layers\"";
}

std::unique_ptr<FormatReader> open_tensorrt(const ReadOptions& options) { return std::make_unique<TensorRtReader>(options); }

}  // namespace roofline
