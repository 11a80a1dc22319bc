#include "network/openvino/model.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <roofline/base/text.hpp>

#include "base/parse_number.hpp"
#include "base/xml.hpp"
#include "read/text/lines.hpp"

namespace roofline::openvino {
namespace {

constexpr int deepest = 16;  // bodies within bodies
constexpr std::size_t highest_rank = 64;

std::vector<std::string_view> parts(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    out.push_back(without_blanks(text.substr(at, end - at)));
    at = end + 1;
  }
  return out;
}

class BlockReader {
 public:
  BlockReader(const XmlElement& element, std::string where, int depth) : element_(element), where_(std::move(where)), depth_(depth) {}

  Result<Block> read() {
    if (depth_ > deepest) return fail(where_ + ": bodies nested more than " + std::to_string(deepest) + " deep");
    const XmlElement* layers = element_.child("layers");
    if (!layers) return fail(where_ + ": no <layers>; expected an OpenVINO model");
    Block block;
    for (const XmlElement& element : layers->children) {
      if (element.name != "layer") continue;
      Result<Layer> layer = read_layer(element);
      if (!layer) return Unexpected(layer.error());
      if (!places_.emplace(layer->id, block.layers.size()).second)
        return fail(where_ + ": two layers have the id \"" + printable(layer->id) + "\"; expected an id of its own for each");
      block.layers.push_back(std::move(*layer));
    }
    if (const XmlElement* edges = element_.child("edges"))
      for (const XmlElement& edge : edges->children)
        if (const Result<void> connected = connect(block, edge); !connected) return Unexpected(connected.error());
    if (const Result<void> sorted = sort(block); !sorted) return Unexpected(sorted.error());
    return block;
  }

 private:
  [[nodiscard]] std::string named(const XmlElement& layer) const {
    return where_ + ": layer \"" + printable(layer.attribute("name")) + "\" (id " + printable(layer.attribute("id")) + ')';
  }

  Result<Layer> read_layer(const XmlElement& element) {
    Layer out;
    out.id = element.attribute("id");
    out.name = element.attribute("name");
    out.type = element.attribute("type");
    if (out.type.empty()) return fail(named(element) + " has no type");
    if (const XmlElement* data = element.child("data")) out.data = data->attributes;
    if (!out.text("execTimeMcs").empty())
      return fail(named(element) +
                  " states a time, as the graph that a device executed does, and the first layers do not: expected a model, or times of "
                  "all layers");
    for (const auto& [side, ports] : {std::pair("input", &out.inputs), std::pair("output", &out.outputs)})
      if (const XmlElement* list = element.child(side))
        for (const XmlElement& port : list->children) {
          Result<Port> read = read_port(port, element);
          if (!read) return Unexpected(read.error());
          ports->push_back(std::move(*read));
        }
    out.sources.resize(out.inputs.size());
    for (const auto& [body, map] :
         {std::pair("body", "port_map"), std::pair("then_body", "then_port_map"), std::pair("else_body", "else_port_map")})
      if (const XmlElement* inner = element.child(body)) {
        Result<Block> block =
            BlockReader(*inner, "the " + std::string(body) + " of layer \"" + printable(out.name) + '"', depth_ + 1).read();
        if (!block) return Unexpected(block.error());
        out.bodies.push_back({std::move(*block), read_map(element.child(map))});
      }
    return out;
  }

  static std::vector<BodyPort> read_map(const XmlElement* map) {
    std::vector<BodyPort> out;
    if (map)
      for (const XmlElement& port : map->children)
        out.push_back({port.name == "input", std::string(port.attribute("external_port_id")),
                       std::string(port.attribute("internal_layer_id")), !port.attribute("axis").empty()});
    return out;
  }

  Result<Port> read_port(const XmlElement& element, const XmlElement& layer) const {
    Port out;
    out.id = element.attribute("id");
    out.type = precision(element.attribute("precision"));
    for (const XmlElement& dim : element.children) {
      if (dim.name != "dim") continue;
      const double length = parse_number(dim.text);
      if (!(length >= -1 && length <= longest) || length != std::floor(length))
        return fail(named(layer) + " has the length \"" + printable(dim.text) + "\": expected a whole number, or -1 where it is open");
      out.shape.push_back(length < 0 ? unknown : length);
    }
    if (out.shape.size() > highest_rank)
      return fail(named(layer) + " has a port of " + with_commas(out.shape.size()) + " dimensions: expected at most " +
                  std::to_string(highest_rank));
    return out;
  }

  Result<void> connect(Block& block, const XmlElement& edge) {
    const auto find = [&](const char* key) {
      const auto found = places_.find(std::string(edge.attribute(key)));
      return found == places_.end() ? Source::none : found->second;
    };
    const std::size_t from = find("from-layer"), to = find("to-layer");
    const std::string what = where_ + ": the edge from layer " + printable(edge.attribute("from-layer")) + ", port " +
                             printable(edge.attribute("from-port")) + ", to layer " + printable(edge.attribute("to-layer")) + ", port " +
                             printable(edge.attribute("to-port"));
    if (from == Source::none || to == Source::none) return fail(what + ": there is no such layer");
    Layer& reader = block.layers[to];
    const std::size_t output = block.layers[from].output_at(edge.attribute("from-port")),
                      input = reader.input_at(edge.attribute("to-port"));
    if (output == block.layers[from].outputs.size() || input == reader.inputs.size()) return fail(what + ": there is no such port");
    reader.sources[input] = {from, output};
    return {};
  }

