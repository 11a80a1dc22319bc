#include "options/model.hpp"

#include <filesystem>
#include <roofline/llm/model.hpp>

#include "io/files.hpp"

namespace roofline::cli {

Outcome<nlohmann::ordered_json> read_model(const std::string& name) {
  const std::filesystem::path path(name);
  std::error_code ignored;
  const bool file = name == "-" || path.extension() == ".json" || (!Models::presets().find(name) && std::filesystem::exists(path, ignored));
  if (!file) return nlohmann::ordered_json(name);
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
