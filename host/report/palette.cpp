#include "grundy/report/palette.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace grundy {
namespace {

double to_srgb(double linear) {
  const double c = std::clamp(linear, 0.0, 1.0);
  return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
}

}  // namespace

Colour from_oklab(const Oklab& oklab) {
  const auto [lightness, a, b] = oklab;
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {to_srgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          to_srgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          to_srgb(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

Oklab sequential_oklab(double share) {
  // A helix, so that neighbours are equally far apart everywhere: from dark purple by blue and
  // green to light yellow, the longest of its kind that was found within the colours of sRGB.
  constexpr double kDegree = std::numbers::pi / 180;
  const double angle = (320 - 210 * share) * kDegree;
  return {0.27 + 0.65 * share, 0.01 + 0.13 * std::cos(angle), 0.05 + 0.13 * std::sin(angle)};
}

Colour sequential_colour(double share) {
  return from_oklab(sequential_oklab(std::clamp(share, 0.0, 1.0)));
}

std::uint32_t to_rgb24(const Colour& colour) {
  const auto part = [](double share) {
    return static_cast<std::uint32_t>(std::lround(share * 255));
  };
  return part(colour.red) << 16U | part(colour.green) << 8U | part(colour.blue);
}

}  // namespace grundy
