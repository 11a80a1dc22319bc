#include "measurements.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <roofline/analysis/op_set.hpp>
#include <roofline/calculator/calculator.hpp>
#include <roofline/network/memory_advice.hpp>
#include <roofline/read/read.hpp>
#include <sstream>
#include <stdexcept>

namespace roofline::validation {
namespace {

using Json = nlohmann::ordered_json;

/// Fields may be quoted; no field has a line break in it.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else if (c != '\r')
      fields.back() += c;
  }
  return fields;
}

template <class T>
T checked(Result<T> result, const Measurement& row) {
  if (!result) throw std::runtime_error(row["id"] + ": " + result.error().text());
  return std::move(*result);
}

/// The stack whose engine the row's starts with; of a kernel, that of single kernels.
StackId stack_of(const Measurement& row) {
  const Stacks& stacks = Stacks::presets();
  const std::string engine = row.library();
  for (std::size_t i = 0; i < stacks.all().size(); ++i)
    for (const std::string& name : stacks.all()[i].engines)
      if (engine.starts_with(name)) return static_cast<StackId>(i);
  if (!row["stack"].empty()) throw std::runtime_error(row["id"] + ": no stack has the engine " + engine);
  return *stacks.find("kernels");
}

/// commands.json of a network of which only multiply-adds and input size are known. On a chip without device memory only the input crosses
/// the link, as in network_commands().
std::string commands_of(const Measurement& row, const Machine& machine) {
  const double batch = row.number("batch", 1), macs = row.number("macs", unknown) * batch;
  Json network = {
      {"type", "network"}, {"name", row["model"]}, {"data_type", row["activations"]}, {"weight_type", row["weights"]}, {"macs", macs}};
  Json commands = Json::array();
  if (target_on(machine, ToolChain::none).chip_bytes > 0) {
    const double bytes = row.number("input", unknown) * batch;
    commands.push_back({{"type", "input"}, {"name", "input"}, {"data_type", row["activations"]}, {"bytes", bytes}});
    network["bytes"] = 0;
  }
  commands.push_back(network);
  return Json{{"network", {{"nodes", 1}}}, {"commands", commands}}.dump();
}

/// The sum of a figure over the operations.
double sum_of(const Plan& plan, double OpAnalysis::* figure) {
  double sum = 0;
  for (std::size_t i = 0; i < plan.workload().size(); ++i) sum += plan.analyze(i).*figure;
  return sum;
}

bool is_kernel(const Measurement& row) { return row["kind"] == "gemm" || row["kind"] == "attention"; }

}  // namespace

bool is_network(const Measurement& row) { return row["kind"] == "network"; }

double Measurement::number(const std::string& column, double otherwise) const {
  const std::string& field = text.at(column);
  return field.empty() ? otherwise : std::stod(field);
}

std::string Measurement::library() const {
  if (!(*this)["stack"].empty()) return (*this)["stack"];
  const std::string& conditions = (*this)["conditions"];
  if (conditions.starts_with("B200 by the file name")) return "not stated";
  if (conditions.starts_with("H800 SXM5")) return "DeepGEMM";
  if (conditions.starts_with("aten::")) return "PyTorch";
  return conditions.substr(0, conditions.find_first_of(",;"));
}

std::vector<Measurement> measurements_of(const std::string& csv) {
  std::istringstream text(csv);
  std::string line;
  std::getline(text, line);
  const std::vector<std::string> header = fields_of(line);
  std::vector<Measurement> out;
  while (std::getline(text, line)) {
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() != header.size()) throw std::runtime_error("expected " + std::to_string(header.size()) + " fields: " + line);
    Measurement row;
    for (std::size_t i = 0; i < header.size(); ++i) row.text[header[i]] = fields[i];
    out.push_back(std::move(row));
  }
  return out;
}

