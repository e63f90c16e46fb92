package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.HashesSection;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.rlnc.wire.ShardRecords;
import io.fieldstone.rlnc.wire.WireBlock;
import io.fieldstone.stream.file.PositionedInput;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * A shard open for reading. If its own header is damaged, the header is derived from another
 * shard's and from the records. Reading is thread-safe, because it keeps no position.
 */
final class ShardFile implements AutoCloseable {

  /** The maximum number of ascending runs of a shard; records after them are not used. */
  private static final int MAX_RUNS = 64;

  /** The bytes read at a time to find a record in a file without a header. */
  private static final int SEARCH_BYTES = 1 << 20;

  /**
   * The minimum limit of bytes outside records after which the rest of a file is not read. The
   * limit is the object's length, within this minimum and the maximum; without a header it is the
   * minimum.
   */
  private static final long MIN_DAMAGE_LIMIT = 1L << 30;

  private static final long MAX_DAMAGE_LIMIT = 64L << 30;

  /**
   * A range of the file whose records are in ascending order of generation.
   *
   * @param from its first byte
   * @param end the byte after it
   */
  record Run(long from, long end) {}

  private final PositionedInput file;
  private final ShardHeader header;
  private final boolean isHeaderDamaged;
  private final ShardRecords records;
  private final long firstRecord;

  /** The offset of the hashes of the generations; −1 if none begin where they should. */
  private final long hashesAt;

  /** The byte after the last record. */
  private final long end;

  private boolean areHashesDamaged;
  private List<Run> runs;

  private ShardFile(
      PositionedInput file, ShardHeader header, boolean isHeaderDamaged, long firstRecord)
      throws IOException {
    this.file = file;
    this.header = header;
    this.isHeaderDamaged = isHeaderDamaged;
    this.records = new ShardRecords(header.descriptor(), header.recordId());
    this.firstRecord = firstRecord;
    long size = Math.max(firstRecord, file.size());
    this.hashesAt = findHashes(size);
    this.end = Math.max(firstRecord, endOfRecords(size));
    this.runs = List.of(new Run(firstRecord, end));
  }

  /**
   * Returns the offset of the hashes: at the end of the file, also after bytes were deleted or
   * inserted before them, else where the header says.
   */
  private long findHashes(long size) throws IOException {
    long generations = header.descriptor().generations();
    long atEnd = size - HashesSection.sectionBytes(generations);
    for (long at : new long[] {atEnd, header.hashesAt()}) {
      if (at >= firstRecord) {
        MemorySegment prefix = MemorySegment.ofArray(new byte[HashesSection.PREFIX_BYTES]);
        if (file.read(prefix, at) == prefix.byteSize()
            && HashesSection.resemblesSection(prefix, generations)) {
          return at;
        }
      }
    }
    return -1;
  }

  /**
   * Returns the end of the records. It is the end of the file if more bytes follow the hashes,
   * which may be records.
   */
  private long endOfRecords(long size) {
    long bytes = HashesSection.sectionBytes(header.descriptor().generations());
    return hashesAt >= 0 && hashesAt + bytes >= size ? hashesAt : size;
  }

  /**
   * Reads the hashes of the generations. A damaged section is remembered: see {@link
   * #areHashesDamaged}.
   *
   * @return empty if the shard has none, or if they are damaged
   */
  Optional<HashesSection> readHashes() throws IOException {
    CodedObject object = header.descriptor();
    Optional<HashesSection> hashes = Optional.empty();
    long bytes = HashesSection.sectionBytes(object.generations());
    // No memory for hashes that are only claimed.
    if (hashesAt >= 0 && hashesAt + bytes <= file.size()) {
      MemorySegment section = MemorySegment.ofArray(new byte[(int) bytes]);
      if (file.read(section, hashesAt) == bytes) {
        hashes = HashesSection.parse(section, object.manifest());
      }
    }
    areHashesDamaged = hashes.isEmpty() && header.hashesAt() > 0;
    return hashes;
  }

  /** Returns true if the hashes of the generations have been read and are damaged. */
  boolean areHashesDamaged() {
    return areHashesDamaged;
  }

