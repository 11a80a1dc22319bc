// Profiles of ONNX Runtime: events of nodes and of sessions, as Chrome's tracing format has them. A row is a node with its time per run.
// docs/formats/engines.md has the rules.
#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>
#include <unordered_map>

#include "base/interner.hpp"
#include "base/json.hpp"
#include "base/letters.hpp"
#include "base/sort_stably.hpp"
#include "read/formats.hpp"
#include "read/layers/layers.hpp"
#include "read/text/csv.hpp"
#include "read/text/format_words.hpp"
#include "read/trace/trace.hpp"
#include "workload/layer_nodes.hpp"

namespace roofline {
namespace {

/// [{"float": [1, 64, 56, 56]}, {"int64": []}]
std::vector<Operand> onnx_operands(const Json& list) {
  std::vector<Operand> out;
  for (const Json& item : list) {
    if (!item.is_object() || item.empty()) continue;
    Operand operand;
    operand.format = format_in(item.begin().key());
    for (const Json& length : item.begin().value()) operand.shape.push_back(number_of(length));
    out.push_back(std::move(operand));
  }
  return out;
}

/// Sizes are texts: "602112".
double size_of(const Json& args, const char* key) {
  const Json& value = member(args, key);
  return value.is_string() ? exact_number(text_of(value)).value_or(unknown) : number_of(value);
}

/// Of quantised operators scales and zero points stand between the operands: which inputs are tensors.
std::vector<std::size_t> tensors_of(const std::string& type) {
  if (type.rfind("QLinearConv", 0) == 0) return {0, 3, 8};
  if (type.rfind("QLinear", 0) == 0) return {0, 3};
  if (type.rfind("ConvInteger", 0) == 0 || type.rfind("MatMulInteger", 0) == 0 || type.rfind("DynamicQuantizeMatMul", 0) == 0)
    return {0, 1};
  return {};
}

const Operator* onnx_operator(std::string_view type) {
  const Operator* op = find_operator(type);
  return op ? op : find_operator(original_type(type));
}

struct Provider {
  std::string_view name;
  std::string_view machine_word;  ///< of the machine that it runs on (machine/words.hpp); empty: any
  bool asynchronous = false;      ///< a node's time is that of its launches
};
constexpr Provider providers[] = {{"CUDAExecutionProvider", "cudnn", true},
                                  {"TensorrtExecutionProvider", "tensorrt"},
                                  {"ROCMExecutionProvider", "rocm", true},
                                  {"MIGraphXExecutionProvider", "miopen"},
                                  {"DmlExecutionProvider", "", true}};

/// An unknown provider runs on any machine, and its nodes end when their time does.
Provider provider_of(std::string_view name) {
  const auto* const found = std::find_if(std::begin(providers), std::end(providers), [&](const Provider& p) { return p.name == name; });
  return found == std::end(providers) ? Provider{name, {}} : *found;
}

void channels_second(Operand& operand) {
  if (operand.shape.size() > 2) std::rotate(operand.shape.begin() + 1, operand.shape.end() - 1, operand.shape.end());
}

struct Run {
  double begin_us, duration_us;
};

/// One execution of a node.
struct Execution {
  double begin_us, duration_us;
  std::uint32_t node;
  double kernels_us = 0;  ///< of the kernels that it launched, as far as the profile lists them
};

class OnnxRuntimeReader final : public RowsReader<Layers> {
 public:
  explicit OnnxRuntimeReader(const ReadOptions& options)
      : RowsReader(options, SourceFormat::onnxruntime, "node"), provider_(builder().add_category("Provider")) {}

  Result<void> read(TextWindow& window, bool last) override {
    const TraceScanner::Use use = {[this](std::string_view event, std::size_t) { read_event(event); },
                                   [](std::string_view, std::string_view) {}};
    if (auto ok = scanner_.read(window, false, use); !ok || !last) return ok;
    auto ended = scanner_.read(window, true, use);
    // A session that was not closed leaves its list open: what is whole counts.
    open_ = !ended && scanner_.events() > 0 && window.text().find_first_not_of(" ,\t\r\n") == std::string_view::npos;
    return open_ ? Result<void>() : ended;
  }

