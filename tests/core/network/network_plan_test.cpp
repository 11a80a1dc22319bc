// Plans of a network's formats: layers by name, their own weights' errors, and what the tools are given.
#include <cmath>
#include <cstring>
#include <roofline/accuracy/mix.hpp>
#include <roofline/accuracy/network_plan.hpp>
#include <roofline/accuracy/weight_sample.hpp>
#include <set>

#include "json.hpp"
#include "network/networks.hpp"
#include "network/onnx/model.hpp"
#include "network/onnx_file.hpp"
#include "session/questions/quantize/quantize_answers.hpp"

using namespace roofline;
using namespace roofline::onnx_file;

namespace {

/// A tensor of FP32, each element by its index.
template <class Element>
Message floats(std::string_view name, const std::vector<std::int64_t>& dims, const Element& element) {
  Message out;
  std::size_t elements = 1;
  for (const std::int64_t d : dims) out.integer(1, d), elements *= static_cast<std::size_t>(d);
  std::string raw(4 * elements, '\0');
  for (std::size_t i = 0; i < elements; ++i) {
    const float value = element(i);
    std::memcpy(raw.data() + 4 * i, &value, 4);
  }
  return out.integer(2, fp32).text(8, name).text(9, raw);
}

/// Three products: weights that INT8 states exactly, uniform ones, and ones with an outlier in each 500.
std::string three_products() {
  Graph g;
  const auto uniform = [](std::size_t i) { return static_cast<float>((i * 7919 % 2003) / 1001.0 - 1); };
  g.inputs = {value("x", fp32, {1, 256})};
  g.constants = {floats("exact", {256, 256}, [](std::size_t i) { return i % 3 == 0 ? 1.F : -1.F; }), floats("uniform", {256, 256}, uniform),
                 floats("outliers", {256, 256}, [&](std::size_t i) { return i % 500 == 0 ? 300.F : uniform(i); })};
  g.nodes = {node("MatMul", {"x", "exact"}, {"a"}), node("MatMul", {"a", "uniform"}, {"b"}), node("MatMul", {"b", "outliers"}, {"y"})};
  g.outputs = {value("y", fp32, {1, 256})};
  return model(g);
}

struct Planned {
  FormatPlan plan;
  std::vector<std::string> nodes;  ///< of the network's operations
};

Result<FormatPlan> try_plan(const std::string& file, const std::string& name, std::string_view budget,
                            const std::vector<const char*>& formats, std::vector<std::string>* nodes = nullptr, Mix* mix = nullptr) {
  const BytesAtHand source(file);
  const Result<std::unique_ptr<Network>> network = open_network(name, source);
  REQUIRE(network);
  const Result<std::string> commands = network_commands(**network, {}, ToolChain::none);
  REQUIRE(commands);
  const Workload workload = open(*commands);
  if (nodes)
    for (std::size_t i = 0; i < workload.size(); ++i) nodes->push_back(workload.name_of(i));
  Scenario scenario = Scenario::standard();
  scenario.use(*Machines::presets().find("t4"));
  const Plan plan(workload, scenario);
  const Result<std::vector<NodeWeights>> weights = node_weights(**network, {});
  REQUIRE(weights);
  NetworkPlanOptions options{*parse_budget(budget, network_budgets), {}};
  for (const char* format : formats) options.formats.push_back(*Formats::catalogue().find(format));
  if (mix) *mix = mix_formats(OpSet(plan), options.formats, Roles::all, 0, [](std::uint32_t, FormatId) { return 40; });
  return plan_network(plan, *weights, source, options);
}

Planned planned(const std::string& file, const std::string& name, std::string_view budget,
                const std::vector<const char*>& formats = {"int8", "int4_g128", "fp8_e4m3"}) {
  Planned out;
  const Result<FormatPlan> plan = try_plan(file, name, budget, formats, &out.nodes);
  REQUIRE(plan);
  out.plan = *plan;
  return out;
}

std::string format_of(const PlannedTensor& layer) {
  return layer.chosen.format == no_format ? "" : Formats::catalogue()[layer.chosen.format].id;
}

}  // namespace