  /**
   * Opens a shard with a valid header.
   *
   * @throws MalformedShardException if the header is not valid
   */
  static ShardFile open(PositionedInput.Opener shard) throws IOException {
    PositionedInput file = shard.open();
    try {
      MemorySegment start = MemorySegment.ofArray(new byte[ShardHeader.MAX_BYTES]);
      ShardHeader header = ShardHeader.parse(start.asSlice(0, file.read(start, 0)));
      return new ShardFile(file, header, false, header.byteSize());
    } catch (MalformedDataException e) {
      file.close();
      throw new MalformedShardException(shard.name(), e);
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Opens a shard whose header is damaged. The first record of the object in the file gives the
   * length of the records.
   *
   * @param headers the headers of other shards of the object, at least one
   * @return empty if the first gibibyte of the file has no undamaged record of the object
   */
  static Optional<ShardFile> adopt(PositionedInput.Opener shard, List<ShardHeader> headers)
      throws IOException {
    PositionedInput file = shard.open();
    Optional<ShardFile> adopted = Optional.empty();
    try {
      adopted = adopt(file, headers);
      return adopted;
    } finally {
      if (adopted.isEmpty()) {
        file.close();
      }
    }
  }

  private static Optional<ShardFile> adopt(PositionedInput file, List<ShardHeader> headers)
      throws IOException {
    CodedObject descriptor = headers.getFirst().descriptor();
    int[] layouts = {0, descriptor.shape().blocks()};
    long[] recordIds =
        LongStream.concat(
                headers.stream().mapToLong(ShardHeader::recordId),
                LongStream.of(ShardRecoder.recordId(descriptor)))
            .distinct()
            .toArray();
    int widest = headers.getFirst().of(0, true).recordBytes();
    try (Arena arena = Arena.ofConfined()) {
      RecordScanner scanner =
          new RecordScanner(
              file,
              new ShardRecords(descriptor, recordIds),
              descriptor.shape().blockSize(),
              layouts,
              0,
              file.size(),
              MIN_DAMAGE_LIMIT,
              arena.allocate(Math.max(widest, SEARCH_BYTES)));
      if (!scanner.next()) {
        return Optional.empty();
      }
      ShardHeader header = headers.getFirst().of(scanner.recordId(), scanner.vectorBytes() > 0);
      return Optional.of(new ShardFile(file, header, true, scanner.recordAt()));
    }
  }

  Path path() {
    return file.name();
  }

  ShardHeader header() {
    return header;
  }

  /** Returns true if the header was not read from the file. */
  boolean isHeaderDamaged() {
    return isHeaderDamaged;
  }

  /** Returns the maximum number of records that fit in the file. */
  long maxRecords() {
    return (end - firstRecord) / header.recordBytes();
  }

  /** Returns the ranges of the file whose records are in ascending order of generation. */
  List<Run> runs() {
    return runs;
  }

  /**
   * Returns a scanner of a run.
   *
   * @param window a read buffer for at least one record
   */
  RecordScanner scan(Run run, MemorySegment window) {
    return new RecordScanner(
        file,
        records,
        header.descriptor().shape().blockSize(),
        new int[] {header.vectorBytes()},
        run.from(),
        run.end(),
        maxDamage(),
        window);
  }

  /** Returns the bytes outside records after which the rest of the file is not read. */
  long maxDamage() {
    return Math.clamp(header.descriptor().length(), MIN_DAMAGE_LIMIT, MAX_DAMAGE_LIMIT);
  }

  /**
   * Returns the number of records of each generation, if samples of the records agree with one
   * number for all generations but the last. Reads a few headers.
   */
  OptionalLong recordsPerGeneration() throws IOException {
    long count = maxRecords();
    long last = header.descriptor().generations() - 1;
    if (count == 0 || last <= 0) {
      return OptionalLong.of(count);
    }
    if (generationOf(0) != 0) {
      return OptionalLong.empty();
    }
    long below = 0;
    long above = 1;
    while (above < count && generationOf(above) == 0) {
      below = above;
      above *= 2;
    }
    above = Math.min(above, count);
    while (above - below > 1) {
      long middle = (below + above) / 2;
      if (generationOf(middle) == 0) {
        below = middle;
      } else {
        above = middle;
      }
    }
    long checked = Math.min(last, (count - 1) / above);
    boolean isRegular =
        checked == 0
            || generationOf(checked * above) == checked
                && generationOf(checked * above - 1) == checked - 1;
    return isRegular ? OptionalLong.of(above) : OptionalLong.empty();
  }

  /** Returns the generation in the header of a record, by its number; −1 if it is damaged. */
  private long generationOf(long record) throws IOException {
    MemorySegment bytes = MemorySegment.ofArray(new byte[WireBlock.HEADER_BYTES]);
    long at = firstRecord + record * header.recordBytes();
    return file.read(bytes, at) == bytes.byteSize() && records.matches(bytes, 0)
        ? ShardRecords.generation(bytes, 0)
        : -1;
  }

  /**
   * Returns the range of the records of some generations.
   *
   * @param perGeneration the number of records of each generation but the last
   * @param from the first generation
   * @param to the generation after the last of them; the end of the object includes all that
   *     follows
   */
  Run range(long perGeneration, long from, long to) {
    return new Run(
        start(perGeneration, from),
        to == header.descriptor().generations() ? end : start(perGeneration, to));
  }

  private long start(long perGeneration, long generation) {
    long most = maxRecords();
    long record =
        generation > most / Math.max(1, perGeneration) ? most : generation * perGeneration;
    return firstRecord + record * header.recordBytes();
  }

  /**
   * Reads the file once and divides it into ascending runs.
   *
   * @param maxRuns the maximum number of runs
   * @param window a read buffer for at least one record
   */
  void divide(int maxRuns, MemorySegment window) throws IOException {
    RecordScanner scanner = scan(new Run(firstRecord, end), window);
    List<Run> found = new ArrayList<>();
    long from = firstRecord;
    long generation = 0;
    while (found.size() + 1 < Math.min(MAX_RUNS, maxRuns) && scanner.next()) {
      if (scanner.block().generation() < generation) {
        found.add(new Run(from, scanner.recordAt()));
        from = scanner.recordAt();
      }
      generation = scanner.block().generation();
    }
    found.add(new Run(from, end));
    runs = List.copyOf(found);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
