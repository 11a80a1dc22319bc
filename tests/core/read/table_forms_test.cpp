// Tables in the forms in which spreadsheets, scripts and people leave them: the same figures each time, or a refusal that says why.
#include <algorithm>

#include "read/table/columns/header_words.hpp"
#include "read/text/csv.hpp"
#include "rows.hpp"

using namespace roofline;

namespace {

/// Two rows of 10 and 20 us, and of 1,000 and 2,000 FLOPs.
void check_two_rows(std::string_view text) {
  INFO(text);
  const Result<Workload> read_rows = read(text, {});
  REQUIRE(read_rows);
  const Workload& w = *read_rows;
  REQUIRE(w.size() == 2);
  CHECK(w.name_of(0) == "a");
  CHECK(w.name_of(1) == "b");
  CHECK_THAT(w.time_s[0], WithinRel(10e-6, 1e-9));
  CHECK_THAT(w.time_s[1], WithinRel(20e-6, 1e-9));
  CHECK(flops_of(w, 0) == 1000);
  CHECK(flops_of(w, 1) == 2000);
}

const std::string rows = "a,10,1000\nb,20,2000\n";

std::string with_delimiter(std::string text, char delimiter) {
  std::replace(text.begin(), text.end(), ',', delimiter);
  return text;
}

}  // namespace

TEST_CASE("table forms: delimiters, Markdown, line ends and empty columns", "[tables]") {
  const std::string table = "name,time_us,flops\n" + rows;
  for (const char delimiter : {',', ';', '\t', '|'}) check_two_rows(with_delimiter(table, delimiter));
  check_two_rows("| name | time_us | flops |\n|:-----|--------:|---|\n| a | 10 | 1000 |\n| b | 20 | 2000 |\n");
  check_two_rows("name,time_us,flops,,\r\na,10,1000,,\r\nb,20,2000,,\r\n");
  check_two_rows("\xef\xbb\xbfname,time_us,flops\n" + rows);
}

TEST_CASE("table forms: titles and comments stand before a table", "[tables]") {
  check_two_rows("# board: xyz\n# clock, in GHz: 1\nname,time_us,flops\n" + rows);
  check_two_rows("Results of 2025-11-20,,\n,,\nname,time_us,flops\n" + rows);
  check_two_rows("\n\"Results, of a day\"\n\nname;time_us;flops\na;10;1000\nb;20;2000\n");
  // Above numbers a line with '#' is the header.
  check_two_rows("# name,time_us,flops\n" + rows);
  check_two_rows("# of a run\n#name,time_us,flops\n" + rows);
  const Workload faults = open("# board\n\nname,time_us,flops\na,x,1000\nb,20,2000\n");
  const auto line = std::find_if(faults.diagnostics.begin(), faults.diagnostics.end(), [](const Diagnostic& d) { return d.line > 0; });
  REQUIRE(line != faults.diagnostics.end());
  CHECK(line->line == 4);
  check_in_pieces("# board\n\nname,time_us,flops\n" + rows);
}

TEST_CASE("table forms: the header is there again where tables were put after each other", "[tables]") {
  check_two_rows("name,time_us,flops\na,10,1000\nname,time_us,flops\nb,20,2000\n");
}

TEST_CASE("table forms: units in a second row", "[tables]") {
  check_two_rows("name,time,flops\n,us,\n" + rows);
  check_two_rows("name,time,flops\n-,[us],-\n" + rows);
  check_two_rows("name,time,flops\n(text),(us),\n" + rows);
  const Workload w = open("layer,Latency,MACs\n[-],[ms],[M]\na,0.01,0.0005\nb,0.02,0.001\n");
  REQUIRE(w.size() == 2);
  CHECK(flops_of(w, 1) == 2000);
  CHECK_THAT(w.time_s[1], WithinRel(20e-6, 1e-9));
  // A row of data without numbers is none of units.
  const Workload data = open("name,time_us,flops\nus,n/a,-\nb,20,2000\n");
  CHECK(data.size() == 2);
  CHECK(data.name_of(0) == "us");
}

TEST_CASE("table forms: a prefix alone beside an amount", "[tables]") {
  for (const char* header : {"MACs (M)", "MACs[M]", "macs_m", "MACs (millions)", "Million MACs", "MACs (Mio)"}) {
    INFO(header);
    CHECK(flops_of(open("name,time_us," + std::string(header) + "\na,10,1.5\n"), 0) == 3e6);
  }
  CHECK(flops_of(open("name,time_us,FLOPs (G)\na,10,1.5\n"), 0) == 1.5e9);
  CHECK(flops_of(open("name,M,N,K,time_us\na,2,3,4,10\n"), 0) == 48);
}

