#include "serving_runs.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace roofline::validation {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
T accepted(Result<T> result, const Measurement& row) {
  if (!result) throw std::runtime_error(row["id"] + ": " + result.error().text());
  return std::move(*result);
}

/// Models of the same architecture as a preset, or a file of the folder.
std::string model_of(const Measurement& row) {
  const std::string& model = row["model"];
  if (model.starts_with("deepseek-r1") || model == "deepseek-v3.1") return "deepseek-v3";
  if (model == "llama-3.3-70b") return "llama-3.1-70b";
  return model;
}

/// The stack of an engine; `fused` for engines before 2025 without a stack.
StackId stack_of_engine(const Measurement& row, const Machine& machine) {
  const std::string& engine = row["engine"];
  const bool old = row["date"].starts_with("2023") || row["date"].starts_with("2024");
  const char* id = old && engine.starts_with("vLLM")    ? (machine.vendor == "AMD" ? "vllm-2024-rocm" : "vllm-2024")
                   : old                                ? "fused"
                   : engine.starts_with("TensorRT-LLM") ? "trtllm"
                   : engine.starts_with("vLLM")         ? "vllm"
                   : engine.starts_with("SGLang")       ? "sglang"
                                                        : "fused";
  const Stacks& stacks = Stacks::presets();
  return stacks.find(id).value_or(stacks.find("fused").value_or(StackId{}));
}

/// The preset's checkpoint of that format; else the usual parts of one: head and embedding stay in 16 bits, and with NVFP4 experts so does
/// the attention.
std::string formats_of(const Measurement& row, const std::string& model) {
  const std::string& weights = row["weights"];
  if (weights.empty() || weights == "bf16") return "fp16";
  if (weights == "mxfp4") return "published";
  const Model* preset = Models::presets().find(model);
  const auto is_called_so = [&](const NamedCheckpoint& c) { return Formats::catalogue()[c.name].id == weights; };
  if (preset != nullptr && std::any_of(preset->checkpoints.begin(), preset->checkpoints.end(), is_called_so)) return weights;
  if (weights == "nvfp4" && preset != nullptr && preset->experts > 0) return "attention=bf16,embedding=bf16,head=bf16,rest=nvfp4";
  return "embedding=bf16,head=bf16,rest=" + weights;
}

bool is_inferencex(const Measurement& row) { return row["block"].starts_with("inferencex"); }

/// The layout keys of a row whose prefill has machines of its own.
void lay_out_pools(const Measurement& row, Json& request) {
  for (const std::string pool : {"prefill", "decode"}) {
    request[pool + "_workers"] = row.number(pool + "_workers", 1);
    request[pool + "_tp"] = row.number(pool + "_tp", 1);
    request[pool + "_ep"] = std::max(1.0, row.number(pool + "_ep", 1));
  }
}

/// The layout keys of an aggregated row.
void lay_out(const Measurement& row, Json& request) {
  const double gpus = row.number("gpus", 1), tp = row.number("tp", 1), ep = row.number("ep", 1), dp = row.number("dp", 1);
  request["tp"] = tp;
  request["ep"] = ep;
  request["pp"] = row.number("pp", 1);
  if (dp > 1 && ep == 1 && row.number("moe_tp", 1) == gpus && tp * dp == gpus) request["ep"] = gpus;  // the experts are shared by tensor
  const double group = std::max(tp, request["ep"].get<double>());
  request["dp"] = std::max(1.0, gpus / group / row.number("pp", 1));
}

}  // namespace

std::string text_of_packed_file(const std::filesystem::path& path) {
  gzFile file = gzopen(path.string().c_str(), "rb");
  if (file == nullptr) throw std::runtime_error("cannot read " + path.string());
  std::string text;
  std::array<char, 1 << 16> piece;
  int read = 0;
  while ((read = gzread(file, piece.data(), piece.size())) > 0) text.append(piece.data(), static_cast<std::size_t>(read));
  gzclose(file);
  if (read < 0) throw std::runtime_error("not gzip: " + path.string());
  return text;
}

ServingRun::ServingRun(Measurement row, const std::filesystem::path& models)
    : row_(std::move(row)), scenario_(std::make_unique<Scenario>()) {
  if (const Machine* preset = Machines::presets().find(row_["machine"]))
    scenario_->use(*preset);
  else
    scenario_->use(accepted(parse_machine(text_of_file(models / (row_["machine"] + ".json"))), row_));
  scenario_->stack = stack_of_engine(row_, scenario_->machine);
  mode_ = row_["mode"] == "disagg"        ? "disaggregated"
          : row_["mode"] == "offline"     ? "offline"
          : row_["statistic"] == "median" ? "medians"
                                          : "aggregated";
  Json request = {{"prompt", row_.number("isl", 0)}, {"generate", row_.number("osl", 0)}};
  if (row_["concurrency"].empty())
    request["rate"] = row_.number("request_rate", unknown);
  else
    request["concurrency"] = row_.number("concurrency", 1);
  const std::string model = model_of(row_);
  request["model"] = model;
  if (!Models::presets().find(model)) request["model"] = Json::parse(text_of_file(models / (model + ".json")));
  request["weights"] = formats_of(row_, model);
  if (const std::string& kv = row_["kv"]; !kv.empty()) request["kv"] = kv.substr(0, kv.find(' '));
  if (is_inferencex(row_)) request["length_spread"] = 0.8;
  if (mode_ == "offline") request["requests"] = row_.number("concurrency", 1);  // one batch, from its prompts to its last token
  if (mode_ == "disaggregated")
    lay_out_pools(row_, request);
  else
    lay_out(row_, request);
  request_ = std::make_unique<ServingRequest>(accepted(parse_serving_request(request.dump()), row_));
  use_engine_formats(*request_, *scenario_);
  measured_ = {row_.number("tpot_ms", unknown) / 1e3, row_.number("ttft_ms", unknown) / 1e3, row_.number("output_tok_s", unknown)};
}

