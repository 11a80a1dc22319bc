#include <cmath>
#include <roofline/workload/record.hpp>
#include <string>

#include "catch.hpp"

using namespace roofline;

TEST_CASE("keys are found by name and by alias, exactly") {
  const Keys keys;
  for (Key known = 0; known < key::known_count; ++known) {
    INFO(key_name(known));
    CHECK(keys.find(key_name(known)) == known);
    CHECK(keys.name(known) == key_name(known));
  }
  CHECK(keys.find("dtype") == key::data_type);
  CHECK(keys.find("out_channels") == key::output_channels);
  CHECK(keys.find("pads") == key::padding);
  CHECK(keys.find("key") == key::key_);
  CHECK(keys.find("Type") == Keys::npos);
  CHECK(keys.find("") == Keys::npos);
  CHECK(keys.find("input_shap") == Keys::npos);
  CHECK(keys.find("input_shape2") == Keys::npos);
}

TEST_CASE("names of a registry become keys of their own") {
  Keys keys;
  CHECK(keys.add("kernel_size") == key::kernel_size);
  const Key mine = keys.add("my_field");
  CHECK(mine == key::known_count);
  CHECK(keys.add("my_field") == mine);

  // Names that agree in length, head and tail, and enough of them for the table to grow.
  std::vector<Key> added;
  for (int i = 0; i < 3000; ++i) added.push_back(keys.add("a_long_common_head_" + std::to_string(1000 + i) + "_a_long_common_tail"));
  for (int i = 0; i < 3000; ++i)
    CHECK(keys.find("a_long_common_head_" + std::to_string(1000 + i) + "_a_long_common_tail") == added[static_cast<std::size_t>(i)]);
  CHECK(keys.find("my_field") == mine);
  CHECK(keys.find("dtype") == key::data_type);

  const Keys copy = keys;
  CHECK(copy.find("my_field") == mine);
}

TEST_CASE("a record holds values of every kind until it is cleared") {
  Record record;
  record.set_number(key::time_ns, 850000, 12);
  record.set_boolean(key::bias, true);
  record.set_string(key::padding, "SAME");
  record.set_null(key::note);
  record.set_other(key::name);
  record.set_list(key::input_shape, std::vector<double>{1, 64, 224});
  CHECK(record[key::time_ns].number == 850000);
  CHECK(record[key::time_ns].offset == 12);
  CHECK(record[key::bias].number == 1);
  CHECK(record[key::padding].string == "SAME");
  CHECK_FALSE(record.has(key::note));
  CHECK(record.has(key::name));
  CHECK(record.list(key::input_shape).size() == 3);
  CHECK(record.list(key::input_shape)[2] == 224);
  CHECK(record.list(key::time_ns).empty());

  record.set_list(key::input_shape, std::vector<double>{7});  // a name given twice: the last one counts
  CHECK(record.list(key::input_shape).size() == 1);

  record.clear();
  for (Key k = 0; k < key::known_count; ++k) CHECK(record[k].kind == Value::Kind::absent);
  record.set_list(key::stride, std::vector<double>{2, 2});
  CHECK(record.list(key::stride)[1] == 2);
  CHECK(record[key::stride].all_numbers);
}

TEST_CASE("lists of lists, and lists that are not what they should be") {
  Record record;
  record.begin_list(key::inputs);
  for (const double rows : {2, 3}) {
    record.begin_inner_list();
    record.add_number(rows);
    record.add_number(10);
    record.end_inner_list();
  }
  record.begin_inner_list();  // a scalar's shape
  record.end_inner_list();
  record.end_list();
  REQUIRE(record.shape_count(key::inputs) == 3);
  CHECK(record.shape(key::inputs, 1)[0] == 3);
  CHECK(record.shape(key::inputs, 2).empty());
  CHECK(record[key::inputs].all_numbers);
  CHECK(record.list(key::inputs).empty());

  record.begin_list(key::stride);  // [1, "2"]
  record.add_number(1);
  record.add_not_a_number();
  record.end_list();
  CHECK_FALSE(record[key::stride].all_numbers);
  REQUIRE(record.list(key::stride).size() == 2);
  CHECK(std::isnan(record.list(key::stride)[1]));

  record.begin_list(key::padding);  // [1, [2], 3]
  record.add_number(1);
  record.begin_inner_list();
  record.add_number(2);
  record.end_inner_list();
  record.add_number(3);
  record.end_list();
  CHECK_FALSE(record[key::padding].all_numbers);
  REQUIRE(record.shape_count(key::padding) == 1);
  CHECK(record.shape(key::padding, 0).size() == 1);
}
