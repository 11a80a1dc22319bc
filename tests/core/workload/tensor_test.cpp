#include <algorithm>
#include <bit>
#include <cmath>
#include <roofline/accuracy/gguf_accuracy.hpp>
#include <roofline/tensor/tensor.hpp>

#include "json.hpp"
#include "session/open_tensors.hpp"
#include "support.hpp"
#include "zip.hpp"

using namespace roofline;

namespace {

std::string npy(const std::string& header, const std::string& data, int version = 1) {
  return "\x93NUMPY" + std::string{static_cast<char>(version), '\0'} + little(header.size(), version == 1 ? 2 : 4) + header + data;
}
std::string npy_of(const std::string& type, const std::string& shape, const std::string& data, const std::string& order = "False") {
  return npy("{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }  \n", data);
}
std::string safetensors(const std::string& header, const std::string& data) { return little(header.size(), 8) + header + data; }

Result<TensorFile> listed(const std::string& file) {
  const std::uint64_t size = tensor_header_size(std::string_view(file).substr(0, tensor_start), file.size());
  return read_tensor_header(std::string_view(file).substr(0, size == 0 ? file.size() : size), file.size());
}

std::string fault(const std::string& file, std::string_view name = "") {
  const Result<TensorFile> tensors = listed(file);
  if (!tensors) return tensors.error().text();
  const Result<const TensorInfo*> tensor = find_tensor(*tensors, name);
  return tensor ? "" : tensor.error().text();
}

std::vector<double> numbers(const std::string& file, std::string_view name = "") {
  const Result<TensorFile> tensors = listed(file);
  INFO((tensors ? "" : tensors.error().text()));
  REQUIRE(tensors);
  const Result<const TensorInfo*> tensor = find_tensor(*tensors, name);
  INFO((tensor ? "" : tensor.error().text()));
  REQUIRE(tensor);
  const Values values = tensor_values(**tensor, std::string_view(file).substr((*tensor)->offset, (*tensor)->bytes));
  std::vector<double> out(values.size);
  values.read(0, out);
  return out;
}

}  // namespace

TEST_CASE("npy: every version, either byte order, every type") {
  // 1.5 and -2 as IEEE 754 has them.
  CHECK(numbers(npy_of("<f8", "(2,)", little(0x3FF8000000000000, 8) + little(0xC000000000000000, 8))) == std::vector{1.5, -2.0});
  CHECK(numbers(npy_of("<f4", "(2,)", little(0x3FC00000, 4) + little(0xC0000000, 4))) == std::vector{1.5, -2.0});
  CHECK(numbers(npy_of("<f2", "(2,)", little(0x3E00, 2) + little(0xC000, 2))) == std::vector{1.5, -2.0});
  CHECK(numbers(npy_of(">f4", "(2,)", std::string("\x3F\xC0\0\0\xC0\0\0\0", 8))) == std::vector{1.5, -2.0});
  CHECK(numbers(npy_of(">i2", "(2,)", std::string("\x01\x02\xFF\xFE", 4))) == std::vector{258.0, -2.0});
  CHECK(numbers(npy_of("|i1", "(3,)", "\x7F\x80\xFF")) == std::vector{127.0, -128.0, -1.0});
  CHECK(numbers(npy_of("|u1", "(3,)", "\x7F\x80\xFF")) == std::vector{127.0, 128.0, 255.0});
  CHECK(numbers(npy_of("|b1", "(2,)", std::string("\x01\0", 2))) == std::vector{1.0, 0.0});
  CHECK(numbers(npy_of("<i8", "()", little(static_cast<std::uint64_t>(-3), 8))) == std::vector{-3.0});
  for (const int version : {1, 2, 3})
    CHECK(numbers(npy("{\"descr\": \"<i4\", \"fortran_order\": False, \"shape\": (1L,)}", little(7, 4), version)) == std::vector{7.0});
  // Half precision's ends: the least subnormal number, the largest number, infinity.
  const std::vector<double> ends = numbers(npy_of("<f2", "(3,)", little(0x0001, 2) + little(0x7BFF, 2) + little(0x7C00, 2)));
  CHECK((ends[0] == std::ldexp(1, -24) && ends[1] == 65504 && std::isnan(ends[2])));
}