TEST_CASE("network plan: errors are those of the weights themselves", "[network]") {
  const FormatPlan p = planned(three_products(), "model.onnx", "bytes=200k", {"int8"}).plan;
  REQUIRE(p.tensors.size() == 3);
  CHECK(p.bytes == 3 * 65536);
  for (const PlannedTensor& layer : p.tensors) CHECK((layer.own_error && format_of(layer) == "int8"));
  CHECK(p.tensors[0].weight == "exact");
  CHECK(p.tensors[0].sqnr_db > 100);
  // Uniform from -1 to 1 in 255 steps: a signal of 1/3, noise of step^2 / 12.
  CHECK_THAT(p.tensors[1].sqnr_db, WithinAbs(10 * std::log10((1.0 / 3) / (std::pow(2.0 / 254, 2) / 12)), 0.2));
  CHECK(p.tensors[2].sqnr_db < p.tensors[1].sqnr_db);
}

TEST_CASE("network plan: an accuracy is kept by leaving the layer that loses most as it is", "[network]") {
  const FormatPlan p = planned(three_products(), "model.onnx", "sqnr=40dB", {"int8"}).plan;
  CHECK(p.admissible);
  CHECK(p.sqnr_db >= 40);
  CHECK(format_of(p.tensors[0]) == "int8");
  CHECK(format_of(p.tensors[1]) == "int8");
  CHECK(format_of(p.tensors[2]).empty());
  CHECK(p.finding.find("At 40 dB, 2 layers take INT8 in all operands, 1 is unchanged: ") == 0);
  CHECK(p.finding.find("). Weights 786 kB to 393 kB, SQNR ") != std::string::npos);
  CHECK(p.finding.find(" dB, measured on the file's weights; the error of activations is not included.") != std::string::npos);
}

TEST_CASE("network plan: it says which formats no layer can take, and which one can", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, {1, 256})};
  const auto uniform = [](std::size_t i) { return static_cast<float>((i * 7919 % 2003) / 1001.0 - 1); };  // 4 bits keep 23 dB of it
  g.constants = {floats("w", {256, 256}, uniform), floats("v", {256, 256}, uniform)};
  g.nodes = {node("MatMul", {"x", "w"}, {"h"}), node("MatMul", {"h", "v"}, {"y"})};
  g.outputs = {value("y", fp32, {1, 256})};
  const FormatPlan p = planned(model(g), "model.onnx", "sqnr=30dB", {"int8", "int4_g128"}).plan;
  const std::size_t at = p.finding.find(" No layer can use INT4 in groups of 128 at 30 dB (best layer: 2");
  INFO(p.finding);
  REQUIRE(at != std::string::npos);
  CHECK(p.finding.find(" dB). INT8 can (worst layer: 4", at) != std::string::npos);
  // A byte budget sets no SQNR threshold.
  CHECK(planned(model(g), "model.onnx", "bytes=400k", {"int8", "int4_g128"}).plan.finding.find("No layer") == std::string::npos);
}

TEST_CASE("network plan: the accuracy of the layers' own weights, some layers at a time", "[network]") {
  const std::string bytes = three_products();
  const BytesAtHand source(bytes);
  const Result<std::unique_ptr<Network>> network = open_network("model.onnx", source);
  REQUIRE(network);
  const auto answer = [&](const char* request) {
    return Json::parse(answer_network_plan(**network, source, "model.onnx", ToolChain::none, "{}", request));
  };
  const Json all = answer(R"({"accuracy": true})");
  CHECK(all["total"] == 3);
  REQUIRE(all["tensors"].size() == 3);
  const FormatPlan p = planned(bytes, "model.onnx", "bytes=200k", {"int8"}).plan;
  for (const PlannedTensor& layer : p.tensors)
    CHECK(all["tensors"][layer.name]["int8"] == (std::isinf(layer.sqnr_db) ? Json() : Json(layer.sqnr_db)));
  const Json part = answer(R"({"accuracy": true, "first": 1, "count": 1})");
  CHECK(part["total"] == 3);
  REQUIRE(part["tensors"].size() == 1);
  CHECK(part["tensors"].contains(p.tensors[1].name));
}

