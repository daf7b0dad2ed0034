#include "grundy/dataset/writer.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "grundy/dataset/bounded_queue.hpp"
#include "grundy/dataset/chunk_assembler.hpp"
#include "grundy/dataset/chunk_buffers.hpp"
#include "grundy/dataset/format.hpp"
#include "grundy/dataset/placed_chunks.hpp"
#include "grundy/dataset/stored_values.hpp"
#include "grundy/dataset/table_file.hpp"
#include "grundy/engine/run_in_threads.hpp"
#include "grundy/game/errors.hpp"

namespace grundy {
namespace {

using Clock = std::chrono::steady_clock;

/// How the memory for output is shared out; everything is counted in chunks.
struct Budget {
  Budget(const DatasetOptions& options, const ChunkGrid& grid) {
    constexpr std::uint64_t kLeast = 16;
    const std::uint64_t chunks = options.buffer_bytes / grid.chunk_bytes();
    if (chunks < kLeast)
      throw UsageError(
          fmt::format("{} bytes of memory for output are too few: chunks of this "
                      "table take {} bytes, and {} of them are the least",
                      options.buffer_bytes, grid.chunk_bytes(), kLeast));
    encoders = std::clamp<std::uint64_t>(worker_threads(options.threads), 1, chunks / 16);
    queue = chunks / 8;
    decoded = chunks / 8;
    // An encoder has two buffers between filters and the chunk that comes out.
    in_memory = chunks - 3 * encoders - queue - 1 - decoded;
  }

  std::size_t encoders;
  std::size_t queue;      // before the encoders and after them
  std::size_t decoded;    // kept when a run is resumed
  std::size_t in_memory;  // not compressed: in the making, and in the queue to the encoders
};

ChunkGrid chunk_grid(const Rule& rule, const Extent& extent, const DatasetOptions& options) {
  const Region region = options.window.value_or(Region{0, 0, extent});
  if (region.empty() || !Region{0, 0, extent}.contains(region))
    throw UsageError(
        fmt::format("the window {}:{},{}:{} is not a part of the table of {} x {} positions",
                    region.x0, region.x1(), region.y0, region.y1(), extent.rows, extent.cols));
  if (options.half) {
    if (options.window) throw UsageError("half storage is for whole tables, not for windows");
    if (!rule.symmetric())
      throw UsageError(fmt::format("half storage is for symmetric tables; {} is not", rule.name()));
    if (extent.rows > extent.cols)
      throw UsageError(
          fmt::format("half storage stores y >= x, so the table must not have more "
                      "rows ({}) than columns ({}); exchange them",
                      extent.rows, extent.cols));
  }
  return {region, format::chunk_extent(region.extent),
          format::value_bytes({region.x1(), region.y1()}), options.half};
}

}  // namespace

class DatasetWriter::Impl {
 public:
  /// `trusted`: the chunks not to be written again.
  Impl(std::unique_ptr<TableFile> file, const DatasetOptions& options, ChunkPlaces trusted,
       bool resumed)
      : file_(std::move(file)),
        grid_(file_->content().grid),
        budget_(options, grid_),
        checkpoint_interval_(options.checkpoint_interval),
        stored_chunks_(count_stored(trusted)),
        buffers_(grid_.chunk_bytes(), budget_.in_memory,
                 std::filesystem::absolute(file_->path()).parent_path().string()),
        filled_(budget_.queue),
        encoded_(budget_.queue) {
    std::vector<bool> done;
    for (const std::optional<ChunkPlace>& place : trusted) done.push_back(place.has_value());
    if (resumed) {
      distrusted_chunks_ = count_stored(file_->places()) - stored_chunks_;
      known_.emplace(file_->partial_path(), grid_, file_->content().codec.filters(),
                     std::move(trusted), budget_.decoded);
    }
    assembler_.emplace(grid_, buffers_, std::move(done));
    last_checkpoint_ = Clock::now();
    for (std::size_t t = 0; t < budget_.encoders; ++t)
      encoders_.emplace_back([this] { guarded([this] { encode_chunks(); }); });
    writer_ = std::jthread([this] { guarded([this] { write_chunks(); }); });
  }

  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  ~Impl() {
    finish_writing();
    if (ended_) return;
    try {
      keep_what_is_stored();
    } catch (const std::exception&) {
      // The one before stays; whoever destroys the writer early has another error to report.
    }
  }

  [[nodiscard]] State state() const {
    const TableContent& content = file_->content();
    return {content.rule,   {grid_.region.x1(), grid_.region.y1()},
            grid_.region,   grid_.half,
            content.codec,  grid_.stored_chunks(),
            stored_chunks_, distrusted_chunks_};
  }

  [[nodiscard]] const KnownValues* known() const { return known_ ? &*known_ : nullptr; }

  void consume(const FinishedTile& tile) {
    for_each_view(tile, [this](const TileView& view) {
      assembler_->add(view, [this](Chunk chunk) {
        if (!filled_.push(std::move(chunk))) rethrow_error();
      });
    });
  }

  void suspend() {
    finish_writing();
    rethrow_error();
    keep_what_is_stored();
    ended_ = true;
  }

  void publish(const Summary& summary, const std::vector<std::uint64_t>& histogram) {
    finish_writing();
    rethrow_error();
    const std::uint64_t cells = grid_.region.extent.cells();
    if (stored_chunks_ != grid_.stored_chunks() || summary.cells != cells)
      throw std::logic_error(fmt::format("{} of {} chunks were written, {} of {} cells summed up",
                                         stored_chunks_, grid_.stored_chunks(), summary.cells,
                                         cells));
    file_->publish(summary, histogram, static_cast<unsigned>(budget_.encoders));
    ended_ = true;
  }