std::string text_of_file(const std::filesystem::path& path) {
  const std::ifstream in(path, std::ios::binary);
  if (!in.good()) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

Run::Run(Measurement row, const std::filesystem::path& models) : row_(std::move(row)), scenario_(std::make_unique<Scenario>()) {
  if (const Machine* preset = Machines::presets().find(row_["machine"]))
    scenario_->use(*preset);
  else
    scenario_->use(checked(parse_machine(text_of_file(models / (row_["machine"] + ".json"))), row_));
  if (is_network(row_)) {
    kernel_ = checked(read(commands_of(row_, scenario_->machine), ReadOptions()), row_);
    measured_s_ = row_.number("value", unknown);
    scenario_->stack = Stacks::presets().usual(scenario_->machine, StackUse::operations);
    return;
  }
  scenario_->stack = stack_of(row_);
  const double value = row_.number("value", unknown), batch = row_.number("batch", 1);
  const std::string& quantity = row_["quantity"];
  if (is_kernel(row_)) {
    const double m = row_.number("m", 1), n = row_.number("n", 1), k = row_.number("k", 1);
    const bool product = row_["kind"] == "gemm";
    const Json parameters = product ? batch > 1 ? Json{{"m", m}, {"n", n}, {"k", k}, {"batch", batch}} : Json{{"m", m}, {"n", n}, {"k", k}}
                                    : Json{{"heads", batch}, {"query_length", m}, {"context", n}, {"head_dim", k}};
    const std::string formats = row_["weights"] + ":" + row_["activations"];
    const Json calculation = {{"type", product ? "gemm" : "attention"}, {"parameters", parameters}, {"formats", {formats}}};
    kernel_ = checked(workload_of(checked(parse_calculation(calculation.dump()), row_)), row_);
    measured_s_ = quantity == "flops" ? (product ? 2 * m * n * k * batch : 4 * m * n * k * batch) / value : value;
    return;
  }
  Json request = {{"phase", row_["kind"]}, {"batch", batch}, {"tp", row_.number("tp", 1)}};
  for (const char* format : {"weights", "activations", "kv"}) request[format] = row_[format];
  // Model Optimizer's checkpoints leave these out: hf_quant_config.json of huggingface.co/nvidia/Qwen3-30B-A3B-NVFP4.
  if (row_["weights"] == "nvfp4") request["weights"] = "embedding=bf16,head=bf16,router=bf16,rest=nvfp4";
  request["model"] = row_["model"];
  if (!Models::presets().find(row_["model"])) request["model"] = Json::parse(text_of_file(models / (row_["model"] + ".json")));
  const double prompt = row_.number("prompt", 0), context = row_.number("context", 0), generated = row_.number("generated", 0);
  if (prompt > 0) request["prompt"] = prompt;
  if (row_["kind"] == "generate")
    request["generate"] = generated;
  else
    request["context"] = std::round(context);
  request_ = std::make_unique<LlmRequest>(checked(parse_llm_request(request.dump()), row_));
  if (row_["batch"].empty()) {  // in-flight batching that does not state it: what fits at the mean context
    LlmRequest step = *request_;
    step.phase = LlmPhase::decode;
    step.prompt = step.chunk = 1;  // prompts may be taken in pieces: their activations do not decide
    step.context = prompt + std::floor(generated / 2);
    step.generate = 0;
    step.reserve = 0;  // the stacks' terms were fitted with the memory filled
    request_->batch = std::clamp(LlmInference(step, *scenario_).largest_batch(step), 1.0, 4096.0);
  }
  const double tokens = request_->batch * (row_["kind"] == "decode" ? 1 : row_["kind"] == "prefill" ? prompt : generated);
  measured_s_ = quantity == "tokens_per_s" ? tokens / value : value;
}

const Stack& Run::stack() const { return Stacks::presets()[*scenario_->stack]; }

LlmTotals Run::totals() const {
  const LlmInference inference(*request_, *scenario_);
  const auto passes = std::make_unique<LlmPasses>();
  inference.evaluate(*request_, *passes);
  LlmTotals t;
  for (const LlmRows* rows : {&passes->prefill, &passes->decode, &passes->draft}) t.add(rows->total, 1);
  return t;
}

double Run::bound_s() const { return request_ ? totals().predicted_s : sum_of(Plan(kernel_, *scenario_), &OpAnalysis::predicted_time_s); }

double Run::estimate_s(const StackTerms& terms) const {
  scenario_->terms = terms;
  const double time = request_ ? totals().typical_s : sum_of(Plan(kernel_, *scenario_), &OpAnalysis::typical_time_s);
  scenario_->terms = {};
  return time;
}

TypicalTerms Run::terms() const {
  const Workload workload = request_ ? llm_workload(*request_, *scenario_) : kernel_;
  return typical_terms(OpSet(Plan(workload, *scenario_)));
}

std::string left_out(const Measurement& row) {
  const std::string& flags = row["flags"];
  if (!flags.empty()) return flags;
  const std::string& conditions = row["conditions"];
  if (is_kernel(row) && conditions.starts_with("IREE")) return "a compiler in development";
  if (is_kernel(row) && conditions.find("grouped GEMM") != std::string::npos) return "several products at once";
  return "";
}

std::vector<std::unique_ptr<Run>> runs_of(const std::vector<Measurement>& rows, const std::filesystem::path& models) {
  std::vector<std::unique_ptr<Run>> out;
  for (const Measurement& row : rows)
    if (row["kind"] != "bandwidth" && row["kind"] != "matmul_peak" && left_out(row).empty())
      out.push_back(std::make_unique<Run>(row, models));
  return out;
}

std::uint32_t stable_hash(const std::string& text) {
  std::uint32_t h = 2166136261u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
  return h ^ h >> 15;
}

double quantile(std::vector<double> values, double at) {
  if (values.empty()) return unknown;
  std::sort(values.begin(), values.end());
  const double place = at * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const double next = values[std::min(low + 1, values.size() - 1)];
  return values[low] + (place - static_cast<double>(low)) * (next - values[low]);
}

}  // namespace roofline::validation