TEST_CASE("network plan: a format gains as much as in the table of layers") {
  Mix mix;
  const Result<FormatPlan> plan = try_plan(three_products(), "model.onnx", "sqnr=1dB", {"int8"}, nullptr, &mix);
  REQUIRE(plan);
  for (const PlannedTensor& layer : plan->tensors) CHECK((format_of(layer) == "int8" && layer.operands == Roles::all));
  CHECK_THAT(plan->today_s, WithinRel(mix.time_s, 1e-12));
  CHECK_THAT(plan->least_s, WithinRel(mix.then_s.low, 1e-12));
  CHECK_THAT(plan->time_s, WithinRel(mix.then_s.high, 1e-12));
  CHECK(plan->least_s < plan->time_s);
  const std::string gain = mix_finding(mix, 0).text();
  const std::size_t from = gain.find(": "), to = gain.find('x', gain.find(" to ", from));
  CHECK(plan->finding.find(gain.substr(from, to + 1 - from)) != std::string::npos);
}

TEST_CASE("network plan: a budget of time is kept by the most that a run may take") {
  const Result<FormatPlan> fastest = try_plan(three_products(), "model.onnx", "time=0.001us", {"int8"});
  REQUIRE(fastest);
  const Result<FormatPlan> kept =
      try_plan(three_products(), "model.onnx", "time=" + std::to_string(fastest->time_s * 1.001e6) + "us", {"int8"});
  REQUIRE(kept);
  CHECK((kept->admissible && kept->time_s == fastest->time_s));
  CHECK_FALSE(try_plan(three_products(), "model.onnx", "time=" + std::to_string(fastest->least_s * 1e6) + "us", {"int8"})->admissible);
}

TEST_CASE("network plan: budgets of bytes and of time, and the nearest where none is admissible", "[network]") {
  const FormatPlan none = planned(three_products(), "model.onnx", "bytes=1k").plan;
  CHECK_FALSE(none.admissible);
  CHECK(none.finding.find("No plan keeps to 1 kB. The nearest misses it by ") == 0);
  for (const PlannedTensor& layer : none.tensors) CHECK(format_of(layer) == "int4_g128");
  const FormatPlan loose = planned(three_products(), "model.onnx", "time=1s").plan;
  CHECK((loose.admissible && loose.finding.find("nothing is lost") != std::string::npos));
  const FormatPlan tight = planned(three_products(), "model.onnx", "time=1us").plan;
  CHECK(tight.time_s < loose.time_s);
  // The front falls from the cheapest to the most accurate.
  for (std::size_t i = 1; i < tight.front.size(); ++i)
    CHECK((tight.front[i].cost >= tight.front[i - 1].cost && tight.front[i].noise <= tight.front[i - 1].noise));
}