TEST_CASE("table forms: marks of thousands", "[tables]") {
  for (const char* mark : {",", " ", "'", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x99"}) {
    const std::string text = std::string("layer\ttime_us\tmacs\nx\t1") + mark + "234.5\t12" + mark + "000" + mark + "000\n";
    INFO(text);
    const Workload w = open(text);
    CHECK_THAT(w.time_s[0], WithinRel(1234.5e-6, 1e-9));
    CHECK(flops_of(w, 0) == 24e6);
  }
  CHECK(table_number("1 234,5", true) == 1234.5);
  const Workload french = open(
      "layer;time_us;macs\nx;1\xe2\x80\xaf"
      "234,5;1\xc2\xa0"
      "000\ny;2 000,0;2 000\n");
  CHECK_THAT(french.time_s[0], WithinRel(1234.5e-6, 1e-9));
  CHECK_THAT(french.time_s[1], WithinRel(2e-3, 1e-9));
  for (const char* text : {"1 23", "1 2345", "12 34 567", "1234 567", " 1 234 x", "1''234", "1 234 56"}) {
    INFO(text);
    CHECK(!table_number(text, false));
  }
}

TEST_CASE("table forms: a micro sign is no second, whatever became of it", "[tables]") {
  for (const char* micro : {"\xc2\xb5", "\xce\xbc", "\xb5", "?", "\xef\xbf\xbd"})
    check_two_rows("name,time (" + std::string(micro) + "s),flops\n" + rows);
  CHECK(header_words("what?") == std::vector<std::string>{"what"});
  CHECK(header_words("ok?steps") == std::vector<std::string>({"ok", "steps"}));
}

TEST_CASE("table forms: sums and means below the rows are not counted again", "[tables]") {
  for (const char* name : {"Total", "total:", "TOTAL (us)", "Sum", "**Total**", "Summe", ""}) {
    const std::string text = "name,time_us,flops\n" + rows + name + ",30,3000\n";
    check_two_rows(text);
    CHECK(says(open(text), "1 row states the sum or the mean of those above and is left out"));
  }
  check_two_rows("name,time_us,flops\n" + rows + "average,15,1500\nTotal,30,3000\n");
  // Layers may be called so: their figures are their own.
  const Workload layers = open("name,time_us,flops\n" + rows + "Sum,7,5000\n");
  CHECK(layers.size() == 3);
  const Workload alone = open("name,time_us,flops\na,10,1000\nSum,10,1000\n");
  CHECK(alone.size() == 2);
  // Runs without names that take as long as each other are no means.
  CHECK(open("name,time_us,flops\n,10,1000\n,10,1000\n,10,1000\n").size() == 3);
  // An operator of that name that takes as long as all before it is not told from their sum; one under its own name is.
  CHECK(open("name,time_us,flops\n" + rows + "c,30,3000\n").size() == 3);
}

TEST_CASE("table forms: subtotals and geometric means are not counted again", "[tables]") {
  const Workload sections = open(
      "kernel,dtype,Time (ms),GFLOP\na,fp16,0.412,206.1\nb,fp16,1.850,962.0\nSubtotal attention,,2.262,1168.1\n"
      "c,fp16,0.950,481.0\nd,fp16,0.950,481.0\nSubtotal mlp,,1.9,962.0\nTotal,,4.162,2130.1\n");
  REQUIRE(sections.size() == 4);
  CHECK(sections.name_of(3) == "d");
  CHECK(says(sections, "3 rows state the sum or the mean of those above and are left out"));
  // The rate of a sum is a mean: the times tell. (10 x 20)^(1/2) = 14.142.
  const std::string rates = "name,time_us,TFLOPS\na,10,500\nb,20,100\n";
  for (const char* row : {"Total,30,233.3", "Average,15,300", "Geomean,14.142,223.6"}) {
    INFO(row);
    CHECK(open(rates + row + "\n").size() == 2);
  }
  const Workload above = open("name,time_us,TFLOPS\nTotal,30,233.3\na,10,500\nb,20,100\n");
  CHECK(above.size() == 3);
  CHECK(says(above, "1 row is counted though named as a sum or a mean: \"Total\""));
  CHECK(says(open(rates + "Geomean,99,1\n"), "counted though named"));
  CHECK_FALSE(says(open(rates + "Average Pooling,99,1\nsum,7,1\n"), "counted though named"));
  // Where rows have no names, a further one without is no sum.
  CHECK(open("name,time_us,TFLOPS\n,10,500\n,20,100\n,30,300\n").size() == 3);
}

TEST_CASE("table forms: a text without a table says what is expected", "[tables]") {
  CHECK(refusal_of("name      time_us\na         10\n").find("nor a table (expected a header such as name,time_us,flops)") !=
        std::string::npos);
}

TEST_CASE("table forms: records whose amounts have another tool's names are kernels, also in an object", "[tables]") {
  const std::string record = R"({"kernel": "a", "avg_ms": 0.1, "GFLOP": 5, "bytes": 1000000, "data_type": "fp16"})";
  for (const std::string& text : {"[" + record + "]", R"({"results": [)" + record + "]}"}) {
    const Workload w = open(text);
    INFO(text);
    REQUIRE(w.size() == 1);
    CHECK(w.name_of(0) == "a");
    CHECK(w.matrix_flops[0] == 5e9);
    CHECK_THAT(w.time_s[0], WithinRel(1e-4, 1e-12));
  }
  const Workload ns = open(R"([{"kernel": "a", "time_ns": 1000, "GFLOP": 5, "bytes": 1000000, "dtype": "fp16"}])");
  CHECK(ns.name_of(0) == "a");
  CHECK(ns.matrix_flops[0] == 5e9);
  const Workload mflop = open("kernel,time_us,MFLOP,bytes\na,100,5000,1000000\n");
  CHECK(mflop.matrix_flops[0] == 5e9);
}

TEST_CASE("table forms: Google Benchmark names the unit of a row's times in the row", "[tables]") {
  // 42 us at 12 GFLOP/s; 3 ms at 10 GFLOP/s.
  const Workload csv = open(
      "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_message,\"FLOPS\"\n"
      "\"BM_gemm/64\",1000,42,41,us,2e9,,,,,1.2e10\n\"BM_gemm/256\",100,3,3,ms,1e9,,,,,1e10\n\"BM_bad\",,,,,,,,true,\"no data\",\n");
  REQUIRE(csv.size() == 3);
  CHECK_THAT(csv.time_s[0], WithinRel(42e-6, 1e-9));
  CHECK_THAT(csv.time_s[1], WithinRel(3e-3, 1e-9));
  CHECK_THAT(flops_of(csv, 0), WithinRel(504e3, 1e-9));
  CHECK_THAT(flops_of(csv, 1), WithinRel(30e6, 1e-9));
  CHECK_THAT(csv.given_bytes[1], WithinRel(3e6, 1e-9));
  const auto benchmark = [](const char* name, const char* time, const char* type = "iteration") {
    return std::string(R"({"name":")") + name + R"(","run_name":"BM","run_type":")" + type + R"(","iterations":3,"real_time":)" + time +
           R"(,"cpu_time":4,"time_unit":"us","FLOPS":1e9})";
  };
  const std::string mean = benchmark("BM_mean", "5", "aggregate") + "," + benchmark("BM_median", "4", "aggregate") + "," +
                           benchmark("BM_stddev", "1", "aggregate") + "," + benchmark("BM_cv", "0.2", "aggregate");
  const std::string before = R"({"context":{"num_cpus":8},"benchmarks":[)";
  // Statistics are of the rows above them, which count; alone, the mean does.
  const Workload repeated = open(before + benchmark("BM", "4") + "," + benchmark("BM", "6") + "," + mean + "]}");
  REQUIRE(repeated.size() == 2);
  CHECK_THAT(repeated.time_s[1], WithinRel(6e-6, 1e-9));
  const Workload alone = open(before + mean + "]}");
  REQUIRE(alone.size() == 1);
  CHECK_THAT(flops_of(alone, 0), WithinRel(5000, 1e-9));
  const std::vector<Diagnostic> said = open("name,real_time,time_unit,flops\na,10,parsec,1000\nb,20,us,2000\n").diagnostics;
  CHECK(std::any_of(said.begin(), said.end(), [](const Diagnostic& d) {
    return d.message == "time_unit: expected ns, us, ms or s, found \"parsec\": the time is not used" && d.line == 2;
  }));
}
