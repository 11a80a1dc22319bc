// Real profiles on the networks that they are of.
#include <map>
#include <roofline/workload/join.hpp>

#include "network/networks.hpp"
#include "network/onnx_file.hpp"
#include "rows.hpp"

using namespace roofline;
using namespace roofline::onnx_file;

namespace {

/// torchvision's ResNet-18 for a batch of 32, with its batch norms folded, and the node names of PyTorch's ONNX exporter before 2.0: the
/// type and the place in the graph. Weights are shapes alone.
class ResNet18 {
 public:
  ResNet18() {
    graph_.inputs = {value("input.1", fp32, {32, 3, 224, 224})};
    std::string x = relu(convolution("input.1", 3, 64, 7, 2));
    x = add("MaxPool", {x}, {ints("kernel_shape", {3, 3}), ints("strides", {2, 2}), ints("pads", {1, 1, 1, 1})});
    int channels = 64;
    for (const int width : {64, 128, 256, 512})
      for (const int block : {0, 1}) {
        const bool narrows = block == 0 && width > 64;
        const std::string deep = convolution(relu(convolution(x, channels, width, 3, narrows ? 2 : 1)), width, width, 3, 1);
        const std::string skip = narrows ? convolution(x, channels, width, 1, 2) : x;
        x = relu(add("Add", {deep, skip}));
        channels = width;
      }
    x = add("Flatten", {add("GlobalAveragePool", {x})});
    graph_.constants.push_back(weight("fc.weight", {1000, 512}));
    graph_.constants.push_back(weight("fc.bias", {1000}));
    x = add("Gemm", {x, "fc.weight", "fc.bias"}, {number("transB", 1)});
    graph_.outputs = {value(x, fp32, {32, 1000})};
  }
  [[nodiscard]] std::string bytes() const { return model(graph_); }

 private:
  static Message weight(const std::string& name, const std::vector<std::int64_t>& dims) {
    Message out;
    for (const std::int64_t d : dims) out.integer(1, d);
    return out.integer(2, fp32).text(8, name);
  }
  std::string add(const std::string& type, const std::vector<std::string>& inputs, const std::vector<Message>& attributes = {}) {
    const std::string name = type + '_' + std::to_string(graph_.nodes.size());
    graph_.nodes.push_back(node(type, inputs, {name}, attributes));
    return name;
  }
  std::string relu(const std::string& x) { return add("Relu", {x}); }
  std::string convolution(const std::string& x, int from, int to, int kernel, int stride) {
    const std::string w = "weight" + std::to_string(graph_.constants.size()), b = w + ".bias";
    graph_.constants.push_back(weight(w, {to, from, kernel, kernel}));
    graph_.constants.push_back(weight(b, {to}));
    return add("Conv", {x, w, b}, {ints("strides", {stride, stride}), ints("pads", std::vector<std::int64_t>(4, kernel / 2))});
  }

  Graph graph_;
};

}  // namespace

TEST_CASE("a TensorRT profile of ResNet-18 matches every operation of the network", "[network]") {
  const std::string path = "../shared/samples/tensorrt_trtexec/resnet-A100-fp16.onnx.engine.profile.json";
  if (!std::filesystem::exists(path)) {
    WARN("skipped: no ../shared/samples");
    return;
  }
  const std::string bytes = ResNet18().bytes();
  // calflops publishes 1,814.07 million multiply-adds for an image, torchvision 11,689,512 parameters with those of the batch norms.
  const ReadNetwork network = read_network("resnet18.onnx", bytes, {}, ToolChain::tensorrt);
  CHECK(network.matrix_macs == 32 * 1814073344.0);
  CHECK(network.facts["parameters"] == 11689512 - 4800);
  REQUIRE(network.commands.size() == 23);  // 20 convolutions, two pools and a product: TensorRT merges all others into them

  const Workload profile = open(file(path));
  std::map<std::string, double> measured;  // by layer
  for (std::size_t i = 0; i < profile.size(); ++i) measured[profile.name_of(i)] = profile.time_s[i];
  const Result<Workload> both = join(open(*commands_of("resnet18.onnx", bytes, {}, ToolChain::tensorrt)), profile);
  INFO((both ? std::string() : both.error().text()));
  REQUIRE(both);
  CHECK(says(*both, "23 of 23 operations"));
  CHECK(both->engine == ToolChain::tensorrt);
  for (std::size_t i = 0; i < network.commands.size(); ++i) {
    std::string layer = both->name_of(i);
    if (const Json merged = member(network.commands[i], "merged"); merged.is_string()) layer += " + " + text_of(merged);
    INFO(layer);
    REQUIRE(measured.contains(layer));  // the engine's layers are the merged operations, under the same names
    CHECK(both->time_s[i] == measured[layer]);
  }
  // TensorRT added twelve changes of format and a reshape.
  CHECK(both->size() == network.commands.size() + 13);
  CHECK(says(*both, "13 of the times have no node in the work: Reformatting CopyNode for Input Tensor 0 to Conv_0 + Relu_1"));
}

TEST_CASE("two files without times are refused with the first warnings of each", "[network]") {
  Workload a, b;
  a.source = "a.csv", b.source = "b.csv";
  for (int i = 1; i <= 10000; ++i) a.diagnostics.push_back({Severity::warning, "row " + std::to_string(i), {}, 0, 0, {}});
  b.diagnostics.push_back({Severity::warning, "empty", {}, 0, 0, {}});
  CHECK(join(a, b).error().message ==
        "neither file states times of operations; a.csv: row 1; a.csv: row 2; a.csv: row 3; and 9,997 more; b.csv: empty");
}