  [[nodiscard]] const std::string& partial_path() const { return file_->partial_path(); }
  [[nodiscard]] std::uint64_t file_bytes() const {
    return std::filesystem::file_size(file_->path());
  }

 private:
  struct EncodedChunk {
    std::uint64_t i;
    std::uint64_t j;
    FilteredChunk content;
  };

  /// Of a thread: what it throws ends the work of all.
  template <typename Work>
  void guarded(Work work) {
    try {
      work();
    } catch (...) {
      {
        const std::scoped_lock lock(error_mutex_);
        if (!error_) error_ = std::current_exception();
      }
      filled_.close();
      encoded_.close();
    }
  }

  void encode_chunks() {
    ChunkFilters filters(file_->content().codec.filters(), grid_.chunk_bytes(), grid_.value_bytes);
    while (auto chunk = filled_.pop()) {
      EncodedChunk encoded{chunk->i, chunk->j, {}};
      filters.encode({chunk->bytes.get(), grid_.chunk_bytes()}, encoded.content);
      chunk->bytes.reset();
      if (!encoded_.push(std::move(encoded))) return;
    }
  }

  /// The writing thread: from here to its end, all HDF5 calls are its.
  void write_chunks() {
    hdf5::initialize();
    while (const auto chunk = encoded_.pop()) {
      file_->write_chunk(chunk->i, chunk->j, chunk->content);
      ++stored_chunks_;
      if (Clock::now() - last_checkpoint_ >= checkpoint_interval_) {
        file_->save_checkpoint();
        last_checkpoint_ = Clock::now();
      }
    }
  }

  void finish_writing() {
    filled_.close();
    encoders_.clear();  // joins
    encoded_.close();
    if (writer_.joinable()) writer_.join();
  }

  void keep_what_is_stored() {
    if (file_->holds_chunks()) {
      file_->save_checkpoint();
    } else {
      file_->remove();
    }
  }

  void rethrow_error() {
    const std::scoped_lock lock(error_mutex_);
    if (error_) std::rethrow_exception(error_);
  }

  std::unique_ptr<TableFile> file_;
  ChunkGrid grid_;
  Budget budget_;
  std::chrono::milliseconds checkpoint_interval_;
  std::uint64_t distrusted_chunks_ = 0;
  std::uint64_t stored_chunks_;  // by the writing thread, while it runs
  Clock::time_point last_checkpoint_;
  bool ended_ = false;  // published or suspended
  std::optional<StoredValues> known_;
  ChunkBuffers buffers_;
  std::optional<ChunkAssembler> assembler_;
  BoundedQueue<Chunk> filled_;
  BoundedQueue<EncodedChunk> encoded_;
  std::mutex error_mutex_;
  std::exception_ptr error_;
  std::vector<std::jthread> encoders_;
  std::jthread writer_;
};

DatasetWriter::DatasetWriter(std::string path, const Rule& rule, const Extent& extent,
                             const std::string& engine, const DatasetOptions& options) {
  const TableContent content{rule, chunk_grid(rule, extent, options), options.codec};
  (void)Budget(options, content.grid);  // may refuse, and should before there is a file
  const Existing existing = replace_or_refuse(options.overwrite);
  auto file = std::make_unique<TableFile>(std::move(path), existing, content, engine);
  ChunkPlaces none(file->places().size());
  impl_ = std::make_unique<Impl>(std::move(file), options, std::move(none), false);
}

DatasetWriter::DatasetWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

DatasetWriter::~DatasetWriter() = default;

std::unique_ptr<DatasetWriter> DatasetWriter::resume(
    const std::string& path, const std::string& engine, const DatasetOptions& options,
    const std::function<void(std::uint64_t chunks, std::uint64_t of_chunks)>& checked) {
  if (!TableFile::checkpoint_of(path).exists()) {
    if (std::filesystem::exists(path + ".partial"))  // ended before its first checkpoint
      PartialFile(path, Existing::kContinue).remove();
    return nullptr;
  }
  auto file = std::make_unique<TableFile>(path, engine);
  ChunkPlaces trusted = file->places();
  const std::uint64_t stored = count_stored(trusted);
  const std::vector<std::size_t> flawed =
      PlacedChunks(file->partial_path()).find_flawed(trusted, worker_threads(options.threads), [&] {
        if (checked) checked(1, stored);
      });
  for (const std::size_t k : flawed) trusted[k].reset();
  return std::unique_ptr<DatasetWriter>(new DatasetWriter(
      std::make_unique<Impl>(std::move(file), options, std::move(trusted), true)));
}

DatasetWriter::State DatasetWriter::state() const { return impl_->state(); }

const KnownValues* DatasetWriter::known() const { return impl_->known(); }

void DatasetWriter::consume(const FinishedTile& tile) { impl_->consume(tile); }

void DatasetWriter::suspend() { impl_->suspend(); }

void DatasetWriter::publish(const Summary& summary, const std::vector<std::uint64_t>& histogram) {
  impl_->publish(summary, histogram);
}

const std::string& DatasetWriter::partial_path() const { return impl_->partial_path(); }

std::uint64_t DatasetWriter::file_bytes() const { return impl_->file_bytes(); }

}  // namespace grundy
