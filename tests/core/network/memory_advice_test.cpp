// Proposals that fit a network's activations on chip: stripes and merges against a brute force that runs a small chain row by row.
#include <algorithm>
#include <cmath>
#include <roofline/network/memory_advice.hpp>
#include <set>

#include "network/memory/row_chain.hpp"
#include "network/networks.hpp"
#include "network/onnx_file.hpp"
#include "network/quantised/integers.hpp"

using namespace roofline;
using namespace roofline::onnx_file;

namespace {

MemoryAdvice advice(const std::string& bytes, double capacity, ToolChain by = ToolChain::none) {
  const BytesAtHand source(bytes);
  const auto network = open_network("m.onnx", source);
  REQUIRE(network);
  const Result<MemoryAdvice> out = advise_memory(**network, {}, by, {"SRAM", capacity});
  REQUIRE(out);
  return *out;
}

/// A layer of a chain of images: rows of its output from rows of its input, all of them `width` wide.
struct Layer {
  int channels, kernel, stride, pad;  ///< kernel 1, stride 1: ReLU where `channels` is 0
};

/// Of a chain over a 1 x `channels` x `height` x 16 image: convolutions with kernels of `kernel` x 1, and ReLUs.
std::string chain(const std::vector<Layer>& layers, int channels, int height) {
  Graph g;
  g.inputs = {value("t0", fp32, {1, channels, height, 16})};
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Layer& layer = layers[i];
    const std::string in = "t" + std::to_string(i), out = "t" + std::to_string(i + 1);
    if (layer.channels == 0) {
      g.nodes.push_back(node("Relu", {in}, {out}));
      continue;
    }
    const std::string weight = "w" + std::to_string(i);
    g.constants.push_back(tensor(weight, fp32, {layer.channels, channels, layer.kernel, 1}));
    g.nodes.push_back(node("Conv", {in, weight}, {out}, {ints("strides", {layer.stride, 1}), ints("pads", {layer.pad, 0, layer.pad, 0})}));
    channels = layer.channels;
  }
  return model(g);
}

/// Running a chain's layers `first` to `last` in stripes of `height` rows, by marking every row that each output row touches.
struct Run {
  double bytes = 0, macs = 0, macs_once = 0;
  int tiles = 0;
};
class ByHand {
 public:
  ByHand(const std::vector<Layer>& layers, int channels, int height) : layers_(layers), rows_{height}, depth_{channels} {
    for (const Layer& layer : layers) {
      rows_.push_back(layer.channels == 0 ? rows_.back() : (rows_.back() + 2 * layer.pad - layer.kernel) / layer.stride + 1);
      depth_.push_back(layer.channels == 0 ? depth_.back() : layer.channels);
    }
  }
  [[nodiscard]] int rows(std::size_t tensor) const { return rows_[tensor]; }
  /// Of a layer alone: what goes in and comes out.
  [[nodiscard]] double bytes(std::size_t layer) const { return bytes_of(layer, rows_[layer]) + bytes_of(layer + 1, rows_[layer + 1]); }

  [[nodiscard]] Run run(std::size_t first, std::size_t last, int stripe) const {
    Run out;
    for (std::size_t k = first; k <= last; ++k) out.macs_once += macs_of(k, rows_[k + 1]);
    for (int begin = 0; begin < rows_[last + 1]; begin += stripe, ++out.tiles) {
      std::set<int> wanted;
      for (int row = begin; row < std::min(begin + stripe, rows_[last + 1]); ++row) wanted.insert(row);
      for (std::size_t k = last + 1; k-- > first;) {
        std::set<int> needed;
        for (const int row : wanted)
          for (int tap = 0; tap < layers_[k].kernel; ++tap) {
            const int in = layers_[k].channels == 0 ? row : row * layers_[k].stride - layers_[k].pad + tap;
            if (in >= 0 && in < rows_[k]) needed.insert(in);
          }
        const double held = (k > first ? bytes_of(k, static_cast<int>(needed.size())) : 0) +
                            (k < last ? bytes_of(k + 1, static_cast<int>(wanted.size())) : 0);
        out.bytes = std::max(out.bytes, held);
        out.macs += macs_of(k, static_cast<int>(wanted.size()));
        wanted = needed;
      }
    }
    out.bytes += bytes_of(first, rows_[first]) + bytes_of(last + 1, rows_[last + 1]);
    return out;
  }