  Workload take() override {
    add_rows(first_counted());
    WorkloadBuilder& rows = builder();
    if (open_) rows.note(Severity::info, "the profile's list has no end: the session was not closed");
    if (control_flow_ > 0)
      rows.note(Severity::info, quantity(control_flow_, "event") + " of Loop, If and Scan left out: the nodes within them are listed");
    if (unreadable_ > 0) rows.note(Severity::warning, quantity(unreadable_, "event") + " not JSON, or without a time: left out");
    if (unmatched_kernels_ > 0)
      rows.note(Severity::warning, quantity(unmatched_kernels_, "kernel") + " left out: no node that launched " +
                                       (unmatched_kernels_ == 1 ? "it" : "them") + " was found");
    if (nodes_without_kernels_ > 0)
      rows.note(
          kernels_ > 0 ? Severity::info : Severity::warning,
          "the profile lists no kernels of " + quantity(nodes_without_kernels_, "node") +
              " of an asynchronous provider (CUDA, ROCm or DirectML): the times of nodes are launch times and are left out" +
              (kernels_ > 0 ? "" : "; a build of ONNX Runtime with --enable_cuda_profiling or --enable_rocm_profiling lists kernels"));
    if (nodes_.empty()) rows.note(Severity::warning, "the profile has no nodes: expected events of the category Node");
    Workload work = rows_.take();
    for (const std::string& provider : work.categories[provider_].values)
      if (const std::string_view word = provider_of(provider).machine_word; !word.empty()) work.machine_words.emplace_back(word);
    if (work.categories[provider_].values == std::vector<std::string>{"CPUExecutionProvider"}) work.machine_words = {"cpu"};
    return work;
  }

 private:
  static constexpr std::string_view suffix = "_kernel_time";

  void read_event(std::string_view text) {
    const std::string_view category = category_of(text);
    if (category == "Kernel") return read_kernel(text);
    if (category != "Session" && (category != "Node" || !contains(text, "_kernel_time\""))) return;  // fences
    const Result<Json> event = parse_json(text, "an event");
    const double begin = event ? number_of(member(*event, "ts")) : unknown, duration = event ? number_of(member(*event, "dur")) : unknown;
    if (!known(begin) || !(duration >= 0)) {
      ++unreadable_;
      return;
    }
    std::string name = text_of(member(*event, "name"));
    if (category == "Session") {
      if (name == "model_run") runs_.push_back({begin, duration});
      return;
    }
    if (!name.ends_with(suffix)) return;
    name.resize(name.size() - suffix.size());
    const Json& args = member(*event, "args");
    const std::string type = text_of(member(args, "op_name"));
    if (type == "Loop" || type == "If" || type == "Scan") {
      ++control_flow_;
      return;
    }
    const Json &inputs = member(args, "input_type_shape"), &outputs = member(args, "output_type_shape");
    bool is_new = false;
    const std::uint32_t node = keys_.intern(name + '\n' + type + '\n' + compact(inputs), &is_new);
    if (is_new) {
      Layer layer;
      layer.name = name;
      layer.type = type;
      layer.op = onnx_operator(type);
      layer.inputs = onnx_operands(inputs);
      layer.outputs = onnx_operands(outputs);
      place_operands(layer);
      layer.bytes = size_of(args, "activation_size") + size_of(args, "parameter_size") + size_of(args, "output_size");
      nodes_.push_back(std::move(layer));
      providers_.push_back(text_of(member(args, "provider")));
    }
    last_execution_by_name_[name] = executions_.size();
    executions_.push_back({begin, duration, node});
  }

  /// A kernel names the node that launched it in newer versions, and follows it in all.
  void read_kernel(std::string_view text) {
    const Result<Json> event = parse_json(text, "an event");
    const double duration = event ? number_of(member(*event, "dur")) : unknown;
    if (!(duration >= 0)) {
      ++unreadable_;
      return;
    }
    const Json& args = member(*event, "args");
    const std::string parent = text_of(member(args, "parent_name")), type = text_of(member(args, "op_name"));
    ++kernels_;
    Execution* launcher = nullptr;
    if (const auto named = last_execution_by_name_.find(parent.substr(0, parent.rfind(suffix))); named != last_execution_by_name_.end())
      launcher = &executions_[named->second];
    else if (parent.empty() && !executions_.empty() && nodes_[executions_.back().node].type == type)
      launcher = &executions_.back();
    if (launcher)
      launcher->kernels_us += duration;
    else
      ++unmatched_kernels_;
  }

