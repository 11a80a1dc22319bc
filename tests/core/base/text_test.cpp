#include <clocale>
#include <cmath>
#include <limits>
#include <roofline/base/text.hpp>

#include "json.hpp"
#include "support.hpp"

using namespace roofline;

TEST_CASE("numbers: the examples that the page meets too") {
  const Json examples = Json::parse(file("tests/data/numbers.json"));
  std::size_t seen = 0;
  const auto check = [&](const char* name, const auto& text_of) {
    for (const Json& row : examples[name]) {
      INFO(name << " of " << row.dump());
      CHECK(text_of(row) == row.back().get<std::string>());
      ++seen;
    }
  };
  const auto check_of_one = [&](const char* name, std::string (*text)(double)) {
    check(name, [&](const Json& row) { return text(row[0].get<double>()); });
  };
  check("with_unit", [](const Json& row) { return with_unit(row[0].get<double>(), row[1].get<std::string>()); });
  check("count", [](const Json& row) { return with_commas(row[0].get<std::size_t>()); });
  check_of_one("seconds", seconds);
  check_of_one("percent", percent);
  check_of_one("times", times);
  check_of_one("number", number);
  std::size_t all = 0;
  for (const auto& [name, rows] : examples.items()) all += rows.size();
  CHECK(seen == all);
}

TEST_CASE("numbers: what is not known, and what is beyond all prefixes") {
  for (const auto text : {seconds, percent, times, number}) {
    CHECK(text(std::nan("")) == "unknown");
    CHECK(text(-std::numeric_limits<double>::infinity()) == "-infinite");
  }
  CHECK(with_unit(std::nan(""), "B") == "unknown");
  CHECK(with_unit(std::numeric_limits<double>::infinity(), "B") == "infinite");
  CHECK(with_unit(1e-300, "s") == "1e-300 s");
}

TEST_CASE("numbers do not follow the C locale") {
  // Whichever comma locale the machine has; without any, the loop is empty and the other tests stand alone.
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"}) {
    if (!std::setlocale(LC_ALL, name)) continue;
    CHECK(with_unit(1.2345e9, "B/s") == "1.23 GB/s");
    CHECK(number(1.5) == "1.5");
  }
  std::setlocale(LC_ALL, "C");
}

TEST_CASE("valid_utf8 keeps what is valid and marks what is not") {
  CHECK(valid_utf8("plain") == "plain");
  CHECK(valid_utf8("µ 中 \xf0\x9f\x98\x80") == "µ 中 \xf0\x9f\x98\x80");
  CHECK(valid_utf8("a\xff"
                   "b") == "a\ufffdb");
  CHECK(valid_utf8("\xe4\xb8") == "\ufffd");                  // cut short: one mark for the whole sequence
  CHECK(valid_utf8("\xc0\xaf") == "\ufffd\ufffd");            // overlong
  CHECK(valid_utf8("\xed\xa0\x80") == "\ufffd\ufffd\ufffd");  // a surrogate
  CHECK(valid_utf8("\xf4\x90\x80\x80").size() == 4 * 3);      // above U+10FFFF
  CHECK(valid_utf8("\xc3(") == "\ufffd(");
}

TEST_CASE("printable: one line, nothing a terminal would obey") {
  CHECK(printable("µ ok") == "µ ok");
  CHECK(printable("a\nb\x1b[31m\x7f") == "a\ufffdb\ufffd[31m\ufffd");
  CHECK(printable("\xc2\x9b|\xc2\xa0") == "\ufffd|\xc2\xa0");
}

TEST_CASE("shortened: whole characters") {
  CHECK(shortened("abcdef", 6) == "abcdef");
  CHECK(shortened("abcdefg", 6) == "abcdef…");
  CHECK(shortened("ééééééé", 6) == "éééééé…");
}

TEST_CASE("align: as wide as the widest cell, in characters, nothing at line ends") {
  CHECK(align({{"name", "time", "note"}, {"a", "10 µs", ""}, {"中文字中文", "1 ms", "x"}}, "lrl") ==
        "name    time  note\n"
        "a      10 µs\n"
        "中文字中文   1 ms  x\n");
  CHECK(align({}, "l").empty());
}
