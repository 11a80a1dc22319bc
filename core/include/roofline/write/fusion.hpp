// Neighbouring operations as one kernel, as JSON ("roofline-fusion/1") or a text table.
#pragma once

#include <roofline/analysis/fusion.hpp>
#include <roofline/base/sink.hpp>

namespace roofline {

void write_fusion_json(const Plan& plan, const Fusion& fusion, const Sink& sink);
void write_fusion_table(const Plan& plan, const Fusion& fusion, const Sink& sink);

}  // namespace roofline
