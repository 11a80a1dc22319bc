#include <algorithm>
#include <numeric>
#include <roofline/base/text.hpp>
#include <roofline/network/memory_advice.hpp>
#include <tuple>

#include "network/fusing/fold.hpp"
#include "network/memory/activation_bytes.hpp"
#include "network/memory/row_chain.hpp"
#include "network/quantised/integers.hpp"

namespace roofline {
namespace {

constexpr std::size_t most_beside = 16;   // nodes of a chain before and after the node at the peak
constexpr std::size_t most_tilings = 32;  // proposed at once

double highest(const std::vector<double>& bytes) { return bytes.empty() ? unknown : *std::max_element(bytes.begin(), bytes.end()); }

class Advisor {
 public:
  Advisor(const SizedNetwork& network, ToolChain tool_chain, MemoryAdvice& out)
      : in_file_(network),
        network_(with_compiled_types(network)),
        out_(out),
        alone_(network.nodes.size()),
        merged_(fused_into(network_, tool_chain)) {
    std::iota(alone_.begin(), alone_.end(), std::size_t{0});
    for (std::size_t i = 0; i < network_.nodes.size(); ++i)
      if (network_.nodes[i].body.empty()) main_.push_back(i);
  }

  void run() {
    const std::vector<double> in_file = activation_bytes(in_file_), alive = activation_bytes(network_);
    if (in_file.empty() || !known(in_file.back()) || !known(highest(in_file))) return;
    out_.peak_bytes = highest(in_file);
    out_.peak_at = network_.nodes[node_at_peak(in_file)].name;
    out_.merged_peak_bytes = highest(activation_bytes(network_, merged_));
    if (!known(out_.memory.capacity) || out_.fits() || out_.fits_merged()) return;
    find_merge(node_at_peak(alive));
    find_tilings();
  }

 private:
  [[nodiscard]] std::size_t node_at_peak(const std::vector<double>& alive) const {
    return main_[static_cast<std::size_t>(std::max_element(alive.begin(), alive.end()) - alive.begin())];
  }
  /// Where a node of the main graph is in the lists of activation_bytes().
  [[nodiscard]] std::size_t place_of(std::size_t node) const {
    return static_cast<std::size_t>(std::lower_bound(main_.begin(), main_.end(), node) - main_.begin());
  }

  /// Tries every merge in the node's group: it into its producer, or a reader into it.
  void find_merge(std::size_t at) {
    const std::vector<std::size_t> all = fused_into(network_, ToolChain::all);
    for (const std::size_t node : main_)
      if (all[node] != node && all[node] == all[at]) try_merge(node, all);
  }

  /// Merges the node and the earlier nodes of its group into one operation.
  void try_merge(std::size_t node, const std::vector<std::size_t>& all) {
    std::vector<std::size_t> into = alone_;
    for (const std::size_t other : main_)
      if (other <= node && all[other] == all[node]) into[other] = all[node];
    const std::vector<double> alive = activation_bytes(network_, into);
    const double here = alive[place_of(node)], peak = highest(alive);
    if (!(here < out_.peak_bytes) || (out_.merge && std::tie(out_.merge->peak_bytes, out_.merge->bytes) <= std::tie(peak, here))) return;
    double tensor = 0;
    for (const TensorId id : network_.nodes[node].reads)
      if (!network_.tensors[id].constant) tensor = std::max(tensor, network_.tensors[id].bytes());
    out_.merge =
        MemoryAdvice::Merge{network_.nodes[node].name, network_.nodes[all[node]].name, tensor, here, peak, merged_[node] == all[node]};
  }

  /// Nodes of a chain in stripes.
  struct Cut {
    std::size_t first = 0, last = 0;  ///< of the chain
    double height = 0, bytes = 0;
    Stripes stripes;
  };

