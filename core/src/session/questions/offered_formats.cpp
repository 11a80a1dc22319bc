// "unsupported_formats": those that the machine of the what-if, else of the scenario, neither computes nor dequantises: {} -> {"weights":
// [ids], "activations": [ids]}
#include "session/questions/offered_formats.hpp"

#include "base/json_out.hpp"
#include "session/questions/questions.hpp"

namespace roofline {

bool is_offered(const Plan& plan, FormatId format) {
  const Format& of = Formats::catalogue()[format];
  const Scenario& scenario = plan.scenario();
  const SourceFormat source = plan.workload().source_format;
  const bool npu = scenario.whatif_machine().tool_chain != ToolChain::none && scenario.basis != MachineBasis::assumed;
  const bool gguf = of.weights_only && !of.quantises();
  return !gguf || source == SourceFormat::model || !(npu || source == SourceFormat::network);
}

void say_left_out(Finding& finding, const Scenario& scenario) {
  WhatIf others = scenario.whatif;
  others.weight = others.activation = others.output = others.kv = std::nullopt;
  if (others.active() && !finding.parts.empty()) finding.say(" The what-if's other changes are ignored.");
}

Result<Answer> ask_unsupported_formats(const QuestionContext& of, const Json& /*request*/) {
  const Machine& machine = of.plan().scenario().whatif_machine();
  const auto write = [&](JsonOut& out, const char* operands, bool activations) {
    out.array(operands, [&] {
      for (std::size_t f = 0; f < Formats::catalogue().size(); ++f)
        if (support(machine, static_cast<FormatId>(f), activations) == FormatSupport::lacks) out.value(Formats::catalogue().all()[f].id);
    });
  };
  return Answer{json_text([&](JsonOut& out) {
                  out.object([&] {
                    write(out, "weights", false);
                    write(out, "activations", true);
                  });
                }),
                {}};
}

}  // namespace roofline
