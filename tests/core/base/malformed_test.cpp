// Every table that a profiler or a benchmark writes, spoiled in the same seven ways: each is told clearly, or read all the same.
#include <algorithm>
#include <roofline/read/read.hpp>

#include "support.hpp"

namespace roofline {
namespace {

/// A table as rows of fields, the header first; written as whatever a reader takes.
struct Table {
  std::vector<std::vector<std::string>> rows;
  enum class As { csv, records, xprof } as = As::csv;

  std::size_t column(const std::string& name) const {
    const auto found = std::find(rows[0].begin(), rows[0].end(), name);
    INFO(name);
    REQUIRE(found != rows[0].end());
    return static_cast<std::size_t>(found - rows[0].begin());
  }
  Table without(const std::string& name) const {
    Table t = *this;
    for (auto& row : t.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column(name)));
    return t;
  }
  Table with(const std::string& name, const std::string& text) const {  // in the first row
    Table t = *this;
    t.rows[1][column(name)] = text;
    return t;
  }
  Table renamed(const std::string& name, const std::string& other) const {
    Table t = *this;
    t.rows[0][column(name)] = other;
    return t;
  }
  Table twice(const std::string& name) const {
    Table t = *this;
    for (auto& row : t.rows) row.push_back(row[column(name)]);
    return t;
  }
  Table ragged() const {  // the first row ends early
    Table t = *this;
    t.rows[1].resize(2);
    return t;
  }

  static bool number(const std::string& text) { return !text.empty() && text.find_first_not_of("0123456789.") == std::string::npos; }

  std::string text(char delimiter = ',', char decimal = '.') const {
    std::string out;
    const auto json = [](const std::string& field) { return number(field) ? field : '"' + field + '"'; };
    if (as == As::records) {
      for (std::size_t r = 1; r < rows.size(); ++r) {
        out += r == 1 ? "[{" : ",\n{";
        for (std::size_t c = 0; c < rows[r].size(); ++c) out += (c > 0 ? "," : "") + ('"' + rows[0][c] + "\":") + json(rows[r][c]);
        out += '}';
      }
      return out + "]";
    }
    if (as == As::xprof) {
      out = "[{\"cols\":[";
      for (std::size_t c = 0; c < rows[0].size(); ++c) out += (c > 0 ? "," : "") + ("{\"id\":\"\",\"label\":\"" + rows[0][c] + "\"}");
      out += "],\n\"rows\":[";
      for (std::size_t r = 1; r < rows.size(); ++r) {
        out += r == 1 ? "{\"c\":[" : ",\n{\"c\":[";
        for (std::size_t c = 0; c < rows[r].size(); ++c) out += (c > 0 ? "," : "") + ("{\"v\":" + json(rows[r][c])) + '}';
        out += "]}";
      }
      return out + "],\"p\":{\"device_type\":\"TPU v2\",\"peak_flop_rate\":\"24300\",\"peak_hbm_bw\":\"667.6\"}}]";
    }
    for (const auto& row : rows) {
      for (std::size_t c = 0; c < row.size(); ++c) {
        std::string field = row[c];
        if (decimal != '.' && number(field)) std::replace(field.begin(), field.end(), '.', decimal);
        if (field.find(delimiter) != std::string::npos) field = '"' + field + '"';
        out += (c > 0 ? std::string(1, delimiter) : "") + field;
      }
      out += '\n';
    }
    return out;
  }
};

std::string wide(const std::string& text) {
  std::string out = "\xff\xfe";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "\xc2\xb5") {  // the micro sign is the only letter beyond ASCII
      out += "\xb5";
      out += '\0';
      ++i;
      continue;
    }
    out += text[i];
    out += '\0';
  }
  return out;
}

/// What is said: the refusal, else diagnostics (no mere information, unless asked for), each with its place.
std::string said(std::string_view bytes, Severity least = Severity::warning) {
  const Result<Workload> w = read(bytes, {});
  if (!w) return w.error().text();
  std::string out;
  for (const Diagnostic& d : w->diagnostics) {
    if (d.severity == Severity::info && least != Severity::info) continue;
    out += out.empty() ? "" : "; ";
    if (d.line > 0) out += "line " + std::to_string(d.line) + ": ";
    if (!d.path.empty()) out += d.path + ": ";
    out += d.message;
  }
  return out;
}

