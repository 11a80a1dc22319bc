// Figures of facts.json, beside the real files, that the tests of each kind of file do not compare: nodes and multiply-adds by type, the
// node at the peak, nodes that are not counted, and files that are no networks. The first test fails for a figure that is not listed.
#include <map>
#include <roofline/llm/gguf.hpp>
#include <roofline/tensor/tensor.hpp>
#include <set>

#include "network/networks.hpp"
#include "network/sized.hpp"

using namespace roofline;

namespace {

using Names = std::set<std::string>;
using Counts = std::map<std::string, double>;

/// A network's nodes at chosen lengths. It reads `bytes`, which must outlive it.
class SizedFile {
 public:
  SizedFile(std::string_view name, std::string_view bytes, const DimensionValues& given = {}) : source_(bytes), given_(given) {
    auto opened = open_network(name, source_);
    INFO((opened ? std::string() : opened.error().text()));
    REQUIRE(opened);
    network_ = std::move(*opened);
    const auto dimensions = set_dimensions(*network_, given);
    REQUIRE(dimensions);
    for (const Dimension& d : *dimensions)
      if (!d.decided_by_data) lengths_.insert(d.name);
    sized_ = network_->at(*dimensions);
  }
  [[nodiscard]] const Names& lengths() const { return lengths_; }
  [[nodiscard]] const std::vector<SizedNode>& nodes() const { return sized_.nodes; }
  /// How many nodes there are of each type, those of bodies too.
  [[nodiscard]] Counts types() const {
    Counts out;
    for (const SizedNode& node : sized_.nodes) ++out[node.type];
    return out;
  }
  /// Elements and bytes of the tensors that nodes hold.
  [[nodiscard]] std::pair<double, double> constants() const {
    std::pair<double, double> out;
    for (const SizedNode& node : sized_.nodes)
      if (node.type == "Constant") {
        const SizedTensor& tensor = sized_.tensors[node.writes[0]];
        out.first += tensor.elements(), out.second += tensor.bytes();
      }
    return out;
  }
  /// Of the main graph: multiply-adds of products, convolutions and attention, by type, and in how many nodes.
  [[nodiscard]] std::pair<Counts, std::size_t> macs() const {
    const Result<std::string> commands = network_commands(*network_, given_, ToolChain::none);
    REQUIRE(commands);
    const Workload work = open(*commands);
    Counts by_node, by_type;
    for (std::size_t i = 0; i < work.matrix_flops.size(); ++i) {
      const std::string name = work.name_of(i);
      const bool main = work.step.empty() || work.steps[work.step[i]].empty();
      if (main && work.matrix_flops[i] > 0)
        by_node[type_of(name).empty() ? name.substr(0, name.rfind('/')) : name] += work.matrix_flops[i] / 2;
    }
    for (const auto& [node, macs] : by_node) by_type[whole_type_of(node)] += macs;
    return {by_type, by_node.size()};
  }
  [[nodiscard]] std::string whole_type_of(const std::string& node) const {
    for (const SizedNode& n : sized_.nodes)
      if (n.body.empty() && n.name == node) return n.type;
    return {};
  }
  /// Without its domain.
  [[nodiscard]] std::string type_of(const std::string& node) const {
    const std::string type = whole_type_of(node);
    return type.substr(type.rfind('.') + 1);
  }

 private:
  BytesAtHand source_;
  DimensionValues given_;
  std::unique_ptr<Network> network_;
  Names lengths_;
  SizedNetwork sized_;
};

/// By type; ours do not say that an operator is ONNX Runtime's or a TFLite file's own.
Counts counts_in(const Json& object) {
  Counts out;
  for (const auto& [type, count] : object.items()) {
    std::string name(type);
    for (const std::string_view owner : {"com.microsoft.", "CUSTOM:"})
      if (name.starts_with(owner)) name.erase(0, owner.size());
    out[name] += count.get<double>();
  }
  return out;
}

double sum_of(const Json& list, const char* key) {
  double sum = 0;
  for (const Json& item : list) sum += item[key].get<double>();
  return sum;
}

/// The entries of one kind of file.
std::map<std::string, Json> facts_of(const std::string& folder) {
  std::map<std::string, Json> out;
  const Json facts = sample_facts();
  if (facts.is_null()) WARN("skipped: no ../shared/samples");
  for (const auto& [path, fact] : facts.items())
    if (path.starts_with(folder + '/')) out.emplace(path, fact);
  return out;
}

}  // namespace

