#include "on_demand.hpp"

#include "session/failed.hpp"

namespace roofline::on_demand {

std::string request, answer;

void answer_error(const Error& error) { answer = compact(Json{{"error", fault(error)}}); }

}  // namespace roofline::on_demand

using namespace roofline::on_demand;

/// Where the page writes `size` bytes, for the next call.
EXPORT("reserve") char* reserve(std::size_t size) {
  request.resize(size);
  return request.data();
}
EXPORT("answer") const char* answer_data() { return answer.data(); }
EXPORT("answer_size") std::size_t answer_size() { return answer.size(); }
