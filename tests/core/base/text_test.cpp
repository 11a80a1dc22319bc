#include <clocale>
#include <cmath>
#include <limits>
#include <roofline/base/text.hpp>

#include "catch.hpp"

using namespace roofline;

TEST_CASE("with_unit: three significant digits and an SI prefix") {
  CHECK(with_unit(1.2345e9, "B/s") == "1.23 GB/s");
  CHECK(with_unit(50e9, "B/s") == "50 GB/s");
  CHECK(with_unit(32e12, "FLOP/s") == "32 TFLOP/s");
  CHECK(with_unit(3.12e14, "FLOP/s") == "312 TFLOP/s");
  CHECK(with_unit(1, "B") == "1 B");
  CHECK(with_unit(-2500, "B") == "-2.5 kB");
  CHECK(with_unit(0, "B") == "0 B");
  CHECK(with_unit(4e-9, "J") == "4 nJ");
  CHECK(with_unit(1500, "") == "1.5 k");
  CHECK(with_unit(15, "") == "15");
}

TEST_CASE("with_unit: rounding up moves to the next prefix") {
  CHECK(with_unit(999.4e6, "B") == "999 MB");
  CHECK(with_unit(999.6e6, "B") == "1 GB");
  CHECK(with_unit(0.9999, "s") == "1 s");
}

TEST_CASE("with_unit: beyond the prefixes") {
  CHECK(with_unit(1.5e19, "B") == "15000 PB");
  CHECK(with_unit(2e-17, "s") == "0.02 fs");
  CHECK(with_unit(std::numeric_limits<double>::quiet_NaN(), "B") == "unknown");
  CHECK(with_unit(std::numeric_limits<double>::infinity(), "B") == "infinite");
  CHECK(with_unit(std::numeric_limits<double>::denorm_min(), "s").substr(0, 4) == "0.00");
}

TEST_CASE("seconds") {
  CHECK(seconds(12.34e-3) == "12.3 ms");
  CHECK(seconds(850e-6) == "850 µs");
  CHECK(seconds(2.1e-6) == "2.1 µs");
  CHECK(seconds(59.96) == "60 s");
  CHECK(seconds(1234.4) == "1234 s");
  CHECK(seconds(9000) == "2.5 h");
  CHECK(seconds(-7200) == "-2 h");
  CHECK(seconds(std::nan("")) == "unknown");
}

TEST_CASE("percent: whole from ten on, two digits below") {
  CHECK(percent(0.4603) == "46 %");
  CHECK(percent(0.0321) == "3.2 %");
  CHECK(percent(0.0005) == "0.05 %");
  CHECK(percent(1.0074) == "101 %");
  CHECK(percent(0.0999) == "10 %");
  CHECK(percent(12.5) == "1250 %");
  CHECK(percent(0) == "0 %");
  CHECK(percent(0.00001) == "0.001 %");
  CHECK(percent(3.2e-18) == "3.2e-16 %");
  CHECK(percent(std::nan("")) == "unknown");
}

TEST_CASE("number") {
  CHECK(number(1.5) == "1.5");
  CHECK(number(0.125) == "0.125");
  CHECK(number(640) == "640");
  CHECK(number(47.276) == "47.3");
  CHECK(number(999.9) == "1000");
  CHECK(number(12345) == "12345");
  CHECK(number(-0.5) == "-0.5");
  CHECK(number(0) == "0");
  CHECK(number(1.234e20) == "1.23e20");
  CHECK(number(2e-7) == "2e-7");
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

TEST_CASE("align: as wide as the widest cell, in characters, nothing at line ends") {
  CHECK(align({{"name", "time", "note"}, {"a", "10 µs", ""}, {"中文字中文", "1 ms", "x"}}, "lrl") ==
        "name    time  note\n"
        "a      10 µs\n"
        "中文字中文   1 ms  x\n");
  CHECK(align({}, "l").empty());
}