  /// Cuts at the peak, then at the peak that is left.
  void find_tilings() {
    std::vector<std::size_t> into = alone_;
    std::vector<double> stripes(main_.size(), 0);  // bytes of the tensors held in stripes, by place
    std::vector<bool> cut(network_.nodes.size(), false);
    for (;;) {
      std::vector<double> alive = activation_bytes(network_, into);
      for (std::size_t i = 0; i < alive.size(); ++i) alive[i] += stripes[i];
      const std::size_t peak = node_at_peak(alive);
      out_.tiled_peak_bytes = highest(alive);
      if (out_.fits_tiled()) return;
      const RowChain chain = row_chain(network_, peak, most_beside);
      if (chain.nodes.empty()) return;
      const std::optional<Cut> best = out_.tilings.size() < most_tilings ? best_cut(chain, into, cut) : std::nullopt;
      if (!best || best->bytes >= out_.tiled_peak_bytes) return find_streaming(chain);
      for (std::size_t k = best->first; k <= best->last; ++k) {
        into[chain.nodes[k]] = chain.nodes[best->first];
        cut[chain.nodes[k]] = true;
      }
      stripes[place_of(chain.nodes[best->last])] = best->stripes.bytes;
      out_.tilings.push_back({network_.nodes[chain.nodes[best->first]].name, network_.nodes[chain.nodes[best->last]].name,
                              best->last - best->first + 1, best->stripes.tiles, best->height, best->bytes, best->stripes.recomputed});
    }
  }

  /// Of nodes around the peak that are not cut yet.
  [[nodiscard]] std::optional<Cut> best_cut(const RowChain& chain, const std::vector<std::size_t>& into,
                                            const std::vector<bool>& cut) const {
    std::optional<Cut> best;
    for (std::size_t first = chain.at + 1; first-- > 0 && !cut[chain.nodes[first]];)
      for (std::size_t last = chain.at; last < chain.nodes.size() && !cut[chain.nodes[last]]; ++last) {
        if (last == first) continue;
        const std::optional<Cut> one = cut_of(chain, first, last, into);
        if (one && (!best || is_better(*one, *best))) best = one;
      }
    return best;
  }

  /// The highest stripes of nodes `first` to `last` that fit beside `full` bytes, else the lowest. Empty if there are no two rows.
  [[nodiscard]] std::optional<Cut> highest_stripes(const RowChain& chain, std::size_t first, std::size_t last, double full,
                                                   bool streaming) const {
    const std::vector<double> heights = stripe_heights(chain.rows[last + 1]);
    if (heights.empty()) return std::nullopt;
    const auto cut_at = [&](double height) {
      const Stripes stripes = in_stripes(network_, chain, first, last, height, streaming);
      return Cut{first, last, height, full + stripes.bytes, stripes};
    };
    const Cut lowest = cut_at(heights.back());
    if (!fits(lowest)) return lowest;
    // Lower stripes need less.
    return cut_at(*std::partition_point(heights.begin(), heights.end() - 1, [&](double height) { return !fits(cut_at(height)); }));
  }

  [[nodiscard]] std::optional<Cut> cut_of(const RowChain& chain, std::size_t first, std::size_t last, std::vector<std::size_t> into) const {
    for (std::size_t k = first; k <= last; ++k) into[chain.nodes[k]] = chain.nodes[first];
    const double full = activation_bytes(network_, into)[place_of(chain.nodes[last])];  // of the tensors held in full
    return highest_stripes(chain, first, last, full, false);
  }

  [[nodiscard]] bool fits(const Cut& cut) const { return cut.bytes <= out_.memory.capacity; }

  [[nodiscard]] bool is_better(const Cut& a, const Cut& b) const {
    if (fits(a) != fits(b)) return fits(a);
    if (!fits(a) && a.bytes != b.bytes) return a.bytes < b.bytes;
    const std::size_t a_nodes = a.last - a.first, b_nodes = b.last - b.first;
    return std::tie(a.stripes.recomputed, a.stripes.tiles, a_nodes) < std::tie(b.stripes.recomputed, b.stripes.tiles, b_nodes);
  }

  void find_streaming(const RowChain& chain) {
    const SizedNode& node = network_.nodes[chain.nodes[chain.at]];
    double besides = 0;  // inputs held in full
    for (const TensorId id : node.reads)
      if (id != chain.tensors[chain.at] && !network_.tensors[id].constant) besides += network_.tensors[id].bytes();
    const std::optional<Cut> cut = highest_stripes(chain, chain.at, chain.at, besides, true);
    if (cut && fits(*cut)) out_.streaming = MemoryAdvice::Streaming{node.name, cut->stripes.tiles, cut->height, cut->bytes};
  }

