// Reading in pieces: whatever their size, what is read and what is said is the same; and only what is not read yet is held.
#include <algorithm>
#include <filesystem>

#include "support.hpp"
#include "workload/columns.hpp"

using namespace roofline;

namespace {

Result<Workload> fed(std::string_view bytes, std::size_t piece, const ReadOptions& options = {}) {
  Reader reader(options);
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    if (const auto ok = reader.feed(bytes.substr(at, piece)); !ok) return tl::unexpected(ok.error());
  return reader.finish();
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return roofline::same(x, y); });
}

std::string said(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics)
    out += std::to_string(d.op.value_or(0)) + " " + std::to_string(d.line) + ":" + std::to_string(d.column) + " " + d.path + " " +
           d.message + "\n";
  return out;
}

void check_same(const Workload& a, const Workload& b) {
  CHECK(a.op_class == b.op_class);
  CHECK(a.classes == b.classes);
  CHECK(a.source_format == b.source_format);
  CHECK(a.machine_json == b.machine_json);
  for_each_column([&](const NumberColumn& c) { CHECK(same(a.*c.values, b.*c.values)); });
  CHECK(std::string_view(a.text) == std::string_view(b.text));
  CHECK(a.shape_hash == b.shape_hash);
  CHECK((a.step == b.step && a.steps == b.steps && a.views == b.views));
  CHECK(said(a.diagnostics) == said(b.diagnostics));
  CHECK(a.hidden_diagnostics == b.hidden_diagnostics);
  REQUIRE(a.record.size() == b.record.size());
  bool places = true;
  for (std::size_t i = 0; i < a.record.size(); ++i)
    places = places && a.record[i].offset == b.record[i].offset && a.record[i].length == b.record[i].length;
  CHECK(places);
  REQUIRE(a.categories.size() == b.categories.size());
  for (std::size_t c = 0; c < a.categories.size(); ++c)
    CHECK((a.categories[c].name == b.categories[c].name && a.categories[c].values == b.categories[c].values &&
           a.categories[c].value == b.categories[c].value));
  REQUIRE(a.channels.size() == b.channels.size());
  for (std::size_t c = 0; c < a.channels.size(); ++c) CHECK(same(a.channels[c].bytes, b.channels[c].bytes));
}

/// With a head smaller than the file, so that most of it is read in pieces.
void check_pieces(std::string_view bytes, std::size_t head) {
  ReadOptions options;
  options.head_bytes = head;
  const Result<Workload> whole = fed(bytes, bytes.size() + 1, options);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{65536}}) {
    if (bytes.size() > 100000 * piece) continue;
    INFO("pieces of " << piece);
    const Result<Workload> pieces = fed(bytes, piece, options);
    REQUIRE(pieces.has_value() == whole.has_value());
    if (whole)
      check_same(*pieces, *whole);
    else
      CHECK(pieces.error().text() == whole.error().text());
  }
}

std::string product(int i) {
  return R"({"type": "ID_MM", "name": "mm)" + std::to_string(i) + R"(", "data_type": "INT8", "input_mat1": [4, 5], "input_mat2": [5, )" +
         std::to_string(i % 9 + 1) + "]}";
}

std::string in_utf16(std::string_view ascii) {
  std::string out = "\xff\xfe";
  for (const char c : ascii) out += {c, '\0'};
  return out;
}

}  // namespace

TEST_CASE("feed: every sample in pieces of any size as at once", "[feed]") {
  for (const char* folder : {"tests/data", "presets/samples", "../shared/samples"}) {
    if (!std::filesystem::exists(folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file() || entry.file_size() > 1000000) continue;
      INFO(entry.path());
      check_pieces(file(entry.path()), 4000);
    }
  }
}

TEST_CASE("feed: faults are told at the same places", "[feed]") {
  const std::string good = product(1), escaped = R"({"type": "ID_MM", "name": "\u00e9\ud83d\ude00 \"x\"", "flops": 1e9})";
  for (const std::string& bytes : std::vector<std::string>{
           "",
           " \n\t ",
           "[",
           "[]",
           "[ ] x",
           "[\n" + good + ",\n" + escaped + "\n]\n",
           "[\n" + good + ",\n" + good.substr(0, 40),
           "[\n" + good + "\n,\n  x]",
           "[\n" + good + ",\n  {\"type\": 1e999, \"name\": [[1,2],{}]}, 12, null, true, \"text\", -Infinity]",
           "{\"version\": [1, {\"a\": \"]\"}], \"machine\": \"t4\", \"ops\": [" + good + "], \"rest\": {\"ops\": 1}}",
           "{\"commands\": [" + good + "], \"machine\": \"t4\"",
           "{\"commands\": [" + good + "], 7",
           "{\"a\": 1}",
           good + "\n" + escaped + "\n{\"type\": \"mystery\"\n" + good + "\n{]\n",
           good + "\r\nx y z\r\n" + good,
           "nothing {",
           "\xef\xbb\xbf[\n" + good + ", 7]",
           in_utf16("[\n" + good + ", 7]"),
           in_utf16("[\n" + good) + "x",
           "[\n" + good + ",\n" + std::string(1, '\0') + "]",
           "\x1f\x8b\x08 and so on",
           "name,M,N,K,dtype,time_us\na,1,2,3,f16,4\n\"b \"\"\",1,x,3,f17,4\n,,,\nc,1,2\n",
           "name;time_ms;gflops\r\n\"a;\nb\";1,5;2\r\nb;2,5;\"3",
           R"([{"name": "a", "problem": {"M": 64, "N": 32, "K": 16}, "time_us": 2}, {"name": "b\n", "time_us": "x"}, {"name)",
           "name,tflops\na",
           "operator,format,shape,measured_us\ngemv,fp16,4x4,3\ngemv,fp19,4x4,x\n",
       }) {
    INFO(bytes);
    for (const std::size_t head : {1, 40, 100000}) check_pieces(bytes, head);
  }
}

