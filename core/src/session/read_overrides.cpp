#include "session/read_overrides.hpp"

#include "base/json.hpp"

namespace roofline {

Result<ReadOverrides> parse_read_overrides(std::string_view json) {
  const auto choices = parse_json(json, "what a file is taken for, such as {\"alone\": true}");
  if (!choices) return Unexpected(choices.error());
  ReadOverrides as;
  as.alone = member(*choices, "alone") == true;
  for (const auto& [header, as_header] : member(*choices, "columns").items()) as.columns.emplace_back(header, text_of(as_header));
  if (const Json& request = member(*choices, "model"); !request.is_null()) {
    auto model = parse_served_model(dump(request));
    if (!model) return Unexpected(model.error());
    as.model = std::move(*model);
  }
  return as;
}

}  // namespace roofline
