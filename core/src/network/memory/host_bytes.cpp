#include "network/memory/host_bytes.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "network/fusing/fold.hpp"
#include "network/memory/activation_bytes.hpp"
#include "network/quantised/integers.hpp"
#include "network/tensor_uses.hpp"

namespace roofline {
namespace {

class HostTraffic {
 public:
  HostTraffic(const SizedNetwork& network, const NetworkTarget& target)
      : network_(network),
        into_(fused_into(network, target.tool_chain)),
        stored_as_(network.tensors.size()),
        made_by_(network.tensors.size(), no_node),
        enters_(network.tensors.size(), false),
        leaves_(network.tensors.size(), false),
        spills_(network.tensors.size(), false),
        room_(target.chip_bytes) {
    find_storage(target.tool_chain != ToolChain::none);
    for (const TensorId id : network.inputs) enters_[stored_as_[id]] = true;
    for (const TensorId id : network.outputs)
      if (id != no_tensor) leaves_[stored_as_[id]] = true;
    place_activations();
    place_weights();
  }

  [[nodiscard]] std::vector<double> by_node() const {
    std::vector<double> out(into_.size(), 0);
    std::set<std::pair<std::size_t, TensorId>> counted;
    std::vector<bool> to_enter = enters_;
    for (std::size_t i = 0; i < into_.size(); ++i) {
      const auto count = [&](TensorId id) {
        if (counted.emplace(into_[i], id).second) out[into_[i]] += network_.tensors[id].bytes();
      };
      for (const TensorId read : network_.nodes[i].reads) {
        const TensorId id = stored_as_[read];
        if (made_by_[id] == into_[i] || !moves(network_.nodes[i], id)) continue;
        if (spills_[id] || to_enter[id]) count(id);
        to_enter[id] = false;
      }
      for (const TensorId written : network_.nodes[i].writes)
        if (stored_as_[written] == written && (spills_[written] || leaves_[written])) count(written);
    }
    return out;
  }

 private:
  /// `views_vanish`: reshapes and changes of layout pass on the tensor that they read.
  void find_storage(bool views_vanish) {
    for (TensorId id = 0; id < stored_as_.size(); ++id)
      stored_as_[id] = network_.tensors[id].view_of == no_tensor ? id : network_.tensors[id].view_of;
    for (std::size_t i = 0; i < into_.size(); ++i) {
      const SizedNode& node = network_.nodes[i];
      const bool view = views_vanish && node.fusing == Fusing::vanishes && !node.reads.empty();
      for (const TensorId id : node.writes) {
        if (view && stored_as_[id] == id) stored_as_[id] = stored_as_[node.reads[0]];
        if (stored_as_[id] == id) made_by_[id] = into_[i];
      }
    }
  }

  /// The compiler works out constants of nodes without work, such as the shape of a Reshape.
  [[nodiscard]] bool moves(const SizedNode& node, TensorId id) const { return !network_.tensors[id].constant || !node.records.empty(); }

  /// Marks the tensors between operations where not all that are alive fit. Takes the room of the others.
  void place_activations() {
    const std::vector<double> alive = activation_bytes(with_compiled_types(network_), into_);
    std::vector<bool> too_large(into_.size(), false);
    double held = 0;
    for (std::size_t i = 0, place = 0; i < into_.size(); ++i) {
      if (!network_.nodes[i].body.empty()) continue;
      const double bytes = place < alive.size() ? alive[place++] : unknown;
      if (!(bytes > room_))  // an unknown size counts as held
        held = std::max(held, known_or(bytes, 0));
      else
        too_large[into_[i]] = true;
    }
    for (std::size_t i = 0; i < into_.size(); ++i) {
      const bool fits = !too_large[into_[i]];
      for (const TensorId read : network_.nodes[i].reads) {
        const TensorId id = stored_as_[read];
        if (made_by_[id] == into_[i] || network_.tensors[id].constant) continue;
        const bool made_large = made_by_[id] != no_node && too_large[made_by_[id]];
        if (!fits || made_large) spills_[id] = true;
      }
    }
    room_ -= held;
  }

  void place_weights() {
    std::vector<bool> placed(spills_.size(), false);
    for (const SizedNode& node : network_.nodes)
      for (const TensorId read : node.reads) {
        const TensorId id = stored_as_[read];
        if (!network_.tensors[id].constant || placed[id] || !moves(node, id)) continue;
        placed[id] = true;
        const double bytes = network_.tensors[id].bytes();
        const bool kept = bytes <= room_ || room_ == unlimited_chip_bytes;
        spills_[id] = !kept;
        if (kept) room_ -= known_or(bytes, 0);
      }
  }

  const SizedNetwork& network_;
  std::vector<std::size_t> into_;
  std::vector<TensorId> stored_as_;    // the tensor that holds a view's elements; others: themselves
  std::vector<std::size_t> made_by_;   // the node that the maker is merged into
  std::vector<bool> enters_, leaves_;  // the network's inputs and outputs
  std::vector<bool> spills_;           // not held on the chip between its uses
  double room_;                        // B of the chip
};

bool is_float(FormatId format) { return format != no_format && Formats::catalogue()[format].family == FormatFamily::floating; }

}  // namespace

std::vector<double> host_bytes(const SizedNetwork& network, const NetworkTarget& target) {
  if (target.only_format == no_format) return HostTraffic(network, target).by_node();
  SizedNetwork compiled = network;
  for (SizedTensor& tensor : compiled.tensors)
    if (is_float(tensor.type.format)) {
      tensor.type = element_type(Formats::catalogue()[target.only_format].id);
      tensor.stored_bytes = unknown;
    }
  return HostTraffic(compiled, target).by_node();
}

bool round_floats(SizedNetwork& network, FormatId only_format) {
  const auto& formats = Formats::catalogue();
  bool any = false;
  for (SizedNode& node : network.nodes)
    for (RecordText& record : node.records)
      for (const char* type : {"data_type", "weight_type", "output_type"})
        if (const auto format = formats.find(record.text(type)); format && is_float(*format)) {
          record.replace(type, formats[only_format].id);
          any = true;
        }
  return any;
}

}  // namespace roofline