  const SizedNetwork& in_file_;
  const SizedNetwork network_;  // with_compiled_types()
  MemoryAdvice& out_;
  std::vector<std::size_t> alone_, merged_, main_;  // main_: nodes of the main graph
};

std::string in_bytes(double value) { return with_unit(value, "B"); }

std::string in_tiles(std::size_t tiles, double rows) {
  return " in " + with_commas(tiles) + " tiles of " + plain(rows) + (rows == 1 ? " row" : " rows");
}

std::string tilings_text(const MemoryAdvice& a) {
  if (a.tilings.empty()) return " No tiling by rows lowers it.";
  const MemoryAdvice::Tiling& first = a.tilings[0];
  std::string out = " Running " + first.text();
  if (a.tilings.size() > 1)
    out += ", with " + with_commas(a.tilings.size() - 1) + (a.tilings.size() == 2 ? " more such tiling," : " more such tilings,");
  out += (a.fits_tiled() ? " makes it fit: the peak is then " : " is not enough: the peak is then ") + in_bytes(a.tiled_peak_bytes);
  return out + (first.recomputed > 0 ? ", with " + percent(first.recomputed) + " more multiply-adds in the tiles." : ".");
}

/// How a compiler lowers the peak below that of the file's tensors.
std::string lowered_by(ToolChain tool_chain, bool keeps_integers) {
  const std::string title(title_of(tool_chain));
  if (tool_chain == ToolChain::none) return "with integers between quantised layers, it is ";
  if (keeps_integers) return "with the merges of " + title + " and integers between quantised layers, the peak is ";
  return "merged as " + title + " does, it is ";
}

std::string finding_of(const MemoryAdvice& a, ToolChain tool_chain, bool keeps_integers) {
  if (!known(a.peak_bytes)) return {};
  const std::string peak = "The activations' peak of " + in_bytes(a.peak_bytes) + ", at " + printable(a.peak_at) + ", ";
  const std::string memory = in_bytes(a.memory.capacity) + " of " + printable(a.memory.name);
  if (!known(a.memory.capacity)) return peak + "cannot be judged: the machine states no on-chip memory.";
  if (a.fits()) return peak + "fits the " + memory + ".";
  std::string out = peak + "exceeds the " + memory;
  if (a.merged_peak_bytes < a.peak_bytes) out += "; " + lowered_by(tool_chain, keeps_integers) + in_bytes(a.merged_peak_bytes);
  if (a.fits_merged()) return out + ", which fits.";
  out += '.';
  if (a.merge && !a.merge->by_tool_chain)
    out += " Merging " + printable(a.merge->node) + " into " + printable(a.merge->into) + " leaves " + in_bytes(a.merge->bytes) + " there.";
  out += tilings_text(a);
  if (a.streaming)
    out += " With input and output in the device memory, " + printable(a.streaming->node) + " fits" +
           in_tiles(a.streaming->tiles, a.streaming->rows) + ".";
  return out;
}

}  // namespace

std::string MemoryAdvice::Merge::text() const { return "Merge " + printable(node) + " into " + printable(into); }
std::string MemoryAdvice::Tiling::text() const { return printable(first) + " to " + printable(last) + in_tiles(tiles, rows); }
std::string MemoryAdvice::Streaming::text() const {
  return printable(node) + in_tiles(tiles, rows) + ", input and output in the device memory";
}

OnChipMemory on_chip_memory(const Machine& machine) {
  const std::vector<Memory>& all = machine.memories;
  if (all.size() > 1) return {all[1].name, all[1].capacity.value};
  if (!all.empty() && all[0].name.find("SRAM") != std::string::npos) return {all[0].name, all[0].capacity.value};
  return {"on-chip memory", unknown};
}

NetworkTarget target_on(const Machine& machine, ToolChain by) {
  NetworkTarget out = by;
  if (!machine.uses_host_memory()) return out;
  out.chip_bytes = known_or(on_chip_memory(machine).capacity, unlimited_chip_bytes);
  if (machine.matrix.size() == 1) out.only_format = machine.matrix[0].format;
  return out;
}

Result<MemoryAdvice> advise_memory(const Network& network, const DimensionValues& given, ToolChain tool_chain, const OnChipMemory& memory) {
  const Result<std::vector<Dimension>> dimensions = set_dimensions(network, given);
  if (!dimensions) return Unexpected(dimensions.error());
  MemoryAdvice out;
  out.memory = memory;
  const SizedNetwork sized = network.at(*dimensions);
  Advisor(sized, tool_chain, out).run();
  const bool keeps_integers =
      std::any_of(sized.tensors.begin(), sized.tensors.end(), [](const SizedTensor& tensor) { return known(tensor.compiled_type.bits); });
  out.finding = finding_of(out, tool_chain, keeps_integers);
  return out;
}

}  // namespace roofline
