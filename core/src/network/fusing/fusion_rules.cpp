#include "network/fusing/fusion_rules.hpp"

#include <algorithm>
#include <roofline/operators/operator.hpp>
#include <set>

namespace roofline {
namespace {

using enum FusionKind;

using Kinds = std::uint32_t;  // a bit for each
constexpr Kinds set_of(std::initializer_list<FusionKind> kinds) {
  Kinds out = 0;
  for (const FusionKind kind : kinds) out |= Kinds{1} << static_cast<unsigned>(kind);
  return out;
}

constexpr Kinds any = ~Kinds{0};
constexpr Kinds constants = set_of({add_constant, scale});
constexpr Kinds elementwise =
    set_of({add_constant, scale, addition, relu, leaky_relu, prelu, elu, sigmoid, tanh, gelu, swish, pointwise, cast});

struct FusionRule {
  ToolChain by;
  Kinds producers, followers;
  std::string_view source;
};

constexpr std::string_view any_source = "Upper limit: every merge that one kernel could do";
constexpr std::string_view onnxruntime_docs = "https://onnxruntime.ai/docs/performance/model-optimizations/graph-optimizations.html";
constexpr std::string_view tensorrt_docs = "https://docs.nvidia.com/deeplearning/tensorrt/latest/performance/fusion-catalog.html";
constexpr std::string_view openvino_docs =
    "https://github.com/openvinotoolkit/openvino/blob/master/src/plugins/intel_cpu/docs/internal_cpu_plugin_optimization.md";
constexpr std::string_view openvino_npu_tests =
    "https://github.com/openvinotoolkit/npu_compiler/blob/develop/tests/lit/NPU/dialect/IE/passes/fuse_activation_ops.mlir";
constexpr std::string_view xnnpack_source = "https://github.com/google/XNNPACK/blob/master/src/subgraph.c";
constexpr std::string_view vela_source = "ethosu/vela/pass_packing.py of https://pypi.org/project/ethos-u-vela";
constexpr std::string_view rknn_releases = "https://github.com/airockchip/rknn-toolkit2/blob/master/CHANGELOG.md";
constexpr std::string_view inductor_source = "https://github.com/pytorch/pytorch/blob/main/torch/_inductor/config.py";

constexpr FusionRule rules[] = {
    {ToolChain::all, any, elementwise | set_of({norm}), any_source},

    // Conv + Add, Conv + Mul and Conv + BatchNorm are merged for every execution provider.
    {ToolChain::onnxruntime_cpu, set_of({convolution}), constants, onnxruntime_docs},
    {ToolChain::onnxruntime_cpu, set_of({convolution, product}), set_of({relu, leaky_relu, sigmoid, tanh}), onnxruntime_docs},
    {ToolChain::onnxruntime_cpu, set_of({product}), set_of({add_constant}), onnxruntime_docs},
    {ToolChain::onnxruntime_cpu, set_of({add_constant}), set_of({gelu}), onnxruntime_docs},
    {ToolChain::onnxruntime_cpu, set_of({addition}), set_of({norm}), onnxruntime_docs},
    {ToolChain::onnxruntime_cpu, set_of({norm}), constants, onnxruntime_docs},  // its scale and shift
    {ToolChain::onnxruntime_cuda, set_of({convolution}), constants, onnxruntime_docs},
    {ToolChain::onnxruntime_cuda, set_of({add_constant}), set_of({gelu}), onnxruntime_docs},
    {ToolChain::onnxruntime_cuda, set_of({addition}), set_of({norm}), onnxruntime_docs},
    {ToolChain::onnxruntime_cuda, set_of({norm}), constants, onnxruntime_docs},

    {ToolChain::tensorrt, set_of({convolution}), constants | set_of({addition, relu, gelu}), tensorrt_docs},
    {ToolChain::tensorrt, elementwise, elementwise, tensorrt_docs},

    {ToolChain::openvino, set_of({convolution}), constants | set_of({addition, relu, leaky_relu, prelu, elu, sigmoid, cast}),
     openvino_docs},
    {ToolChain::openvino, set_of({pooling}), set_of({cast}), openvino_docs},
    {ToolChain::openvino, set_of({product}), set_of({relu, elu, sigmoid}), openvino_docs},

    {ToolChain::openvino_npu, set_of({convolution}), set_of({relu, leaky_relu}), openvino_npu_tests},
    {ToolChain::openvino_npu, set_of({product, addition, add_constant}), set_of({relu}), openvino_npu_tests},

    {ToolChain::xnnpack, set_of({convolution, product, pooling, addition}) | constants, set_of({relu}), xnnpack_source},

    {ToolChain::vela, set_of({convolution, product, pooling, reduction}) | elementwise, set_of({relu}), vela_source},

    {ToolChain::rknn, set_of({convolution}), set_of({relu, sigmoid, gelu, swish}), rknn_releases},

    {ToolChain::qnn, set_of({convolution}), set_of({relu}), "https://github.com/microsoft/onnxruntime/pull/21537"},
    {ToolChain::qnn, set_of({convolution, product}), set_of({relu, leaky_relu}), "https://github.com/pytorch/executorch/pull/19014"},

    // Convolutions and products call libraries, unless max_autotune generates kernels for them.
    {ToolChain::inductor, elementwise | set_of({norm, reduction}), elementwise | set_of({norm}), inductor_source},
};

constexpr std::string_view openvino_transformations =
    "https://github.com/openvinotoolkit/openvino/tree/master/src/common/transformations/include/transformations/common_optimizations";

/// Functions that a tool chain recognises although exporters write them as several nodes.
constexpr struct {
  ToolChain by;
  Kinds functions;
  std::string_view source;
} decomposed[] = {
    {ToolChain::all, set_of({gelu, swish, norm, reduction}), any_source},
    {ToolChain::onnxruntime_cpu, set_of({gelu, norm}), onnxruntime_docs},
    {ToolChain::onnxruntime_cuda, set_of({gelu, norm}), onnxruntime_docs},
    {ToolChain::tensorrt, set_of({gelu, swish}), tensorrt_docs},  // swish: adjacent pointwise operations
    {ToolChain::openvino, set_of({gelu, swish, norm, reduction}), openvino_transformations},
    {ToolChain::rknn, set_of({gelu, swish}), rknn_releases},
    {ToolChain::inductor, set_of({gelu, swish, norm, reduction}), inductor_source},
};

constexpr struct {
  std::string_view id;
  FusionKind kind;
} elementwise_kinds[] = {
    {"relu", relu}, {"clamp", relu}, {"leaky_relu", leaky_relu}, {"prelu", prelu}, {"elu", elu}, {"sigmoid", sigmoid}, {"tanh", tanh},
    {"gelu", gelu}, {"silu", swish}, {"hard_swish", swish},      {"cast", cast},
};

FusionKind elementwise_kind(std::string_view id, const SizedNode& node, const SizedNetwork& network) {
  for (const auto& [name, kind] : elementwise_kinds)
    if (name == id) return kind;
  std::set<TensorId> computed;
  for (const TensorId read : node.reads)
    if (!network.tensors[read].constant) computed.insert(read);
  if (id == "add" || id == "sub") return computed.size() > 1 ? addition : add_constant;
  if (id == "mul" || id == "div") return computed.size() > 1 ? pointwise : scale;
  return pointwise;
}

}  // namespace

FusionKind fusion_kind(const SizedNode& node, const SizedNetwork& network) {
  const Operator* op = node.records.empty() ? nullptr : find_operator(node.records.front().type());
  if (!op) return other;
  switch (op->family) {
    case OpFamily::convolution:
      return convolution;
    case OpFamily::matrix_product:
      return product;
    case OpFamily::attention:
      return attention;
    case OpFamily::pooling:
      return pooling;
    case OpFamily::reduction:
      return reduction;
    case OpFamily::normalisation:
      return op->id == "softmax" ? reduction : op->id == "batch_norm" ? scale : norm;
    case OpFamily::elementwise:
      return elementwise_kind(op->id, node, network);
    default:
      return other;
  }
}

bool fuses(ToolChain by, FusionKind producer, FusionKind follower) {
  return std::any_of(std::begin(rules), std::end(rules), [&](const FusionRule& rule) {
    return rule.by == by && (rule.producers & set_of({producer})) != 0 && (rule.followers & set_of({follower})) != 0;
  });
}

bool recognises(ToolChain by, FusionKind function) {
  return std::any_of(std::begin(decomposed), std::end(decomposed),
                     [&](const auto& row) { return row.by == by && (row.functions & set_of({function})) != 0; });
}

std::string fusion_sources(ToolChain tool_chain) {
  std::string out;
  const auto add = [&](ToolChain by, std::string_view source) {
    if (by == tool_chain && out.find(source) == std::string::npos) out.append(out.empty() ? "" : "; ").append(source);
  };
  for (const FusionRule& rule : rules) add(rule.by, rule.source);
  for (const auto& row : decomposed) add(row.by, row.source);
  return out;
}

std::optional<ToolChain> chosen_tool_chain(std::string_view fold, ToolChain usual, ToolChain engine) {
  // OpenVINO's profiles do not name the device.
  const bool on_npu = engine == ToolChain::openvino && usual == ToolChain::openvino_npu;
  if (engine != ToolChain::none && !on_npu) usual = engine;
  if (fold == "usual") return usual == ToolChain::none ? ToolChain::all : usual;
  return fold.empty() ? usual : named<ToolChain>(fold);
}

}  // namespace roofline
