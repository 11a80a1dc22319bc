// A comparison of two runs as JSON ("roofline-compare/1"), CSV or a text table.
#pragma once

#include <roofline/analysis/compare.hpp>
#include <roofline/write/write.hpp>

namespace roofline {

void write_compare_json(const Plan& a, const Plan& b, const Comparison& comparison, const WriteOptions& options, const Sink& sink);
void write_compare_csv(const Plan& a, const Plan& b, const Comparison& comparison, const WriteOptions& options, const Sink& sink);
void write_compare_table(const Plan& a, const Plan& b, const Comparison& comparison, const WriteOptions& options, const Sink& sink);

}  // namespace roofline
