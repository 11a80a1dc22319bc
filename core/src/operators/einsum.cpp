#include <array>
#include <cctype>

#include "operators/derivation.hpp"
#include "operators/families.hpp"

namespace roofline {
namespace {

/// The lengths of the letters, 0 where a letter does not occur.
using Lengths = std::array<double, 52>;

std::size_t index_of(char letter) {
  return static_cast<std::size_t>(std::islower(static_cast<unsigned char>(letter)) != 0 ? letter - 'a' : letter - 'A' + 26);
}

struct Equation {
  std::string first, second, result;
};

constexpr const char* expected = "expected two operands such as bij,bjk->bik, letters alone";

bool letters_once(std::string_view term) {
  for (std::size_t i = 0; i < term.size(); ++i)
    if (std::isalpha(static_cast<unsigned char>(term[i])) == 0 || term.find(term[i], i + 1) != std::string_view::npos) return false;
  return true;
}

/// Without an arrow the result has the letters that occur once.
Equation read_equation(Derivation& d) {
  const std::string_view written = d.word(key::equation);
  if (d.failed()) return {};
  if (written.empty()) {
    d.missing(key::equation, expected);
    return {};
  }
  std::string text;
  for (const char c : written)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) text += c;
  const std::size_t comma = text.find(','), arrow = text.find("->");
  Equation e;
  if (comma != std::string::npos && (arrow == std::string::npos || comma < arrow)) {
    e.first = text.substr(0, comma);
    e.second = text.substr(comma + 1, arrow == std::string::npos ? arrow : arrow - comma - 1);
    if (arrow != std::string::npos)
      e.result = text.substr(arrow + 2);
    else
      for (const char c : e.first + e.second)
        if (e.first.find(c) == std::string::npos || e.second.find(c) == std::string::npos) e.result += c;
  }
  bool fits = !e.first.empty() && !e.second.empty() && letters_once(e.first) && letters_once(e.second) && letters_once(e.result);
  for (const char c : e.result) fits = fits && (e.first + e.second).find(c) != std::string::npos;
  if (!fits) d.fail(key::equation, "is \"" + std::string(written) + "\": " + expected);
  return e;
}

void take_lengths(Derivation& d, const std::string& term, Shape shape, Lengths& lengths) {
  if (d.failed()) return;
  if (shape.size() != term.size())
    d.fail(key::inputs, shown(shape) + " has " + std::to_string(shape.size()) + " dimensions: expected " + std::to_string(term.size()) +
                            ", as " + term + " has");
  for (std::size_t i = 0; i < term.size() && !d.failed(); ++i) {
    double& length = lengths[index_of(term[i])];
    if (length != 0 && length != shape[i])
      d.fail(key::inputs, "have lengths of " + plain(length) + " and " + plain(shape[i]) + " for " + term[i] + ": expected the same");
    length = shape[i];
  }
}

double elements(const std::string& term, const Lengths& lengths) {
  double product = 1;
  for (const char c : term) product *= lengths[index_of(c)];
  return product;
}

using Formulas =
    WorkFormulas<"L c w E1 E2 E", FormulaOf<&Work::matrix_flops, "2 * c * L">, FormulaOf<&Work::vector_flops, "(1 - c) * L">,
                 FormulaOf<&Work::weight, "w * E2">, FormulaOf<&Work::activation, "E1 + (1 - w) * E2">, FormulaOf<&Work::output, "E">>;

Result<Work> derive(const Record& record, Trace* trace) {
  Derivation d(record, trace);
  const Equation e = read_equation(d);
  const std::size_t count = d.failed() ? 0 : d.inputs();
  if (!d.failed() && count != 2) d.fail(key::inputs, "has " + plain(static_cast<double>(count)) + " shapes: expected 2");
  if (d.failed()) return d.fault();
  Lengths lengths{};
  take_lengths(d, e.first, record.shape(key::inputs, 0), lengths);
  take_lengths(d, e.second, record.shape(key::inputs, 1), lengths);
  if (d.failed()) return d.fault();

  const auto has = [](const std::string& term, char letter) { return term.find(letter) != std::string::npos; };
  OpSizes sizes{1, 1, 1, 1};
  bool contracted = false, product = true;  // of one operand alone, a product has no letter summed over
  double points = elements(e.first, lengths);
  for (const char c : e.first) {
    const bool common = has(e.second, c), stays = has(e.result, c);
    (!common ? sizes.m : stays ? sizes.batch : sizes.k) *= lengths[index_of(c)];
    contracted = contracted || !stays;
    product = product && (common || stays);
  }
  for (const char c : e.second) {
    if (has(e.first, c)) continue;
    const bool stays = has(e.result, c);
    sizes.n *= lengths[index_of(c)];
    points *= lengths[index_of(c)];
    contracted = contracted || !stays;
    product = product && stays;
  }
  const double first = elements(e.first, lengths), second = elements(e.second, lengths), result = elements(e.result, lengths);
  const bool weight = contracted && sizes.batch == 1;

  return d.finish<Formulas>({points, contracted ? 1.0 : 0.0, weight ? 1.0 : 0.0, first, second, result}, key::inputs,
                            contracted && product ? sizes : OpSizes());
}

constexpr Parameter parameters[] = {
    {"equation", "bij,bjk->bik and the like; without an arrow, the letters that occur once", ""},
    {"inputs", "the shapes of both operands", ""},
};

constexpr std::string_view names[] = {"einsumv2", "xlaeinsum"};

constexpr Operator list[] = {
    {"einsum", "Einstein sum", OpFamily::matrix_product, Symbol::circle, names, parameters, Formulas::formulas,
     "L is the product of the lengths of all letters: one multiply-add each where a letter is summed over (c = 1), one multiplication "
     "where "
     "none is. The second operand is a weight (w = 1) where no letter runs along both operands and the result, as a batch does.",
     derive},
};

}  // namespace

std::span<const Operator> families::einsum() { return list; }

}  // namespace roofline
