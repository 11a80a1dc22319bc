// OpenVINO models as networks: figures of real files, layers, compressed weights, open lengths, and files that are damaged or hostile.
#include <algorithm>

#include "network/networks.hpp"

using namespace roofline;

namespace {

using Shape = std::vector<int>;

struct PortOf {
  std::string precision;
  Shape shape;
};

std::string ports(const char* side, const std::vector<PortOf>& list, std::size_t first) {
  std::string out = std::string("<") + side + '>';
  for (std::size_t i = 0; i < list.size(); ++i) {
    out += "<port id=\"" + std::to_string(first + i) + "\" precision=\"" + list[i].precision + "\">";
    for (const int length : list[i].shape) out += "<dim>" + std::to_string(length) + "</dim>";
    out += "</port>";
  }
  return out + "</" + side + '>';
}

/// Layers as they are added, each fed by the first outputs of those before that are named.
class Ir {
 public:
  Ir& layer(const std::string& name, const std::string& type, const std::string& data, const std::vector<std::string>& from,
            std::vector<PortOf> outputs, const std::string& inside = {}) {
    std::vector<PortOf> inputs;
    for (const std::string& source : from) {
      const std::size_t at = place(source);
      edges_ += "<edge from-layer=\"" + std::to_string(at) + "\" from-port=\"" + std::to_string(inputs_[at]) + "\" to-layer=\"" +
                std::to_string(names_.size()) + "\" to-port=\"" + std::to_string(inputs.size()) + "\"/>";
      inputs.push_back(outputs_[at]);
    }
    layers_ += "<layer id=\"" + std::to_string(names_.size()) + "\" name=\"" + name + "\" type=\"" + type + "\" version=\"opset1\"><data " +
               data + "/>" + ports("input", inputs, 0) + ports("output", outputs, inputs.size()) + inside + "</layer>";
    names_.push_back(name);
    inputs_.push_back(inputs.size());
    outputs_.push_back(outputs.empty() ? PortOf{} : outputs[0]);
    return *this;
  }
  Ir& parameter(const std::string& name, const Shape& shape, const std::string& stated = {}) {
    return layer(name, "Parameter", "element_type=\"f32\" shape=\"" + stated + '"', {}, {{"FP32", shape}});
  }
  Ir& constant(const std::string& name, const std::string& precision, const Shape& shape, int bytes) {
    std::string lower = precision;
    for (char& c : lower) c = static_cast<char>(std::tolower(c));
    if (lower == "fp32" || lower == "fp16") lower.erase(1, 1);
    return layer(name, "Const", "element_type=\"" + lower + "\" offset=\"0\" size=\"" + std::to_string(bytes) + '"', {},
                 {{precision, shape}});
  }
  [[nodiscard]] std::string body() const { return "<layers>" + layers_ + "</layers><edges>" + edges_ + "</edges>"; }
  [[nodiscard]] std::string text(const std::string& version = "11") const {
    return "<?xml version=\"1.0\"?><net name=\"m\" version=\"" + version + "\">" + body() + "</net>";
  }

 private:
  [[nodiscard]] std::size_t place(const std::string& name) const {
    return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
  }

  std::string layers_, edges_;
  std::vector<std::string> names_;
  std::vector<std::size_t> inputs_;
  std::vector<PortOf> outputs_;
};

ReadNetwork opened(const Ir& ir, const DimensionValues& given = {}) { return read_network("model.xml", ir.text(), given); }

std::string refusal(const std::string& xml) {
  const Result<std::string> text = commands_of("model.xml", xml);
  REQUIRE_FALSE(text);
  return text.error().text();
}

std::size_t not_counted(const ReadNetwork& network) { return network.facts["not_counted"].size(); }

}  // namespace

