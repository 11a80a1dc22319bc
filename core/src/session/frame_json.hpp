// A frame's JSON part; its columns go as they are (each_column in session.hpp).
#pragma once

#include <roofline/analysis/selection.hpp>
#include <roofline/frame/frame.hpp>
#include <string>

namespace roofline {

/// Of a frame with Frame::chart_alone.
[[nodiscard]] std::string chart_json(const Plan& plan, const FrameRequest& request, const Frame& frame);

/// `ranks`: of a profile's operations; else null.
[[nodiscard]] std::string frame_json(const OpSet& ops, const FrameRequest& request, const Frame& frame, bool grouped,
                                     const ProfileRank* ranks);

}  // namespace roofline
