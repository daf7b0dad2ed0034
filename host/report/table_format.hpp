// Values of a table as others read them: CSV, NumPy's NPY, the b-files of the OEIS.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "grundy/dataset/selection.hpp"
#include "grundy/report/byte_stream.hpp"

namespace grundy {

/// Writes the pieces of a selection, in order, into a stream.
class TableFormat {
 public:
  TableFormat() = default;
  TableFormat(const TableFormat&) = delete;
  TableFormat& operator=(const TableFormat&) = delete;
  virtual ~TableFormat() = default;

  /// What comes before the first piece.
  virtual void begin(ByteStream& out) = 0;
  virtual void add(const Piece& piece, ByteStream& out) = 0;
};

/// The selection as a matrix: a line for each row, "x,G(x,y0),G(x,y0+1),...", under the header
/// "x,y0,y0+1,...". Without `header` the values alone.
std::unique_ptr<TableFormat> csv_matrix(const Selection& selection, bool header);

/// A line "x,y,value" for each position, under that header; of `levels`, from the first to the
/// last, only the positions that have one of these values.
std::unique_ptr<TableFormat> csv_list(
    bool header, std::optional<std::pair<std::uint32_t, std::uint32_t>> levels);

/// An array of unsigned little-endian integers of 2 or 4 bytes, of two dimensions for a region, of
/// one for a sequence. numpy.org/neps/nep-0001-npy-format.html
std::unique_ptr<TableFormat> npy(const Selection& selection, unsigned value_bytes);

/// A line "n a(n)" for each term of a sequence; as `header` a comment line that says what of
/// `rule` it is. oeis.org/SubmitB.html
std::unique_ptr<TableFormat> b_file(const Selection& selection, const std::string& rule,
                                    bool header);

}  // namespace grundy