  static void place_operands(Layer& layer) {
    if (const std::vector<std::size_t> tensors = tensors_of(layer.type); !tensors.empty() && layer.inputs.size() > tensors[1]) {
      std::vector<Operand> kept;
      for (const std::size_t i : tensors)
        if (i < layer.inputs.size()) kept.push_back(layer.inputs[i]);
      layer.inputs = std::move(kept);
    }
    const bool nhwc = contains(layer.type, "_nhwc") || contains(layer.type, "Nhwc");
    if (!nhwc || !layer.op || (layer.op->family != OpFamily::convolution && layer.op->family != OpFamily::pooling)) return;
    if (!layer.inputs.empty()) channels_second(layer.inputs[0]);
    for (Operand& operand : layer.outputs) channels_second(operand);
  }

  /// When the first run that counts begins: the one before it still allocates and tunes.
  double first_counted() {
    sort_stably(runs_, [](const Run& a, const Run& b) { return a.begin_us < b.begin_us; });
    if (runs_.size() < 2) return -HUGE_VAL;
    double others = 0;
    for (std::size_t i = 1; i < runs_.size(); ++i) others += runs_[i].duration_us;
    others /= static_cast<double>(runs_.size() - 1);
    builder().note(Severity::info, "the first of " + std::to_string(runs_.size()) + " runs is left out as warm-up: it took " +
                                       seconds(runs_[0].duration_us * 1e-6) + ", the others " + seconds(others * 1e-6) +
                                       "; times are per run");
    return runs_[1].begin_us;
  }

  void add_rows(double first) {
    std::vector<double> time_us(nodes_.size()), times(nodes_.size());
    for (const Execution& e : executions_) {
      if (e.begin_us < first) continue;
      const bool on_host = !provider_of(providers_[e.node]).asynchronous && e.kernels_us == 0;
      time_us[e.node] += on_host ? e.duration_us : e.kernels_us;
      times[e.node] += 1;
    }
    const double runs = runs_.size() > 1 ? static_cast<double>(runs_.size() - 1) : 1;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (times[i] == 0) continue;  // of the warm-up alone
      Layer& layer = nodes_[i];
      layer.time_s = time_us[i] / times[i] * 1e-6;
      layer.count = times[i] / runs;
      nodes_without_kernels_ += time_us[i] == 0 && provider_of(providers_[i]).asynchronous ? 1 : 0;
      rows_.add(layer);
      builder().set_word(provider_, providers_[i]);
    }
    auto& properties = builder().workload().properties;
    if (!runs_.empty()) properties.emplace_back("Model run", seconds(runs_.back().duration_us * 1e-6));
  }

  const std::size_t provider_;
  TraceScanner scanner_;
  Interner keys_;
  std::vector<Layer> nodes_;  // by keys_
  std::vector<std::string> providers_;
  std::vector<Execution> executions_;
  std::vector<Run> runs_;
  std::unordered_map<std::string, std::size_t> last_execution_by_name_;  // index into executions_
  std::size_t control_flow_ = 0, unreadable_ = 0, kernels_ = 0, unmatched_kernels_ = 0;
  std::size_t nodes_without_kernels_ = 0;  // of asynchronous providers
  bool open_ = false;
};

}  // namespace

bool detects_onnxruntime(std::string_view text) {
  return first_visible(text) == '[' && contains(text, "\"cat\"") &&
         (contains(text, "_kernel_time\"") || contains(text, "\"session_initialization\"") || contains(text, "\"model_run\""));
}

std::unique_ptr<FormatReader> open_onnxruntime(const ReadOptions& options) { return std::make_unique<OnnxRuntimeReader>(options); }

}  // namespace roofline
