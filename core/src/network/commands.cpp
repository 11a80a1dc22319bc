// A network as a commands.json.
#include <algorithm>
#include <map>
#include <roofline/base/text.hpp>
#include <roofline/network/network.hpp>
#include <roofline/operators/operator.hpp>
#include <unordered_map>

#include "base/json_out.hpp"
#include "network/fusing/fold.hpp"
#include "network/memory/activation_bytes.hpp"
#include "network/memory/host_bytes.hpp"
#include "network/module_facts.hpp"
#include "network/record_work.hpp"
#include "network/sized.hpp"

namespace roofline {
namespace {

/// Why the work of some nodes is not known, by type.
using NotCounted = std::map<std::pair<std::string, std::string>, std::size_t>;

void write_dimensions(JsonOut& out, const std::vector<Dimension>& dimensions) {
  out.array("dimensions", [&] {
    for (const Dimension& d : dimensions)
      out.object([&] {
        out.member("name", d.name);
        out.member("value", d.value);
        out.member("assumed", d.assumed);
        if (!d.place.empty()) out.member("place", d.place);
        if (d.decided_by_data) out.member("decided_by_data", true);
        out.member("least", d.least);
        if (known(d.greatest)) out.member("greatest", d.greatest);
      });
  });
}

void write_modules(JsonOut& out, const SizedNetwork& network) {
  out.array("modules", [&] {
    for (const ModuleFacts& m : module_facts(network))
      out.object([&] {
        out.member("module", m.module);
        if (!m.body.empty()) out.member("body", m.body);
        out.member_count("nodes", m.nodes);
        out.member_count("not_counted", m.not_counted);
        out.member("parameters", m.parameters);
        out.member("weights_bytes", m.weights_bytes);
      });
  });
}

/// Whether the work of a node that is not counted may be that of a product. Operators without a rule are only listed.
bool may_multiply(const SizedNode& node) {
  if (node.not_counted == reason::compiled) return true;
  if (node.not_counted.empty() || node.not_counted == reason::no_rule || node.not_counted == reason::body_apart) return false;
  const Operator* op = find_operator(std::string_view(node.type).substr(node.type.rfind('.') + 1));
  if (!op) return true;
  switch (op->family) {
    case OpFamily::normalisation:
    case OpFamily::reduction:
    case OpFamily::elementwise:
    case OpFamily::pooling:
    case OpFamily::resampling:
    case OpFamily::data_movement:
      return false;
    default:
      return true;
  }
}

/// Multiply-adds of the main graph.
struct MatrixMacs {
  double known_part = 0;
  bool complete = true;  ///< false: those of a product, or all, are not known
};

/// Adds up the multiply-adds. A node with a record that cannot be derived loses its records and is not counted.
MatrixMacs check_records(SizedNetwork& network) {
  std::unordered_map<std::string, Result<double>> macs;  // layers repeat
  MatrixMacs out;
  bool counted = false, missed = false;
  for (SizedNode& node : network.nodes) {
    double of_node = 0;
    for (const RecordText& record : node.records) {
      const std::string key = record.type() + record.members();
      auto found = macs.find(key);
      if (found == macs.end()) found = macs.emplace(key, record_macs(record)).first;
      if (!found->second) {
        node.not_counted = found->second.error().message;
        break;
      }
      of_node += *found->second;
    }
    if (!node.not_counted.empty()) node.records.clear();
    if (!node.body.empty()) continue;
    counted = counted || !node.records.empty();
    missed = missed || node.not_counted == reason::no_rule;
    if (may_multiply(node))
      out.complete = false;
    else
      out.known_part += of_node;
  }
  out.complete = out.complete && (counted || !missed);
  return out;
}

/// The merges in the whole network.
struct Folded {
  ToolChain tool_chain = ToolChain::none;
  bool host_bytes = false;  ///< operations state them
  std::size_t nodes = 0;    ///< merged into another, or vanished
};

std::size_t float_weights(const SizedNetwork& network) {
  const std::vector<NodeWeights> weights = node_weights(network);
  return static_cast<std::size_t>(std::count_if(weights.begin(), weights.end(), [](const NodeWeights& w) { return w.floats; }));
}

/// `macs` and `floats` (nodes with weights that a plan can round) are those before nodes were merged.
void write_facts(JsonOut& out, const SizedNetwork& network, const std::vector<Dimension>& dimensions, const Folded& folded,
                 const MatrixMacs& macs, std::size_t floats) {
  double weights = 0, parameters = 0, constants = 0, generated = 0;
  for (const SizedTensor& tensor : network.tensors) {
    if (tensor.weight) weights += tensor.bytes();
    if (tensor.weight && tensor.learnt) parameters += tensor.elements();
    if (tensor.constant && !tensor.weight && tensor.view_of == no_tensor) constants += tensor.bytes();
    if (tensor.generated) generated += tensor.bytes();
  }
  NotCounted not_counted;
  std::size_t nodes = 0;
  for (const SizedNode& node : network.nodes) {
    if (!node.not_counted.empty()) ++not_counted[{node.type, node.not_counted}];
    nodes += node.body.empty() ? 1 : 0;
  }
  const std::vector<double> alive = activation_bytes(network);
  const auto peak = std::max_element(alive.begin(), alive.end());
  const bool peak_known = std::all_of(alive.begin(), alive.end(), [](double b) { return known(b); }) && !alive.empty();
  std::vector<std::string_view> names;
  for (const SizedNode& node : network.nodes)
    if (node.body.empty()) names.push_back(node.name);
  out.member("format", network.format);
  if (!network.producer.empty()) out.member("producer", network.producer);
  write_dimensions(out, dimensions);
  out.member_count("nodes", nodes);
  out.member("folded", folded.tool_chain != ToolChain::none);
  out.member("tool_chain", to_string(folded.tool_chain));
  out.member_count("folded_nodes", folded.nodes);
  if (folded.host_bytes) out.member("host_bytes", true);
  out.member("matrix_macs", macs.complete || macs.known_part > 0 ? macs.known_part : unknown);
  out.member("weights_bytes", weights);
  out.member_count("float_weights", floats);
  out.member("parameters", parameters);
  out.member("constant_bytes", constants);
  out.member("generated_bytes", generated);
  out.member("peak_activation_bytes", peak_known ? *peak : unknown);
  if (peak_known) out.member("peak_at", names[static_cast<std::size_t>(peak - alive.begin())]);
  if (peak_known) out.list("activation_bytes", alive);
  out.array("not_counted", [&] {
    for (const auto& one : not_counted)
      out.object([&] {
        out.member("type", one.first.first);
        out.member_count("nodes", one.second);
        out.member("share", static_cast<double>(one.second) / static_cast<double>(network.nodes.size()));
        out.member("reason", one.first.second);
      });
  });
  write_modules(out, network);
  out.list("notes", network.notes);
}

/// `bytes`: by node; empty: operations have the bytes of all their tensors.
void state_bytes(SizedNetwork& network, const std::vector<double>& bytes) {
  double sum = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::vector<RecordText>& records = network.nodes[i].records;
    for (RecordText& record : records) record.set("bytes", &record == records.data() ? bytes[i] : 0);
    if (!records.empty()) sum += bytes[i];
  }
  if (!bytes.empty() && known(sum))
    network.notes.push_back(with_unit(sum, "B") + " cross the host's link in a run: inputs, outputs, and what the chip cannot hold");
}

void append_record(std::string& text, const SizedNode& node, const RecordText& record) {
  text += text.back() == '[' ? "\n{\"type\":" : ",\n{\"type\":";
  text += json_quoted(record.type());
  text += ",\"name\":";
  text += json_quoted(record.part().empty() ? node.name : node.name + '/' + record.part());
  if (!node.module.empty()) text.append(",\"module\":").append(json_quoted(node.module));
  if (!node.body.empty()) text.append(",\"step\":").append(json_quoted("body of " + node.body));
  text += record.members();
  text += '}';
}

}  // namespace

Result<std::string> network_commands(const Network& network, const DimensionValues& given, const NetworkTarget& target) {
  const Result<std::vector<Dimension>> dimensions = set_dimensions(network, given);
  if (!dimensions) return Unexpected(dimensions.error());
  SizedNetwork sized = network.at(*dimensions);
  const MatrixMacs macs = check_records(sized);
  const std::size_t floats = float_weights(sized);
  std::vector<double> from_host;
  if (target.chip_bytes > 0) from_host = host_bytes(sized, target);
  const Folded folded{target.tool_chain, !from_host.empty(), fold(sized, target.tool_chain)};
  state_bytes(sized, from_host);
  if (target.only_format != no_format && round_floats(sized, target.only_format))
    sized.notes.push_back("floats are counted as " + Formats::catalogue()[target.only_format].name + ", the only format of the machine");
  std::string text = "{\"network\":";
  text += json_text([&](JsonOut& out) { out.object([&] { write_facts(out, sized, *dimensions, folded, macs, floats); }); });
  text += ",\n\"commands\":[";
  for (const SizedNode& node : sized.nodes)
    for (const RecordText& record : node.records) append_record(text, node, record);
  text += "]}\n";
  return text;
}

}  // namespace roofline
