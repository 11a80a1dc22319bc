// A language model of two layers, and a trace of one of its steps.
#pragma once

#include <iterator>
#include <string>

namespace roofline {

/// 4 heads of 16, 2 of them for keys and values, 64 wide, 128 within the MLP, 1000 words.
inline std::string small_config(int layers = 2) {
  return R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": )" + std::to_string(layers) +
         R"(, "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 128, "vocab_size": 1000, "hidden_act": "silu",
          "max_position_embeddings": 512, "rms_norm_eps": 1e-5, "rope_theta": 10000, "tie_word_embeddings": false})";
}

inline const std::string decode = "execute_2_context_0(sq0sk0sqsq0sqsk0)_generation_2(sq2sk24sqsq2sqsk24)";

/// A replayed graph: all products have one name, so that their order alone tells them. Kernel i takes i + 1 µs.
inline std::string step_trace(const std::string& step, double last_us = 25) {
  const char* kernels[] = {
      "gather",   "rms_norm", "gemm",  "rotary", "reshape_and_cache", "flash_fwd", "gemm", "splitKreduce", "rms_norm", "gemm", "silu",
      "gemm",     "rms_norm", "gemm",  "rotary", "reshape_and_cache", "flash_fwd", "gemm", "rms_norm",     "gemm",     "silu", "gemm",
      "rms_norm", "gemm",     "argmax"};
  std::string text =
      R"({"deviceProperties": [], "traceEvents": [{"cat": "user_annotation", "name": ")" + step +
      R"(", "ts": 0, "dur": 9, "tid": 1},{"cat": "cuda_runtime", "name": "g", "ts": 1, "dur": 1, "tid": 1, "args": {"correlation": 5}})";
  double us = 0, begin = 100;
  for (const char* kernel : kernels) {
    const double duration = ++us == std::size(kernels) ? last_us : us;
    text += R"(,{"cat": "kernel", "name": ")" + std::string(kernel) + R"(", "ts": )" + std::to_string(begin) + R"(, "dur": )" +
            std::to_string(duration) + R"(, "args": {"correlation": 5}})";
    begin += duration;
  }
  return text + "]}";
}

}  // namespace roofline