 private:
  [[nodiscard]] double bytes_of(std::size_t tensor, int rows) const { return 4.0 * 16 * depth_[tensor] * rows; }
  [[nodiscard]] double macs_of(std::size_t layer, int rows) const {
    return layers_[layer].channels == 0 ? 0 : 16.0 * depth_[layer] * depth_[layer + 1] * layers_[layer].kernel * rows;
  }
  const std::vector<Layer>& layers_;
  std::vector<int> rows_, depth_;
};

}  // namespace

TEST_CASE("stripes of a chain need what a run of them, row by row, needs", "[network]") {
  const std::vector<Layer> layers{{24, 3, 1, 1}, {0, 1, 1, 0}, {24, 5, 2, 2}, {0, 1, 1, 0}, {2, 3, 1, 1}};
  const int height = 37;
  const std::string bytes = chain(layers, 2, height);
  const ByHand by_hand(layers, 2, height);
  const MemoryAdvice large = advice(bytes, 1e9);
  CHECK(large.fits());
  CHECK(large.tilings.empty());
  CHECK(large.peak_bytes == by_hand.bytes(1));  // both sides of the first ReLU
  CHECK(large.peak_at == "t2");
  std::size_t fitting = 0, several = 0;
  for (double capacity = 8000; capacity < large.peak_bytes; capacity *= 1.13) {
    const MemoryAdvice a = advice(bytes, capacity);
    INFO("capacity " << capacity);
    REQUIRE_FALSE(a.tilings.empty());
    std::set<std::size_t> alone{0, 1, 2, 3, 4};
    double peak = 0;
    for (const MemoryAdvice::Tiling& tiling : a.tilings) {
      INFO(tiling.first << " to " << tiling.last << ", rows " << tiling.rows);
      const std::size_t first = static_cast<std::size_t>(tiling.first.back() - '1'),
                        last = static_cast<std::size_t>(tiling.last.back() - '1');
      const Run run = by_hand.run(first, last, static_cast<int>(tiling.rows));
      CHECK(tiling.tiles == static_cast<std::size_t>(run.tiles));
      CHECK(tiling.bytes == run.bytes);
      CHECK(tiling.recomputed == Approx(run.macs / run.macs_once - 1).margin(1e-12));
      CHECK(tiling.nodes == last - first + 1);
      for (std::size_t layer = first; layer <= last; ++layer) CHECK(alone.erase(layer) == 1);
      peak = std::max(peak, run.bytes);
    }
    for (const std::size_t layer : alone) peak = std::max(peak, by_hand.bytes(layer));
    CHECK(a.tiled_peak_bytes == peak);
    fitting += a.fits_tiled() ? 1 : 0;
    several += a.tilings.size() > 1 ? 1 : 0;
    // No other stripes around the peak do better than the first tiling.
    const MemoryAdvice::Tiling& chosen = a.tilings[0];
    for (std::size_t first = 0; first <= 1; ++first)
      for (std::size_t last = first + 1; last < layers.size(); ++last)
        for (int rows = 1; rows < by_hand.rows(last + 1); ++rows) {
          const Run other = by_hand.run(first, std::max<std::size_t>(last, 1), rows);
          if (chosen.bytes > capacity) CHECK(other.bytes >= chosen.bytes);
          if (other.bytes <= capacity) CHECK(other.macs / other.macs_once - 1 >= chosen.recomputed - 1e-12);
        }
  }
  CHECK(fitting > 3);
  CHECK(several > 0);
}

TEST_CASE("a merge that removes a tensor of the peak is proposed with the peak that it leaves", "[network]") {
  // 16 x 64 values each: the ReLU has two of them, merged into the convolution that and its input of half as many are left.
  const std::string bytes = chain({{16, 1, 1, 0}, {0, 1, 1, 0}, {1, 1, 1, 0}}, 8, 64);
  const double tensor = 4.0 * 16 * 16 * 64;
  const MemoryAdvice a = advice(bytes, 1.6 * tensor);
  CHECK(a.peak_bytes == 2 * tensor);
  REQUIRE(a.merge);
  CHECK(a.merge->node == "t2");
  CHECK(a.merge->into == "t1");
  CHECK(a.merge->tensor_bytes == tensor);
  CHECK(a.merge->bytes == 1.5 * tensor);
  CHECK(a.merge->peak_bytes == 1.5 * tensor);
  CHECK_FALSE(a.merge->by_tool_chain);
  CHECK(a.merged_peak_bytes == a.peak_bytes);
  CHECK(a.finding.find("exceeds the 105 kB of SRAM. Merging t2 into t1 leaves 98.3 kB there. Running t") != std::string::npos);
}

