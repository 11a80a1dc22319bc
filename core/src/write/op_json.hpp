// The pieces that several documents share: one operation, its formats, diagnostics.
#pragma once

#include <roofline/analysis/analysis.hpp>
#include <roofline/analysis/selection.hpp>
#include <roofline/frame/frame.hpp>
#include <roofline/write/write.hpp>

#include "base/members.hpp"

namespace roofline {

/// One element of "ops" in "roofline-analysis/1". `a`: plan.analyze(op); `first`: how many came before the workload's own.
void write_op(JsonOut& out, const Plan& plan, std::size_t op, const OpAnalysis& a, std::uint64_t first = 0);

/// The "typical" of one element of "ops".
void write_typical(JsonOut& out, const Plan& plan, const Typical& typical);

/// Writes "name", and "short_name" if it differs.
void write_names(JsonOut& out, const Workload& workload, std::size_t op);

/// One row of the page's table. `a`: plan.analyze(op); `ranks`: where a profile's operations stand.
void write_row(JsonOut& out, const Plan& plan, std::size_t op, const OpAnalysis& a, const ProfileRank* ranks = nullptr);

/// One element of "diagnostics"; those from `offset`, at most `limit`.
void write_diagnostic(JsonOut& out, const Diagnostic& diagnostic);
void write_diagnostics(JsonOut& out, const Workload& workload, std::size_t offset, std::size_t limit);

/// The formats of one operation: weight, activation, output, kv, compute.
void write_formats(JsonOut& out, const Plan& plan, std::size_t op, FormatId compute);

/// What the source says beside names and numbers of ours: {"Program ID": ...}, {"Model FLOP Rate": ...}.
[[nodiscard]] inline bool has_words(const Workload& w) { return !w.categories.empty() || !w.measures.empty(); }
void write_labels(JsonOut& out, const Workload& workload, std::size_t op);
void write_measures(JsonOut& out, const Workload& workload, std::size_t op);

/// The ops that `--top N` selects, in source order: those with the most lost (else predicted) time. All without a limit.
[[nodiscard]] std::vector<std::uint32_t> selected_ops(const OpSet& ops, const WriteOptions& options);
/// Those with the most lost (else predicted) time, the most first.
[[nodiscard]] std::vector<std::uint32_t> worst_ops(const OpSet& ops, std::size_t most);

/// The id of a format, the name of a resource; null where there is none.
void write_format(JsonOut& out, FormatId format);
void write_resource(JsonOut& out, const Plan& plan, std::uint8_t resource);

[[nodiscard]] ObjectSchema op_schema();
[[nodiscard]] ObjectSchema op_whatif_schema();
[[nodiscard]] ObjectSchema formats_schema();
[[nodiscard]] ObjectSchema typical_schema();
[[nodiscard]] ObjectSchema diagnostic_schema();

}  // namespace roofline
