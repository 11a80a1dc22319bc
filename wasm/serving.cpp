// build/wasm/serving.wasm: a deployment under load and the serving frontier, fetched with the first view of it.
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "on_demand.hpp"
#include "session/questions/serving/serving_answers.hpp"

using namespace roofline::on_demand;

namespace {
std::vector<float> columns;
}

/// Where the columns of the last answer are, one after the other.
EXPORT("columns") const float* columns_data() { return columns.data(); }

/// Reserved are a question, settings and a request. The answer is [the question's answer, [[name of a column, its length], ...]].
EXPORT("ask") void ask(std::size_t question_size, std::size_t settings_size) {
  const std::string_view text = request;
  const roofline::Answer found = roofline::answer_serving(text.substr(0, question_size), text.substr(question_size, settings_size),
                                                          text.substr(question_size + settings_size));
  columns.clear();
  roofline::Json names = roofline::Json::array();
  for (const auto& [name, values] : found.columns) {
    names.push_back({name, values.size()});
    columns.insert(columns.end(), values.begin(), values.end());
  }
  answer = '[' + found.json + ',' + roofline::dump(names) + ']';
}
