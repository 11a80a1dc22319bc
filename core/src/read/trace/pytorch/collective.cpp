#include "read/trace/pytorch/collective.hpp"

#include <algorithm>
#include <array>
#include <roofline/base/text.hpp>

#include "read/text/format_words.hpp"

namespace roofline {
namespace {

/// What of a message a rank of n sends. NCCL's own tests count alike (nccl-tests, doc/PERFORMANCE.md); the message is the larger of input
/// and output: an all-gather's output, a reduce-scatter's input.
enum class Share : std::uint8_t { twice_of_others, of_others, whole };

struct Kind {
  std::string_view name;  ///< as PyTorch writes it
  Share share;
};
constexpr auto kinds = std::to_array<Kind>({
    {"allreduce", Share::twice_of_others},
    {"allreduce_coalesced", Share::twice_of_others},
    {"all_gather", Share::of_others},
    {"_allgather_base", Share::of_others},
    {"allgather_into_tensor_coalesced", Share::of_others},
    {"reduce_scatter", Share::of_others},
    {"_reduce_scatter_base", Share::of_others},
    {"reduce_scatter_tensor_coalesced", Share::of_others},
    {"all_to_all", Share::of_others},
    {"all_to_allv", Share::of_others},
    {"gather", Share::of_others},
    {"scatter", Share::of_others},
    {"broadcast", Share::whole},
    {"reduce", Share::whole},
    {"send", Share::whole},
    {"recv", Share::whole},
});

/// Whether the parts for the ranks differ: "[100, 28]"; even ones are not listed: "[]".
bool uneven(const Json& sizes) {
  return (sizes.is_array() && !sizes.empty()) || text_of(sizes).find_first_of("0123456789.") != std::string::npos;
}

}  // namespace

std::optional<Collective> collective_of(const Json& args) {
  const std::string name = text_of(member(args, "Collective name"));
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& k) { return k.name == name; });
  const double read = number_of(member(args, "In msg nelems")), written = number_of(member(args, "Out msg nelems"));
  const double ranks = number_of(member(args, "Group size"));
  const FormatId format = format_in(text_of(member(args, "dtype")));
  if (kind == kinds.end() || format == no_format || !(ranks > 1) || !(read >= 0) || !(written >= 0)) return std::nullopt;
  if (uneven(member(args, "In split size")) || uneven(member(args, "Out split size"))) return std::nullopt;
  const double message = std::max(read, written) * Formats::catalogue()[format].bytes(), others = (ranks - 1) / ranks;
  const double sent = kind->share == Share::whole ? message : (kind->share == Share::of_others ? 1 : 2) * others * message;
  if (!(sent > 0)) return std::nullopt;
  return Collective{name + " of " + plain(std::max(read, written)) + ' ' + Formats::catalogue()[format].id + " among " + plain(ranks),
                    format, read, written, sent};
}

}  // namespace roofline
