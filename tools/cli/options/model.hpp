// A language model as commands name it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "options/scenario.hpp"

namespace roofline::cli {

/// The model of a command line as parse_llm_request takes it: an id, else what the config.json, the GGUF file, or the
/// safetensors file or index of that name holds.
[[nodiscard]] Outcome<nlohmann::ordered_json> read_model(const std::string& name);

/// The "speculate" of a request from "4,0.8,llama-3.2-1b".
[[nodiscard]] Outcome<nlohmann::ordered_json> speculation(const std::string& text);

}  // namespace roofline::cli