TEST_CASE("what the tool chain merges is in the finding, and no proposal is made if it makes the activations fit", "[network]") {
  const std::string bytes = chain({{16, 1, 1, 0}, {0, 1, 1, 0}, {1, 1, 1, 0}}, 8, 64);
  const double tensor = 4.0 * 16 * 16 * 64;
  for (const ToolChain by : {ToolChain::vela, ToolChain::qnn}) {
    const MemoryAdvice fits = advice(bytes, 1.6 * tensor, by);
    CHECK(fits.merged_peak_bytes == 1.5 * tensor);
    CHECK(fits.fits_merged());
    CHECK_FALSE(fits.fits());
    CHECK_FALSE(fits.merge);
    CHECK(fits.tilings.empty());
    CHECK(fits.finding == "The activations' peak of 131 kB, at t2, exceeds the 105 kB of SRAM; merged as " + std::string(title_of(by)) +
                              " does, it is 98.3 kB, which fits.");
  }
  const MemoryAdvice exceeds = advice(bytes, 1.4 * tensor, ToolChain::vela);
  CHECK(exceeds.merge->by_tool_chain);
  CHECK(exceeds.finding.find("; merged as Arm Vela does, it is 98.3 kB. Running t") != std::string::npos);
  CHECK(exceeds.finding.find("Merging") == std::string::npos);
}

TEST_CASE("stripes have each height once, and are 256 at most", "[network]") {
  for (double rows = 0; rows < 600; ++rows) {
    std::vector<double> expected;
    for (double height = rows - 1; height >= 1; --height) {
      const double stripes = std::ceil(rows / height);
      if (stripes <= 256 && std::ceil(rows / stripes) == height) expected.push_back(height);
    }
    INFO(rows << " rows");
    CHECK(stripe_heights(rows) == expected);
  }
  CHECK(stripe_heights(1e300).size() == static_cast<std::size_t>(most_stripes) - 1);
  const std::vector<double> heights = stripe_heights(1e9);
  CHECK(heights.size() == 255);
  CHECK(heights.front() == 5e8);
  CHECK(heights.back() == std::ceil(1e9 / 256));
}

TEST_CASE("advice about a billion rows takes no longer than about few", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, {1000000000, 8})};
  g.constants = {tensor("w1", fp32, {8, 16}), tensor("w2", fp32, {16, 4})};
  g.nodes = {node("MatMul", {"x", "w1"}, {"a"}), node("Relu", {"a"}, {"b"}), node("MatMul", {"b", "w2"}, {"c"})};
  const MemoryAdvice none = advice(model(g), 1e6);
  CHECK(none.peak_bytes == 1e9 * 4 * 2 * 16);
  CHECK_FALSE(none.fits_tiled());
  CHECK_FALSE(none.streaming);
  // x, c and a quarter of a and b.
  const MemoryAdvice some = advice(model(g), 1e9 * 4 * (8 + 4 + 8));
  CHECK(some.fits_tiled());
  CHECK(some.tilings[0].tiles == 4);
}

TEST_CASE("output rows that are all padding need no input", "[network]") {
  RowWindow window;
  window.in_rows = 10;
  window.reach = 3;
  window.before = 5;
  CHECK(window.needed({0, 1}).rows() == 0);
  CHECK(window.needed({4, 4}).rows() == 0);
  CHECK(window.needed(window.needed({0, 2})).rows() == 0);
  CHECK(window.needed({4, 6}).rows() == 3);  // rows 0 to 2
}

TEST_CASE("a node with a second output that is read does not run in stripes", "[network]") {
  const auto pooled = [](const std::vector<std::string>& outputs, const std::string& other) {
    Graph g;
    g.inputs = {value("x", fp32, {1, 2, 64, 16})};
    g.constants = {tensor("w", fp32, {16, 2, 1, 1}), tensor("k", fp32, {1, 16, 1, 1}), tensor("v", fp32, {1, 16, 1, 1})};
    g.nodes = {node("Conv", {"x", "w"}, {"a"}), node("MaxPool", {"a"}, outputs, {ints("kernel_shape", {3, 3}), ints("pads", {1, 1, 1, 1})}),
               node("Add", {"p", other}, {"s"}), node("Conv", {"s", "v"}, {"y"})};
    return model(g);
  };
  const double tensor = 4.0 * 16 * 16 * 64;
  const MemoryAdvice one = advice(pooled({"p"}, "k"), tensor);
  REQUIRE(one.tilings.size() == 1);
  CHECK(one.tilings[0].nodes >= 3);
  const MemoryAdvice two = advice(pooled({"p", "indices"}, "indices"), tensor);
  CHECK(two.peak_bytes > 3 * tensor);
  for (const MemoryAdvice::Tiling& tiling : two.tilings) {
    CHECK(tiling.first != "p");
    CHECK(tiling.last != "p");
    CHECK(tiling.nodes == 2);
  }
  CHECK_FALSE(two.fits_tiled());
}

