#include <roofline/workload/symbol.hpp>

namespace roofline {

const char* to_string(Symbol symbol) {
  switch (symbol) {
    case Symbol::square:
      return "square";
    case Symbol::circle:
      return "circle";
    case Symbol::triangle:
      return "triangle";
    case Symbol::diamond:
      return "diamond";
    case Symbol::star:
      return "star";
    case Symbol::cross:
      return "cross";
    case Symbol::x:
      return "x";
  }
  return "star";
}

}  // namespace roofline
