// The pieces that several documents share: one operation, a summary, a machine, diagnostics.
#pragma once

#include <roofline/analysis/analysis.hpp>
#include <roofline/analysis/selection.hpp>
#include <roofline/frame/frame.hpp>
#include <roofline/write/write.hpp>

#include "base/json_out.hpp"

namespace roofline {

/// One element of "ops" in "roofline-analysis/1". `a`: plan.analyze(op).
void write_op(JsonOut& out, const Plan& plan, std::size_t op, const OpAnalysis& a);

/// The "typical" of one element of "ops".
void write_typical(JsonOut& out, const Plan& plan, const Typical& typical);

/// The "summary" of "roofline-analysis/1".
/// `further`: more members, names with JSON text.
void write_summary(JsonOut& out, const Plan& plan, const Summary& summary,
                   const std::vector<std::pair<std::string, std::string>>& further = {});

/// One row of the page's table. `a`: plan.analyze(op); `ranks`: where a profile's operations stand.
void write_row(JsonOut& out, const Plan& plan, std::size_t op, const OpAnalysis& a, const ProfileRank* ranks = nullptr);

/// The elements of "diagnostics", from `offset`, at most `limit`.
void write_diagnostics(JsonOut& out, const Workload& workload, std::size_t offset, std::size_t limit);

/// The formats of one operation: weight, activation, output, kv, compute.
void write_formats(JsonOut& out, const Plan& plan, std::size_t op, FormatId compute);

/// The ops that `--top N` selects, in source order: those with the most lost (else predicted) time. All without a limit.
[[nodiscard]] std::vector<std::uint32_t> selected_ops(const OpSet& ops, const WriteOptions& options);

/// The id of a format; null where there is none.
void write_format(JsonOut& out, FormatId format);

}  // namespace roofline
