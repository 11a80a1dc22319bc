#include "options/conditions.hpp"

namespace roofline::cli {

void add_fail_if_option(CLI::App& command, std::vector<std::string>& texts) {
  command
      .add_option(
          "--fail-if", texts,
          "End with 3 where this holds of the summary, such as 'efficiency < 0.5'; and with 1 where it is not known. May be given again")
      ->allow_extra_args(false)
      ->type_name("EXPRESSION");
}

Outcome<std::vector<Condition>> compile_conditions(const std::vector<std::string>& texts, Summarised what) {
  std::vector<Condition> conditions;
  for (const std::string& text : texts) {
    Result<Condition> condition = Condition::compile(text, what);
    if (!condition) return give_up("--fail-if " + text + ": " + condition.error().text(), wrong_command_line);
    conditions.push_back(std::move(*condition));
  }
  return conditions;
}

int judge(int printed, const std::vector<Condition>& conditions, const std::function<std::string()>& summary) {
  if (printed != done || conditions.empty()) return printed;
  const std::string of = summary();
  bool held = false, unknown = false;
  for (const Condition& condition : conditions) {
    const Result<Condition::Verdict> verdict = condition.test(of);
    if (!verdict) {
      unknown = true;
      report("roofline: --fail-if " + verdict.error().text(), unusable_input);
    } else if (verdict->holds) {
      held = true;
      report("roofline: " + verdict->sentence, condition_held);
    }
  }
  return held ? condition_held : unknown ? unusable_input : done;
}

}  // namespace roofline::cli