TEST_CASE("npy: rows are what lies together") {
  const std::string data(24 * 4, '\0');
  CHECK(listed(npy_of("<f4", "(2, 3, 4)", data))->tensors[0].row() == 12);
  CHECK(listed(npy_of("<f4", "(2, 3, 4)", data, "True"))->tensors[0].row() == 6);
  CHECK(listed(npy_of("<f4", "(24,)", data))->tensors[0].row() == 24);
  CHECK(listed(npy_of("<f4", "(2, 3, 4)", data))->tensors[0].elements() == 24);
}

TEST_CASE("npy: what is wrong, where, and what was expected") {
  CHECK_THAT(fault(npy_of("<f4", "(3,)", "1234")), ContainsSubstring("should have 12 bytes: expected a whole file"));
  CHECK_THAT(fault(npy_of("<f4", "(99999999999, 99999999999)", "")), ContainsSubstring("more bytes than any file"));
  CHECK_THAT(fault(npy_of("<f4", "(4, 0)", "")), ContainsSubstring("no elements"));
  CHECK_THAT(fault(npy_of("<V2", "(1,)", "12")), ContainsSubstring("bfloat16: expected it saved as float32"));
  CHECK_THAT(fault(npy_of("|O", "(1,)", "1")), ContainsSubstring("expected"));
  CHECK_THAT(fault(npy_of("<c8", "(1,)", "12345678")), ContainsSubstring("<c8"));
  CHECK_THAT(fault(npy_of("<f16", "(1,)", std::string(16, ' '))), ContainsSubstring("<f16"));
  CHECK_THAT(fault(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "1234")), ContainsSubstring("structured array"));
  CHECK_THAT(fault(npy("{'fortran_order': False, 'shape': (1,)}", "1234")), ContainsSubstring("has no 'descr'"));
  CHECK_THAT(fault(npy("{'descr': '<f4', 'fortran_order': 1, 'shape': (1,)}", "1234")), ContainsSubstring("fortran_order"));
  CHECK_THAT(fault(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (x,)}", "1234")), ContainsSubstring("shape"));
  CHECK_THAT(fault(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1", "1234")), ContainsSubstring("shape"));
  CHECK_THAT(fault(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "1234", 9)), ContainsSubstring("version 9"));
  CHECK_THAT(fault(npy_of("<f4", "(1,)", "").substr(0, 40)), ContainsSubstring("ends within its header"));
  CHECK_THAT(fault("[{\"type\": \"ID_CONV\"}]"), ContainsSubstring("no tensor file"));
  CHECK_THAT(fault(""), ContainsSubstring("no tensor file"));
}

TEST_CASE("npz: the arrays in it, by name") {
  const std::string a = npy_of("<f4", "(2,)", little(0x3FC00000, 4) + little(0xC0000000, 4)),
                    b = npy_of("<i2", "(1, 2)", little(3, 2) + little(4, 2));
  const std::string file = zip_archive({{"layer.weight.npy", a}, {"notes.txt", "x"}, {"b.npy", b}});
  const Result<TensorFile> tensors = listed(file);
  REQUIRE(tensors);
  CHECK(tensors->format == "npz");
  REQUIRE(tensors->tensors.size() == 2);
  CHECK(tensors->tensors[0].name == "layer.weight");
  CHECK(numbers(file, "layer.weight") == std::vector{1.5, -2.0});
  CHECK(numbers(file, "b") == std::vector{3.0, 4.0});
  CHECK(tensors->tensors[1].shape == std::vector<std::uint64_t>{1, 2});

  CHECK(fault(zip_archive({{"w.npy", a, 12}})).find("w: is compressed by ZIP's method 12: expected arrays of numpy.savez") == 0);
  CHECK(fault(zip_archive({{"w.npy", "no array"}})).find("w: is no .npy array") == 0);
  CHECK(fault(zip_archive({{"data.pkl", "x"}})).find("is a ZIP archive without NumPy arrays") == 0);
  CHECK(fault(zip_archive({{"w.npy", npy_of("<f4", "(3,)", "")}})).find("w: ends within its data") == 0);
  // Cut anywhere, it is told; nothing is read beyond it.
  for (std::size_t size = 16; size < file.size(); ++size) {
    INFO(size);
    CHECK_FALSE(fault(file.substr(0, size)).empty());
  }
}

TEST_CASE("npz: what is deflated is listed with its place, and read once it is unpacked") {
  const std::string a = npy_of("<f4", "(2,)", little(0x3FC00000, 4) + little(0xC0000000, 4)),
                    b = npy_of("<i2", "(1, 2)", little(3, 2) + little(4, 2));
  const std::string file = zip_archive({{"a.npy", a}, {"b.npy", "deflated", 8, b.size(), 0x89ABCDEF}});
  Result<TensorFile> tensors = listed(file);
  REQUIRE(tensors);
  REQUIRE(tensors->tensors.size() == 2);
  CHECK_FALSE(tensors->tensors[0].packed);
  TensorInfo& packed = tensors->tensors[1];
  REQUIRE(packed.packed);
  CHECK(file.substr(packed.packed->offset, packed.packed->bytes) == "deflated");
  CHECK((packed.packed->size == b.size() && packed.packed->crc == 0x89ABCDEF && packed.name == "b"));

  // Its start, as anything that inflates gives it: the numbers follow the header.
  const TensorInfo listed_only = packed;
  REQUIRE(read_packed(packed, b));
  CHECK((packed.name == "b" && packed.type == "<i2" && packed.shape == std::vector<std::uint64_t>{1, 2} && packed.packed));
  CHECK(b.substr(packed.offset, packed.bytes) == little(3, 2) + little(4, 2));
  REQUIRE(find_tensor(*tensors, "b"));

  const auto refused = [&](const std::string& start, std::uint64_t size) {
    TensorInfo tensor = listed_only;
    tensor.packed->size = size;
    const Result<void> read = read_packed(tensor, start);
    return read ? "" : read.error().text();
  };
  CHECK(refused("no array, though it is long enough to be one", 44).find("b: is no .npy array") == 0);
  CHECK(refused(b.substr(0, 30), b.size()).find("b: is no .npy array") == 0);
  CHECK(refused(b, 20).find("b: is no .npy array") == 0);  // the archive states less than the header
  CHECK(refused(b, b.size() - 1).find("b: ends within its data, which should have 4 bytes") == 0);
  for (std::size_t size = 0; size < b.size(); ++size) CHECK((size >= packed.offset || !refused(b.substr(0, size), b.size()).empty()));

  const auto json = Json::parse(tensors_json(*tensors));
  CHECK(json["tensors"][0].count("packed") == 0);
  CHECK(json["tensors"][1]["packed"] == Json({{"offset", packed.packed->offset}, {"bytes", 8}, {"size", b.size()}, {"crc", 0x89ABCDEF}}));

  OpenTensors open;
  CHECK(Json::parse(open.open("x.npz", file, file.size()))["tensors"].size() == 2);
  CHECK(Json::parse(open.unpack(0, b)).contains("error"));
  CHECK(Json::parse(open.unpack(1, b))["tensors"][0]["shape"] == Json({1, 2}));
  CHECK(Json::parse(open.accuracy("b", b.substr(packed.offset, packed.bytes)))["tensor"]["max"] == 4);
}

TEST_CASE("safetensors: tensors in the order of their data, and their numbers") {
  // 1.5 and -2 in BF16; E4M3: 448 (0x7E), NaN (0x7F), 2^-9 (0x01); E5M2: 57344 (0x7B), infinity (0x7C).
  const std::string file = safetensors(
      R"({"second": {"dtype": "F8_E4M3", "shape": [3], "data_offsets": [4, 7]}, "__metadata__": {"format": "pt"},
          "first": {"dtype": "BF16", "shape": [1, 2], "data_offsets": [0, 4]}, "third": {"dtype": "F8_E5M2", "shape": [2], "data_offsets": [7, 9]},
          "packed": {"dtype": "F4", "shape": [4], "data_offsets": [9, 11]}})",
      little(0x3FC0, 2) + little(0xC000, 2) + "\x7E\x7F\x01\x7B\x7C" + "ab");
  const Result<TensorFile> tensors = listed(file);
  REQUIRE(tensors);
  REQUIRE(tensors->tensors.size() == 4);
  CHECK((tensors->tensors[0].name == "first" && tensors->tensors[1].name == "second"));
  CHECK(numbers(file, "first") == std::vector{1.5, -2.0});
  const std::vector<double> e4m3 = numbers(file, "second"), e5m2 = numbers(file, "third");
  CHECK((e4m3[0] == 448 && std::isnan(e4m3[1]) && e4m3[2] == std::ldexp(1, -9)));
  CHECK((e5m2[0] == 57344 && std::isnan(e5m2[1])));

  CHECK_THAT(fault(file), ContainsSubstring("holds 4 tensors: expected the name of one"));
  CHECK_THAT(fault(file, "frist"), ContainsSubstring("holds no tensor \"frist\": did you mean first"));
  CHECK_THAT(fault(file, "packed"), ContainsSubstring("packed: elements of type F4 are not read"));
}

