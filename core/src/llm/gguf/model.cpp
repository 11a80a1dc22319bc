// The model in a GGUF file, as a document in the presets' form.
#include <algorithm>
#include <map>
#include <roofline/base/text.hpp>
#include <roofline/llm/model.hpp>

#include "base/parse_number.hpp"
#include "base/sort_stably.hpp"
#include "llm/gguf/config.hpp"
#include "llm/gguf/file_tensors.hpp"
#include "llm/gguf/part_sums.hpp"
#include "llm/gguf/tensor_names.hpp"
#include "llm/model/stored_formats.hpp"

namespace roofline {
namespace {

/// "-00001-of-00003.gguf" at the end of a name: where it begins, which file it is, counted from 0, and of how many. All 0: there is none.
struct Split {
  std::size_t begin = 0, index = 0, count = 0;
};
Split split_of(std::string_view name) {
  constexpr std::size_t length = std::string_view("-00001-of-00003.gguf").size();
  if (name.size() <= length) return {};
  const std::string_view end = name.substr(name.size() - length);
  const auto digits = [](std::string_view text) { return text.find_first_not_of("0123456789") == std::string_view::npos; };
  if (end[0] != '-' || end.substr(6, 4) != "-of-" || !end.ends_with(".gguf") || !digits(end.substr(1, 5)) || !digits(end.substr(10, 5)))
    return {};
  const double index = parse_number(end.substr(1, 5)), count = parse_number(end.substr(10, 5));
  if (index < 1 || count < index) return {};
  return {name.size() - length, static_cast<std::size_t>(index) - 1, static_cast<std::size_t>(count)};
}

/// Whether ffn_up holds the gate, too: there is no ffn_gate, and its rows are twice as many as the MLP is wide.
bool has_fused_gate(const std::vector<GgufTensorInfo>& tensors, double intermediate) {
  bool twice = false;
  for (const GgufTensorInfo& tensor : tensors) {
    const GgufName name = gguf_name(tensor.name, false);
    if (name.base == "ffn_gate") return false;
    if (name.base == "ffn_up" && name.is_weight)
      twice = static_cast<double>(tensor.elements) >= 1.5 * intermediate * static_cast<double>(tensor.row);
  }
  return twice;
}

/// "Q4_K", "type 139 (ik_llama.cpp)". Source of its numbers: github.com/ikawrakow/ik_llama.cpp, ggml/include/ggml.h, as of 2026-08.
std::string type_name(const GgufTensorInfo& tensor) {
  if (tensor.known) return tensor.known->name;
  const bool of_ik_llama = tensor.type >= 133 && tensor.type < 400;
  return "type " + std::to_string(tensor.type) + (of_ik_llama ? " (ik_llama.cpp)" : "");
}

/// Sums over all tensors. `parts`, `parameters` and the elements of `stored` leave out MTP blocks.
struct Sums {
  PartSums parts;
  StoredWeights stored;
  std::map<std::string, double> by_type;  ///< bytes
  double parameters = 0;
  std::string other_name;
};

Sums sum(const std::vector<GgufTensorInfo>& tensors, int layers, bool fused_gate, const Model& model) {
  Sums out;
  const Parameters expected = parameters(model);
  for (const GgufTensorInfo& tensor : tensors) {
    const GgufName name = gguf_name(tensor.name, fused_gate, model.recurrent.layers > 0);
    const auto bytes = static_cast<double>(tensor.bytes), elements = name.is_parameter ? static_cast<double>(tensor.elements) : 0;
    out.by_type[type_name(tensor)] += bytes;
    if (name.layer >= layers) {
      out.stored.mtp_bytes += bytes;
      continue;
    }
    if (name.parts.empty()) {
      out.stored.other_bytes += bytes;
      out.stored.other_elements += elements;
      if (out.other_name.empty()) out.other_name = printable(tensor.name);
    }
    out.parameters += elements;
    out.parts.add(name.parts, elements, bytes, stored_format(tensor));
    // A tensor that fuses several parts holds them in the proportions of the model.
    double all = 0;
    for (const WeightPart part : name.parts) all += expected.by_part[static_cast<std::size_t>(part)];
    for (const WeightPart part : name.parts) {
      const auto i = static_cast<std::size_t>(part);
      out.stored.elements[i] += elements * (all > 0 ? expected.by_part[i] / all : 1 / static_cast<double>(name.parts.size()));
    }
  }
  return out;
}

/// What the bytes of the files leave open: how many the tensors need beyond them, and what is odd about their places.
struct Files {
  std::uint64_t missing_bytes = 0;
  bool headers_alone = true;
  std::vector<std::string> oddities;

