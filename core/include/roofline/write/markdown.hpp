// Markdown for pull requests and chats: the verdict, the lever, the numbers and the evidence, short enough for a comment. What comes from
// a file is escaped: it can neither break the table nor mention, link or mark up anything.
#pragma once

#include <roofline/llm/answer.hpp>
#include <roofline/write/compare.hpp>
#include <roofline/write/write.hpp>

namespace roofline {

/// The finding, what would help the worst operation, the totals, and the operations that lose most: five, or options.top.
void write_markdown(const OpSet& ops, const WriteOptions& options, const Sink& sink);

/// One operator in several formats; `baseline`: the row that speed-ups refer to.
void write_formats_markdown(const Plan& plan, std::uint32_t baseline, const Sink& sink);

/// A language model: its answer, what would help, and the operators that take most. `plan`: of its operators.
void write_llm_markdown(const Plan& plan, const LlmAnswer& answer, const WriteOptions& options, const Sink& sink);

/// What changed: the sentence, and the operations beyond 2% or the spread of repeated runs; ten, or options.top.
void write_compare_markdown(const Plan& a, const Plan& b, const Comparison& comparison, const CompareOptions& options, const Sink& sink);

/// Any text as Markdown that shows it as it is, on one line.
[[nodiscard]] std::string markdown(std::string_view text);

}  // namespace roofline