const Stack& ServingRun::stack() const { return Stacks::presets()[*scenario_->stack]; }

ServingFigures ServingRun::bound() const {
  const Result<ServingPoint> p = operating_point(*request_, *scenario_);
  return p ? ServingFigures{p->bound.tpot_s, p->bound.ttft_s, p->bound.output_tokens_per_s} : ServingFigures();
}

ServingFigures ServingRun::estimate(const StackTerms& terms) const {
  scenario_->terms = terms;
  const Result<ServingPoint> p = operating_point(*request_, *scenario_);
  scenario_->terms = {};
  return p ? ServingFigures{p->typical.tpot_s, p->typical.ttft_s, p->typical.output_tokens_per_s} : ServingFigures();
}

ServingFigures ServingRun::estimate_by(StackId stack) const {
  const auto own = std::exchange(scenario_->stack, stack);
  const ServingFigures figures = estimate();
  scenario_->stack = own;
  return figures;
}

std::string block_of(const Measurement& row) { return row["machine"] + ' ' + row["model"]; }

std::size_t part_of(const std::string& block, std::size_t parts) { return stable_hash(block) % parts; }

std::span<const std::string_view> thirty_serving_runs() {
  static constexpr std::string_view ids[] = {
      "srv-00001", "srv-00449", "srv-00504", "srv-00716", "srv-00732", "srv-00759", "srv-00787", "srv-00810", "srv-00820", "srv-00841",
      "srv-03876", "srv-03896", "srv-03956", "srv-03976", "srv-04030", "srv-04054", "srv-04059", "srv-04078", "srv-04807", "srv-05827",
      "srv-05848", "srv-06183", "srv-06184", "srv-06209", "srv-06234", "srv-06321", "srv-06431", "srv-06443", "srv-06457", "srv-06477"};
  return ids;
}

std::string serving_left_out(const Measurement& row) {
  const std::string& flags = row["flags"];
  const auto flagged = [&](const char* flag) { return flags.find(flag) != std::string::npos; };
  for (const char* flag : {"prefix-suspected",
                           "alike-tokens",
                           "source-error",
                           "spec-unknown",
                           "mtp-suspected",
                           "layout-unknown",
                           "layout-doubtful",
                           "layout-assumed",
                           "concurrency-unknown",
                           "queued",
                           "wip",
                           "output-shorter",
                           "lengths-unknown",
                           "lengths-approximate",
                           "prefix",
                           "interactivity-with-context",
                           "agentic",
                           "machine-assumed",
                           "replicas-derived",
                           "layout-derived"})
    if (flagged(flag)) return flag;
  const bool pools = row["mode"] == "disagg";
  const bool offline = row["mode"] == "offline";
  if (row["mode"] != "agg" && !pools && !offline) return "no times stated: " + row["mode"];
  if (pools && (row["prefill_workers"].empty() || row["decode_workers"].empty())) return "layout-unknown";
  if (row["concurrency"].empty() && (!pools || row["request_rate"].empty())) return "an open loop";
  if (offline ? row["output_tok_s"].empty() : row["tpot_ms"].empty() || row["ttft_ms"].empty()) return "no times stated";
  const std::string& spec = row["spec"];
  if (spec != "none" && spec != "not stated") return "speculation without its acceptance";
  const std::string& engine = row["engine"];
  if (engine != "TensorRT-LLM" && engine != "vLLM" && engine != "SGLang") return "another engine";
  const double gpus = row.number("gpus", 0), tp = row.number("tp", 1), ep = row.number("ep", 1), dp = row.number("dp", 1);
  if (!pools && tp * dp != gpus && std::max(tp, ep) != gpus) return "the layout does not use the machines stated";
  return "";
}

std::vector<std::unique_ptr<ServingRun>> serving_runs_of(const std::vector<Measurement>& rows, const std::filesystem::path& models) {
  std::vector<std::unique_ptr<ServingRun>> out;
  for (const Measurement& row : rows)
    if (serving_left_out(row).empty()) out.push_back(std::make_unique<ServingRun>(row, models));
  return out;
}

}  // namespace roofline::validation
