#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <new>
#include <random>
#include <roofline/registry/expression.hpp>

#include "catch.hpp"

using namespace roofline;

// Counts every allocation of this test program.
static std::size_t allocations = 0;
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size ? size : 1);
}
void* operator new(std::size_t size) {
  void* memory = operator new(size, std::nothrow);
  if (!memory) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

/// A record with one field of every kind, and the variables dt_size = 2, n = 7, n = 3 (the later one counts), lost = NaN.
struct Fixture {
  Keys keys;
  Variables variables{{"dt_size", "n", "n", "lost"}};
  std::vector<double> values{2, 7, 3, std::nan("")};
  Record record;

  Fixture() {
    const Key mixed = keys.add("mixed"), object = keys.add("object"), empty = keys.add("empty"), huge = keys.add("huge"),
              infinite = keys.add("infinite"), infinite_list = keys.add("infinite_list"), nothing = keys.add("nothing");
    record.grow(keys.size());
    record.set_list(key::input_mat1, std::vector<double>{8, 512, 64});
    record.set_list(key::input_mat2, std::vector<double>{64, 256});
    record.set_number(key::output_channels, 128);
    record.set_boolean(key::transposed, true);
    record.set_string(key::padding, "SAME");
    record.set_number(key::n, 99);  // hidden by the variable
    record.begin_list(key::inputs);
    for (const double rows : {1, 2, 3}) {
      record.begin_inner_list();
      record.add_number(rows);
      record.add_number(10);
      record.end_inner_list();
    }
    record.end_list();
    record.begin_list(mixed);
    record.add_number(1);
    record.add_not_a_number();
    record.end_list();
    record.set_other(object);
    record.set_list(empty, {});
    record.set_list(huge, std::vector<double>{1e200, 1e200});
    record.set_number(infinite, HUGE_VAL);
    record.set_list(infinite_list, std::vector<double>{HUGE_VAL});
    record.set_null(nothing);
  }

  Result<double> run(std::string_view text) {
    const Result<Expression> expression = Expression::compile(text, keys, variables);
    if (!expression) return Unexpected(expression.error());
    return expression->evaluate(record, values);
  }
};

double value(std::string_view text) {
  const Result<double> result = Fixture().run(text);
  INFO(text << ": " << (result ? "" : result.error().text()));
  REQUIRE(result.has_value());
  return *result;
}

std::string error(std::string_view text) {
  const Result<double> result = Fixture().run(text);
  INFO(text << " = " << (result ? *result : 0));
  REQUIRE_FALSE(result.has_value());
  return "column " + std::to_string(result.error().column) + ": " + result.error().message;
}

std::string repeated(std::string_view piece, std::size_t times) {
  std::string out;
  while (times-- > 0) out += piece;
  return out;
}

}  // namespace

TEST_CASE("an expression computes with numbers") {
  CHECK(value("42") == 42);
  CHECK(value("0.125") == 0.125);
  CHECK(value("1.5e3") == 1500);
  CHECK(value("2E-1") == 0.2);
  CHECK(value("1e+20") == 1e20);
  CHECK(value(" 1\t+\n2\r") == 3);
  CHECK(value("7 + 2") == 9);
  CHECK(value("7 - 2") == 5);
  CHECK(value("7 * 2") == 14);
  CHECK(value("7 / 2") == 3.5);
  CHECK(value("7 // 2") == 3);
  CHECK(value("-7 // 2") == -4);
  CHECK(value("7 % 3") == 1);
  CHECK(value("-7 % 3") == 2);
  CHECK(value("7% -3") == -2);
  CHECK(value("6% -3") == 0);
  CHECK(value("2 ^ 10") == 1024);
  CHECK(value("-5") == -5);
  CHECK(value("--5") == 5);
}

