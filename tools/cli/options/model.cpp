#include "options/model.hpp"

#include <algorithm>
#include <filesystem>
#include <roofline/llm/checkpoint.hpp>
#include <roofline/llm/gguf.hpp>
#include <roofline/llm/model.hpp>

#include "io/files.hpp"

namespace roofline::cli {
namespace {

constexpr std::uint64_t first_piece = 1 << 20;
constexpr std::uint64_t most_of_safetensors = 100'000'008;  // the format's own limit, and the length before it
constexpr std::uint64_t most_of_further = 4 << 20;          // files of a split model: the vocabulary is in the first

/// The model in a GGUF file, or in all files of a split one, from as much of their starts as the headers take.
Outcome<nlohmann::ordered_json> read_gguf_model(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  for (std::uint64_t piece = first_piece; piece <= most_of_gguf_header; piece *= 4) {
    std::vector<std::string> starts(split_file_count(name));
    std::vector<GgufStart> files;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const std::filesystem::path file = path.parent_path() / split_file_name(name, i);
      Result<std::string> start = read_part(file, 0, i == 0 ? piece : std::min(piece, most_of_further));
      if (!start) return give_up(describe(file, start.error()), unusable_input);
      starts[i] = std::move(*start);
      std::error_code failed;
      const std::uintmax_t size = std::filesystem::file_size(file, failed);
      files.push_back({split_file_name(name, i), starts[i], failed ? starts[i].size() : size});
    }
    const Result<std::optional<std::string>> model = gguf_model(files);
    if (!model) return give_up(describe(path, model.error()), unusable_input);
    if (*model) return nlohmann::ordered_json::parse(**model);
  }
  return give_up(describe(path, Error{std::string(too_long_gguf_header), 0, 0, {}}), unusable_input);
}

/// A file of tensors, or the index of several.
bool is_checkpoint(const std::filesystem::path& path) {
  return path.extension() == ".safetensors" || path.filename().string().ends_with(".safetensors.index.json");
}

/// The index beside a file that is one of several, if it is there; else the path.
std::filesystem::path index_of(const std::filesystem::path& path) {
  const std::string name = checkpoint_index_name(path.filename().string());
  std::error_code ignored;
  const std::filesystem::path index = path.parent_path() / name;
  return !name.empty() && std::filesystem::exists(index, ignored) ? index : path;
}

/// The text of a config.json. Older versions of NVIDIA's Model Optimizer keep the weights' formats in a file beside it.
Result<std::string> read_config(const std::filesystem::path& path) {
  Result<std::string> text = read_text(path.string());
  const Result<std::string> beside = text ? read_text((path.parent_path() / "hf_quant_config.json").string()) : text;
  if (!text || !beside) return text;
  auto config = nlohmann::ordered_json::parse(*text, nullptr, false);
  const auto formats = nlohmann::ordered_json::parse(*beside, nullptr, false);
  if (!config.is_object() || config.contains("quantization_config") || !formats.is_object() || !formats.contains("quantization"))
    return text;
  config["quantization"] = formats["quantization"];
  return config.dump();
}

/// The model of a safetensors file, or of all that an index names, with the config.json in their folder.
Outcome<nlohmann::ordered_json> read_checkpoint(const std::filesystem::path& opened) {
  const std::filesystem::path path = index_of(opened);
  const std::filesystem::path folder = path.parent_path(), config_path = folder / "config.json";
  const Result<std::string> config = read_config(config_path);
  std::error_code ignored;
  if (!config && std::filesystem::exists(folder / "adapter_config.json", ignored))
    return give_up(describe(path, Error{"this is an adapter (LoRA): open the model that it was trained for", 0, 0, {}}), unusable_input);
  if (!config)
    return give_up(describe(config_path, config.error()) + ": the model's sizes are in the config.json beside its tensors", unusable_input);
  std::string index;
  std::vector<std::string> names = {path.filename().string()};
  if (path.extension() == ".json") {
    Result<std::string> text = read_text(path.string());
    if (!text) return give_up(describe(path, text.error()), unusable_input);
    index = std::move(*text);
    Result<std::vector<std::string>> named = checkpoint_files(index);
    if (!named) return give_up(describe(path, named.error()), unusable_input);
    names = std::move(*named);
  }
  std::vector<std::string> starts(names.size());
  std::vector<CheckpointFile> files;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::filesystem::path file = folder / names[i];
    Result<std::string> start = read_part(file, 0, 8);
    std::error_code failed;
    const std::uintmax_t size = start ? std::filesystem::file_size(file, failed) : 0;
    std::uint64_t header = 8;
    if (start && start->size() == 8)
      for (int byte = 0; byte < 8; ++byte) header += static_cast<std::uint64_t>(static_cast<unsigned char>((*start)[byte])) << (8 * byte);
    if (start && header <= std::min<std::uint64_t>(size, most_of_safetensors)) start = read_part(file, 0, header);
    if (!start) return give_up(describe(file, start.error()), unusable_input);
    starts[i] = std::move(*start);
    files.push_back({names[i], starts[i], size});
  }
  const Result<std::string> model = checkpoint_model(*config, index, files);
  if (!model) return give_up(describe(path, model.error()), unusable_input);
  auto document = nlohmann::ordered_json::parse(*model);
  if (!document["config"].contains("_name_or_path"))
    document["id"] = document["name"] = std::filesystem::absolute(folder).lexically_normal().filename().string();
  return document;
}

}  // namespace

