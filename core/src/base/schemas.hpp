// The schemas of the JSON documents. Each is defined next to the code that writes its document, and named in write/schema.cpp.
#pragma once

#include "base/members.hpp"

namespace roofline {

[[nodiscard]] ObjectSchema accuracy_schema();       ///< of accuracy_json()
[[nodiscard]] ObjectSchema format_plan_schema();    ///< of plan_json()
[[nodiscard]] ObjectSchema quantize_schema();       ///< of quantize_json()
[[nodiscard]] ObjectSchema serving_schema();        ///< of serving_json()
[[nodiscard]] ObjectSchema network_sweep_schema();  ///< of network_sweep_json()
[[nodiscard]] ObjectSchema comparison_schema();     ///< of comparison_json()
[[nodiscard]] ObjectSchema estimate_schema();       ///< of estimate_json()
[[nodiscard]] ObjectSchema sweep_schema();          ///< "roofline-sweep/1"
[[nodiscard]] Definitions sweep_definitions();
[[nodiscard]] ObjectSchema machines_schema();  ///< "roofline-machines/1"
[[nodiscard]] Definitions machines_definitions();
[[nodiscard]] ObjectSchema llm_sweep_schema();  ///< "roofline-llm-sweep/1"
[[nodiscard]] Definitions llm_sweep_definitions();

// "roofline-analysis/1", and the members of its summary that only some documents have.
[[nodiscard]] ObjectSchema analysis_schema();
[[nodiscard]] ObjectSchema findings_schema();
void add_llm_members(ObjectSchema& summary);           ///< of a language model
void add_offload_member(ObjectSchema& summary);        ///< "offload", of `roofline llm --host`
void add_modules_member(ObjectSchema& summary);        ///< "by_module"
void add_folding_member(ObjectSchema& summary);        ///< "folding"
void add_memory_advice_member(ObjectSchema& summary);  ///< "activation_memory"

// "roofline-fusion/1".
[[nodiscard]] ObjectSchema fusion_schema();
[[nodiscard]] ObjectSchema fusion_part_schema();
[[nodiscard]] ObjectSchema fusion_passed_schema();
[[nodiscard]] ObjectSchema fusion_resource_schema();

// "roofline-summary/1".
[[nodiscard]] ObjectSchema run_summary_schema();
[[nodiscard]] ObjectSchema run_summary_row_schema();
[[nodiscard]] ObjectSchema run_summary_channel_schema();

// "roofline-operations/1".
[[nodiscard]] ObjectSchema operation_rows_schema();
[[nodiscard]] ObjectSchema operation_rows_row_schema();

// The output of `list` and `show`. The schema of machine files is presets/machine.schema.json.
[[nodiscard]] ObjectSchema list_schema(std::string_view kind);  ///< of "machines", "models", "formats", "operators" or "stacks"
[[nodiscard]] ObjectSchema model_schema();
[[nodiscard]] ObjectSchema format_schema();
[[nodiscard]] ObjectSchema operator_schema();
[[nodiscard]] Definitions operator_definitions();
[[nodiscard]] ObjectSchema stack_schema();
[[nodiscard]] Definitions stack_definitions();

}  // namespace roofline