TEST_CASE("network plan: what is written for tools names nodes and tensors that exist", "[network]") {
  for (const char* model_name : {"yunet_n_320_320.onnx", "bert_toy_optimized.onnx", "cnn_mnist_pytorch.onnx"}) {
    const std::string path = std::string(network_samples) + "onnx/" + model_name;
    if (!std::filesystem::exists(path)) {
      WARN("no ../shared/samples: skipped");
      return;
    }
    INFO(model_name);
    const std::string bytes = file(path);
    const Planned p = planned(bytes, model_name, "sqnr=25dB");
    const std::set<std::string> nodes(p.nodes.begin(), p.nodes.end());
    std::size_t own = 0;
    std::set<std::string> weights;
    // The file's own names of its nodes, and of those that have none the first tensors they make.
    const auto opened = onnx::read_model(BytesAtHand(bytes));
    REQUIRE(opened);
    std::set<std::string> named, outputs_of_unnamed;
    for (const onnx::Node& n : opened->graph.nodes) n.name.empty() ? outputs_of_unnamed.insert(n.outputs[0]) : named.insert(n.name);
    for (const PlannedTensor& layer : p.plan.tensors) {
      INFO(layer.name);
      CHECK(nodes.contains(layer.name));
      CHECK((layer.unnamed_output.empty() ? named.contains(layer.name) : outputs_of_unnamed.contains(layer.unnamed_output)));
      CHECK(bytes.find(layer.weight) != std::string::npos);
      weights.insert(layer.weight);
      own += layer.own_error ? 1 : 0;
    }
    CHECK(own == p.plan.tensors.size());
    CHECK(p.plan.sqnr_db >= 25);
    // Every name in the lists is a node, and every key a tensor with weights, or one that a node without a name makes.
    std::size_t names = 0;
    for (const std::string& text : {plan_for_onnx_runtime(p.plan), plan_for_nncf(p.plan)})
      for (std::size_t at = text.find("\n    \""); at != std::string::npos; at = text.find("\n    \"", at + 1)) {
        const std::size_t end = text.find('"', at + 6);
        const std::string name = text.substr(at + 6, end - at - 6);
        INFO(name);
        const bool key = text.compare(end, 3, "\": ") == 0;
        CHECK((key ? weights.contains(name) || outputs_of_unnamed.contains(name) : nodes.contains(name)));
        ++names;
      }
    CHECK(names > 0);
  }
}

TEST_CASE("network plan: nodes without names get the plan's names by their first outputs", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, {1, 256})};
  g.constants = {floats("w", {256, 256}, [](std::size_t i) { return static_cast<float>((i * 7919 % 2003) / 1001.0 - 1); }),
                 floats("v", {256, 256}, [](std::size_t i) { return i % 500 == 0 ? 300.F : static_cast<float>(i % 7); })};
  g.nodes = {Message().text(1, "x").text(1, "w").text(2, "17").text(4, "MatMul"), node("MatMul", {"17", "v"}, {"y"})};
  g.outputs = {value("y", fp32, {1, 256})};
  const FormatPlan p = planned(model(g), "model.onnx", "sqnr=40dB", {"int8"}).plan;
  REQUIRE(p.tensors.size() == 2);
  CHECK(p.tensors[0].name == "MatMul_0");
  CHECK(p.tensors[0].unnamed_output == "17");
  CHECK(p.tensors[1].unnamed_output.empty());
  for (const std::string& text : {plan_for_onnx_runtime(p), plan_for_nncf(p)})
    CHECK(text.find("node_names = {\n    \"17\": \"MatMul_0\",\n}\n") != std::string::npos);
  CHECK(plan_for_nncf(planned(three_products(), "model.onnx", "sqnr=40dB").plan).find("node_names") == std::string::npos);
}

TEST_CASE("network plan: weights that several nodes have count once, and are in one format", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, {1, 256})};
  g.constants = {floats("w", {256, 256}, [](std::size_t i) { return static_cast<float>((i * 7919 % 2003) / 1001.0 - 1); })};
  g.nodes = {node("MatMul", {"x", "w"}, {"a"}), node("MatMul", {"a", "w"}, {"b"}), node("Transpose", {"w"}, {"t"}),
             node("MatMul", {"b", "t"}, {"y"})};
  g.outputs = {value("y", fp32, {1, 256})};
  const FormatPlan p = planned(model(g), "model.onnx", "bytes=70k", {"int8"}).plan;
  CHECK(p.admissible);
  CHECK(p.bytes == 65536);
  REQUIRE(p.tensors.size() == 3);
  double bytes = 0, noise = 0;
  for (const PlannedTensor& layer : p.tensors) {
    CHECK(layer.weight == "w");
    CHECK(format_of(layer) == "int8");
    CHECK(layer.chosen.time_s > 0);
    CHECK(layer.shared == (layer.name == "a" ? "" : "a"));
    bytes += layer.chosen.bytes;
    noise += layer.chosen.noise;
  }
  CHECK(bytes == p.bytes);
  CHECK_THAT(-10 * std::log10(noise), WithinAbs(p.sqnr_db, 1e-9));
}

