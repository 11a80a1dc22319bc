#include "session/taken_as.hpp"

#include "base/json.hpp"

namespace roofline {

Result<TakenAs> parse_taken_as(std::string_view json) {
  const auto choices = parse_json(json, "what a file is taken for, such as {\"alone\": true}");
  if (!choices) return Unexpected(choices.error());
  TakenAs as;
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
