// Comma-separated values: rows, dialects, numbers.
#include "read/text/csv.hpp"

#include <cmath>

#include "catch.hpp"

namespace roofline {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows(const std::string& text) {
  Csv csv(text);
  Rows out;
  for (;;) {
    const auto more = csv.next();
    REQUIRE(more);
    if (!*more) return out;
    out.emplace_back();
    for (const CsvField& field : csv.fields()) out.back().push_back(field.text());
  }
}

TEST_CASE("Rows and fields", "[csv]") {
  CHECK(rows("a,b\n1,2\n") == Rows{{"a", "b"}, {"1", "2"}});
  CHECK(rows("a,b\r\n1,2") == Rows{{"a", "b"}, {"1", "2"}});
  CHECK(rows("a,b\r1,2\r") == Rows{{"a", "b"}, {"1", "2"}});
  CHECK(rows("a,b\n\n,\n  \n1,2\n") == Rows{{"a", "b"}, {"  "}, {"1", "2"}});
  CHECK(rows("a,b,c\n1,,\n1,2,3,4\n5\n") == Rows{{"a", "b", "c"}, {"1", "", ""}, {"1", "2", "3", "4"}, {"5"}});
  CHECK(rows("a;b\n1,5;2\n") == Rows{{"a", "b"}, {"1,5", "2"}});
  CHECK(rows("a\tb\n1,5\t2\n") == Rows{{"a", "b"}, {"1,5", "2"}});
  CHECK(rows("a\n1\n") == Rows{{"a"}, {"1"}});
  CHECK(rows("").empty());
}

TEST_CASE("Fields of any length end where they end", "[csv]") {
  for (const std::string end : {"\n", "\r", "\r\n", ""})
    for (std::size_t length = 1; length < 70; ++length) {
      const std::string first(length, 'x'), second(70 - length, 'y'), third(length, '\0');
      INFO(length);
      CHECK(rows(first + ',' + second + ',' + third + end) == Rows{{first, second, third}});
      CHECK(rows(first + ';' + second + "\r" + third + ';' + first + end) == Rows{{first, second}, {third, first}});
    }
}

TEST_CASE("Quoted fields", "[csv]") {
  CHECK(rows("a,b\n\"x, y\",\"say \"\"hi\"\"\"\n") == Rows{{"a", "b"}, {"x, y", "say \"hi\""}});
  CHECK(rows("a,b\n\"two\nlines\",2\n") == Rows{{"a", "b"}, {"two\nlines", "2"}});
  CHECK(rows("a, \"b\"\n\"\",\"\"\"\"\n") == Rows{{"a", "b"}, {"", "\""}});
  CHECK(rows("\"a;b\",c\n1,2\n") == Rows{{"a;b", "c"}, {"1", "2"}});

  const std::string open = "a,b\n1,\"2\n3,4\n";
  Csv csv(open);
  REQUIRE(csv.next());
  const auto fault = csv.next();
  REQUIRE(!fault);
  CHECK(fault.error().text() == "line 2, column 3: a quote that is never closed: expected '\"'");
}

TEST_CASE("Offsets lead back to the text", "[csv]") {
  const std::string text = "name,v\n\"k 1\",2\r\nk2,3\n";
  Csv csv(text);
  REQUIRE(csv.next());
  REQUIRE(csv.next());
  CHECK(text.substr(csv.row_begin(), csv.row_end() - csv.row_begin()) == "\"k 1\",2");
  CHECK(text.substr(csv.offset(csv.fields()[0]), csv.fields()[0].size) == "k 1");
  const std::size_t second = csv.row_begin();
  REQUIRE(csv.next());
  csv.seek(second);
  REQUIRE(csv.next());
  CHECK(csv.fields()[0].text() == "k 1");
}

std::optional<double> number(std::string_view text, const std::string& header = "a,b\n") {
  const std::string file = header + '"' + std::string(text) + "\"\n";
  Csv csv(file);
  REQUIRE(csv.next());
  while (csv.next().value_or(false)) {
  }
  return csv.number(csv.fields()[0]);
}

TEST_CASE("Numbers", "[csv]") {
  CHECK(number("0") == 0);
  CHECK(number("-1.5") == -1.5);
  CHECK(number("+2") == 2);
  CHECK(number(" 7 ") == 7);
  CHECK(number(".5") == 0.5);
  CHECK(number("5.") == 5);
  CHECK(number("1e3") == 1000);
  CHECK(number("2.5E-3") == 2.5e-3);
  CHECK(number("8796629893120") == 8796629893120);
  // Beyond what one rounding gives: as the standard library reads it.
  CHECK(number("0.1234567890123456789") == 0.1234567890123456789);
  CHECK(number("692.7688414567059") == 692.7688414567059);
  CHECK(number("9007199254740993") == 9007199254740993.0);
  CHECK(number("1e-40") == 1e-40);
  CHECK(number("123456789e200") == 123456789e200);
  CHECK(number("1e999") == HUGE_VAL);
  CHECK(number("1,234") == 1234);
  CHECK(number("1,234,567.25") == 1234567.25);

  for (const char* nothing : {"", "-", "NaN", "nan", "n/a", "N/A", "null", "None", "inf", " "}) {
    INFO(nothing);
    const auto v = number(nothing);
    REQUIRE(v);
    CHECK(std::isnan(*v));
  }
  for (const char* text : {"fast", "1x", "1 2", "1,2", "12,34", "1,234,5", "1,23,456", "1.2.3", "1e", "e5", "--1", "0x10", "1.5 ms"}) {
    INFO(text);
    CHECK(!number(text));
  }
}

TEST_CASE("Decimal commas", "[csv]") {
  const std::string header = "a;b\n1,5;2,5\n";
  CHECK(number("1,5", header) == 1.5);
  CHECK(number("1.234,5", header) == 1234.5);
  CHECK(number("1.234", header) == 1234);
  CHECK(number("2", header) == 2);
  CHECK(!number("1.5", header));
  CHECK(number("1.5", "a;b\n1.5;2\n") == 1.5);
  CHECK(number("1.5", "a\tb\n1.5\t2\n") == 1.5);
  CHECK(!number("1,5", "a;b\n1.5;2\n"));
}

TEST_CASE("What decides between decimal commas and points", "[csv]") {
  const auto comma = [](const std::string& rows) { return Csv("a;b;c\n" + rows).decimal_comma(); };
  CHECK(comma("1.024;2.048;20,5\n"));    // more points, but only the comma is no mark of thousands
  CHECK(comma("1.000.000;40.000;7\n"));  // a number has one decimal point
  CHECK(comma("1.234,5;1.024;1.024\n"));
  CHECK(comma("0,412;1.024;1.024\n"));
  CHECK_FALSE(comma("1,024;2,048;20.5\n"));
  CHECK_FALSE(comma("1,000,000;40,000;7\n"));
  CHECK_FALSE(comma("1,234.5;1,024;1,024\n"));
  CHECK_FALSE(comma("1024.125;1,024;1,024\n"));
  // Where both are possible in all numbers, the more frequent.
  CHECK(comma("1,412;1,850;1.024\n"));
  CHECK_FALSE(comma("1.412;1.850;1,024\n"));
  CHECK_FALSE(comma("10.1.2.3;.;,\n"));
}

TEST_CASE("Places of faults", "[csv]") {
  const LineIndex lines("ab\ncd\nef");
  CHECK(lines.at(4, "x").text() == "line 2, column 2: x");
  CHECK(lines.at(6, "x").text() == "line 3, column 1: x");
  CHECK(lines.at(0, "x").text() == "line 1, column 1: x");
}

}  // namespace
}  // namespace roofline