TEST_CASE("where input and output of the peak exceed the memory, no tiling fits, and the advice says so", "[network]") {
  const std::string bytes = chain({{16, 3, 1, 1}, {16, 3, 1, 1}}, 16, 64);
  const double tensor = 4.0 * 16 * 16 * 64, row = tensor / 64;
  const MemoryAdvice a = advice(bytes, tensor / 2);
  CHECK(a.tilings.empty());
  CHECK(a.tiled_peak_bytes == a.peak_bytes);
  CHECK_FALSE(a.merge);
  REQUIRE(a.streaming);
  // h rows of output and h + 2 of input are at most 32.
  CHECK(a.streaming->rows == 13);
  CHECK(a.streaming->tiles == 5);
  CHECK(a.streaming->bytes == (13 + 15) * row);
  CHECK(a.finding.find("No tiling by rows lowers it.") != std::string::npos);
  CHECK(a.finding.find("With input and output in the device memory") != std::string::npos);
  CHECK_FALSE(advice(bytes, row).streaming);
}

TEST_CASE("a tensor that is also read elsewhere is held in full", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, {1, 4, 32, 8})};
  g.constants = {tensor("w1", fp32, {16, 4, 3, 3}), tensor("w2", fp32, {4, 16, 3, 3})};
  g.nodes = {node("Conv", {"x", "w1"}, {"a"}, {ints("pads", {1, 1, 1, 1})}), node("Relu", {"a"}, {"b"}),
             node("Conv", {"b", "w2"}, {"c"}, {ints("pads", {1, 1, 1, 1})}), node("Add", {"c", "x"}, {"y"})};
  const double x = 4.0 * 4 * 32 * 8;
  const MemoryAdvice a = advice(model(g), 4 * x);
  CHECK(a.peak_bytes == x + 4 * x + 4 * x);  // x is read by the sum
  REQUIRE(a.tilings.size() == 1);
  CHECK(a.tilings[0].first == "a");
  CHECK(a.fits_tiled());
  CHECK(a.tilings[0].bytes >= 2 * x);
}

TEST_CASE("the memory is the outermost one on the chip", "[network]") {
  const auto of = [](const char* id) { return on_chip_memory(*Machines::presets().find(id)); };
  CHECK(of("rk3588-npu").name == "SRAM");
  CHECK(of("rk3588-npu").capacity == 1179648);
  CHECK(of("stm32n6").capacity == 1835008);
  CHECK(!known(of("hailo-8").capacity));
  CHECK(!known(of("ethos-u55-256").capacity));
  const MemoryAdvice unknown_memory = advice(chain({{16, 3, 1, 1}}, 4, 16), unknown);
  CHECK(unknown_memory.tilings.empty());
  CHECK(unknown_memory.finding.find("the machine states no on-chip memory") != std::string::npos);
}

TEST_CASE("memory advice: tensors between quantised layers are kept as integers", "[network]") {
  Graph g;
  g.inputs = {value("q0", int8, {1, 64, 56, 56})};
  g.constants = {tensor("scale", fp32, {})};
  for (int i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i), next = std::to_string(i + 1);
    g.constants.push_back(tensor("w" + n, int8, {64, 64, 1, 1}));
    g.nodes.push_back(node("DequantizeLinear", {"q" + n, "scale"}, {"x" + n}));
    g.nodes.push_back(node("DequantizeLinear", {"w" + n, "scale"}, {"v" + n}));
    g.nodes.push_back(node("Conv", {"x" + n, "v" + n}, {"y" + n}));
    g.nodes.push_back(node("Relu", {"y" + n}, {"r" + n}));
    g.nodes.push_back(node("QuantizeLinear", {"r" + n, "scale"}, {"q" + next}));
  }
  g.outputs = {value("q3", int8, {1, 64, 56, 56})};
  const double image = 64 * 56 * 56;
  const MemoryAdvice a = advice(model(g), 3 * image);
  CHECK(a.peak_bytes == 2 * image * 4);  // as the file has it, with floats in and out of a layer
  CHECK(a.merged_peak_bytes == 2 * image);
  CHECK(a.finding.find("; with integers between quantised layers, it is 401 kB, which fits.") != std::string::npos);
  const MemoryAdvice merged = advice(model(g), 3 * image, ToolChain::vela);
  CHECK(merged.finding.find("; with the merges of Arm Vela and integers between quantised layers, the peak is 401 kB, which fits.") !=
        std::string::npos);
}

