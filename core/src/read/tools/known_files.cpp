// Files that are known and not read: which tool wrote them, and which of its exports is.
#include <algorithm>
#include <roofline/base/text.hpp>

#include "read/formats.hpp"
#include "read/text/lines.hpp"
#include "read/tools/tool_tables.hpp"

namespace roofline {
namespace {

struct KnownFile {
  const char* what;
  const char* marks;    ///< what the first lines hold, all of it, separated by '|'; a table's comment may hold words
  const char* instead;  ///< what to open instead, or to do
};

constexpr const char* serving_results = "results of a serving benchmark";
constexpr const char* on_frontier =
    "`roofline frontier MODEL --machines ID --gpus N -o svg --measured FILE` draws runs that state a mean time per token";

constexpr const char* export_onnx = "export it as ONNX";
constexpr const char* export_tflite = "export it as ONNX (tf2onnx) or TFLite";
constexpr const char* export_jax = "export it in a format that opens: from JAX as TFLite (jax2tf), from PyTorch with torch.export.save";

constexpr KnownFile known_files[] = {
    {"ncnn's .param (a network, its shapes not stated)", "7767517\n|Input ", export_onnx},
    {"Caffe's .prototxt (a network, its shapes not stated)", "layer {|type: \"|name: \"", export_onnx},
    {"Caffe's .prototxt (a network, its shapes not stated)", "layers {|type: |name: \"", export_onnx},
    {"Keras's JSON (a network, its shapes not stated)", "\"class_name\"|\"config\"|\"layers\"|\"keras", export_tflite},
    {"Darknet's .cfg (a network, its shapes not stated)", "[net]|[convolutional]|width=", export_onnx},
    {"NNEF's graph", "version 1.|\ngraph |->|external", export_onnx},
    {"MLIR's text (StableHLO, TOSA or linalg)", "{\n|func.func |%|: tensor<", export_jax},
    {"XLA's HLO text", "HloModule |parameter(", export_jax},
    {"SCALE-Sim's BANDWIDTH_REPORT (bandwidths in words of the array, no times)", "LayerID,|SRAM BW",
     "open COMPUTE_REPORT.csv, with the clock: --column \"Total Cycles=cycles at 1 GHz\""},
    {"SCALE-Sim's DETAILED_ACCESS_REPORT (counts of accesses, no times)", "LayerID,|Start Cycle",
     "open COMPUTE_REPORT.csv, with the clock: --column \"Total Cycles=cycles at 1 GHz\""},
    {"SCALE-Sim's topology (its input: layers without times)", "Layer name,|IFMAP Height",
     "open COMPUTE_REPORT.csv, which SCALE-Sim writes"},
    {"TI's list of model artifacts (names and sizes, no times)", "session_name,|run_dir,|model_name",
     "open the log of an inference with debug_level 1, which has cycles of layers"},
    {"Vitis AI's list of models (names of tests, no times)", "ModelName,|XmodelList", "open what `vaitrace --txt` prints of a run"},
    {"a results table of LLM inference (latency and throughput by batch)", "Hardware,|Framework,|Throughput",
     "plan the language model (`roofline llm MODEL --machine ID --batch N`) and give its points as a benchmark in JSON (--measured)"},
    {serving_results, "mean_ttft_ms|mean_tpot_ms|,", on_frontier},
    {serving_results, "\"request_throughput\"|tpot", on_frontier},
    {serving_results, "Metric,avg|Inter Token Latency", on_frontier},
    {serving_results, "Serving Benchmark Result|TPOT", on_frontier},
    {serving_results, "token_throughput(token/sec)|seq_throughput", on_frontier},
    {serving_results, "Mean TPOT (ms)|Tput", on_frontier},
    {"Vidur's profile (milliseconds of a model's operators by tokens, a column each)", "time_stats.|num_tokens",
     "`roofline llm MODEL` predicts these operators; a table of one operator needs a column such as time_ms: --column "
     "time_stats.emb.mean=time_ms"},
    {"STREAM's log: the memory bandwidth of a machine", "STREAM version|Function",
     "it is a machine: roofline analyze OPERATIONS --machine ./FILE"},
    {"a log of GPU STREAM: the memory bandwidth of a machine", "STREAM Benchmark|Buffer size",
     "it is a machine: roofline analyze OPERATIONS --machine ./FILE"},
    {"BabelStream's log: the memory bandwidth of a machine", "BabelStream|Function",
     "it is a machine: roofline analyze OPERATIONS --machine ./FILE"},
    {"a log of nccl-tests: the bandwidth of a machine's links", "# nThread|busbw",
     "it is a machine: roofline analyze OPERATIONS --machine ./FILE"},
    {"RKNN's time of a whole network", "Total Time(us):|FPS", "with init_runtime(perf_debug=True), eval_perf() lists the layers"},
    {"llama-bench's JSON", "\"build_commit\"|\"model_type\"|\"avg_ts\"",
     "`roofline llm MODEL --measured FILE` takes it; its table in Markdown or CSV opens as operations"},
    {"clpeak's log", "Platform:|memory bandwidth (GBPS)", "have clpeak write XML (--xml-file FILE), which is a machine: --machine ./FILE"},
    {"llama-batched-bench's table (rates of prefill and decode by batch)", "| |TG |N_KV |S_TG t/s",
     "`roofline llm MODEL --measured` takes the JSON of `llama-bench -o json`"},
    {"a Hailo profiler's report", "hailo|<html", "open what `hailortcli benchmark --csv` writes: it has no layers, Hailo exports none"},
    {"Vela's or another tool's settings (.ini)", "[System_Config.|core_clock",
     "open what vela --verbose-performance writes: *_per-layer.csv"},
    {"Vela's PERFORMANCE page", "Vela|Network summary for|Accelerator configuration",
     "open what vela --verbose-performance writes: *_per-layer.csv"},
    {"the Edge TPU compiler's log (operators it mapped, no times)", "Edge TPU Compiler version|Input",
     "open the .tflite itself, with --machine coral-edge-tpu"},
    {"counters of an Ethos-U for a whole inference, of Corstone's model", "NPU ACTIVE|NPU ",
     "open what vela --verbose-performance writes: *_per-layer.csv has the layers"},
    {"Coral's table of latencies (networks without their work)", "MODEL INFERENCE_TIME|.tflite",
     "open a .tflite, which has its work, with --machine coral-edge-tpu"},
    {"MLPerf Tiny's results (networks without their work)", "MlperfModel|ResultUnit",
     "open the network itself (.tflite, .onnx) and choose the machine"},
    {"Core ML's estimates by backend (no shapes)", "SelectedBackend|est_time_0",
     "choose a backend's times: --column est_time_0=time_ms, and so on"},
    {"a summary of nsys stats for people", "CUDA GPU Kernel Summary|-----",
     "write it as CSV: nsys stats --report cuda_gpu_kern_sum --format csv"},
    {"VTune's or perf's table of functions (CPU time, no work)", "Function|CPU Time|Module",
     "record torch.profiler with record_shapes=True on the CPU, or benchmark_app -exec_graph_path"},
    {"SNPE's CSV (its columns are not published)", "Message Name|Message Value", "open what snpe-diagview --input_log prints"},
    {"rocprofv3's JSON", "\"rocprofiler-sdk-tool\"", "rocprofv3 --kernel-trace --output-format csv writes a table that opens"},
    {"an execution trace of PyTorch (Chakra: shapes, no times)", "\"schema\"|-chakra.|\"nodes\"",
     "record torch.profiler with record_shapes=True and export_chrome_trace"},
    {"a report of tt-perf-report", "Op-to-Op Gap|Device Time|OP Code", "open the ops_perf_results*.csv that it was made from"},
    {"Arm NN's profile", "\"ArmNN\"|inference_measurements", "write its layers as a table: name,type,time_us"},
    {"Timeloop's statistics", "Buffer and Arithmetic Levels|Cycles",
     "write each layer's cycles and MACs as a table: name,macs,cycles at 1 GHz"},
    {"Apple's Core ML performance report", "\"mlmodelc\"|computePlan", "no export of it has shapes: write name,type,time_us as a table"},
};

const KnownFile* known_file(std::string_view text) {
  const std::string_view head = text.substr(0, 8192);
  const auto* const found =
      std::find_if(std::begin(known_files), std::end(known_files), [&](const KnownFile& f) { return contains_all(head, f.marks); });
  return found == std::end(known_files) ? nullptr : found;
}

class KnownFileReader final : public RowsReader<WorkloadBuilder> {
 public:
  KnownFileReader() : RowsReader("", SourceFormat::none) {}
  Result<void> read(TextWindow& window, bool) override {
    const KnownFile* file = known_file(window.text());
    return Unexpected(window.lines().at(0, file ? std::string(file->what) + ": " + file->instead : "no operations"));
  }
};

}  // namespace

bool detects_known_file(std::string_view text) { return known_file(text) != nullptr; }

std::unique_ptr<FormatReader> open_known_file(const ReadOptions&) { return std::make_unique<KnownFileReader>(); }

}  // namespace roofline
