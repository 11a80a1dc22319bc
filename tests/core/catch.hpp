// Catch2 2 (Debian 12) and 3 (Debian 13) behind one include.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;  // global in Catch2 2
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
#else
#include <catch2/catch.hpp>
#define ContainsSubstring Catch::Contains
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
#endif