TEST_CASE("network plan: a format that nothing is rounded to, and a network without weights, are refused", "[network]") {
  const Result<FormatPlan> format = try_plan(three_products(), "model.onnx", "sqnr=30dB", {"q4_k"});
  REQUIRE_FALSE(format);
  CHECK(format.error().message.find("GGUF Q4_K") != std::string::npos);
  Graph g;
  g.inputs = {value("x", fp32, {4, 4})};
  g.nodes = {node("Relu", {"x"}, {"y"})};
  g.outputs = {value("y", fp32, {4, 4})};
  const Result<FormatPlan> without = try_plan(model(g), "model.onnx", "sqnr=30dB", {"int8"});
  REQUIRE_FALSE(without);
  CHECK(without.error().message.starts_with("The file stores no weight matrices: "));
}

TEST_CASE("network plan: of a quantised network, what it stores and what to open instead") {
  Graph g;
  g.inputs = {value("x", int8, {1, 256})};
  g.constants = {tensor("w", int8, {256, 256}, 1)};
  g.nodes = {node("MatMulInteger", {"x", "w"}, {"y"})};
  g.outputs = {value("y", 6, {1, 256})};  // INT32
  const Result<FormatPlan> plan = try_plan(model(g), "model.onnx", "sqnr=30dB", {"int8"});
  REQUIRE_FALSE(plan);
  CHECK(plan.error().message ==
        "The weights are stored in INT8 already: there are no formats to choose. Open the network as it was before it was quantised, "
        "with weights in FP32, FP16 or BF16.");
  CHECK(read_network("model.onnx", model(g)).facts["float_weights"] == 0);
  CHECK(read_network("model.onnx", three_products()).facts["float_weights"] == 3);
}

TEST_CASE("network plan: blocks of a product's weights run along what it sums over", "[network]") {
  // Each of 64 columns of [K, N] has a scale of its own, from 1 to 64: INT4 in blocks of one column loses as little as for equal scales.
  const auto scaled = [](std::size_t k, std::size_t n) {
    return static_cast<float>(static_cast<double>(n + 1) * ((k * 7919 + n * 31) % 15 - 7.0));
  };
  Graph g;
  g.inputs = {value("x", fp32, {1, 128})};
  g.constants = {floats("columns", {128, 64}, [&](std::size_t i) { return scaled(i / 64, i % 64); }),
                 floats("rows", {64, 128}, [&](std::size_t i) { return scaled(i % 128, i / 128); })};
  g.nodes = {node("MatMul", {"x", "columns"}, {"a"}), node("Gemm", {"x", "rows"}, {"b"}, {number("transB", 1)})};
  g.outputs = {value("a", fp32, {1, 64}), value("b", fp32, {1, 64})};
  const FormatPlan p = planned(model(g), "model.onnx", "bytes=1", {"int4_g128"}).plan;
  REQUIRE(p.tensors.size() == 2);
  CHECK(p.tensors[0].own_error);
  CHECK_THAT(p.tensors[0].sqnr_db, WithinAbs(p.tensors[1].sqnr_db, 1e-6));
}

TEST_CASE("network plan: columns of a product's weights are sampled in one read", "[network]") {
  // 100 rows of 4,096 columns, each of its row's number.
  class Rows final : public ByteSource {
   public:
    mutable int reads = 0;
    [[nodiscard]] std::uint64_t size() const override { return 100 * 4096 * 4; }

   private:
    bool fill(std::uint64_t offset, char* to, std::size_t bytes) const override {
      ++reads;
      for (std::size_t i = 0; i < bytes; i += 4) {
        const auto number = static_cast<float>((offset + i) / (4096 * 4));
        std::memcpy(to + i, &number, 4);
      }
      return true;
    }
  };
  const Rows file;
  const Result<WeightSample> sample = sample_weights(file, {0, 100 * 4096, 4096, format("fp32"), true}, 1000);
  REQUIRE(sample);
  CHECK(file.reads == 1);
  CHECK(sample->row == 100);
  REQUIRE(sample->values.size() == 1000);
  for (std::size_t i = 0; i < 1000; ++i) CHECK(sample->values[i] == static_cast<double>(i % 100));
}
