// Columns that are read as what somebody says they are.
#include <roofline/read/table_columns.hpp>

#include "read/table/columns/column_meaning.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

const char* const table =
    "label,elapsed,work,note\n"
    "a,10,2,x\n"
    "b,20,6,y\n";

ReadOptions with(std::vector<std::pair<std::string, std::string>> columns) {
  ReadOptions options;
  options.columns = std::move(columns);
  return options;
}

}  // namespace

TEST_CASE("a sentence is no header", "[table]") {
  CHECK(meaning_of("total bytes read per second").role != ColumnRole::none);
  CHECK(meaning_of("All numbers per file are in facts.json, computed with an own evaluator: bytes read, time in ms, and what else it took")
            .role == ColumnRole::none);
}

TEST_CASE("table columns: every choice but the first is a header that readers know", "[kernels]") {
  CHECK(column_choices()[0].header.empty());
  for (const ColumnChoice& choice : column_choices()) {
    if (choice.header.empty()) continue;
    INFO(choice.header);
    const ColumnMeaning meaning = meaning_of(choice.header);
    CHECK(meaning.role != ColumnRole::none);
    if (meaning.role >= ColumnRole::time && meaning.role <= ColumnRole::intensity) CHECK((meaning.scale > 0 || meaning.cycles));
  }
}

TEST_CASE("table columns: what they are taken for, with their first rows", "[kernels]") {
  const auto columns = table_columns("name,time_us,mystery\na,1,7\nb,2,8\n");
  REQUIRE(columns);
  REQUIRE(columns->size() == 3);
  CHECK((*columns)[1].meaning == "time");
  CHECK((*columns)[2].meaning.empty());
  CHECK((*columns)[2].first == std::vector<std::string>{"7", "8"});
  CHECK_FALSE(table_columns("no table at all"));
}

TEST_CASE("table columns: a table that says nothing opens by what its columns are said to be", "[kernels]") {
  CHECK_FALSE(read(table, {}));
  const Workload w = open(table, with({{"label", "name"}, {"elapsed", "time_us"}, {"work", "gflop"}}));
  REQUIRE(w.size() == 2);
  CHECK(w.name_of(1) == "b");
  CHECK(w.time_s[1] == Approx(20e-6));
  CHECK(w.matrix_flops[1] == 6e9);
  REQUIRE(w.categories.size() == 1);  // the rest is there to filter by
  CHECK(w.categories[0].name == "note");
}

TEST_CASE("table columns: what is said goes before what another header says, and a column may be left out", "[kernels]") {
  const char* two = "name,time_ms,host_us,gflop\na,1,500,2\nb,2,700,4\n";
  CHECK(open(two, with({{"host_us", "time_us"}})).time_s[0] == Approx(500e-6));
  CHECK(open(two, with({{"host_us", ""}})).time_s[0] == Approx(1e-3));
}

TEST_CASE("table columns: what somebody says a column is, no guess overrules", "[kernels]") {
  const char* numbered = "kernel,calls,duration\na,1,10\nb,2,20\nc,3,30\nd,4,40\n";  // the calls could be the rows' numbers
  const Workload w = open(numbered, with({{"calls", "count"}, {"duration", "time_us"}}));
  REQUIRE(w.size() == 4);
  CHECK(w.count_of(3) == 4);
  CHECK(w.time_s[3] == Approx(160e-6));
  for (const Diagnostic& d : w.diagnostics) CHECK(d.message.find("numbers the rows") == std::string::npos);
  const Result<Workload> without_unit = read(numbered, with({{"duration", "time"}}));
  REQUIRE_FALSE(without_unit);  // by the name that the file has, without a place that would be another column's
  CHECK(without_unit.error().text() ==
        "line 1: the column \"duration\" names no unit of time: expected ns, us, ms or s in its header, such as time_us");
}

TEST_CASE("table columns: a column that is not there", "[kernels]") {
  const Result<Workload> w = read(table, with({{"nothing", "time_us"}}));
  REQUIRE_FALSE(w);
  CHECK(w.error().message == "no column is called \"nothing\"");
}

TEST_CASE("table columns: every column is used, a filter or ignored", "[kernels]") {
  const auto columns = table_columns(
      "name,stage,batch size,M,N,K,dtype,time_ms,time_ms_std,GFLOPS,MB moved,experts,note\n"
      "a,x,2,64,64,64,f16,1,0.1,1.048576,3,8,p\nb,y,2,64,64,64,f16,1,0.1,1.048576,3,9,q\nc,x,2,64,64,64,f16,1,0.1,1.048576,3,10,r\n");
  REQUIRE(columns);
  const auto use = [&](std::string_view header) {
    for (const TableColumn& c : *columns)
      if (c.header == header) return std::string(to_string(c.use)) + "|" + c.as + "|" + c.unit;
    return std::string("not there");
  };
  CHECK(use("name") == "used|name|");
  CHECK(use("stage") == "filter||");
  CHECK(use("batch size") == "used|batch|");
  CHECK(use("M") == "used|M|");
  CHECK(use("dtype") == "used|number format|");
  CHECK(use("time_ms") == "used|time|ms");
  CHECK(use("time_ms_std") == "used|spread of the time|ms");
  CHECK(use("GFLOPS") == "used|FLOP rate|GFLOP/s");
  CHECK(use("MB moved") == "used|bytes|MB");
  CHECK(use("experts") == "ignored||");
  CHECK(use("note") == "ignored||");
  // M alone is no shape; a MAC is two FLOPs; what somebody says counts.
  const auto alone = table_columns("name,M,gmac,elapsed\na,7,1,5\nb,8,1,5\nc,7,1,5\n", {{"elapsed", "time_us"}});
  REQUIRE(alone);
  CHECK((*alone)[1].use == ColumnUse::filter);
  CHECK((*alone)[2].unit == "GMAC");
  CHECK((*alone)[3].header == "elapsed");
  CHECK((*alone)[3].unit == "µs");
  CHECK_FALSE(table_columns(table, {{"nothing", "time_us"}}));
}

TEST_CASE("table columns: a comment above the header is none", "[kernels]") {
  const auto columns = table_columns("# RTX 4090, driver 550\nname,M,N,K,time_us\na,1024,1024,1024,20\n");
  REQUIRE(columns);
  REQUIRE(columns->size() == 5);
  CHECK((*columns)[0].header == "name");
  CHECK((*columns)[4].as == "time");
  CHECK((*columns)[4].first == std::vector<std::string>{"20"});
}

TEST_CASE("table columns: of a results table", "[kernels]") {
  const auto columns = table_columns("operator,shape,median_us,remark\ngemm,64x64x64,5,x\n");
  REQUIRE(columns);
  CHECK((*columns)[1].as == "shape");
  CHECK((*columns)[2].unit == "µs");
  CHECK((*columns)[3].use == ColumnUse::ignored);
}