/// Everything that matters of what was read.
void check_same(const Workload& ours, const Workload& plain) {
  REQUIRE(ours.size() == plain.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    CHECK(ours.name_of(i) == plain.name_of(i));
    CHECK(same(ours.bytes[i], plain.bytes[i]));
    if (!plain.time_s.empty()) CHECK(same(ours.time_s[i], plain.time_s[i]));
    if (!plain.matrix_flops.empty()) CHECK(same(ours.matrix_flops[i], plain.matrix_flops[i]));
  }
}

const std::vector<std::vector<std::string>> xprof_rows = {
    {"Step", "Operation", "Category", "Total Time (us)", "Total self time (us)", "Normalized FLOP Rate (GFLOP/s)", "HBM BW (GiB/s)",
     "Bound by", "FLOP Rate / Peak (%)", "Max memory BW utilization (among supported memories) (%)", "Roofline efficiency (%)"},
    {"Total", "a.1", "fusion", "10.5", "10.5", "1000.25", "100.5", "HBM", "0.0411625", "0.150539", "0.150539"},
    {"Total", "b.2", "copy", "20.5", "20.5", "10.5", "50.25", "HBM", "0.000432", "0.0752696", "0.0752696"}};
const std::vector<std::vector<std::string>> viewer_rows = {{"name", "arithmeticIntensity", "tflops", "batch", "dtype", "model"},
                                                           {"A", "2.5", "100.5", "32", "f32", "X"},
                                                           {"B", "1.8", "80.5", "64", "f16", "Y"}};
const std::vector<std::vector<std::string>> iree_gemm_rows = {
    {"index", "tag", "name", "M", "N", "K", "dtype", "tA", "tB", "mean_microseconds", "arithmetic_intensity", "tflops", "ok"},
    {"0", "llama", "gemm_a", "32000", "1", "5120", "f16", "T", "N", "2490.5", "0.9998", "0.1316", "True"},
    {"1", "llama", "gemm_b", "2048", "8", "5120", "f16", "T", "N", "120.25", "7.9", "1.39", "True"}};
const std::vector<std::vector<std::string>> iree_conv_rows = {
    {"index", "tag", "name", "B", "H", "W", "C", "P", "Q", "F", "S", "input_dtype", "output_dtype", "mean_microseconds",
     "arithmetic_intensity", "tflops", "ok"},
    {"0", "sweep", "conv_a", "1", "112", "112", "64", "7", "7", "3", "2", "f32", "f32", "247.5", "17.19", "0.9556", "True"},
    {"1", "sweep", "conv_b", "1", "56", "56", "64", "3", "3", "64", "1", "f32", "f32", "90.25", "120.1", "2.56", "True"}};
const std::vector<std::vector<std::string>> cutlass_rows = {
    {"Problem", "Provider", "OperationKind", "Operation", "Disposition", "m", "n", "k", "A", "B", "C", "Bytes", "Flops", "Runtime", "GB/s",
     "GFLOPs"},
    {"1", "CUTLASS", "gemm", "sgemm_nn", "passed", "16384", "16384", "16384", "f32:column", "f32:column", "f32:column", "3221225472",
     "8796629893120", "481.022", "6.23672", "18287.4"},
    {"1", "CUTLASS", "gemm", "sgemm_nt", "passed", "16384", "16384", "16384", "f32:column", "f32:row", "f32:column", "3221225472",
     "8796629893120", "478.866", "6.2648", "18369.7"}};
const std::vector<std::vector<std::string>> tracelens_rows = {
    {"name", "param: M", "param: N", "param: K", "param: dtype_A_B", "GFLOPS_first", "Data Moved (MB)_first", "FLOPS/Byte_first",
     "TB/s_mean", "TFLOPS/s_mean", "Kernel Time (\xc2\xb5s)_mean", "Kernel Time (\xc2\xb5s)_sum", "name_count"},
    {"aten::mm", "8944", "2816", "1024", "('c10::BFloat16', 'c10::BFloat16')", "51.581550592", "71.0078125", "692.7688414567059", "0.88148",
     "610.66571", "84.484425", "4055.2524", "48"},
    {"aten::bmm", "4096", "4096", "1024", "('c10::BFloat16', 'c10::BFloat16')", "34.359738368", "48", "682.6667", "0.5033", "343.59738",
     "100.5", "1005", "10"}};