  void add(GgufHeader& header, std::uint64_t size) {
    missing_bytes += header.file_size - std::min(header.file_size, size);
    if (!header.tensors.empty() && size > header.data) headers_alone = false;
    for (std::string& oddity : header.oddities) oddities.push_back(std::move(oddity));
  }
};

Json notes_of(const Sums& sums, double expected_parameters, const Files& files, const std::vector<GgufTensorInfo>& tensors) {
  Json notes = Json::array();
  std::vector<std::pair<std::string, double>> types(sums.by_type.begin(), sums.by_type.end());
  sort_stably(types, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string by_type;
  for (const auto& [type, bytes] : types) by_type += (by_type.empty() ? "" : ", ") + type + " " + with_unit(bytes, "B");
  notes.push_back("Stored as " + by_type + ".");
  if (std::any_of(tensors.begin(), tensors.end(), [](const GgufTensorInfo& t) { return !t.known; }))
    notes.push_back("Types unknown to llama.cpp, such as ik_llama.cpp's, are counted by their bytes.");
  const StoredWeights& stored = sums.stored;
  if (stored.mtp_bytes > 0)
    notes.push_back("Blocks that predict further tokens (MTP), " + with_unit(stored.mtp_bytes, "B") +
                    ", count in memory, not in the work.");
  if (stored.other_bytes > 0)
    notes.push_back(not_modelled_note(stored.other_bytes, sums.other_name) + " They count in memory, not in the work.");
  if (sums.parameters != expected_parameters)
    notes.push_back("The tensors have " + number(sums.parameters) + " parameters, the architecture as modelled " +
                    number(expected_parameters) + ": memory counts the tensors, the work follows from the architecture.");
  if (files.missing_bytes > 0 && files.headers_alone)
    notes.push_back("The file is a header alone: its tensors are not read.");
  else if (files.missing_bytes > 0)
    notes.push_back("The file is " + with_unit(static_cast<double>(files.missing_bytes), "B") +
                    " shorter than its tensors need: download it again.");
  for (const std::string& oddity : files.oddities) notes.push_back("llama.cpp would not open the file: " + oddity + ".");
  return notes;
}

}  // namespace

std::size_t split_file_count(std::string_view name) { return std::max<std::size_t>(split_of(name).count, 1); }

std::string split_file_name(std::string_view name, std::size_t index) {
  const Split split = split_of(name);
  if (split.count == 0) return std::string(name);
  std::string number = std::to_string(index + 1);
  number.insert(0, 5 - std::min<std::size_t>(number.size(), 5), '0');
  return std::string(name.substr(0, split.begin + 1)) + number + std::string(name.substr(split.begin + 6));
}

Result<std::optional<std::string>> gguf_model(std::span<const GgufStart> files) {
  std::vector<GgufTensorInfo> tensors;
  Json metadata;
  Files given;
  double header_bytes = 0;
  for (const GgufStart& file : files) {
    Result<std::optional<GgufHeader>> header = read_gguf_header(file);
    if (!header) {
      Error error = header.error();
      if (files.size() > 1) error.message = file.name + ": " + error.message;
      return Unexpected(std::move(error));
    }
    if (!*header) return std::nullopt;
    header_bytes += static_cast<double>((*header)->data);
    if (metadata.is_null()) metadata = std::move((*header)->metadata);
    tensors.insert(tensors.end(), (*header)->tensors.begin(), (*header)->tensors.end());
    given.add(**header, file.size);
  }
  const double parts = number_of(member(metadata, "split.count"));
  if (parts > 1 && static_cast<double>(files.size()) != parts)
    return fail("found " + number(static_cast<double>(files.size())) + " of " + number(parts) +
                " files of a split model: open all of them together");

  const Result<Json> config = gguf_config(metadata, tensors);
  if (!config) return Unexpected(config.error());
  const std::string stem(files[0].name.substr(0, split_of(files[0].name).begin));
  const std::string file_name = !stem.empty() ? stem : files[0].name.substr(0, files[0].name.rfind(".gguf"));
  const std::string title = text_of(member(metadata, "general.name"));
  Json document = {
      {"id", file_name}, {"name", title.empty() ? file_name : title}, {"source", "the header of " + files[0].name}, {"config", *config}};
  const Result<Model> model = parse_model(dump(document));
  if (!model) return Unexpected(model.error());
  const Sums sums = sum(tensors, gguf_layers(metadata), has_fused_gate(tensors, model->intermediate), *model);
  const WeightFormats formats = sums.parts.formats();
  if (!formats.any()) return fail("no tensor belongs to a language model: expected token_embd, blk.0.attn_q and others");
  for (std::size_t i = 0; i < weight_parts; ++i)  // a tensor that is no parameter, such as rope_freqs, counts with its part's bytes
    if (const double bits = 8 * formats.mixed_bytes(static_cast<WeightPart>(i)); bits > 64)
      return fail(std::string(names_of<WeightPart>[i]) + ": its tensors take " + number(bits) + " bits per parameter: expected at most 64");
  const double expected = parameters(*model).total();
  document["notes"] = notes_of(sums, expected, given, tensors);
  if (const std::string sizes = gguf_differing_sizes(metadata); !sizes.empty())
    document["notes"].push_back("Layers differ in " + sizes + ": each counts as the mean.");
  document["formats"] = formats_json(formats);
  document["gguf_header_bytes"] = header_bytes;
  document["gguf_tensors"] = file_tensors_json(tensors);
  if (sums.parameters != expected || sums.stored.mtp_bytes > 0 || sums.stored.other_bytes > 0)
    document["stored"] = stored_json(sums.stored);
  return dump(document);
}

}  // namespace roofline
