#include "network/memory/activation_bytes.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "network/tensor_uses.hpp"

namespace roofline {
namespace {

constexpr std::size_t never = static_cast<std::size_t>(-1);

/// When a tensor is made and last read, as places in the execution order.
struct Lifetime {
  std::size_t first = never, last = 0;
  std::size_t maker = no_node;  ///< the group of the node that makes it
  bool read_inside = false;     ///< by a node of that group
  bool read_outside = false;    ///< by another, or as an output of the network
};

class Lifetimes {
 public:
  Lifetimes(const SizedNetwork& network, const std::vector<std::size_t>& into)
      : network_(network), into_(into), runs_(network.nodes.size()), tensors_(network.tensors.size()) {
    place_nodes();
    for (const TensorId id : network.inputs) tensors_[id].first = 0;
    for (std::size_t i = 0; i < network.nodes.size(); ++i) add(i);
    for (const TensorId id : network.outputs)
      if (id != no_tensor && places_ > 0) {
        tensors_[owner(id)].last = places_ - 1;
        tensors_[owner(id)].read_outside = true;
      }
  }

  [[nodiscard]] std::vector<double> alive() const {
    std::vector<double> change(places_ + 1, 0);
    double sum = 0;
    for (std::size_t id = 0; id < tensors_.size(); ++id) {
      const SizedTensor& tensor = network_.tensors[id];
      const Lifetime& life = tensors_[id];
      if (tensor.always_alive) {
        sum += tensor.bytes();
      } else if (!tensor.constant && life.first != never && places_ > 0 && (life.read_outside || !life.read_inside)) {
        change[life.first] += tensor.bytes();
        change[life.last + 1] -= tensor.bytes();
      }
    }
    std::vector<double> out;
    for (std::size_t i = 0; i < places_; ++i) out.push_back(sum += change[i]);
    for (std::size_t i = 0; i < into_.size(); ++i)
      if (network_.nodes[i].body.empty() && runs_[i] != own_place_[i]) out[own_place_[i]] = 0;
    return out;
  }

 private:
  [[nodiscard]] TensorId owner(TensorId id) const { return network_.tensors[id].view_of == no_tensor ? id : network_.tensors[id].view_of; }

  /// A group runs at the place of its last node, a body at the place of the node that has it.
  void place_nodes() {
    std::vector<std::size_t> last(into_.size(), 0);
    own_place_.resize(into_.size());
    for (std::size_t i = 0; i < into_.size(); ++i) {
      if (network_.nodes[i].body.empty()) last[into_[i]] = places_++;
      own_place_[i] = places_ == 0 ? 0 : places_ - 1;
    }
    for (std::size_t i = 0; i < into_.size(); ++i) runs_[i] = network_.nodes[i].body.empty() ? last[into_[i]] : own_place_[i];
  }

  void add(std::size_t i) {
    const SizedNode& node = network_.nodes[i];
    for (const TensorId read : node.reads) {
      Lifetime& life = tensors_[owner(read)];
      life.last = std::max(life.last, runs_[i]);
      (life.maker == into_[i] ? life.read_inside : life.read_outside) = true;
    }
    if (!node.body.empty()) return;
    // Tensors without a producer, such as a compiled operator's scratch memory, live from the start.
    for (const TensorId read : node.reads)
      if (tensors_[owner(read)].first == never) tensors_[owner(read)].first = 0;
    for (const TensorId written : node.writes) {
      Lifetime& life = tensors_[owner(written)];
      life.first = std::min(life.first, runs_[i]);
      life.last = std::max(life.last, runs_[i]);
      life.maker = into_[i];
    }
  }

  const SizedNetwork& network_;
  const std::vector<std::size_t>& into_;
  std::vector<std::size_t> runs_, own_place_;
  std::vector<Lifetime> tensors_;
  std::size_t places_ = 0;
};

}  // namespace

std::vector<double> activation_bytes(const SizedNetwork& network, const std::vector<std::size_t>& into) {
  return Lifetimes(network, into).alive();
}

std::vector<double> activation_bytes(const SizedNetwork& network) {
  std::vector<std::size_t> alone(network.nodes.size());
  std::iota(alone.begin(), alone.end(), std::size_t{0});
  return activation_bytes(network, alone);
}

}  // namespace roofline