TEST_CASE("an expression compares and decides") {
  CHECK(value("1 < 2") == 1);
  CHECK(value("2 < 2") == 0);
  CHECK(value("2 <= 2") == 1);
  CHECK(value("3 <= 2") == 0);
  CHECK(value("3 > 2") == 1);
  CHECK(value("2 > 2") == 0);
  CHECK(value("2 >= 2") == 1);
  CHECK(value("1 >= 2") == 0);
  CHECK(value("2 == 2") == 1);
  CHECK(value("2 == 3") == 0);
  CHECK(value("2 != 3") == 1);
  CHECK(value("2 != 2") == 0);
  CHECK(value("!0") == 1);
  CHECK(value("!5") == 0);
  CHECK(value("2 && 3") == 1);
  CHECK(value("2 && 0") == 0);
  CHECK(value("0 && 2") == 0);
  CHECK(value("0 || 3") == 1);
  CHECK(value("4 || 0") == 1);
  CHECK(value("0 || 0") == 0);
  CHECK(value("1 ? 10 : 20") == 10);
  CHECK(value("0 ? 10 : 20") == 20);
}

TEST_CASE("operators bind as in C, the power tighter than a sign") {
  CHECK(value("2 + 3 * 4") == 14);
  CHECK(value("(2 + 3) * 4") == 20);
  CHECK(value("20 - 5 - 3") == 12);
  CHECK(value("100 / 10 / 5") == 2);
  CHECK(value("100 / (10 / 5)") == 50);
  CHECK(value("7 // 2 * 2 + 7 % 2") == 7);
  CHECK(value("-2 ^ 2") == -4);
  CHECK(value("(-2) ^ 2") == 4);
  CHECK(value("2 ^ 3 ^ 2") == 512);
  CHECK(value("2 ^ -1") == 0.5);
  CHECK(value("2 * 3 ^ 2") == 18);
  CHECK(value("-n * 2") == -6);
  CHECK(value("!1 == 0") == 1);
  CHECK(value("1 + 1 == 2") == 1);
  CHECK(value("1 < 2 == 2 > 1") == 1);
  CHECK(value("1 || 0 && 0") == 1);
  CHECK(value("(1 || 0) && 0") == 0);
  CHECK(value("0 == 1 || 1") == 1);
  CHECK(value("0 ? 1 : 0 ? 2 : 3") == 3);
  CHECK(value("1 ? 0 ? 1 : 2 : 3") == 2);
  CHECK(value("1 + 1 ? 5 : 6") == 5);
}

TEST_CASE("an expression reads the record and the variables") {
  CHECK(value("output_channels") == 128);
  CHECK(value("transposed") == 1);
  CHECK(value("dt_size") == 2);
  CHECK(value("n") == 3);
  CHECK(value("input_mat1[0]") == 8);
  CHECK(value("input_mat1[2]") == 64);
  CHECK(value("input_mat1[-1]") == 64);
  CHECK(value("input_mat1[-3]") == 8);
  CHECK(value("input_mat1[1 + 1]") == 64);
  CHECK(value("input_mat1[transposed ? 1 : 0]") == 512);
  CHECK(value("sum(input_mat1[1:])") == 576);
  CHECK(value("sum(input_mat1[:-2])") == 8);
  CHECK(value("sum(input_mat1[0:2])") == 520);
  CHECK(value("sum(input_mat1[:])") == 584);
  CHECK(value("sum(input_mat1[-2:-1])") == 512);
  CHECK(value("input_mat1[1:][0]") == 512);
  CHECK(value("len(input_mat1[-9:9])") == 3);
  CHECK(value("len(input_mat1[2:1])") == 0);
  CHECK(value("len(input_mat1[7:])") == 0);
  CHECK(value("prod(input_mat2[:-2])") == 1);
  CHECK(value("prod(transposed ? input_mat1 : input_mat2)") == 8 * 512 * 64);
  CHECK(value("(output_channels ? input_mat2 : input_mat1)[0]") == 64);
  CHECK(value("len(inputs)") == 3);
  CHECK(value("inputs[-1][0]") == 3);
  CHECK(value("prod(inputs[1])") == 20);
  CHECK(value("padding == 'SAME'") == 1);
  CHECK(value("padding == \"same\"") == 1);
  CHECK(value("padding == 'VALID'") == 0);
  CHECK(value("padding == 'SAME '") == 0);
  CHECK(value("padding != 'VALID'") == 1);
  CHECK(value("padding == 1") == 0);
  CHECK(value("output_channels == 'same'") == 0);
  CHECK(value("has(padding)") == 1);
  CHECK(value("has(input_self)") == 0);
  CHECK(value("has(nothing)") == 0);
  CHECK(value("has(never_heard_of) ? never_heard_of : 5") == 5);
}