TEST_CASE("networks: on a chip without device memory, only what it cannot hold crosses the host's link", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, {1, 4, 8, 8})};  // 1,024 B
  g.constants = {tensor("w0", fp32, {4, 4, 1, 1}), tensor("w1", fp32, {8, 4, 1, 1})};
  g.nodes = {node("Conv", {"x", "w0"}, {"a"}), node("Relu", {"a"}, {"r"}), node("Conv", {"r", "w1"}, {"b"}),
             node("Reshape", {"b", "shape"}, {"y"})};
  g.constants.push_back(integers("shape", {1, 512}));
  g.outputs = {value("y", fp32, {1, 512})};
  NetworkTarget target = ToolChain::all;
  const auto bytes = [&](double chip_bytes) {
    target.chip_bytes = chip_bytes;
    const ReadNetwork read = read_network("m.onnx", model(g), {}, target);
    CHECK(read.commands.size() == 2);
    return std::pair(read.command("a")["bytes"], read.command("b")["bytes"]);
  };
  CHECK(bytes(unlimited_chip_bytes) == std::pair<Json, Json>(1024, 2048));
  CHECK(bytes(3072 + 64) == std::pair<Json, Json>(1024, 2048 + 128));                // no room for the second weight
  CHECK(bytes(2048) == std::pair<Json, Json>(1024 + 1024 + 64, 1024 + 2048 + 128));  // r and b do not fit
  CHECK(bytes(0).first.is_null());                                                   // there is device memory
  target.only_format = *Formats::catalogue().find("int8");
  CHECK(bytes(unlimited_chip_bytes) == std::pair<Json, Json>(256, 512));
  const ReadNetwork rounded = read_network("m.onnx", model(g), {}, target);
  CHECK(rounded.command("a")["data_type"] == "int8");
  CHECK(rounded.facts["notes"].dump().find("floats are counted as INT8, the only format of the machine") != std::string::npos);
  CHECK(rounded.facts["weights_bytes"] == 64 + 128 + 16);  // as the file has them, the shape among them

  const Result<std::string> text = commands_of("m.onnx", model(g), {}, target);
  REQUIRE(text);
  const Workload workload = open(*text);
  const auto moved = [&](const char* machine) {
    Scenario scenario = Scenario::standard();
    scenario.use(*Machines::presets().find(machine));
    return summarize(Plan(workload, scenario)).bytes;
  };
  CHECK(moved("coral-edge-tpu") == 256 + 512);
  CHECK(moved("t4") == 256 + 16 + 256 + 256 + 32 + 512);  // which has device memory

  const auto on = [](const char* machine) { return target_on(*Machines::presets().find(machine), ToolChain::all); };
  CHECK(on("coral-edge-tpu").chip_bytes == 8e6);
  CHECK(on("coral-edge-tpu").only_format == target.only_format);
  CHECK(on("hailo-8").chip_bytes == unlimited_chip_bytes);
  CHECK(on("rk3588-npu").chip_bytes == 0);
}

TEST_CASE("networks: an input of two operations crosses once, and so does an output that is read on", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, {1, 256})};  // 1,024 B
  g.constants = {tensor("w", fp32, {256, 256})};
  g.nodes = {node("MatMul", {"x", "w"}, {"a"}), node("MatMul", {"x", "w"}, {"b"}), node("MatMul", {"a", "w"}, {"c"})};
  g.outputs = {value("a", fp32, {1, 256}), value("b", fp32, {1, 256}), value("c", fp32, {1, 256})};
  NetworkTarget target = ToolChain::all;
  target.chip_bytes = unlimited_chip_bytes;
  const ReadNetwork read = read_network("m.onnx", model(g), {}, target);
  CHECK(read.command("a")["bytes"] == 2 * 1024);
  CHECK(read.command("b")["bytes"] == 1024);
  CHECK(read.command("c")["bytes"] == 1024);
}

TEST_CASE("memory advice: a view of views is one of their owner, and a circle of views ends", "[network]") {
  SizedNetwork network;
  network.tensors.resize(7);
  network.tensors[1].view_of = 2, network.tensors[2].view_of = 3, network.tensors[3].view_of = 0;
  network.tensors[4].view_of = 5, network.tensors[5].alias_when_compiled = 4;
  network.tensors[6].alias_when_compiled = 6;
  network = with_compiled_types(network);
  for (const TensorId id : {1, 2, 3}) CHECK(network.tensors[id].view_of == 0);
  for (const SizedTensor& tensor : network.tensors)
    CHECK((tensor.view_of == no_tensor || network.tensors[tensor.view_of].view_of == no_tensor));
}
