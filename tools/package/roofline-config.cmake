# find_package(roofline): the target roofline::roofline. Its headers use tl::expected (Debian: libexpected-dev).
find_path(ROOFLINE_EXPECTED_DIR tl/expected.hpp)
if(NOT ROOFLINE_EXPECTED_DIR)
  set(roofline_FOUND FALSE)
  set(roofline_NOT_FOUND_MESSAGE "tl/expected.hpp is not there: expected tl::expected (libexpected-dev)")
  return()
endif()
include(${CMAKE_CURRENT_LIST_DIR}/roofline-targets.cmake)
set_property(TARGET roofline::roofline APPEND PROPERTY INTERFACE_INCLUDE_DIRECTORIES ${ROOFLINE_EXPECTED_DIR})