TEST_CASE("an alias is the field it stands for") {
  CHECK(value("mat1[-1]") == 64);
  CHECK(value("out_channels") == 128);
}

TEST_CASE("the functions") {
  CHECK(value("prod(input_mat2)") == 64 * 256);
  CHECK(value("prod(empty)") == 1);
  CHECK(value("sum(input_mat2)") == 320);
  CHECK(value("sum(empty)") == 0);
  CHECK(value("len(input_mat2)") == 2);
  CHECK(value("len(empty)") == 0);
  CHECK(value("min(input_mat1)") == 8);
  CHECK(value("max(input_mat1)") == 512);
  CHECK(value("min(3, 2)") == 2);
  CHECK(value("min(3, 2, 1, 4)") == 1);
  CHECK(value("max(3, 2)") == 3);
  CHECK(value("max(1, n, output_channels, 4)") == 128);
  CHECK(value("ceil(1.25)") == 2);
  CHECK(value("ceil(-1.25)") == -1);
  CHECK(value("floor(1.75)") == 1);
  CHECK(value("floor(-1.75)") == -2);
  CHECK(value("abs(-3)") == 3);
  CHECK(value("abs(3)") == 3);
  CHECK(value("ceil(output_channels / 3) * max(1, len(input_mat1) - 1)") == 86);
}

TEST_CASE("&&, || and ?: run only what they need") {
  CHECK(value("0 && absent") == 0);
  CHECK(value("1 || absent") == 1);
  CHECK(value("1 ? 2 : absent") == 2);
  CHECK(value("0 ? absent : 2") == 2);
  CHECK(value("0 && 1 / 0 || 3") == 1);
  CHECK(error("1 && absent") == "column 6: absent is not in the record");
  CHECK(error("0 || absent") == "column 6: absent is not in the record");
  CHECK(error("0 ? 2 : absent") == "column 9: absent is not in the record");
}

TEST_CASE("what is wrong with the text of an expression, and where") {
  CHECK(error("") == "column 1: expected an operand, found the end");
  CHECK(error("1 + ") == "column 5: expected an operand, found the end");
  CHECK(error("prod(n * )") == "column 10: expected an operand, found ')'");
  CHECK(error("1 2") == "column 3: expected an operator, found '2'");
  CHECK(error("1)") == "column 2: expected an operator, found ')'");
  CHECK(error("(1") == "column 3: expected ')', found the end");
  CHECK(error("input_mat1[0") == "column 13: expected ']', found the end");
  CHECK(error("input_mat1[0:1:2]") == "column 15: expected ']', found ':'");
  CHECK(error("input_mat1[]") == "column 12: expected an operand, found ']'");
  CHECK(error("1 ? 2") == "column 6: expected ':', found the end");
  CHECK(error("1 = 2") == "column 3: unexpected character '='");
  CHECK(error(".5") == "column 1: unexpected character '.'");
  CHECK(error("1 & 2") == "column 3: unexpected character '&'");
  CHECK(error("2 * µ") == "column 5: unexpected character 'µ'");
  CHECK(error("padding == 'é' $") == "column 16: unexpected character '$'");
  CHECK(error("padding == 'SAME") == "column 12: the string has no closing quote");
  CHECK(error("1e999") == "column 1: 1e999 is too large");
  CHECK(error("2 * prd(input_mat1)") == "column 5: unknown function 'prd', expected one of prod sum len min max ceil floor abs has");
  CHECK(error("-(2)(3)") == "column 5: expected an operator, found '('");
  CHECK(error("prod()") == "column 6: expected an operand, found ')'");
  CHECK(error("prod(input_mat1, 2)") == "column 16: prod takes one argument");
  CHECK(error("ceil(1, 2)") == "column 7: ceil takes one argument");
  CHECK(error("has(padding, padding)") == "column 12: has takes one argument");
  CHECK(error("has(3)") == "column 5: expected a field's name, found '3'");
  CHECK(error("has(n)") == "column 5: expected a field's name, n is a variable");
  CHECK(error("1 < 2 < 3") == "column 7: comparisons do not chain, join them by &&");
  CHECK(error("1 == 1 != 3") == "column 8: comparisons do not chain, join them by &&");
  CHECK(error("'a'") == "column 1: expected a number, 'a' is a string");
  CHECK(error("1 + 'a'") == "column 5: expected a number, 'a' is a string");
  CHECK(error("prod(3)") == "column 6: expected a list, 3 is a number");
  CHECK(error("min(3)") == "column 5: expected a list, 3 is a number");
  CHECK(error("n[0]") == "column 1: expected a list, n is a number");
  CHECK(error("prod(input_mat1)[0]") == "column 1: expected a list, prod(input_mat1) is a number");
  CHECK(error("2 * input_mat1[1:]") == "column 5: expected a number, input_mat1[1:] is a list");
  CHECK(error("input_mat1[1:]") == "column 1: expected a number, input_mat1[1:] is a list");
  CHECK(error("input_mat1[:] == 1") == "column 15: lists cannot be compared");
}

