// A language model as commands name it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "options/scenario.hpp"

namespace roofline::cli {

/// The model of a command line as parse_llm_request takes it: an id, else what the config.json, the GGUF file, or the
/// safetensors file or index of that name holds.
[[nodiscard]] Outcome<nlohmann::ordered_json> read_model(const std::string& name);

/// The "speculate" of a request from "4,0.8,llama-3.2-1b".
[[nodiscard]] Outcome<nlohmann::ordered_json> speculation(const std::string& text);

/// Keys of a request about a model, with the values as typed.
using RequestValues = std::vector<std::pair<std::string, std::string>>;

/// Adds options to a command, each the value of a request's key. `values` lives as long as the command.
class RequestOptions {
 public:
  RequestOptions(CLI::App& command, RequestValues& values) : command_(command), values_(values) {}
  void operator()(const char* option, const char* key, const char* meaning, const char* type) const;

 private:
  CLI::App& command_;
  RequestValues& values_;
};

/// The option behind an error's path, for the beginning of a message: "--tpot-max: "; empty: none.
[[nodiscard]] std::string option_of(const std::string& path);

}  // namespace roofline::cli
