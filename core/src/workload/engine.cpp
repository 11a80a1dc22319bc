#include <algorithm>
#include <roofline/workload/join.hpp>

namespace roofline {
namespace {

constexpr struct {
  SourceFormat format;
  std::string_view provider;  // ONNX Runtime's, which at least one node ran on; empty: any
  ToolChain engine;
} engines[] = {
    {SourceFormat::tensorrt, "", ToolChain::tensorrt},
    {SourceFormat::onnxruntime, "TensorrtExecutionProvider", ToolChain::tensorrt},
    {SourceFormat::onnxruntime, "NvTensorRTRTXExecutionProvider", ToolChain::tensorrt},
    {SourceFormat::onnxruntime, "CUDAExecutionProvider", ToolChain::onnxruntime_cuda},
    {SourceFormat::onnxruntime, "QNNExecutionProvider", ToolChain::qnn},
    {SourceFormat::onnxruntime, "OpenVINOExecutionProvider", ToolChain::openvino},
    {SourceFormat::onnxruntime, "XnnpackExecutionProvider", ToolChain::xnnpack},
    {SourceFormat::onnxruntime, "", ToolChain::onnxruntime_cpu},
    {SourceFormat::openvino, "", ToolChain::openvino},
    {SourceFormat::rknn, "", ToolChain::rknn},
    {SourceFormat::tflite, "", ToolChain::xnnpack},  // benchmark_model's default delegate on CPUs
    {SourceFormat::qnn, "", ToolChain::qnn},
};

bool ran_on(const Workload& run, std::string_view provider) {
  return std::any_of(run.categories.begin(), run.categories.end(), [provider](const Category& category) {
    return category.name == "Provider" && std::find(category.values.begin(), category.values.end(), provider) != category.values.end();
  });
}

}  // namespace

ToolChain engine_of(const Workload& run) {
  for (const auto& row : engines)
    if (row.format == run.source_format && (row.provider.empty() || ran_on(run, row.provider))) return row.engine;
  return ToolChain::none;
}

}  // namespace roofline