TEST_CASE("facts.json states no figure of real files that no test compares", "[network]") {
  // Origin and layout of a file are in no answer.
  const Names origin{"file", "repo", "path", "commit", "licence", "bytes", "sha256", "note", "format"};
  const std::map<std::string, Names> compared = {
      {"onnx",
       {"cases", "nodes", "nodes_with_subgraphs", "op_counts", "functions", "inputs", "producer", "initializer_elements",
        "initializer_bytes", "constant_node_elements", "constant_node_bytes", "external_tensors", "expected"}},
      {"tflite",
       {"macs", "weights_bytes", "weights_elements", "peak_activation_bytes", "peak_at_op", "ops", "ops_subgraph0", "op_counts",
        "work_nodes", "description", "inputs"}},
      {"openvino_ir", {"macs", "const_bytes", "layers", "op_counts"}},
      {"gguf", {"tensors"}},
      {"safetensors", {"tensors", "elements", "data_bytes", "header_bytes", "list"}},
  };
  const std::map<std::string, Names> layout = {
      {"onnx", {"ir", "opset", "value_info", "initializers"}},
      {"tflite", {"version", "subgraphs", "buffers", "metadata", "tensors", "per_channel", "outputs"}},
      {"openvino_ir", {"net", "version", "layers_with_dynamic_dims"}},
      {"gguf", {"version", "kv", "keys", "header_bytes"}},
  };
  for (const auto& [kind, figures] : compared)
    for (const auto& [path, fact] : facts_of(kind))
      for (const auto& [figure, value] : fact.items()) {
        INFO(path << ": " << figure);
        const auto other = layout.find(kind);
        CHECK((origin.contains(figure) || figures.contains(figure) || (other != layout.end() && other->second.contains(figure))));
      }
}

TEST_CASE("real ONNX models: nodes, multiply-adds by type, and the node at the peak", "[network]") {
  for (const auto& [path, fact] : facts_of("onnx")) {
    INFO(path);
    const std::string bytes = file(network_samples + path);
    if (fact.contains("expected")) {
      CHECK_FALSE(commands_of(path, bytes));
      continue;
    }
    const SizedFile whole(path, bytes);
    const ReadNetwork network = read_network(path, bytes);
    CHECK(text_of(member(network.facts, "producer")) == text_of(member(fact, "producer")));
    if (fact["functions"] == 0) {  // else its nodes are those that the calls stand for
      CHECK(network.facts["nodes"] == fact["nodes"]);
      CHECK(whole.nodes().size() == fact["nodes_with_subgraphs"]);
      CHECK(whole.types() == counts_in(fact["op_counts"]));
    }
    const auto [elements, constant_bytes] = whole.constants();
    CHECK(elements == number_of(fact["constant_node_elements"]));
    CHECK(constant_bytes == number_of(fact["constant_node_bytes"]));
    Names names;
    for (const auto& input : fact["inputs"])
      for (const Json& length : input)
        if (length.is_string() && text_of(length).find_first_of("+") == std::string::npos) names.insert(text_of(length));
    for (const std::string& name : names) CHECK((whole.lengths().contains(name) || name.find("_plus_") != std::string::npos));
    const bool says_external = network.facts["notes"].dump().find("in other files, which are not opened") != std::string::npos;
    CHECK(says_external == (fact["external_tensors"] != 0));

    for (const Json& one : fact["cases"]) {
      DimensionValues given;
      for (const auto& [name, length] : one["dims"].items())
        if (name.find('+') == std::string::npos) given.emplace_back(name, length.dump());
      INFO(one["dims"].dump());
      const SizedFile sized(path, bytes, given);
      const auto [macs, nodes] = sized.macs();
      CHECK(macs == counts_in(one["macs_by_op"]));
      CHECK(nodes == one["work_nodes"]);
      const ReadNetwork at = read_network(path, bytes, given);
      // The other count leaves out a padding whose amounts are in another file; the file declares the shape that it makes.
      const bool declared = path.find("ext_data") != std::string::npos;
      CHECK(sum_of(at.facts["not_counted"], "nodes") == (declared ? 0 : one["unresolved"].get<double>()));
      for (const Json& type : at.facts["not_counted"]) CHECK(type["type"] == one["unresolved_nodes"][0][0]);
      if (one.contains("peak_at") && fact["functions"] == 0) CHECK(sized.type_of(text_of(at.facts["peak_at"])) == text_of(one["peak_at"]));
    }
  }
}

TEST_CASE("real TFLite models: operators, multiply-adds in how many, and the operator at the peak", "[network][tflite]") {
  for (const auto& [path, fact] : facts_of("tflite")) {
    INFO(path);
    const std::string bytes = file(network_samples + path);
    const SizedFile whole("model.tflite", bytes);
    CHECK(whole.nodes().size() == fact["ops"]);
    CHECK(whole.types() == counts_in(fact["op_counts"]));
    CHECK(whole.macs().second == fact["work_nodes"]);
    const ReadNetwork network = read_network("model.tflite", bytes);
    CHECK(network.facts["peak_at"] == whole.nodes()[fact["peak_at_op"].get<std::size_t>()].name);
    bool open = false;  // a length of an input beyond its batch
    for (const Json& input : fact["inputs"])
      for (std::size_t i = 1; i < input[2].size(); ++i) open = open || input[2][i] == -1;
    const bool placeholders = network.facts["notes"].dump().find("its shapes are placeholders") != std::string::npos;
    CHECK((placeholders || !open));  // lengths of other tensors may be open, too
  }
}

