#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/llm/weight_formats.hpp>
#include <roofline/serving/launch_flags.hpp>

namespace roofline {
namespace {

/// One server of a deployment: an aggregated replica, or a worker of a pool.
struct Server {
  double tp, ep, pp, sequences;
  std::string role;  ///< "prefill", "decode"; empty: both
  [[nodiscard]] bool attention_dp() const { return ep > tp; }
  /// Machines of a stage.
  [[nodiscard]] double machines() const { return attention_dp() ? ep : tp; }
};

/// What the servers load.
struct Checkpoint {
  std::string name;              ///< on Hugging Face; else a placeholder
  std::string comment;           ///< a line about it
  bool fp8_when_loaded = false;  ///< its weights are in 16 bits, and the engine quantises them to FP8
};

/// What all servers of a deployment share.
struct Common {
  double tokens, context, memory;
  bool fp8_cache, prefix_cache;
};

/// The checkpoint of the config.json that a preset was read from, "deepseek-ai/DeepSeek-V3"; empty: it has another source.
std::string published_checkpoint(const Model& model) {
  constexpr std::string_view start = "config.json of huggingface.co/";
  if (!model.source.starts_with(start)) return "";
  return model.source.substr(start.size(), model.source.find_first_of(" ,;", start.size()) - start.size());
}

/// `quantises`: the engine can turn weights of 16 bits into FP8 when it loads them.
Checkpoint checkpoint_for(const ServingRequest& request, const std::string& weights, bool quantises) {
  const Model& m = request.llm.setup.model;
  const WeightPart most = m.largest_part();
  const FormatId asked = request.llm.setup.formats.weights[most], published = m.published[most];
  const bool wide = published == no_format || Formats::catalogue()[published].bytes() == 2;
  const std::string name = published_checkpoint(m);
  if (!name.empty() && (weights == "published" || asked == published || (wide && Formats::catalogue()[asked].bytes() == 2)))
    return {name, "# " + name + ": the published checkpoint\n"};
  if (!name.empty() && quantises && wide && Formats::catalogue()[asked].id == "fp8_e4m3")
    return {name, "# " + name + " has 16-bit weights; the engine quantises them to FP8 when it loads them\n", true};
  return {m.id, "# " + m.id + " is a placeholder for the name or folder of a checkpoint in " +
                    (weights == "published" ? "its published formats" : format_names(weights)) + "\n"};
}

/// " --name value", left out where the value is 1.
std::string degree(const char* name, double value) { return value > 1 ? std::string(" ") + name + " " + plain(value) : std::string(); }
std::string option(const char* name, double value) { return std::string(" ") + name + " " + plain(value); }

std::string vllm(const Server& s, const Common& c, const Checkpoint& checkpoint) {
  std::string out = "vllm serve " + checkpoint.name + option("--tensor-parallel-size", s.tp) + degree("--pipeline-parallel-size", s.pp);
  out += degree("--data-parallel-size", s.attention_dp() ? s.ep / s.tp : 1);
  if (s.ep > 1) out += " --enable-expert-parallel";
  out += option("--max-num-seqs", s.sequences) + option("--max-num-batched-tokens", c.tokens) + option("--max-model-len", c.context) +
         option("--gpu-memory-utilization", c.memory) + " --kv-cache-dtype " + (c.fp8_cache ? "fp8" : "auto");
  if (checkpoint.fp8_when_loaded) out += " --quantization fp8";
  if (!c.prefix_cache) out += " --no-enable-prefix-caching";
  if (!s.role.empty()) out += R"( --kv-transfer-config '{"kv_connector": "NixlConnector", "kv_role": "kv_both"}')";
  return out + "\n";
}

std::string sglang(const Server& s, const Common& c, const Checkpoint& checkpoint) {
  std::string out = "python3 -m sglang.launch_server --model-path " + checkpoint.name + option("--tensor-parallel-size", s.machines()) +
                    degree("--pipeline-parallel-size", s.pp);
  if (s.attention_dp()) out += " --enable-dp-attention" + option("--data-parallel-size", s.ep / s.tp);
  out += degree("--expert-parallel-size", s.ep) + option("--max-running-requests", s.sequences) +
         option("--chunked-prefill-size", c.tokens) + option("--context-length", c.context) + option("--mem-fraction-static", c.memory) +
         " --kv-cache-dtype " + (c.fp8_cache ? "fp8_e4m3" : "auto");
  if (checkpoint.fp8_when_loaded) out += " --quantization fp8";
  if (!c.prefix_cache) out += " --disable-radix-cache";
  if (!s.role.empty()) out += " --disaggregation-mode " + s.role + " --disaggregation-transfer-backend nixl";
  return out + "\n";
}

std::string trtllm(const Server& s, const Common& c, const std::string& indent) {
  std::string out;
  const auto line = [&](const char* key, const std::string& value) { out += indent + key + ": " + value + "\n"; };
  line("tensor_parallel_size", plain(s.machines()));
  line("pipeline_parallel_size", plain(s.pp));
  line("moe_expert_parallel_size", plain(s.ep));
  line("enable_attention_dp", s.attention_dp() ? "true" : "false");
  line("max_batch_size", plain(s.attention_dp() ? std::ceil(s.sequences / (s.ep / s.tp)) : s.sequences));
  line("max_num_tokens", plain(c.tokens));
  line("max_seq_len", plain(c.context));
  line("kv_cache_config", std::string("{dtype: ") + (c.fp8_cache ? "fp8" : "auto") + ", free_gpu_memory_fraction: " + plain(c.memory) +
                              ", enable_block_reuse: " + (c.prefix_cache ? "true" : "false") + "}");
  return out;
}

std::string times_text(double n) { return n > 1 ? "# " + plain(n) + " times\n" : std::string(); }

}  // namespace

LaunchFlags launch_flags(const FrontierPoint& p, const ServingRequest& request, const std::string& weights, const Scenario& scenario) {
  ServingRequest r = request;
  use_engine_formats(r, scenario);
  const LlmFormats& f = r.llm.setup.formats;
  const Common c{r.llm.chunk, r.llm.prompt + r.llm.generate, 1 - r.llm.reserve, Formats::catalogue()[f.kv].bytes() < 2, r.prefix_hit > 0};
  const Checkpoint checkpoint = checkpoint_for(r, weights, true), for_trtllm = checkpoint_for(r, weights, false);
  const bool pools = p.prefill_workers > 0;
  LaunchFlags out{checkpoint.comment, checkpoint.comment,
                  for_trtllm.comment + "# trtllm-serve " + (pools ? "disaggregated -c FILE" : for_trtllm.name + " --config FILE") + "\n",
                  checkpoint.comment};
  if (pools) {
    const Server prefill{p.prefill_tp, p.prefill_ep, 1, std::max(1.0, std::floor(r.llm.chunk / r.new_tokens())), "prefill"};
    const Server decode{p.tp, p.ep, 1, std::ceil(p.concurrency / p.decode_workers), "decode"};
    for (const auto& [server, workers] : {std::pair(prefill, p.prefill_workers), std::pair(decode, p.decode_workers)}) {
      out.vllm += times_text(workers) + vllm(server, c, checkpoint);
      out.sglang += times_text(workers) + sglang(server, c, checkpoint);
      out.trtllm += (server.role == "prefill" ? "context_servers:\n  num_instances: " : "generation_servers:\n  num_instances: ") +
                    plain(workers) + "\n" + trtllm(server, c, "  ");
    }
  } else {
    const Server server{p.tp, p.ep, p.pp, std::ceil(p.concurrency / p.dp), ""};
    out.vllm += times_text(p.dp) + vllm(server, c, checkpoint);
    out.sglang += times_text(p.dp) + sglang(server, c, checkpoint);
    out.trtllm += times_text(p.dp) + trtllm(server, c, "");
  }
  // vLLM draws lengths from (1 - ratio) to (1 + ratio) of the mean.
  const double ratio = (1 - r.length_spread) / (1 + r.length_spread), hit = std::round(r.prefix_hit * r.mean_prompt());
  out.benchmark += "vllm bench serve --model " + checkpoint.name + " --dataset-name random" +
                   option("--random-input-len", std::round(r.mean_prompt() - hit)) +
                   (hit > 0 ? option("--random-prefix-len", hit) : std::string()) +
                   option("--random-output-len", std::round(r.mean_generate())) +
                   option("--random-range-ratio", std::round(ratio * 1e4) / 1e4) + option("--max-concurrency", std::ceil(p.concurrency)) +
                   option("--num-prompts", requests_per_user * std::ceil(p.concurrency)) + " --ignore-eos\n";
  return out;
}

}  // namespace roofline