struct Case {
  const char* reader;
  Table table;
  std::vector<const char*> needed;  ///< columns without which rows have no place
  const char* lacking;              ///< what is said then
  const char* number;               ///< a column of figures, in a unit
  const char* text;                 ///< what is said of a word in it
  const char* ragged;
  const char* unit;  ///< the same column in a unit that is none
  const char* wrong_unit;
  const char* twice;
};

const Case cases[] = {
    {"XProf, JSON",
     {xprof_rows, Table::As::xprof},
     {"Normalized FLOP Rate (GFLOP/s)"},
     "[0].cols: a table of XProf's without the columns of its roofline model: it lacks measured_flop_rate (\"Normalized FLOP Rate "
     "(GFLOP/s)\"); expected an export of the Roofline Model tool",
     "HBM BW (GiB/s)",
     "[0].rows[0].hbm_bw: hbm_bw (GiB/s): expected a number of at least 0, found \"fast\"",
     "[0].rows[0]: the row has 2 cells: expected 11",
     "HBM BW (miles)",
     "[0].cols[6]: column 7, \"HBM BW (miles)\": expected its unit to be GiB/s, GB/s, B/s, KiB/s, MiB/s, TiB/s, KB/s, MB/s, TB/s",
     "[0].cols[11]: column 12, \"HBM BW (GiB/s)\": the table has a column of this meaning already; expected each once"},
    {"XProf, CSV",
     {xprof_rows, Table::As::csv},
     {"Normalized FLOP Rate (GFLOP/s)"},
     "line 1, column 1: a table of XProf's without the columns of its roofline model: it lacks measured_flop_rate (\"Normalized FLOP Rate "
     "(GFLOP/s)\"); expected an export of the Roofline Model tool",
     "HBM BW (GiB/s)",
     "line 2: hbm_bw (GiB/s): expected a number of at least 0, found \"fast\"",
     "line 2: the row has 2 fields: expected 11",
     "HBM BW (miles)",
     "line 1, column 93: column 7, \"HBM BW (miles)\": expected its unit to be GiB/s, GB/s, B/s, KiB/s, MiB/s, TiB/s, KB/s, MB/s, TB/s",
     "line 1, column 219: column 12, \"HBM BW (GiB/s)\": the table has a column of this meaning already; expected each once"},
    {"benchmark viewer, JSON",
     {viewer_rows, Table::As::records},
     {"arithmeticIntensity", "tflops"},
     "line 1: this table cannot be placed on a roofline: no column gives FLOPs (flops, macs, or the shape M, N, K), a "
     "rate "
     "(gflops, tflops), bytes (bytes, bandwidth GB/s) or intensity (FLOP/byte); nor is there a time; the columns are: name, batch, dtype, "
     "model",
     "tflops",
     "line 1: tflops: expected a number, found \"fast\": the cell is not used",
     "\"batch\" is ignored, but its name suggests work: check that the FLOPs include it, or say what the column is",
     "Performance (parsecs)",
     "the column \"Performance (parsecs)\" names no unit of a rate and is not used: expected FLOP/s, GFLOP/s or TFLOP/s in its header",
     ""},
    {"benchmark viewer, CSV",
     {viewer_rows, Table::As::csv},
     {"arithmeticIntensity", "tflops"},
     "line 1: this table cannot be placed on a roofline: no column gives FLOPs (flops, macs, or the shape M, N, K), a "
     "rate "
     "(gflops, tflops), bytes (bytes, bandwidth GB/s) or intensity (FLOP/byte); nor is there a time; the columns are: name, batch, dtype, "
     "model",
     "tflops",
     "line 2: tflops: expected a number, found \"fast\": the cell is not used",
     "\"batch\" is ignored, but its name suggests work: check that the FLOPs include it, or say what the column is; "
     "line 2: the row has 2 fields: expected 6, as the header has",
     "Performance (parsecs)",
     "the column \"Performance (parsecs)\" names no unit of a rate and is not used: expected FLOP/s, GFLOP/s or TFLOP/s in its header",
     "two columns are called \"tflops\": the first is used"},
    {"iree-kernel-benchmark, matrix products",
     {iree_gemm_rows, Table::As::csv},
     {"M", "arithmetic_intensity", "tflops"},
     "",
     "mean_microseconds",
     "line 2: mean_microseconds: expected a number, found \"fast\": the cell is not used",
     "line 2: the row has 2 fields: expected 13, as the header has; line 2: this row has neither work nor a time: expected numbers in "
     "M, N and K or "
     "mean_microseconds or tflops or arithmetic_intensity",
     "mean_time_fortnights",
     "\"mean_time_fortnights\" is taken as us: so \"tflops\" has it",
     "two columns are called \"mean_microseconds\": the first is used"},
    {"iree-kernel-benchmark, convolutions",
     {iree_conv_rows, Table::As::csv},
     {"P", "arithmetic_intensity", "tflops"},
     "",
     "mean_microseconds",
     "line 2: mean_microseconds: expected a number, found \"fast\": the cell is not used",
     "line 2: the row has 2 fields: expected 17, as the header has; line 2: this row has neither work nor a time: expected numbers in "
     "B, P, Q, H, "
     "W, C and F or mean_microseconds or tflops or arithmetic_intensity",
     "mean_time_fortnights",
     "\"mean_time_fortnights\" is taken as us: so \"tflops\" has it",
     "two columns are called \"mean_microseconds\": the first is used"},
    {"CUTLASS profiler",
     {cutlass_rows, Table::As::csv},
     {"m", "Bytes", "Flops", "GB/s", "GFLOPs"},
     "line 1: the column \"Runtime\" names no unit of time: expected ns, us, ms or s in its header, such as time_us",
     "Runtime",
     "line 2: Runtime: expected a number, found \"fast\": the cell is not used",
     "line 2: the row has 2 fields: expected 16, as the header has; line 2: this row has neither work nor a time: expected numbers in "
     "m, n and k or "
     "Runtime or Flops or GFLOPs or Bytes or GB/s",
     "Runtime (fortnights)",
     "\"Runtime (fortnights)\" is taken as ms: so \"GFLOPs\" and \"GB/s\" have it",
     "two columns are called \"Runtime\": the first is used"},
    {"TraceLens",
     {tracelens_rows, Table::As::csv},
     {"param: M", "GFLOPS_first", "Data Moved (MB)_first", "FLOPS/Byte_first", "TB/s_mean", "TFLOPS/s_mean"},
     "",
     "Kernel Time (\xc2\xb5"
     "s)_sum",
     "line 2: Kernel Time (\xc2\xb5"
     "s)_sum: expected a number, found \"fast\": the cell is not used",
     "line 2: the row has 2 fields: expected 13, as the header has; line 2: this row has neither work nor a time: expected numbers in "
     "param: M, "
     "param: N and param: K or Kernel Time (\xc2\xb5"
     "s)_mean or Kernel Time (\xc2\xb5"
     "s)_sum or GFLOPS_first or TFLOPS/s_mean or Data Moved (MB)_first",
     "Kernel Time (fortnights)_sum",
     "the column \"Kernel Time (fortnights)_sum\" names no unit of time and is not used: expected ns, us, ms or s in its header",
     "two columns are called \"Kernel Time (\xc2\xb5"
     "s)_sum\": the first is used"},
};
TEST_CASE("Spoiled tables of every reader", "[malformed]") {
  for (const Case& c : cases) {
    INFO(c.reader);
    const Table& t = c.table;
    const std::string plain = t.text();
    CHECK(said(plain).empty());
    Table lacking = t;
    for (const char* name : c.needed) lacking = lacking.without(name);
    CHECK(said(lacking.text()) == c.lacking);
    CHECK(said(t.with(c.number, "fast").text()) == c.text);
    CHECK(said(t.ragged().text()) == c.ragged);
    CHECK_THAT(said(t.renamed(c.number, c.unit).text(), Severity::info), ContainsSubstring(c.wrong_unit));
    CHECK(said(t.twice(c.number).text()) == c.twice);
    CHECK(said(wide(plain)).empty());
    check_same(open(wide(plain)), open(plain));
    if (t.as != Table::As::csv) continue;  // JSON has no other delimiters
    CHECK(said(t.text(';', ',')).empty());
    check_same(open(t.text(';', ',')), open(plain));
    check_same(open(t.text('\t', '.')), open(plain));
    CHECK(said(wide(t.text(';', ','))).empty());
  }
}

}  // namespace
}  // namespace roofline