TEST_CASE("real OpenVINO models: their layers by type", "[network][openvino]") {
  for (const auto& [path, fact] : facts_of("openvino_ir")) {
    INFO(path);
    const std::string bytes = file(network_samples + path);
    const SizedFile whole("model.xml", bytes);
    Counts types = counts_in(fact["op_counts"]);
    double tensors = 0;
    for (const char* type : {"Const", "Parameter", "Result"}) {  // they are its tensors, not its nodes
      tensors += types[type];
      types.erase(type);
    }
    CHECK(whole.types() == types);
    CHECK(static_cast<double>(whole.nodes().size()) + tensors == fact["layers"].get<double>());
  }
}

TEST_CASE("real GGUF vocabularies hold no tensors, and say so", "[gguf]") {
  for (const auto& [path, fact] : facts_of("gguf")) {
    INFO(path);
    REQUIRE(fact["tensors"] == 0);
    const std::string bytes = file(network_samples + path);
    const GgufStart start{path, bytes, bytes.size()};
    const auto model = gguf_model({&start, 1});
    REQUIRE_FALSE(model);
    CHECK(model.error().message.find("a vocabulary without tensors") != std::string::npos);
  }
}

TEST_CASE("real safetensors files list their tensors", "[safetensors]") {
  for (const auto& [path, fact] : facts_of("safetensors")) {
    INFO(path);
    const std::string bytes = file(network_samples + path);
    const std::uint64_t header = tensor_header_size(std::string_view(bytes).substr(0, tensor_start), bytes.size());
    CHECK(header == 8 + fact["header_bytes"].get<std::uint64_t>());  // with the eight bytes that state its length
    const auto tensors = read_tensor_header(std::string_view(bytes).substr(0, header), bytes.size());
    REQUIRE(tensors);
    REQUIRE(tensors->tensors.size() == fact["tensors"]);
    std::uint64_t elements = 0, data = 0;
    for (const TensorInfo& tensor : tensors->tensors) {
      INFO(tensor.name);
      CHECK(tensor.type == text_of(fact["list"][tensor.name][0]));
      CHECK(Json(tensor.shape) == fact["list"][tensor.name][1]);
      elements += tensor.elements();
      data += tensor.bytes;
    }
    CHECK(elements == fact["elements"]);
    CHECK(data == fact["data_bytes"]);
  }
}

TEST_CASE("the encoder that PyTorch exported has the same multiply-adds and parameters in both files", "[network][torch]") {
  const std::string folder = std::string(network_samples) + "torch/";
  if (!std::filesystem::exists(folder)) {
    WARN("skipped: no ../shared/samples");
    return;
  }
  const Json facts = Json::parse(file(folder + "facts.json"));
  for (const char* name : {"encoder_dynamic.pt2", "encoder_dynamic.onnx"}) {
    REQUIRE(facts.contains(name));
    const bool exported = std::string_view(name).ends_with(".pt2");  // its lengths are s0 and s1, which "batch" and "seq" set, too
    for (const Json& one : facts[name]["cases"]) {
      INFO(name << ' ' << one["dims"].dump());
      const double batch = one["dims"]["batch"].get<double>(), tokens = one["dims"]["seq"].get<double>();
      DimensionValues given;
      for (const auto& [dimension, length] : one["dims"].items()) given.emplace_back(dimension, length.dump());
      const ReadNetwork network = read_network(name, file(folder + name), given);
      if (exported)
        CHECK(read_network(name, file(folder + name), {{"ids[0]", given[0].second}, {"s1", given[1].second}}).facts == network.facts);
      // PyTorch's counter leaves out attention on a CPU: in two layers two products of 32 channels for each pair of tokens.
      CHECK(network.matrix_macs == one["macs"].get<double>() + 2 * 2 * 32 * batch * tokens * tokens);
      // The ONNX file stores eight vectors of its norms once, which are equal before any training: Identity nodes stand for the others.
      CHECK(network.facts["parameters"] == facts[name]["parameters"].get<double>() - (exported ? 0 : 8 * 32));
      CHECK(network.facts["not_counted"].empty());
      if (!exported) continue;
      CHECK(network.facts["weights_bytes"] == 4 * network.facts["parameters"].get<double>());
      CHECK(network.commands[2]["module"] == "blocks.0.qkv");
    }
  }
}
