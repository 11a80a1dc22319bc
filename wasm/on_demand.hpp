// What modules have in common that the page fetches on demand: one request and one answer at a time, as bytes in the module's memory. They
// have no glue: web/src/worker/on_demand.ts calls them.
#pragma once

#include <roofline/base/result.hpp>
#include <string>

#define EXPORT(name) extern "C" __attribute__((export_name(name)))

namespace roofline::on_demand {

extern std::string request;  ///< what the page wrote after reserve()
extern std::string answer;

/// {"error": {message, line, column, path}}
void answer_error(const Error& error);

}  // namespace roofline::on_demand
