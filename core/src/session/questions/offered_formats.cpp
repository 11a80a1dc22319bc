#include "session/questions/offered_formats.hpp"

namespace roofline {

bool is_offered(const Plan& plan, FormatId format, bool activations) {
  const Format& of = Formats::catalogue()[format];
  const Scenario& scenario = plan.scenario();
  const Machine& machine = scenario.whatif_machine();
  const SourceFormat source = plan.workload().source_format;
  const bool npu = machine.tool_chain != ToolChain::none && scenario.basis != MachineBasis::assumed;
  const bool gguf = of.weights_only && !of.quantises();
  if (gguf && (source == SourceFormat::network || (npu && source != SourceFormat::model))) return false;
  return !npu || support(machine, format, activations) != FormatSupport::lacks;
}

}  // namespace roofline
