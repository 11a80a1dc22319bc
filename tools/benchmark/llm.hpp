#pragma once

#include <string>

/// What a language model's analysis costs, as members of a JSON object: "llm_analysis_us", "llm_generate_us", "llm_map_128_ms".
std::string llm_figures();
