// The wire format: what is read of it, and that nothing is read beyond it.
#include "read/protobuf.hpp"

#include <string>

#include "catch.hpp"

using namespace roofline::protobuf;

TEST_CASE("protobuf: every wire type is read") {
  const std::string bytes(
      "\x08\xac\x02"                                  // 1: varint 300
      "\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"  // 2: -1
      "\x1a\x02hi"                                    // 3: "hi"
      "\x25\0\0\xc0\x3f"                              // 4: 1.5f
      "\x29\0\0\0\0\0\0\x04\xc0"                      // 5: -2.5
      ,
      3 + 11 + 4 + 5 + 9);
  Message message(bytes);
  Field field;
  REQUIRE(message.next(field));
  CHECK((field.is(1, Wire::varint) && field.value == 300));
  REQUIRE(message.next(field));
  CHECK((field.is(2, Wire::varint) && field.integer() == -1));
  REQUIRE(message.next(field));
  CHECK((field.is(3, Wire::bytes) && field.bytes == "hi"));
  REQUIRE(message.next(field));
  CHECK((field.is(4, Wire::fixed32) && field.real() == 1.5));
  REQUIRE(message.next(field));
  CHECK((field.is(5, Wire::fixed64) && field.real() == -2.5));
  CHECK(!message.next(field));
  CHECK(!message.damaged());
}

TEST_CASE("protobuf: a message that is cut off or no message is damaged") {
  using namespace std::string_literals;
  const std::string damaged[] = {
      "\x08"s,                                              // a tag and nothing behind it
      "\x08\xff"s,                                          // in the middle of a number
      "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s,  // eleven bytes of one
      "\x1a\x05hi"s,                                        // text of five bytes, two of them there
      "\x1a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01hi"s,    // of 2^64 - 1 bytes
      "\x25\0\0"s,                                          // half of a fixed number
      "\x0b\x0c"s,                                          // a group
      "\x0e"s,                                              // wire type 6
      "\0\0"s,                                              // field 0
  };
  for (const std::string& bytes : damaged) {
    Message message(bytes);
    Field field;
    while (message.next(field)) {
    }
    CHECK(message.damaged());
    CHECK(!message.next(field));
  }
}

TEST_CASE("protobuf: a head that may go on in the next piece is not damaged") {
  Head head;
  CHECK(read_head("", head) == Read::end);
  CHECK(read_head("\x1a", head) == Read::end);
  CHECK(read_head("\x1a\x80", head) == Read::end);
  CHECK(read_head("\x1a\x80\x01", head) == Read::done);
  CHECK(head.field.value == 128);
  CHECK(head.size == 3);
  CHECK(read_head("\x07", head) == Read::bad);
}