TEST_CASE("what is wrong with a record, and where") {
  CHECK(error("2 * absent") == "column 5: absent is not in the record");
  CHECK(error("nothing") == "column 1: nothing is not known");
  CHECK(error("2 * lost") == "column 5: lost is not known");
  CHECK(error("infinite") == "column 1: infinite is not a finite number");
  CHECK(error("infinite_list[0]") == "column 1: infinite_list[0] is not a finite number");
  CHECK(error("object") == "column 1: object is neither a number, a string nor a list");
  CHECK(error("1 + sum(mixed)") == "column 9: mixed has an element that is not a number");
  CHECK(error("n * input_mat1") == "column 5: expected a number, input_mat1 is a list");
  CHECK(error("input_mat1") == "column 1: expected a number, input_mat1 is a list");
  CHECK(error("-padding") == "column 2: expected a number, padding is a string");
  CHECK(error("1 ? input_mat1 : 2") == "column 1: expected a number, 1 ? input_mat1 : 2 is a list");
  CHECK(error("prod(output_channels)") == "column 6: expected a list, output_channels is a number");
  CHECK(error("prod(inputs)") == "column 6: expected a list, inputs is a list of lists");
  CHECK(error("len(padding)") == "column 5: expected a list, padding is a string");
  CHECK(error("2 + padding[0]") == "column 5: expected a list, padding is a string");
  CHECK(error("sum(inputs[1:])") == "column 5: expected a list, inputs is a list of lists");
  CHECK(error("inputs[0]") == "column 1: expected a number, inputs[0] is a list");
  CHECK(error("input_mat1 == 3") == "column 12: lists cannot be compared");
  CHECK(error("input_mat2[2]") == "column 1: input_mat2[2] is out of range: the list has 2 elements");
  CHECK(error("n * input_mat2[-3]") == "column 5: input_mat2[-3] is out of range: the list has 2 elements");
  CHECK(error("input_mat1[:-2][n]") == "column 1: input_mat1[:-2][3] is out of range: the list has 1 element");
  CHECK(error("empty[0]") == "column 1: empty[0] is out of range: the list has 0 elements");
  CHECK(error("inputs[3][0]") == "column 1: inputs[3] is out of range: the list has 3 elements");
  CHECK(error("input_mat2[0.5]") == "column 1: input_mat2[0.5]: an index is a whole number");
  CHECK(error("input_mat2[1e300]") == "column 1: input_mat2[1e+300] is out of range: the list has 2 elements");
  CHECK(error("sum(input_mat2[0.5:])") == "column 5: the bounds of a slice are whole numbers");
  CHECK(error("sum(input_mat2[:1.5])") == "column 5: the bounds of a slice are whole numbers");
  CHECK(error("max(empty)") == "column 5: empty is empty");
  CHECK(error("min(1, padding)") == "column 8: expected a number, padding is a string");
  CHECK(error("1 / (n - 3)") == "column 3: division by zero");
  CHECK(error("1 // 0") == "column 3: division by zero");
  CHECK(error("1 % 0") == "column 3: division by zero");
  CHECK(error("1e200 * 1e200") == "column 7: the result of * is not a finite number");
  CHECK(error("(-8) ^ 0.5") == "column 6: the result of ^ is not a finite number");
  CHECK(error("prod(huge)") == "column 6: the result of prod is not a finite number");
}