TEST_CASE("real OpenVINO models come to the figures that were counted independently", "[network][openvino]") {
  const Json facts = sample_facts();
  if (facts.is_null()) {
    WARN("skipped: no ../shared/samples");
    return;
  }
  std::size_t files = 0;
  for (const auto& [path, fact] : facts.items()) {
    if (!path.starts_with("openvino_ir/")) continue;
    INFO(path);
    const ReadNetwork network = read_network("model.xml", file(network_samples + path));
    CHECK(network.faults == 0);
    CHECK(network.facts["weights_bytes"] == fact["const_bytes"]);
    // The other count takes the open length of one convolution for -1: [-1, 64, 32] out of 9 channels is -18,432 of its sum.
    CHECK(network.matrix_macs == fact["macs"].get<double>() + (path.find("pointpillars") == std::string::npos ? 0 : 64 * 32 * 9));
    ++files;
  }
  CHECK(files > 0);
  const std::string pillars = std::string(network_samples) + "openvino_ir/pointpillars_ov_nn.xml";
  if (!std::filesystem::exists(pillars)) return;
  const DimensionValues thousand = {{"pillars.0", "1000"}, {"coors.0", "1000"}, {"npoints.0", "1000"}};
  CHECK(read_network("model.xml", file(pillars), thousand).matrix_macs == 34'173'812'736.0 + 1000 * 64 * 32 * 9);
}

TEST_CASE("openvino model: convolutions in every layout", "[network][openvino]") {
  const std::string data = R"(strides="2,2" pads_begin="1, 1" pads_end="1,1" dilations="1,1" auto_pad="explicit")";
  CHECK(opened(Ir().parameter("x", {2, 4, 9, 9})
                   .constant("w", "FP32", {8, 4, 3, 3}, 1152)
                   .layer("y", "Convolution", data, {"x", "w"}, {{"FP32", {2, 8, 5, 5}}}))
            .matrix_macs == 2 * 25 * 8 * 4 * 9);
  CHECK(opened(Ir().parameter("x", {2, 4, 9, 9})
                   .constant("w", "FP32", {2, 4, 2, 3, 3}, 576)
                   .layer("y", "GroupConvolution", data, {"x", "w"}, {{"FP32", {2, 8, 5, 5}}}))
            .matrix_macs == 2 * 25 * 8 * 2 * 9);
  CHECK(opened(Ir().parameter("x", {2, 4, 5, 5})
                   .constant("w", "FP32", {4, 8, 3, 3}, 1152)
                   .layer("y", "ConvolutionBackpropData", data, {"x", "w"}, {{"FP32", {2, 8, 9, 9}}}))
            .matrix_macs == 2 * 25 * 4 * 8 * 9);
  const ReadNetwork grouped = opened(
      Ir().parameter("x", {2, 4, 5, 5})
          .constant("w", "FP32", {2, 2, 3, 4, 4}, 384)
          .layer("y", "GroupConvolutionBackpropData", R"(strides="2,2" auto_pad="same_upper")", {"x", "w"}, {{"FP32", {2, 6, 10, 10}}}));
  CHECK(grouped.matrix_macs == 2 * 25 * 4 * 3 * 16);
  CHECK(grouped.faults == 0);
  CHECK(not_counted(opened(Ir().parameter("x", {2, 4, 9, 9})
                               .constant("w", "FP32", {8, 4}, 128)
                               .layer("y", "Convolution", data, {"x", "w"}, {{"FP32", {2, 8, 5, 5}}}))) == 1);
}

TEST_CASE("openvino model: products, attention and recurrent layers", "[network][openvino]") {
  CHECK(opened(Ir().parameter("a", {3, 5, 4})
                   .parameter("b", {6, 5})
                   .layer("y", "MatMul", R"(transpose_a="true" transpose_b="true")", {"a", "b"}, {{"FP32", {3, 4, 6}}}))
            .matrix_macs == 3 * 4 * 5 * 6);
  CHECK(opened(Ir().parameter("q", {2, 8, 5, 16})
                   .parameter("k", {2, 2, 9, 16})
                   .parameter("v", {2, 2, 9, 12})
                   .layer("y", "ScaledDotProductAttention", R"(causal="false")", {"q", "k", "v"}, {{"FP32", {2, 8, 5, 12}}}))
            .matrix_macs == 2 * 8 * 5 * 9 * (16 + 12));
  const Ir lstm = Ir().parameter("x", {2, 7, 5})
                      .parameter("h", {2, 2, 6})
                      .parameter("c", {2, 2, 6})
                      .constant("n", "I32", {2}, 8)
                      .constant("w", "FP32", {2, 24, 5}, 960)
                      .constant("r", "FP32", {2, 24, 6}, 1152)
                      .constant("b", "FP32", {2, 24}, 192)
                      .layer("y", "LSTMSequence", R"(direction="bidirectional" hidden_size="6")", {"x", "h", "c", "n", "w", "r", "b"},
                             {{"FP32", {2, 2, 7, 6}}});
  CHECK(opened(lstm).matrix_macs == 2 * 7 * 2 * 24 * (5 + 6));
  // The gates' own outputs stay in the layer.
  CHECK(operations_of("model.xml", lstm.text()).bytes[0] == 4 * (2 * 7 * 5 + 2 * 24 * (5 + 6) + 2 * 24 + 2 * 7 * 2 * 6));
  const Ir gru = Ir().parameter("x", {2, 7, 5})
                     .parameter("h", {2, 1, 6})
                     .constant("n", "I32", {2}, 8)
                     .constant("w", "FP32", {1, 18, 5}, 360)
                     .constant("r", "FP32", {1, 18, 6}, 432)
                     .constant("b", "FP32", {1, 18}, 72)
                     .layer("y", "GRUSequence", R"(hidden_size="6")", {"x", "h", "n", "w", "r", "b"}, {{"FP32", {2, 1, 7, 6}}});
  CHECK(opened(gru).matrix_macs == 2 * 7 * 18 * (5 + 6));
  const Ir cell = Ir().parameter("x", {2, 5})
                      .parameter("h", {2, 6})
                      .constant("w", "FP32", {18, 5}, 360)
                      .constant("r", "FP32", {18, 6}, 432)
                      .constant("b", "FP32", {18}, 72)
                      .layer("y", "GRUCell", R"(hidden_size="6")", {"x", "h", "w", "r", "b"}, {{"FP32", {2, 6}}});
  CHECK(opened(cell).matrix_macs == 2 * 18 * (5 + 6));
  CHECK(operations_of("model.xml", cell.text()).bytes[0] == 4 * (2 * (5 + 6) + 18 * (5 + 6) + 18 + 2 * 6));  // its state is an input
  // A cache of fixed length: its 1,024 places are attended to, 12 of them by new tokens.
  Ir grouped;
  grouped.parameter("q", {1, 32, 12, 96})
      .parameter("k", {1, 8, 12, 96})
      .parameter("v", {1, 8, 12, 96})
      .parameter("pk", {1, 8, 1024, 96})
      .parameter("pv", {1, 8, 1024, 96});
  grouped.layer("y", "GroupQueryAttention", R"(num_heads="32" kv_num_heads="8" do_rotary="true")", {"q", "k", "v", "pk", "pv"},
                {{"FP32", {1, 12, 3072}}, {"FP32", {1, 8, 1024, 96}}, {"FP32", {1, 8, 1024, 96}}});
  CHECK(opened(grouped).matrix_macs == 32.0 * 12 * 1024 * (96 + 96));
  CHECK(opened(grouped).command("y/rotation")["type"] == "rope");
  CHECK(opened(grouped).command("y/rotation")["output_shape"] == Json::parse("[1,12,3840]"));  // (32 + 8) heads of 96
  Ir paged;
  paged.parameter("q", {-1, 128})
      .parameter("k", {-1, 32})
      .parameter("v", {-1, 32})
      .parameter("kc", {-1, 2, 32, 16})
      .parameter("vc", {-1, 2, 32, 16});
  paged.layer("y", "PagedAttentionExtension", "", {"q", "k", "v", "kc", "vc"}, {{"FP32", {-1, 128}}});
  const DimensionValues tokens = {{"q.0", "3"}, {"kv_length", "50"}};
  CHECK(opened(paged, tokens).matrix_macs == 8 * 3 * 50 * (16 + 16));
}

TEST_CASE("openvino model: norms without a scale read none, a sampled image its grid", "[network][openvino]") {
  for (const char* type : {"MVN", "NormalizeL2", "LRN", "GRN"}) {
    INFO(type);
    const Ir ir = Ir().parameter("x", {2, 3, 4, 4}).layer("y", type, "", {"x"}, {{"FP32", {2, 3, 4, 4}}});
    CHECK(operations_of("model.xml", ir.text()).bytes[0] == 4 * 2 * 96);
  }
  const Ir sample = Ir().parameter("x", {1, 3, 16, 16})
                        .parameter("grid", {1, 16, 16, 2})
                        .layer("y", "GridSample", R"(mode="bicubic")", {"x", "grid"}, {{"FP32", {1, 3, 16, 16}}});
  const Workload sampled = operations_of("model.xml", sample.text());
  CHECK(sampled.vector_flops[0] == 16 * 3 * 16 * 16);
  CHECK(sampled.bytes[0] == 4 * (3 * 256 + 2 * 256 + 3 * 256));
}

TEST_CASE("openvino model: compressed weights are read as they are stored", "[network][openvino]") {
  // [rows, blocks of 64] less zero points, times scales, as a matrix, widened.
  Ir ir;
  ir.parameter("x", {1, 7, 128});
  ir.constant("w", "U4", {10, 2, 64}, 640).layer("wide", "Convert", "destination_type=\"f16\"", {"w"}, {{"FP16", {10, 2, 64}}});
  ir.constant("zero", "U4", {10, 2, 1}, 10).layer("zero_wide", "Convert", "", {"zero"}, {{"FP16", {10, 2, 1}}});
  ir.layer("less", "Subtract", "", {"wide", "zero_wide"}, {{"FP16", {10, 2, 64}}});
  ir.constant("scale", "FP16", {10, 2, 1}, 40).layer("scaled", "Multiply", "", {"less", "scale"}, {{"FP16", {10, 2, 64}}});
  ir.constant("as", "I64", {2}, 16).layer("matrix", "Reshape", "special_zero=\"false\"", {"scaled", "as"}, {{"FP16", {10, 128}}});
  ir.layer("f32", "Convert", "destination_type=\"f32\"", {"matrix"}, {{"FP32", {10, 128}}});
  ir.layer("y", "MatMul", R"(transpose_a="false" transpose_b="true")", {"x", "f32"}, {{"FP32", {1, 7, 10}}});
  const ReadNetwork network = opened(ir);
  REQUIRE(network.commands.size() == 1);  // all else is worked out before anything runs
  CHECK(network.command("y")["type"] == "linear");
  CHECK(network.command("y")["data_type"] == "fp32");
  CHECK(network.command("y")["weight_type"] == "int4_g64");
  CHECK(network.matrix_macs == 7 * 128 * 10);
  CHECK(network.facts["weights_bytes"] == 640 + 10 + 40 + 16);

  for (const auto& [theirs, ours] : {std::pair("I8", "int8"), std::pair("NF4", "nf4"), std::pair("F8E4M3", "fp8_e4m3"),
                                     std::pair("FP16", "fp16"), std::pair("U2", "int2")}) {
    INFO(theirs);
    Ir plain;
    plain.parameter("x", {1, 128}).constant("w", theirs, {10, 128}, 1280).layer("wide", "Convert", "", {"w"}, {{"FP32", {10, 128}}});
    plain.layer("y", "MatMul", "transpose_b=\"true\"", {"x", "wide"}, {{"FP32", {1, 10}}});
    CHECK(opened(plain).command("y")["weight_type"] == ours);
  }
}

TEST_CASE("openvino model: FakeQuantize makes integers of data and weights", "[network][openvino]") {
  const auto quantised = [](int levels, bool weights) {
    Ir ir;
    ir.parameter("x", {1, 4, 9, 9}).constant("limit", "FP32", {}, 4);
    ir.layer("fq", "FakeQuantize", "levels=\"" + std::to_string(levels) + '"', {"x", "limit", "limit", "limit", "limit"},
             {{"FP32", {1, 4, 9, 9}}});
    ir.layer("pooled", "MaxPool", R"(kernel="1,1" strides="1,1" pads_begin="0,0" pads_end="0,0")", {"fq"}, {{"FP32", {1, 4, 9, 9}}});
    ir.constant("w", weights ? "I8" : "FP32", {8, 4, 3, 3}, 288).layer("wide", "Convert", "", {"w"}, {{"FP32", {8, 4, 3, 3}}});
    ir.layer("y", "Convolution", R"(strides="1,1" pads_begin="0,0" pads_end="0,0")", {"pooled", "wide"}, {{"FP32", {1, 8, 7, 7}}});
    return opened(ir).command("y")["data_type"];
  };
  CHECK(quantised(256, true) == "int8");
  CHECK(quantised(16, true) == "int4");
  CHECK(quantised(65536, true) == "fp32");
  CHECK(quantised(256, false) == "fp32");  // its weights are not
}

TEST_CASE("openvino model: layers between FakeQuantize write integers", "[network][openvino]") {
  Ir ir;
  ir.parameter("x", {1, 4, 8, 8}).constant("limit", "FP32", {}, 4).constant("w", "I8", {4, 4, 1, 1}, 16);
  ir.layer("wide", "Convert", "", {"w"}, {{"FP32", {4, 4, 1, 1}}});
  const auto rounded = [&](const char* name, const char* from) {
    ir.layer(name, "FakeQuantize", R"(levels="256")", {from, "limit", "limit", "limit", "limit"}, {{"FP32", {1, 4, 8, 8}}});
  };
  const auto convolved = [&](const char* name, const char* from) {
    ir.layer(name, "Convolution", R"(strides="1,1" pads_begin="0,0" pads_end="0,0")", {from, "wide"}, {{"FP32", {1, 4, 8, 8}}});
  };
  rounded("fq0", "x");
  convolved("c0", "fq0");
  ir.layer("r0", "ReLU", "", {"c0"}, {{"FP32", {1, 4, 8, 8}}});
  rounded("fq1", "r0");
  convolved("c1", "fq1");
  const ReadNetwork network = opened(ir);
  CHECK(network.command("fq0")["output_type"] == "int8");
  CHECK(network.command("c0")["data_type"] == "int8");
  CHECK_FALSE(network.command("c0").contains("output_type"));
  CHECK(network.command("r0")["data_type"] == "int8");
  CHECK(network.command("fq1").is_null());
  CHECK(network.command("c1")["output_type"] == "fp32");
}

TEST_CASE("openvino model: a tensor that a product reads twice is of floats to its other readers", "[network][openvino]") {
  Ir ir;
  ir.parameter("x", {64, 64}).constant("limit", "FP32", {}, 4);
  ir.layer("fq", "FakeQuantize", R"(levels="256")", {"x", "limit", "limit", "limit", "limit"}, {{"FP32", {64, 64}}});
  ir.layer("product", "MatMul", R"(transpose_a="false" transpose_b="true")", {"fq", "fq"}, {{"FP32", {64, 64}}});
  ir.layer("y", "Softmax", R"(axis="1")", {"fq"}, {{"FP32", {64, 64}}});
  const ReadNetwork network = opened(ir);
  CHECK(network.command("product")["data_type"] == "int8");
  CHECK(network.command("y")["data_type"] == "fp32");
}

TEST_CASE("openvino model: open lengths follow where they can", "[network][openvino]") {
  Ir ir;
  ir.parameter("ids", {-1, -1}, "?,1..512").parameter("image", {-1, 3, 8, 8}, "?,3,8,8");
  ir.constant("table", "FP32", {100, 32}, 12800).constant("axis", "I32", {}, 4);
  ir.layer("embedded", "Gather", "batch_dims=\"0\"", {"table", "ids", "axis"}, {{"FP32", {-1, -1, 32}}});
  ir.constant("w", "FP32", {32, 32}, 4096).layer("q", "MatMul", "transpose_b=\"true\"", {"embedded", "w"}, {{"FP32", {-1, -1, 32}}});
  ir.constant("heads", "I64", {4}, 32).layer("split", "Reshape", "special_zero=\"true\"", {"q", "heads"}, {{"FP32", {-1, -1, 4, 8}}});
  ir.constant("order", "I32", {4}, 16).layer("turned", "Transpose", "", {"split", "order"}, {{"FP32", {-1, 4, -1, 8}}});
  ir.layer("attended", "ScaledDotProductAttention", "", {"turned", "turned", "turned"}, {{"FP32", {-1, 4, -1, 8}}});
  ir.constant("kernel", "FP32", {6, 3, 3, 3}, 648);
  ir.layer("seen", "Convolution", R"(strides="1,1" pads_begin="1,1" pads_end="1,1")", {"image", "kernel"}, {{"FP32", {-1, 6, 8, 8}}});
  const DimensionValues given = {{"ids.0", "2"}, {"ids.1", "5"}, {"image.0", "3"}};
  const ReadNetwork network = opened(ir, given);
  CHECK(network.matrix_macs == 2 * 5 * 32 * 32 + 2 * 4 * 5 * 5 * 16 + 3 * 64 * 6 * 27);
  CHECK(not_counted(network) == 0);
  CHECK(network.facts["peak_activation_bytes"].is_number());
  REQUIRE(network.facts["notes"].size() == 1);  // that the transposition keeps the order of open lengths is not in the XML
  CHECK(text_of(network.facts["notes"][0]).find("taken to keep their order") != std::string::npos);

  const ReadNetwork open = opened(ir);
  CHECK(open.matrix_macs == 64 * 6 * 27);  // of one image, as assumed
  CHECK(not_counted(open) == 4);
  CHECK(open.facts["matrix_macs"] == 64 * 6 * 27);
  CHECK(open.facts["peak_activation_bytes"].is_null());
  CHECK(open.facts["dimensions"][1]["greatest"] == 512);
  const Result<std::string> beyond = commands_of("model.xml", ir.text(), {{"ids.1", "600"}});
  REQUIRE_FALSE(beyond);
  CHECK(beyond.error().message.find("at most 512") != std::string::npos);
}

TEST_CASE("openvino model: what the weights' file decides is not made up", "[network][openvino]") {
  // Which of two open lengths comes first after a transposition that the stated lengths do not show.
  Ir turned;
  turned.parameter("x", {-1, -1, 8}).constant("order", "I32", {3}, 12).layer("y", "Transpose", "", {"x", "order"}, {{"FP32", {-1, -1, 8}}});
  turned.layer("z", "ReLU", "", {"y"}, {{"FP32", {-1, -1, 8}}});
  CHECK(not_counted(opened(turned, {{"x.0", "2"}, {"x.1", "5"}})) == 2);
  CHECK(not_counted(opened(turned, {{"x.0", "5"}, {"x.1", "5"}})) == 0);
  // Which part of an open length is kept.
  Ir sliced;
  sliced.parameter("x", {-1, 8})
      .constant("start", "I64", {1}, 8)
      .layer("y", "Slice", "", {"x", "start", "start", "start"}, {{"FP32", {-1, 8}}});
  CHECK(not_counted(opened(sliced, {{"x.0", "5"}})) == 1);
  Ir other;
  other.parameter("x", {-1, 8})
      .constant("start", "I64", {1}, 8)
      .layer("y", "Slice", "", {"x", "start", "start", "start"}, {{"FP32", {-1, 6}}});
  CHECK(not_counted(opened(other, {{"x.0", "5"}})) == 0);
}

TEST_CASE("openvino model: keys that several heads share are carried through their repetition", "[network][openvino]") {
  Ir ir;
  ir.parameter("q", {-1, 8, -1, 16}).parameter("k", {-1, 2, -1, 16});
  ir.constant("axis", "I64", {1}, 8).constant("target", "I64", {5}, 40).constant("heads", "I64", {4}, 32);
  ir.layer("apart", "Unsqueeze", "", {"k", "axis"}, {{"FP32", {-1, 2, 1, -1, 16}}});
  ir.layer("repeated", "Broadcast", "mode=\"bidirectional\"", {"apart", "target"}, {{"FP32", {-1, 2, 4, -1, 16}}});
  ir.layer("keys", "Reshape", "special_zero=\"true\"", {"repeated", "heads"}, {{"FP32", {-1, 8, -1, 16}}});
  ir.layer("y", "ScaledDotProductAttention", "", {"q", "keys", "keys"}, {{"FP32", {-1, 8, -1, 16}}});
  const DimensionValues given = {{"q.0", "1"}, {"q.2", "3"}, {"k.0", "1"}, {"k.2", "50"}};
  CHECK(opened(ir, given).matrix_macs == 8 * 3 * 50 * (16 + 16));
  CHECK(opened(ir, given).facts["notes"].size() == 1);

  Ir sliced;
  sliced.parameter("x", {-1, 4, -1, 16}).constant("begin", "I64", {4}, 32);
  sliced.layer("y", "StridedSlice", R"(begin_mask="1,1,1,0" end_mask="1,1,1,0" new_axis_mask="0,0,0,0")", {"x", "begin", "begin", "begin"},
               {{"FP32", {-1, 4, -1, 8}}});
  CHECK(not_counted(opened(sliced, {{"x.0", "2"}, {"x.2", "5"}})) == 0);
}

TEST_CASE("openvino model: state of a decoder has lengths that all layers share", "[network][openvino]") {
  Ir ir;
  ir.parameter("new", {-1, 2, -1, 16}).parameter("beam", {-1}).constant("axis", "I32", {}, 4);
  ir.layer("past", "ReadValue", "variable_id=\"k\"", {}, {{"FP32", {-1, 2, -1, 16}}});
  ir.layer("reordered", "Gather", "", {"past", "beam", "axis"}, {{"FP32", {-1, 2, -1, 16}}});
  ir.layer("keys", "Concat", "axis=\"-2\"", {"reordered", "new"}, {{"FP32", {-1, 2, -1, 16}}});
  ir.layer("y", "ScaledDotProductAttention", "", {"new", "keys", "keys"}, {{"FP32", {-1, 2, -1, 16}}});
  const DimensionValues given = {{"new.0", "1"}, {"new.2", "1"}, {"beam.0", "1"}, {"state.past_length.2", "99"}};
  CHECK(opened(ir, given).matrix_macs == 2 * 100 * (16 + 16));
}

TEST_CASE("openvino model: bodies are apart, and their constants are among the weights", "[network][openvino]") {
  const Ir body = Ir().parameter("slice", {1, 1, -1})
                      .constant("w", "FP32", {10, 12}, 480)
                      .layer("inside", "MatMul", "transpose_b=\"true\"", {"slice", "w"}, {{"FP32", {1, 1, 10}}})
                      .layer("out", "Result", "", {"inside"}, {});
  const std::string map =
      R"(<port_map><input external_port_id="0" internal_layer_id="0"/><output axis="1" external_port_id="1" internal_layer_id="3"/></port_map>)";
  const ReadNetwork network =
      opened(Ir().parameter("x", {1, 1, 12})
                 .layer("loop", "TensorIterator", "", {"x"}, {{"FP32", {1, 5, 10}}}, map + "<body>" + body.body() + "</body>"));
  CHECK(network.matrix_macs == 0);
  CHECK(network.command("inside")["step"] == "body of loop");
  CHECK(network.command("inside")["input_shape"] == Json::parse("[1,1,12]"));  // as what feeds it
  CHECK(text_of(network.facts["not_counted"][0]["reason"]) == "its body is listed apart, once for each run of it");
  CHECK(network.facts["weights_bytes"] == 480);
  const Ir branch = Ir().parameter("p", {3}).layer("then", "ReLU", "", {"p"}, {{"FP32", {3}}}).layer("r", "Result", "", {"then"}, {});
  const ReadNetwork chosen = opened(Ir().parameter("c", {}).parameter("x", {3}).layer(
      "if", "If", "", {"c", "x"}, {{"FP32", {3}}},
      "<then_body>" + branch.body() + "</then_body><else_body>" + branch.body() + "</else_body>"));
  CHECK(chosen.commands.size() == 2);
}

TEST_CASE("openvino model: layers need not be in order, and other layers say what they are", "[network][openvino]") {
  std::string text =
      Ir().parameter("x", {4}).layer("y", "ReLU", "", {"x"}, {{"FP32", {4}}}).layer("z", "Whatever", "", {"y"}, {{"FP32", {4}}}).text();
  const std::size_t first = text.find("<layer id=\"0\""), second = text.find("<layer id=\"1\"");
  const std::string parameter = text.substr(first, second - first);
  text.erase(first, second - first);
  text.insert(text.find("</layers>"), parameter);
  const ReadNetwork network = read_network("model.xml", text);
  CHECK(network.command("y")["type"] == "relu");
  CHECK(text_of(network.facts["not_counted"][0]["type"]) == "Whatever");
  CHECK(text_of(network.facts["not_counted"][0]["reason"]) == "no rule for this operator");
}

TEST_CASE("openvino model: an executed graph is another reader's", "[network][openvino]") {
  const std::string executed = file("tests/data/openvino_exec_graph.xml");
  CHECK_FALSE(is_network("graph.xml", std::string_view(executed).substr(0, network_start_bytes)));
  CHECK(is_network("model.xml", std::string_view(Ir().parameter("x", {4}).text()).substr(0, network_start_bytes)));
  CHECK_FALSE(is_network("page.xml", "<html></html>"));
}

TEST_CASE("openvino model: damaged and hostile files are refused, with the place", "[network][openvino]") {
  const std::string whole = Ir().parameter("x", {1, 8}).layer("y", "ReLU", "", {"x"}, {{"FP32", {1, 8}}}).text();
  REQUIRE(commands_of("model.xml", whole));
  for (std::size_t size = whole.find("<net ") + 5; size < whole.size(); ++size)
    CHECK(refusal(whole.substr(0, size)).find("line 1, column ") == 0);
  CHECK(refusal(Ir().parameter("x", {1}).text("7")) ==
        "IR v7, of OpenVINO 2020 and older: expected v10 or v11; convert the original model again with ovc");
  CHECK(refusal("<net name=\"m\" version=\"11\"></net>") == "the model: no <layers>; expected an OpenVINO model");
  CHECK(refusal(Ir().parameter("x", {-2}).text())
            .find("layer \"x\" (id 0) has the length \"-2\": expected a whole number, or -1 where it is open") != std::string::npos);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    return text.replace(text.find(from), from.size(), to);
  };
  CHECK(refusal(with("from-layer=\"0\"", "from-layer=\"9\"")) ==
        "the model: the edge from layer 9, port 0, to layer 1, port 0: there is no such layer");
  CHECK(refusal(with("to-port=\"0\"", "to-port=\"5\"")) ==
        "the model: the edge from layer 0, port 0, to layer 1, port 5: there is no such port");
  CHECK(refusal(with("<layer id=\"1\"", "<layer id=\"0\"")).find("two layers have the id \"0\"") != std::string::npos);
  CHECK(refusal(with("from-layer=\"0\" from-port=\"0\"", "from-layer=\"1\" from-port=\"1\"")) ==
        "the model: layers feed each other in a circle, \"y\" among them");
  CHECK(refusal(with("type=\"ReLU\"", "type=\"\"")).find("layer \"y\" (id 1) has no type") != std::string::npos);
  Shape deep(65, 1);
  CHECK(refusal(Ir().parameter("x", deep).text()).find("a port of 65 dimensions: expected at most 64") != std::string::npos);
  std::string nested;
  for (int i = 0; i < 30; ++i) nested = "<layers><layer id=\"0\" name=\"l\" type=\"Loop\"><body>" + nested + "</body></layer></layers>";
  CHECK(refusal("<net version=\"11\">" + nested + "</net>").find("at most 64 levels of elements") != std::string::npos);
}