  /// Layers behind those that feed them, otherwise in the file's order.
  Result<void> sort(Block& block) {
    const std::size_t count = block.layers.size();
    std::vector<std::vector<std::size_t>> readers(count);
    std::vector<std::size_t> waits_for(count, 0), place(count);
    for (std::size_t i = 0; i < count; ++i)
      for (const Source& source : block.layers[i].sources)
        if (source.layer != Source::none) {
          readers[source.layer].push_back(i);
          ++waits_for[i];
        }
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t i = 0; i < count; ++i)
      if (waits_for[i] == 0) ready.push(i);
    std::vector<Layer> sorted;
    while (!ready.empty()) {
      const std::size_t i = ready.top();
      ready.pop();
      place[i] = sorted.size();
      sorted.push_back(std::move(block.layers[i]));
      for (const std::size_t reader : readers[i])
        if (--waits_for[reader] == 0) ready.push(reader);
    }
    for (std::size_t i = 0; i < count; ++i)
      if (waits_for[i] > 0)
        return fail(where_ + ": layers feed each other in a circle, \"" + printable(block.layers[i].name) + "\" among them");
    for (Layer& layer : sorted)
      for (Source& source : layer.sources)
        if (source.layer != Source::none) source.layer = place[source.layer];
    block.layers = std::move(sorted);
    return {};
  }

  const XmlElement& element_;
  std::string where_;
  int depth_;
  std::map<std::string, std::size_t> places_;
};

}  // namespace

std::string_view Layer::text(std::string_view attribute, std::string_view otherwise) const {
  for (const auto& [key, value] : data)
    if (key == attribute) return value;
  return otherwise;
}

double Layer::number(std::string_view attribute, double otherwise) const {
  const double out = parse_number(text(attribute));
  return known(out) ? out : otherwise;
}

bool Layer::flag(std::string_view attribute) const {
  const std::string_view value = text(attribute);
  return value == "true" || value == "1" || value == "True";
}

Lengths Layer::numbers(std::string_view attribute) const {
  Lengths out;
  for (const std::string_view part : parts(text(attribute))) out.push_back(parse_number(part));
  return out;
}

std::size_t Layer::input_at(std::string_view port) const {
  return static_cast<std::size_t>(std::find_if(inputs.begin(), inputs.end(), [&](const Port& p) { return p.id == port; }) - inputs.begin());
}

std::size_t Layer::output_at(std::string_view port) const {
  return static_cast<std::size_t>(std::find_if(outputs.begin(), outputs.end(), [&](const Port& p) { return p.id == port; }) -
                                  outputs.begin());
}

Bounds Layer::bounds(std::size_t dimension) const {
  const std::vector<std::string_view> lengths = parts(text("shape"));
  Bounds out;
  if (dimension >= lengths.size()) return out;
  const std::size_t dots = lengths[dimension].find("..");
  if (dots == std::string_view::npos) return out;
  out.least = std::max(0.0, known_or(parse_number(lengths[dimension].substr(0, dots)), 1));
  out.greatest = parse_number(lengths[dimension].substr(dots + 2));
  if (out.greatest < out.least) out.greatest = unknown;
  return out;
}

TensorType precision(std::string_view name) {
  std::string lower(name);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  constexpr std::pair<std::string_view, std::string_view> formats[] = {
      {"fp32", "fp32"},       {"f32", "fp32"},       {"fp16", "fp16"}, {"f16", "fp16"},  {"bf16", "bf16"},    {"fp64", "fp64"},
      {"f64", "fp64"},        {"i64", "int64"},      {"u64", "int64"}, {"i32", "int32"}, {"u32", "int32"},    {"i16", "int16"},
      {"u16", "int16"},       {"i8", "int8"},        {"u8", "int8"},   {"bool", "int8"}, {"boolean", "int8"}, {"i4", "int4"},
      {"u4", "int4"},         {"u2", "int2"},        {"u1", "int1"},   {"bin", "int1"},  {"nf4", "nf4"},      {"f4e2m1", "mxfp4"},
      {"f8e4m3", "fp8_e4m3"}, {"f8e5m2", "fp8_e5m2"}};
  for (const auto& [theirs, ours] : formats)
    if (theirs == lower) {
      TensorType out = element_type(ours);
      if (ours == "mxfp4") out.bits = 4;  // its scales are a constant of their own
      return out;
    }
  // Formats of no arithmetic: of scales, and those that only pack weights.
  if (lower == "f8e8m0") return {8, no_format, false};
  if (lower == "u3") return {3, no_format, true};
  if (lower == "u6") return {6, no_format, true};
  return {};
}

Result<Block> read_model(std::string_view xml) {
  const Result<XmlElement> net = parse_xml(xml);
  if (!net) return Unexpected(net.error());
  if (net->name != "net") return fail("the root element is <" + printable(net->name) + ">; expected <net>, as OpenVINO writes it");
  const double version = parse_number(net->attribute("version"));
  if (version < 10)
    return fail("IR v" + plain(version) + ", of OpenVINO 2020 and older: expected v10 or v11; convert the original model again with ovc");
  return BlockReader(*net, "the model", 0).read();
}

}  // namespace roofline::openvino
