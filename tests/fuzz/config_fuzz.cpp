// Any text as a roofline_config.json, as a machine file and as one --set: refused whole, or taken and written so that it reads back.
#include <roofline/scenario/scenario.hpp>
#include <string>

#include "check.hpp"

using namespace roofline;

namespace {

void check_scenario(const Scenario& scenario, const std::string& before, const Result<void>& applied) {
  const std::string after = config_json(scenario);
  if (!applied) {
    check(!applied.error().message.empty() && after == before);  // nothing has changed
    return;
  }
  Scenario again = Scenario::standard();
  const auto ok = apply_config(again, after);
  check(ok.has_value());
  check(again.typed.matrix_peaks == scenario.typed.matrix_peaks && again.typed.vector_peaks == scenario.typed.vector_peaks &&
        again.whatif.weight == scenario.whatif.weight && again.machine.memories.size() == scenario.machine.memories.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const Scenario standard = Scenario::standard();
  static const std::string before = config_json(standard);

  Scenario scenario = standard;
  const auto applied = apply_config(scenario, text);
  check_scenario(scenario, before, applied);

  if (const std::size_t equals = text.find('='); equals != std::string_view::npos) {
    scenario = standard;
    const auto set_one = set(scenario, text.substr(0, equals), text.substr(equals + 1));
    check_scenario(scenario, before, set_one);
  }

  if (const auto machine = parse_machine(text)) {
    const std::string written = machine_json(*machine, true);
    const auto again = parse_machine(written);
    check(again.has_value() && machine_json(*again, true) == written);
  } else {
    check(!machine.error().message.empty());
  }
  return 0;
}
