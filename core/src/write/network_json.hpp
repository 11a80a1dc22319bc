// What a document's summary has of a network as a whole.
#pragma once

#include <roofline/workload/workload.hpp>

#include "base/json.hpp"
#include "base/members.hpp"

namespace roofline {

/// Of a workload with a network_json.
struct NetworkTotals {
  Json facts;
  explicit NetworkTotals(const Workload& workload);
  [[nodiscard]] const Json& fact(const char* key) const { return member(facts, key); }
};

/// Whether it is a network with work, none of which is known.
[[nodiscard]] bool nothing_counted(const Workload& workload);

inline constexpr Member<NetworkTotals> network_members[] = {
    {"matrix_macs", schema::number,
     "of a network: known multiply-adds of its products and convolutions, without bodies (see not_counted); null: there may be "
     "products and none is known",
     [](JsonOut& out, const NetworkTotals& n) { out.raw(compact(n.fact("matrix_macs"))); }},
    {"weights_bytes", schema::number, "of a network: bytes of its parameters in the file",
     [](JsonOut& out, const NetworkTotals& n) { out.raw(compact(n.fact("weights_bytes"))); }},
    {"parameters", schema::number, "of a network: elements of its weights",
     [](JsonOut& out, const NetworkTotals& n) { out.raw(compact(n.fact("parameters"))); }},
    {"peak_activation_bytes", schema::number, "of a network: the most that is alive while a node runs, B; null where a shape is not known",
     [](JsonOut& out, const NetworkTotals& n) { out.raw(compact(n.fact("peak_activation_bytes"))); }},
    {"peak_at", schema::name, "of a network: the node at that peak",
     [](JsonOut& out, const NetworkTotals& n) { out.raw(compact(n.fact("peak_at"))); }},
    {"nodes", schema::number, "of a network: nodes of its main graph",
     [](JsonOut& out, const NetworkTotals& n) { out.raw(compact(n.fact("nodes"))); }},
    {"dimensions", R"("type":"array","items":{"type":"object"})",
     "of a network: the lengths that it leaves open, with what they are taken as",
     [](JsonOut& out, const NetworkTotals& n) { out.raw(compact(n.fact("dimensions"))); }},
    {"not_counted", R"("type":"array","items":{"type":"object"})",
     "of a network: types of nodes whose work is not known, their number, their share of all nodes, and why",
     [](JsonOut& out, const NetworkTotals& n) { out.raw(compact(n.fact("not_counted"))); }},
    {"folded", schema::flag, "of a network: element-wise operations are merged into the operation before them",
     [](JsonOut& out, const NetworkTotals& n) { out.raw(compact(n.fact("folded"))); }}};

}  // namespace roofline