TEST_CASE("an error names the field at fault") {
  const auto path = [](std::string_view text) { return Fixture().run(text).error().path; };
  CHECK(path("2 * absent") == "absent");
  CHECK(path("input_mat1[1:][7]") == "input_mat1");
  CHECK(path("prod(padding)") == "padding");
  CHECK(path("1 / 0") == "");
  CHECK(path("1 ? input_mat1 : 2") == "");
}

TEST_CASE("a field beyond what the record was made for is absent") {
  Keys keys;
  const Record record;
  const Result<Expression> field = Expression::compile("brand_new", keys, {});
  REQUIRE(field.has_value());
  const Result<double> result = field->evaluate(record, {});
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().message == "brand_new is not in the record");
  const Result<Expression> asked = Expression::compile("has(brand_new)", keys, {});
  REQUIRE(asked.has_value());
  CHECK(*asked->evaluate(record, {}) == 0);
}

TEST_CASE("an expression has limits") {
  const std::size_t deepest = Expression::max_nesting - 1;  // the outermost level is one
  CHECK(value(repeated("(", deepest) + "1" + repeated(")", deepest)) == 1);
  CHECK(error(repeated("(", 200) + "1" + repeated(")", 200)) == "column 101: more than 100 levels within each other");
  CHECK(error(repeated("-", 1000) + "1") == "column 101: more than 100 levels within each other");
  CHECK(error(repeated("!", 1000) + "1") == "column 101: more than 100 levels within each other");
  CHECK(error(repeated("1?1:", 1000) + "1") == "column 399: more than 100 levels within each other");
  CHECK(error(repeated("abs(", 200)) == "column 401: more than 100 levels within each other");

  CHECK(value(repeated("1+", 2000) + "1") == 2001);  // long is not deep
  CHECK(value(repeated("1+(", 63) + "1" + repeated(")", 63)) == 64);
  CHECK(error(repeated("1+(", 64) + "1" + repeated(")", 64)) == "column 193: the expression holds more than 64 values at once");
  CHECK(error(repeated("2^", 200) + "1") == "column 129: the expression holds more than 64 values at once");
  CHECK(error(repeated("input_mat1[", 200)) == "column 705: the expression holds more than 64 values at once");

  CHECK(value(std::string(Expression::max_text - 1, ' ') + "1") == 1);
  CHECK(error(std::string(Expression::max_text, ' ') + "1") == "column 4097: the expression is longer than 4096 bytes");

  Keys keys;
  for (int i = 0; keys.size() < Keys::npos; ++i) keys.add("field" + std::to_string(i));
  CHECK(Expression::compile("field7 + input_mat1", keys, {}).has_value());
  const Result<Expression> one_more = Expression::compile("1 + one_more", keys, {});
  REQUIRE_FALSE(one_more.has_value());
  CHECK(one_more.error().text() == "column 5: too many different field names");
}

TEST_CASE("evaluating allocates nothing") {
  Fixture f;
  const Result<Expression> expression = Expression::compile(
      "has(padding) && padding == 'same' ? prod(input_mat1[:-1]) * max(dt_size, n, inputs[1][0]) + ceil(sum(input_mat2) / 3) ^ 2 : 0",
      f.keys, f.variables);
  REQUIRE(expression.has_value());
  const std::size_t before = allocations;
  const Result<double> result = expression->evaluate(f.record, f.values);
  const std::size_t after = allocations;
  REQUIRE(result.has_value());
  CHECK(*result == 8 * 512 * 3 + 107.0 * 107.0);
  CHECK(before > 0);
  CHECK(after == before);
}