TEST_CASE("feed: a file larger than what is held", "[feed]") {
  std::string json = "[", lines, csv = "name,M,N,K,dtype,time_us,stage\n";
  for (int i = 0; json.size() < 3 * ReadOptions::standard_head; ++i) {
    json += (i > 0 ? ",\n" : "\n") + (i == 9000 ? "8" : product(i));
    lines += product(i) + "\n";
  }
  for (int i = 0; csv.size() < 2 * ReadOptions::standard_head; ++i)
    csv +=
        "\"k" + std::to_string(i) + "\",64,64," + (i == 60000 ? "many" : std::to_string(i % 99 + 1)) + ",f16,10," + (i % 2 ? "a\n" : "b\n");
  for (const std::string& bytes : {json + "\n]", json + ",\n!]", lines, csv}) {
    const Result<Workload> whole = fed(bytes, bytes.size());
    for (const std::size_t piece : {std::size_t{1000}, std::size_t{65536}}) {
      const Result<Workload> pieces = fed(bytes, piece);
      REQUIRE(pieces.has_value() == whole.has_value());
      if (whole)
        check_same(*pieces, *whole);
      else
        CHECK(pieces.error().text() == whole.error().text());
    }
  }
  const Workload w = *fed(json + "\n]", 65536);
  REQUIRE(w.diagnostics.size() == 1);
  CHECK(w.diagnostics[0].line == 9002);
  CHECK(w.diagnostics[0].column == 1);
  const auto last = w.record.back();
  CHECK(json.substr(last.offset, last.length) == product(static_cast<int>(w.size()) - 1));
}

TEST_CASE("feed: records lie at their places in the source, beyond 4 GiB too", "[feed]") {
  const std::uint64_t five_gib = std::uint64_t{5} << 30;
  ReadOptions options;
  options.first_byte = five_gib;
  const std::string json = "\xef\xbb\xbf[" + product(1) + ",\n" + product(2) + "]", csv = "name,tflops\na,1\nb,2\n";
  const Workload w = open(json, options);
  CHECK(w.record[0].offset == five_gib + 4);
  CHECK(json.substr(w.record[1].offset - five_gib, w.record[1].length) == product(2));
  const Workload table = open(csv, options);
  CHECK(csv.substr(table.record[1].offset - five_gib, table.record[1].length) == "b,2");
  CHECK(SourceRange(std::uint64_t{1} << 40, 3).length == 0);  // nowhere, rather than somewhere else
}

TEST_CASE("feed: records are kept where their source cannot be read again", "[feed]") {
  ReadOptions options;
  options.keep_records = true;
  for (const std::size_t piece : {std::size_t{1}, std::size_t{1000}}) {
    const Workload w = *fed("[" + product(1) + ", " + product(2) + "]", piece, options);
    CHECK(w.own_records);
    CHECK(w.record_of(1) == product(2));
    CHECK(w.name_of(1) == "mm2");
    const Workload table = *fed("name,tflops\na,1\n\"b\",2\n", piece, options);
    CHECK(table.record_of(1) == "\"b\",2");
  }
  const Workload recoded = open(in_utf16("[" + product(1) + "]"));  // places in the text are none in the file
  CHECK(recoded.own_records);
  CHECK(recoded.record_of(0) == product(1));
}

TEST_CASE("feed: a record is bounded, and so is what is read whole", "[feed]") {
  ReadOptions options;
  options.longest_record = 150;
  options.head_bytes = 50;
  const std::string longer = R"({"type": "ID_MM", "note": ")" + std::string(200, 'x') + "\"}";
  const struct {
    std::string bytes, error;
  } files[] = {
      {"[\n" + product(1) + ",\n  " + longer + "]", "line 3, column 3: more than 150 bytes in one record: expected smaller ones"},
      {product(1) + "\n" + longer + "\n" + product(2), "line 2, column 1: more than 150 bytes in one record: expected smaller ones"},
      {"name,tflops\na,1\n" + std::string(200, 'b') + ",2\n", "line 3, column 1: more than 150 bytes in one record: expected smaller ones"},
      {"operator,format,shape,measured_us\n" + std::string(200, '\n'),
       "line 1, column 1: more than 150 bytes in one record: expected smaller ones"},
  };
  for (const auto& f : files)
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, f.bytes.size()}) {
      INFO(f.bytes << " in pieces of " << piece);
      const auto w = fed(f.bytes, piece, options);
      REQUIRE_FALSE(w);
      CHECK(w.error().text() == f.error);
    }
  options.longest_record = 300;
  CHECK(fed(files[0].bytes, 7, options)->size() == 2);
}