TEST_CASE("safetensors: what is wrong, where, and what was expected") {
  const auto one = [](const std::string& entry) { return fault(safetensors("{\"w\": " + entry + "}", "1234"), "w"); };
  CHECK(one(R"({"dtype": "F32", "shape": [1], "data_offsets": [0, 4]})").empty());
  CHECK_THAT(one(R"({"dtype": "F32", "shape": [2], "data_offsets": [0, 8]})"),
             ContainsSubstring("w.data_offsets: ends within the data of w"));
  CHECK_THAT(one(R"({"dtype": "F32", "shape": [2], "data_offsets": [0, 4]})"), ContainsSubstring("as many bytes as type and shape need"));
  CHECK_THAT(one(R"({"dtype": "F32", "shape": [1], "data_offsets": [4, 0]})"), ContainsSubstring("expected [begin, end]"));
  CHECK_THAT(one(R"({"dtype": "F32", "shape": [1], "data_offsets": 4})"), ContainsSubstring("expected [begin, end]"));
  CHECK_THAT(one(R"({"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]})"), ContainsSubstring("w.shape: expected whole lengths"));
  CHECK_THAT(one(R"({"dtype": "F32", "shape": "1", "data_offsets": [0, 4]})"), ContainsSubstring("w.shape"));
  CHECK_THAT(one(R"({"shape": [1], "data_offsets": [0, 4]})"), ContainsSubstring("w.dtype"));
  CHECK_THAT(one("7"), ContainsSubstring("w.dtype"));
  CHECK_THAT(fault(safetensors("{\"w\": ", "")), ContainsSubstring("its header is not valid JSON"));
  CHECK_THAT(fault(little(std::uint64_t{1} << 40, 8) + "{}"),
             ContainsSubstring("no tensor file"));  // the header would be longer than the file
}

