// Colours for numbers.
#pragma once

#include <array>
#include <cstdint>

namespace grundy {

/// In the sRGB colour space, each part from 0 to 1.
struct Colour {
  double red, green, blue;
};

/// The colour for a number from 0 to 1; what lies outside counts as 0 or 1. Equal steps look
/// equally different, and it grows evenly lighter, so that order survives grey print and every
/// kind of colour vision.
Colour sequential_colour(double share);

/// 0xRRGGBB, each part rounded to 0 ... 255.
std::uint32_t to_rgb24(const Colour& colour);

/// Lightness, green to red, blue to yellow: the Oklab colour space, in which distance is how
/// different two colours look. Source: B. Ottosson, A perceptual color space for image processing,
/// 2020.
using Oklab = std::array<double, 3>;
Colour from_oklab(const Oklab& oklab);

/// The point of Oklab that sequential_colour(share) shows, 0 <= share <= 1.
Oklab sequential_oklab(double share);

}  // namespace grundy
