#include "read/tools/tool_tables.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>

#include "base/json.hpp"
#include "base/letters.hpp"
#include "read/formats.hpp"
#include "read/text/lines.hpp"
#include "read/text/log_lines.hpp"

namespace roofline {
namespace {

constexpr const char* thread_cycles = "cycles are summed over the threads of an operation: they are work, not wall time";

constexpr const char* trtexec_work =
    "a log has the time of the whole network, or of its layers with --dumpProfile; --exportProfile and --exportLayerInfo have their work";

constexpr ToolTable tools[] = {
    {"Vela summary", "experiment,network,|accelerator_configuration|inference_time", csv_of_vela_summary,
     "one row for the whole network, in INT8; *_per-layer.csv has its layers", nullptr, SourceFormat::kernels, "Vela"},
    {"RKNN eval_perf (toolkit 1)", "Layer ID|Time(us)", csv_of_rknn1,
     "layers are timed one at a time; export eval_perf of toolkit 2 for their shapes", "Layer ID", SourceFormat::rknn},
    {"TFLite benchmark_model", "Run Order|node type|avg", csv_of_benchmark_model,
     "times are of one run of the model; of a delegate, its own operations count, not the node that holds them",
     "for Regular Benchmark Runs", SourceFormat::tflite},
    {"SNPE snpe-diagview", "Layer Times:|Forward Propagate", csv_of_snpe, nullptr, "Layer Times:", SourceFormat::qnn},
    {"QNN profile viewer", "Execute Stats|OpId_", csv_of_qnn_viewer, thread_cycles, nullptr, SourceFormat::qnn},
    {"QNN profile", "Msg Timestamp,Message,Time,Unit of Measurement", csv_of_qnn_csv, thread_cycles, nullptr, SourceFormat::qnn},
    {"QNN profile viewer", "QNN_PROFILE|profilingEvents", csv_of_qnn_json, thread_cycles, nullptr, SourceFormat::qnn},
    {"QNN HTP analysis", "qnn_op_instances_nodes|htp_overall_summary", csv_of_qhas,
     "cycles are those of an operation's longest path; bytes are those in DRAM", nullptr, SourceFormat::qnn},
    {"Qualcomm AI Hub perf.yaml", "precisions:|components:|inference_time_milliseconds:", csv_of_ai_hub_yaml,
     "each row is the whole network on another device: what they add up to means nothing"},
    {"Qualcomm AI Hub profile", "\"execution_detail\"|\"execution_summary\"", csv_of_ai_hub_profile,
     "a layer without a time is fused into another"},
    {"OpenVINO benchmark_app counters", "layerName;execStatus;", csv_of_openvino_counters,
     "times are means over the inferences; -exec_graph_path has the shapes", nullptr, SourceFormat::openvino},
    {"ncnn layers", "ms    |-> [|kernel: |stride: ", csv_of_ncnn, "times are means over the inferences of the log"},
    {"ST Edge AI network_c_info.json", "json_schema_version|macc|graphs", csv_of_st_info,
     "macc counts biases and activations beside multiply-accumulates"},
    {"ST Edge AI profile", "c_id|m_id|dur (ms)", csv_of_st_profile, "an epoch of the STM32N6 may hold several layers, or a part of one"},
    {"ST Edge AI report", "layer (type|macc|connected to", csv_of_st_report,
     "macc counts biases and activations beside multiply-accumulates"},
    {"TI TIDL log", "Layer Cycles|kernelOnlyCycles|coreLoopCycles", csv_of_tidl_log,
     "cycles are of the C7x at 1 GHz: elsewhere times scale with the clock"},
    {"TI TIDL perfsim", "procTime(us)|inVol(KB)|LyrType", csv_of_tidl_perfsim, "bytes are those in DDR", nullptr, SourceFormat::kernels,
     "perfsim"},
    {"Vitis AI vaitrace", "DPU SubGraph|WL|LdWB", csv_of_vitis,
     "work is stated in GOP: whether of 10^9 or 2^30 operations, Xilinx does not say"},
    {"Hailo hailortcli", "net_name,|fps", csv_of_hailo, "a time is 1 / fps: layers of several frames overlap, so the latency is longer"},
    {"Hailo hailortcli", "(hw_only)|(streaming)|FPS", csv_of_hailo_text,
     "a time is 1 / fps: layers of several frames overlap, so the latency is longer"},
    {"torch.profiler key_averages", "Self CPU %|# of Calls|---", csv_of_key_averages,
     "an operator's time is that of the kernels that it launched itself; export_chrome_trace has the shapes of all", "# of Calls",
     SourceFormat::kernels, nullptr, left_out_of_key_averages},
    {"unitrace", "Device Timing Summary|== L0 Backend ==", csv_of_unitrace, nullptr, "Device Timing Summary"},
    {"nvprof", "Profiling result:|Name", csv_of_nvprof, nullptr, "Profiling result:", SourceFormat::kernels, nullptr, nullptr,
     "the summary of GPU activities, or --print-gpu-trace; reports of --metrics and --events have no times"},
    {"rocprofv2", "Dispatch_ID(|Kernel_Name(|Begin_Timestamp(", csv_of_rocprofv2, nullptr},
    {"trtexec log", "TensorRT.trtexec|[I] ===", csv_of_trtexec, trtexec_work, "=== Profile (", SourceFormat::tensorrt},
    {"trtexec log", "=== Profile (|Avg.|Layer", csv_of_trtexec, trtexec_work, "=== Profile (", SourceFormat::tensorrt},
    {"llama-bench", "|size |params |backend |test |t/s", csv_of_llama_bench,
     "a token's FLOPs are twice the parameters, in FP16 where the weights are quantised, and, written one by one, its bytes the file's: "
     "the KV cache and "
     "attention are left out"},
    {"llama-bench", "build_commit,|model_type,|avg_ns,|n_gen,", csv_of_llama_bench_csv,
     "times only: the Markdown table has sizes, -o json is for --measured"},
    {"Chakra trace", "\"workload_graph\"|\"NodeType\"|\"runtime\"", csv_of_chakra, nullptr},
};

const ToolTable* tool_of(std::string_view text) {
  constexpr std::size_t reach = 65536;  // logs have a preamble
  const std::string_view head = text.substr(0, reach);
  const auto* const found =
      std::find_if(std::begin(tools), std::end(tools), [&](const ToolTable& t) { return contains_all(head, t.marks); });
  return found == std::end(tools) ? nullptr : found;
}

class ToolTableReader final : public RewritingReader {
 public:
  explicit ToolTableReader(const ReadOptions& options) : RewritingReader(open_kernels, options) {}
  /// All of it is there.
  Result<void> read(TextWindow& window, bool) override {
    tool_ = tool_of(window.text());
    const std::string text = without_log_marks(window.text());
    const std::string csv = tool_ ? tool_->csv(text) : std::string();
    if (tool_ && tool_->left_out) left_out_ = tool_->left_out(text);
    const std::string header = csv.substr(0, csv.find('\n') + 1);
    if (csv.empty() || csv.size() == header.size())
      return Unexpected(
          window.lines().at(0, std::string(tool_ ? tool_->tool : "a table") + " without rows of operations: " +
                                   (tool_ && tool_->expected ? std::string("expected ") + tool_->expected : "see docs/formats.html")));
    if (tool_->part)
      for (std::size_t at = text.find(tool_->part); at != std::string::npos; at = text.find(tool_->part, at + 1)) ++parts_;
    window.drop(window.text().size());
    return read_as(csv);
  }
  Workload take() override {
    Workload w = RewritingReader::take();
    w.source_format = tool_->format;
    w.properties.emplace_back("Tool", tool_->tool);
    if (parts_ > 1)
      w.diagnostics.push_back(
          {Severity::warning, "the file has " + std::to_string(parts_) + " tables of this tool: their rows are added up", {}, 0, 0, {}});
    if (tool_->simulated_by) w.simulated_by = tool_->simulated_by;
    if (!left_out_.empty()) w.diagnostics.push_back({Severity::warning, left_out_, {}, 0, 0, {}});
    if (tool_->note) w.diagnostics.push_back({Severity::info, tool_->note, {}, 0, 0, {}});
    return w;
  }

 private:
  const ToolTable* tool_ = nullptr;
  std::size_t parts_ = 0;
  std::string left_out_;
};

}  // namespace

std::string exact(double number) { return compact(Json(number)); }

std::string quoted_cell(std::string_view cell) {
  std::string out = "\"";
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

void CsvRows::add(std::initializer_list<std::string_view> cells) {
  bool first = true;
  for (const std::string_view cell : cells) {
    if (!first) text_ += ',';
    first = false;
    text_ += quoted_cell(cell);
  }
  text_ += '\n';
}

bool contains_all(std::string_view text, std::string_view marks) {
  const std::vector<std::string_view> all = split(marks, '|');
  return std::all_of(all.begin(), all.end(), [&](std::string_view mark) { return contains(text, mark); });
}

bool detects_tool_table(std::string_view text) { return tool_of(text) != nullptr; }

std::unique_ptr<FormatReader> open_tool_table(const ReadOptions& options) { return std::make_unique<ToolTableReader>(options); }

}  // namespace roofline