// Random expressions over small integers, computed twice: by the text and, while it is written, by C++.
TEST_CASE("an expression agrees with C++") {
  Fixture f;
  std::mt19937 random(20240229);
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  struct Sample {
    std::string text;
    double value;
  };
  const std::function<Sample(int)> sample = [&](int depth) -> Sample {
    if (depth == 0) {
      const int leaf = pick(4), number = pick(10);
      if (leaf == 0) return {"n", 3};
      if (leaf == 1) return {"input_mat2[-1]", 256};
      if (leaf == 2) return {"len(input_mat1)", 3};
      return {std::to_string(number), static_cast<double>(number)};
    }
    const Sample a = sample(depth - 1), b = sample(depth - 1), c = sample(depth - 1);
    const double x = a.value, y = b.value;
    const auto infix = [&](const char* symbol, double result) { return Sample{"(" + a.text + symbol + b.text + ")", result}; };
    switch (pick(13)) {
      case 0:
        return infix(" + ", x + y);
      case 1:
        return infix(" - ", x - y);
      case 2:
        return infix(" * ", x * y);
      case 3:
        return y == 0 ? infix(" + ", x + y) : infix(" / ", x / y);
      case 4:
        return y == 0 ? infix(" - ", x - y) : infix(" // ", std::floor(x / y));
      case 5:
        return infix(" < ", x < y);
      case 6:
        return infix(" >= ", x >= y);
      case 7:
        return infix(" == ", x == y);
      case 8:
        return infix(" && ", x != 0 && y != 0);
      case 9:
        return infix(" || ", x != 0 || y != 0);
      case 10:
        return {"min(" + a.text + ", " + b.text + ", " + c.text + ")", std::min({x, y, c.value})};
      case 11:
        return {"-abs(" + a.text + ")", -std::abs(x)};
      default:
        return {"(" + a.text + " ? " + b.text + " : " + c.text + ")", x != 0 ? y : c.value};
    }
  };
  int compared = 0;
  for (int i = 0; i < 2000; ++i) {
    const Sample s = sample(1 + pick(3));
    const Result<double> result = f.run(s.text);
    INFO(s.text);
    REQUIRE(result.has_value());
    REQUIRE(*result == s.value);
    ++compared;
  }
  CHECK(compared == 2000);
}

TEST_CASE("a part of an object is a name where parts are names") {
  Keys keys;
  const Variables variables{{"n"}, true};
  const auto expression =
      Expression::compile(R"(counts['memory-bound'] + counts [ "it's" ]['x'] * n + has(counts['none']) + shape[0])", keys, variables);
  REQUIRE(expression.has_value());
  const std::vector<std::string_view> fields = expression->fields();
  REQUIRE(fields == std::vector<std::string_view>{"counts['memory-bound']", R"(counts [ "it's" ]['x'])", "counts['none']", "shape"});
  CHECK(parts_of(fields[0]) == std::vector<std::string>{"counts", "memory-bound"});
  CHECK(parts_of(fields[1]) == std::vector<std::string>{"counts", "it's", "x"});
  CHECK(parts_of(fields[3]) == std::vector<std::string>{"shape"});
  Record record(keys.size());
  record.set_number(keys.find(fields[0]), 3);
  record.set_number(keys.find(fields[1]), 5);
  record.set_list(keys.find("shape"), std::vector<double>{7});
  const double values[] = {2};
  CHECK(expression->evaluate(record, values) == 3 + 5 * 2 + 0 + 7);
  record.set_null(keys.find(fields[1]));
  CHECK(expression->evaluate(record, values).error().message == R"(counts [ "it's" ]['x'] is not known)");

  const auto fault = [&](std::string_view text) {
    const auto wrong = Expression::compile(text, keys, variables);
    REQUIRE_FALSE(wrong.has_value());
    return wrong.error().message;
  };
  CHECK(fault("counts['a'") == "expected ']', found the end");
  CHECK(fault("counts['a' + 'b']") == "expected ']', found '+'");
  CHECK(fault("counts['a]") == "the string has no closing quote");
  CHECK(fault("n['a']") == "expected a list, n is a number");                          // a variable has none
  CHECK(error("input_mat1['a']") == "column 12: expected a number, 'a' is a string");  // and elsewhere nothing has
}