TEST_CASE("an open tensor file: its header first, then one tensor's bytes") {
  std::string data;
  for (const double x : sample_values(Sample::gaussian).first(4096)) data += little(std::bit_cast<std::uint64_t>(x), 8);
  const std::string file = safetensors(R"({"w": {"dtype": "F64", "shape": [1, 4096], "data_offsets": [0, 32768]}})", data);
  const std::string_view header = std::string_view(file).substr(0, file.size() - data.size());
  OpenTensors open;
  CHECK(Json::parse(open.open("weights.safetensors", header.substr(0, tensor_start), file.size()))["header_bytes"] == header.size());
  const Json list = Json::parse(open.open("weights.safetensors", header, file.size()));
  CHECK(list["tensors"][0]["offset"] == header.size());
  CHECK(list["tensors"][0]["readable"] == true);
  const Json answer = Json::parse(open.accuracy("w", data));
  CHECK(answer["schema"] == "roofline-accuracy/1");
  CHECK(answer["tensor"]["file"] == "weights.safetensors");
  const Values values{4096, 4096, [](std::uint64_t first, std::span<double> out) {
                        for (std::size_t i = 0; i < out.size(); ++i) out[i] = sample_values(Sample::gaussian)[first + i];
                      }};
  const std::vector<double> plain = measure_accuracy(values).sqnr_db, gguf = gguf_sqnr_db(values);
  CHECK(answer["formats"].size() == measured_formats().size());
  for (const Json& f : answer["formats"]) {
    INFO(f["id"]);
    const FormatId id = format(text_of(f["id"]));
    const double db = std::isnan(plain[id]) ? gguf[id] : plain[id];
    CHECK((std::isinf(db) ? f["sqnr_db"]["tensor"].is_null() && f["exact"][0] == "tensor" : f["sqnr_db"]["tensor"] == db));
  }
  CHECK(Json::parse(open.accuracy("w", "short")).contains("error"));
  CHECK(Json::parse(open.open("a.json", "[{\"type\": \"ID", 1000))["header_bytes"] == 0);
}
