// Networks as their files hold them, before anyone has run them: what each node has to do, at chosen sizes.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <roofline/base/number.hpp>
#include <roofline/base/result.hpp>
#include <roofline/machine/format.hpp>
#include <roofline/machine/tool_chain.hpp>
#include <roofline/network/byte_source.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

/// A length that the file leaves open: "batch", "sequence_length".
struct Dimension {
  std::string name;
  double value = unknown;  ///< NaN: not set, and nothing usual to offer; what depends on it is not known
  bool assumed = false;    ///< nobody has set it: the usual value stands in for it
  double least = 1;        ///< as the file states it
  double greatest = unknown;
  double usual = unknown;        ///< as the file's example has it
  std::string place = {};        ///< an input's dimension of that length, where the name does not tell: "ids[0]"
  std::string known_as = {};     ///< "batch" or "seq" if that word also sets it, because the file's name ("s77") says nothing
  bool leads_input = false;      ///< the first dimension of a matrix or an image that goes in: a batch of 1 unless its name says otherwise
  bool decided_by_data = false;  ///< how many elements an operation finds ("NonZero"): the most that it can be, unless it is set
};

/// What the user sets: a dimension by name or place ("ids[0]"), to a length ("8") or to another dimension's name, which it then follows. An
/// expression ("past + seq") sets the one dimension in it that is still open; if none is open, it must agree with their lengths.
using DimensionValues = std::vector<std::pair<std::string, std::string>>;

struct SizedNetwork;

/// A network's file, opened. Its weights are never read.
class Network {
 public:
  virtual ~Network() = default;
  /// The lengths that are open, none of them set.
  [[nodiscard]] virtual std::vector<Dimension> open_dimensions() const = 0;
  /// Every node and tensor, the open lengths set; NaN: not known.
  [[nodiscard]] virtual SizedNetwork at(const std::vector<Dimension>& dimensions) const = 0;
};

/// The open lengths of a network with their values under `given`: those that nobody has set are assumed where their names are usual ones
/// ("batch": 1). Fails where `given` names another, or a length that is no whole number or outside of the file's own limits.
[[nodiscard]] Result<std::vector<Dimension>> set_dimensions(const Network& network, const DimensionValues& given);

/// Of a chip whose vendor does not state how much it holds.
inline constexpr double unlimited_chip_bytes = std::numeric_limits<double>::infinity();

/// What a network is compiled for.
struct NetworkTarget {
  ToolChain tool_chain = ToolChain::none;  ///< whose rules merge element-wise operations, norms and quantisation into those before them
  double chip_bytes = 0;                   ///< what a chip without device memory holds; 0: all tensors are in the device memory
  FormatId only_format = no_format;        ///< to which the compiler rounds floats, because the machine computes in nothing else

  NetworkTarget(ToolChain by = ToolChain::none) : tool_chain(by) {}  // NOLINT(google-explicit-constructor)
};

/// A network as a commands.json: an object whose member "commands" has an operation for each node that does work, in execution order, and
/// "network" what holds for all of it:
///   format, producer, dimensions; nodes; matrix_macs, known multiply-adds of the main graph (a partial sum if some are not known), null if
///   there may be products and none is known; weights_bytes, parameters; constant_bytes of tensors that constants alone make,
///   generated_bytes of those that ConstantOfShape fills with one value, as in files without their weights; float_weights: how many nodes
///   have weights that a plan can round; peak_activation_bytes and peak_at (the node), activation_bytes of each node of the main graph,
///   where all shapes are known; not_counted: [{type, nodes, share, reason}] for nodes whose work is not known, which is never taken for
///   none; `share`: of all nodes, including those of bodies; modules: [{module, body, nodes, not_counted, parameters, weights_bytes}], each
///   without the modules within it. tool_chain: whose rules merge operations, and folded_nodes: how many nodes are merged into another or
///   vanish.
/// host_bytes: true if the "bytes" of operations are those that cross the host's link.
/// On a chip without device memory, operations state the "bytes" that they exchange with the host, and floats are in its only format.
[[nodiscard]] Result<std::string> network_commands(const Network& network, const DimensionValues& given, const NetworkTarget& target);

/// The weights of a node: the largest of its tensors of floats of 16 or 32 bits, else of all its weights.
struct NodeWeights {
  std::string node, type, module;     ///< as in the operation that the node becomes; module "": not stated
  std::string tensor;                 ///< its name
  double elements = 0, row = 1;       ///< of the tensor; of one element of its first dimension
  FormatId format = no_format;        ///< as stored
  bool floats = false;                ///< of 16 or 32 bits: a plan can round them to another format
  std::uint64_t data = 0;             ///< where its bytes are in the file; 0: elsewhere
  std::uint32_t tensor_id = 0;        ///< equal for nodes that have the same tensor
  std::string unnamed_output = {};    ///< the node's first output, if its file gives it no name: `node` is then generated
  bool k_is_first_dimension = false;  ///< the tensor is a matrix [K, N] of a product over K: formats with scales block its columns
};

/// In execution order; several nodes may have the same tensor. Tensors that only constants make (a transposed weight) count as the tensor
/// that they are made of. Fails as network_commands() does.
[[nodiscard]] Result<std::vector<NodeWeights>> node_weights(const Network& network, const DimensionValues& given);
[[nodiscard]] std::vector<NodeWeights> node_weights(const SizedNetwork& network);

/// So many bytes of a file tell whether it is a network. An OpenVINO model differs from a graph that was executed only in what its layers
/// state.
inline constexpr std::uint64_t network_start_bytes = 4096;

/// What open_network() reads, for messages.
inline constexpr std::string_view network_kinds = "an ONNX, TFLite or OpenVINO model, or a program that PyTorch exported (.pt2)";

/// Whether a file of that name that begins so is a network that open_network() reads; the name tells where the bytes do not.
[[nodiscard]] bool is_network(std::string_view name, std::string_view start);

/// `source` must outlive the network.
[[nodiscard]] Result<std::unique_ptr<Network>> open_network(std::string_view name, const ByteSource& source);

}  // namespace roofline
