#include "options/model.hpp"

#include <algorithm>
#include <filesystem>
#include <roofline/llm/gguf.hpp>
#include <roofline/llm/model.hpp>

#include "io/files.hpp"

namespace roofline::cli {
namespace {

constexpr std::uint64_t first_piece = 1 << 20;
constexpr std::uint64_t most_of_header = 256 << 20;
constexpr std::uint64_t most_of_further = 4 << 20;  // files of a split model: the vocabulary is in the first

/// The model in a GGUF file, or in all files of a split one, from as much of their starts as the headers take.
Outcome<nlohmann::ordered_json> read_gguf_model(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  for (std::uint64_t piece = first_piece; piece <= most_of_header; piece *= 4) {
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
  return give_up(describe(path, Error{"its header is longer than 256 MiB: expected metadata, vocabulary and a list of tensors", 0, 0, {}}),
                 unusable_input);
}

}  // namespace

Outcome<nlohmann::ordered_json> read_model(const std::string& name) {
  const std::filesystem::path path(name);
  std::error_code ignored;
  const bool file = name == "-" || path.extension() == ".json" || path.extension() == ".gguf" ||
                    (!Models::presets().find(name) && std::filesystem::exists(path, ignored));
  if (!file) return nlohmann::ordered_json(name);
  if (const Result<std::string> start = name == "-" ? std::string() : read_part(name, 0, 4); start && is_gguf(*start))
    return read_gguf_model(path);
  const Result<std::string> text = read_text(name);
  if (!text) return give_up(describe(name, text.error()), unusable_input);
  if (const Result<Model> parsed = parse_model(*text); !parsed) return give_up(describe(name, parsed.error()), unusable_input);
  nlohmann::ordered_json config = nlohmann::ordered_json::parse(*text);
  if (!config.contains("_name_or_path") && !config.contains("config") && name != "-")
    config["_name_or_path"] =
        path.stem() == "config" && path.has_parent_path() ? path.parent_path().filename().string() : path.stem().string();
  return config;
}

}  // namespace roofline::cli
