#include "grundy/report/table_format.hpp"

#include <bit>
#include <string_view>

#include <fmt/format.h>

#include "grundy/game/parse.hpp"
#include "grundy/version.hpp"

namespace grundy {
namespace {

static_assert(std::endian::native == std::endian::little, "values are written as they are");

/// The bytes of a number as they are in memory.
template <typename Number>
std::string_view bytes_of(const Number& number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

class CsvMatrix final : public TableFormat {
 public:
  CsvMatrix(const Selection& selection, bool header) : box_(selection.box()), header_(header) {}

  void begin(ByteStream& out) override {
    if (!header_) return;
    out.put("x");
    for (std::uint64_t y = box_.y0; y < box_.y1(); ++y) {
      out.put(',');
      out.put_number(y);
    }
    out.put('\n');
  }

  void add(const Piece& piece, ByteStream& out) override {
    if (piece.begins_line && header_) out.put_number(piece.first.x);
    bool comma = !piece.begins_line || header_;
    for (const std::uint32_t value : piece.values) {
      if (comma) out.put(',');
      comma = true;
      out.put_number(value);
    }
    if (piece.ends_line) out.put('\n');
  }

 private:
  Region box_;
  bool header_;
};

class CsvList final : public TableFormat {
 public:
  CsvList(bool header, std::optional<std::pair<std::uint32_t, std::uint32_t>> levels)
      : header_(header), levels_(levels) {}

  void begin(ByteStream& out) override {
    if (header_) out.put("x,y,value\n");
  }

  void add(const Piece& piece, ByteStream& out) override {
    Position p = piece.first;
    for (const std::uint32_t value : piece.values) {
      if (!levels_ || (value >= levels_->first && value <= levels_->second)) {
        out.put_number(p.x);
        out.put(',');
        out.put_number(p.y);
        out.put(',');
        out.put_number(value);
        out.put('\n');
      }
      // Modulo 2^64, so that -1 is a step back.
      p.x += static_cast<std::uint64_t>(piece.dx);
      p.y += static_cast<std::uint64_t>(piece.dy);
    }
  }

 private:
  bool header_;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> levels_;
};

class Npy final : public TableFormat {
 public:
  Npy(const Selection& selection, unsigned value_bytes) : bytes_(value_bytes) {
    const auto [rows, cols] = selection.box().extent;
    shape_ = selection.is_sequence() ? fmt::format("({},)", selection.cells())
                                     : fmt::format("({}, {})", rows, cols);
  }

  void begin(ByteStream& out) override {
    // The magic string with the version 1.0, the header's length, and the header, which ends where
    // the values are aligned to 64 bytes.
    constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
    constexpr std::size_t kAlignment = 64;
    std::string header =
        fmt::format("{{'descr': '<u{}', 'fortran_order': False, 'shape': {}, }}", bytes_, shape_);
    const std::size_t before = kMagic.size() + sizeof(std::uint16_t);
    header.append(kAlignment - 1 - (before + header.size()) % kAlignment, ' ');
    header.push_back('\n');
    const auto length = static_cast<std::uint16_t>(header.size());
    out.put(kMagic);
    out.put(bytes_of(length));
    out.put(header);
  }

  void add(const Piece& piece, ByteStream& out) override {
    for (const std::uint32_t value : piece.values) {
      if (bytes_ == sizeof value) {
        out.put(bytes_of(value));
      } else {
        const auto narrow = static_cast<std::uint16_t>(value);
        out.put(bytes_of(narrow));
      }
    }
  }

 private:
  unsigned bytes_;
  std::string shape_;
};

class BFile final : public TableFormat {
 public:
  BFile(const Selection& selection, const std::string& rule, bool header)
      : number_(selection.first_number()) {
    // Lines of b-files are to have at most 1000 characters.
    if (header)
      comment_ = fmt::format("# a(n) = {}, the Grundy values of {}; grundy {}\n", selection.term(),
                             excerpt(rule, 500), kVersion);
  }

  void begin(ByteStream& out) override { out.put(comment_); }

  void add(const Piece& piece, ByteStream& out) override {
    for (const std::uint32_t value : piece.values) {
      out.put_number(number_++);
      out.put(' ');
      out.put_number(value);
      out.put('\n');
    }
  }

 private:
  std::uint64_t number_;
  std::string comment_;
};

}  // namespace

std::unique_ptr<TableFormat> csv_matrix(const Selection& selection, bool header) {
  return std::make_unique<CsvMatrix>(selection, header);
}

std::unique_ptr<TableFormat> csv_list(
    bool header, std::optional<std::pair<std::uint32_t, std::uint32_t>> levels) {
  return std::make_unique<CsvList>(header, levels);
}

std::unique_ptr<TableFormat> npy(const Selection& selection, unsigned value_bytes) {
  return std::make_unique<Npy>(selection, value_bytes);
}

std::unique_ptr<TableFormat> b_file(const Selection& selection, const std::string& rule,
                                    bool header) {
  return std::make_unique<BFile>(selection, rule, header);
}

}  // namespace grundy
