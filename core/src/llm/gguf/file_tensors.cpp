#include "llm/gguf/file_tensors.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <roofline/base/number.hpp>
#include <roofline/base/text.hpp>
#include <string>

#include "llm/gguf/tensor_names.hpp"
#include "llm/model/stored_formats.hpp"
#include "tensor/gguf_tensor_name.hpp"

namespace roofline {
namespace {

constexpr std::size_t most_tensors = 1 << 20;

double bits_of(const GgufTensorInfo& tensor) { return 8 * static_cast<double>(tensor.bytes) / static_cast<double>(tensor.elements); }

bool is_count(double value) { return value >= 1 && value <= 0x1p62 && value == std::floor(value); }

/// The tensors of one group of the document, one per layer.
Unexpected too_many() { return fail("expected at most " + with_commas(most_tensors) + " tensors", "gguf_tensors"); }

Result<void> read_group(const Json& json, std::vector<GgufTensor>& out) {
  GgufTensor tensor;
  tensor.name = text_of(member(json, "name"));
  tensor.row = number_of(member(json, "row"));
  tensor.elements = number_of(member(json, "elements"));
  tensor.format = Formats::catalogue().find(text_of(member(json, "format"))).value_or(no_format);
  if (tensor.name.empty() || !is_count(tensor.row) || !is_count(tensor.elements) || tensor.format == no_format)
    return fail("expected a tensor with name, row, elements and format", "gguf_tensors");
  if (const double bits = number_of(member(json, "bits_per_weight")); bits > 0 && bits <= 64) tensor.element_bytes = bits / 8;
  const Json& layers = member(json, "layers");
  if (layers.is_null()) out.push_back(tensor);
  const std::string base = tensor.name;
  for (const Json& range : layers) {
    const double first = range.is_array() && range.size() == 2 ? number_of(range[0]) : unknown,
                 last = known(first) ? number_of(range[1]) : unknown;
    if (!(first >= 0 && first <= last && last < most_gguf_layers && first == std::floor(first) && last == std::floor(last)))
      return fail("expected pairs of a first and a last layer", "gguf_tensors.layers");
    if (static_cast<double>(out.size()) + last - first >= static_cast<double>(most_tensors)) return too_many();
    for (tensor.layer = static_cast<int>(first); tensor.layer <= static_cast<int>(last); ++tensor.layer) {
      tensor.name = "blk." + std::to_string(tensor.layer) + "." + base;
      out.push_back(tensor);
    }
  }
  return {};
}

}  // namespace

FormatId stored_format(const GgufTensorInfo& tensor) {
  if (tensor.known) return Formats::catalogue().find(tensor.known->format).value_or(no_format);
  return nearest_weight_format(bits_of(tensor));
}

Json file_tensors_json(const std::vector<GgufTensorInfo>& tensors) {
  Json out = Json::array();
  std::map<std::string, std::size_t> groups;
  for (const GgufTensorInfo& tensor : tensors) {
    const FormatId format = stored_format(tensor);
    if (format == no_format) continue;
    const int layer = gguf_name(tensor.name, false).layer;
    const std::string prefix = "blk." + std::to_string(layer) + ".";
    std::string name = printable(tensor.name);
    if (layer >= 0 && name.starts_with(prefix)) name.erase(0, prefix.size());
    Json group = {{"name", name}, {"row", tensor.row}, {"elements", tensor.elements}, {"format", Formats::catalogue()[format].id}};
    if (bits_of(tensor) != 8 * Formats::catalogue()[format].bytes()) group["bits_per_weight"] = bits_of(tensor);
    if (layer < 0) {
      out.push_back(std::move(group));
      continue;
    }
    const auto [found, is_new] = groups.try_emplace(compact(group), out.size());
    if (is_new) out.push_back(std::move(group));
    Json& layers = out[found->second]["layers"];
    if (!layers.empty() && layers.back()[1] == layer - 1)
      layers.back()[1] = layer;
    else
      layers.push_back({layer, layer});
  }
  return out;
}

Result<std::vector<GgufTensor>> read_file_tensors(const Json& json) {
  std::vector<GgufTensor> out;
  for (const Json& group : json)
    if (const auto read = read_group(group, out); !read)
      return Unexpected(read.error());
    else if (out.size() > most_tensors)
      return too_many();
  return out;
}

}  // namespace roofline