Outcome<nlohmann::ordered_json> read_model(const std::string& name) {
  const std::filesystem::path path(name);
  std::error_code ignored;
  if (is_checkpoint(path)) return read_checkpoint(path);
  const bool file = name == "-" || path.extension() == ".json" || path.extension() == ".gguf" ||
                    (!Models::presets().find(name) && std::filesystem::exists(path, ignored));
  if (!file) return nlohmann::ordered_json(name);
  if (const Result<std::string> start = name == "-" ? std::string() : read_part(name, 0, 4); start && is_gguf(*start))
    return read_gguf_model(path);
  const Result<std::string> text = path.filename() == "config.json" ? read_config(path) : read_text(name);
  if (!text) return give_up(describe(name, text.error()), unusable_input);
  if (const Result<Model> parsed = parse_model(*text); !parsed) return give_up(describe(name, parsed.error()), unusable_input);
  nlohmann::ordered_json config = nlohmann::ordered_json::parse(*text);
  if (!config.contains("_name_or_path") && !config.contains("config") && name != "-")
    config["_name_or_path"] =
        path.stem() == "config" && path.has_parent_path() ? path.parent_path().filename().string() : path.stem().string();
  return config;
}

Outcome<nlohmann::ordered_json> speculation(const std::string& text) {
  const std::size_t first = text.find(','), second = text.find(',', first == std::string::npos ? first : first + 1);
  if (second == std::string::npos)
    return give_up("--speculate: expected GAMMA,ACCEPTANCE,DRAFT such as 4,0.8,llama-3.2-1b, found " + text, wrong_command_line);
  const auto number = [](const std::string& part) {
    const auto json = nlohmann::ordered_json::parse(part, nullptr, false);
    return json.is_discarded() ? nlohmann::ordered_json(part) : json;
  };
  return nlohmann::ordered_json{{"gamma", number(text.substr(0, first))},
                                {"acceptance", number(text.substr(first + 1, second - first - 1))},
                                {"draft", text.substr(second + 1)}};
}

void RequestOptions::operator()(const char* option, const char* key, const char* meaning, const char* type) const {
  const auto keep = [&values = values_, key](const std::string& text) { values.emplace_back(key, text); };
  command_.add_option_function<std::string>(option, keep, meaning)->type_name(type);
}

std::string option_of(const std::string& path) {
  std::string option = path.empty() || path == "model" ? "" : "--" + path + ": ";
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

}  // namespace roofline::cli
