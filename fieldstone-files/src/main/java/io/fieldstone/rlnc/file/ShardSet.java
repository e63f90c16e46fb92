package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.HashesSection;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.stream.Batches;
import io.fieldstone.stream.NativeMemory;
import io.fieldstone.stream.Stage;
import io.fieldstone.stream.file.DamagedInput;
import io.fieldstone.stream.file.PositionedInput;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The shards of one object, open for reading. A shard with a damaged header is used if another
 * shard has a valid one and its records belong to that object; other files are left out.
 */
final class ShardSet implements AutoCloseable {

  /** The total bytes of read buffers of all shards. */
  private static final long WINDOW_BYTES = 32L << 20;

  /** The maximum bytes of the read buffer of one shard. */
  private static final long MAX_WINDOW_BYTES = 2L << 20;

  /** The maximum total bytes of read buffers of shards that are read in several runs. */
  private static final long MAX_RUN_BYTES = 256L << 20;

  private final List<ShardFile> shards;
  private final List<ShardReport.LeftOut> leftOut;
  private final CodedObject descriptor;
  private final Optional<HashesSection> hashes;

  /** Shards with wrong payloads, and the generations. */
  private final Map<ShardFile, Polluted> polluted;

  /** Whether shards have been divided into ascending runs. */
  private boolean isDivided;

  /** Whether a record was not where {@link ShardRanges} expected it. */
  private boolean isIrregular;

  private ShardSet(
      List<ShardFile> shards,
      List<ShardReport.LeftOut> leftOut,
      CodedObject descriptor,
      Optional<HashesSection> hashes,
      Map<ShardFile, Polluted> polluted) {
    this.shards = List.copyOf(shards);
    this.leftOut = List.copyOf(leftOut);
    this.descriptor = descriptor;
    this.hashes = hashes;
    this.polluted = polluted;
  }

  /** The generations of which a shard has wrong payloads. */
  private record Polluted(long first, long generations) {
    Polluted and(Polluted other) {
      return new Polluted(Math.min(first, other.first), generations + other.generations);
    }
  }

  /**
   * Opens shards.
   *
   * @throws MalformedShardException if no shard has a valid header; the others are suppressed
   *     exceptions of the first
   * @throws MixedShardsException if the shards belong to different objects
   * @throws IllegalArgumentException if the list is empty
   */
  static ShardSet open(List<Path> paths) throws IOException {
    return open(paths.stream().map(DamagedInput::opener).toList(), true);
  }

  /**
   * Opens shards of any file system.
   *
   * @param readsAllHashes true to find out which shards have damaged hashes of the generations;
   *     false to read those of the first shard that has them
   * @see #open(List)
   */
  static ShardSet open(List<? extends PositionedInput.Opener> inputs, boolean readsAllHashes)
      throws IOException {
    if (inputs.isEmpty()) {
      throw new IllegalArgumentException("0 shards are less than 1");
    }
    List<ShardFile> shards = new ArrayList<>();
    try {
      return open(inputs, readsAllHashes, shards);
    } catch (IOException e) {
      close(shards);
      throw e;
    }
  }

  /** A file without a valid header. */
  private record Malformed(PositionedInput.Opener input, MalformedShardException cause) {}

  private static ShardSet open(
      List<? extends PositionedInput.Opener> inputs, boolean readsAllHashes, List<ShardFile> shards)
      throws IOException {
    List<Malformed> malformed = new ArrayList<>();
    for (PositionedInput.Opener input : inputs) {
      try {
        shards.add(ShardFile.open(input));
        requireSame(shards.getFirst(), shards.getLast());
      } catch (MalformedShardException e) {
        malformed.add(new Malformed(input, e));
      }
    }
    if (shards.isEmpty()) {
      MalformedShardException first = malformed.removeFirst().cause();
      malformed.forEach(each -> first.addSuppressed(each.cause()));
      throw first;
    }
    List<ShardHeader> headers = shards.stream().map(ShardFile::header).toList();
    List<ShardReport.LeftOut> leftOut = new ArrayList<>();
    for (Malformed one : malformed) {
      ShardFile.adopt(one.input(), headers)
          .ifPresentOrElse(
              shards::add,
              () ->
                  leftOut.add(new ShardReport.LeftOut(one.cause().path(), one.cause().problem())));
    }
    List<Path> names = inputs.stream().map(PositionedInput.Opener::name).toList();
    shards.sort(Comparator.comparingInt(shard -> names.indexOf(shard.path())));
    Optional<HashesSection> hashes = Optional.empty();
    for (ShardFile shard : shards) {
      if (readsAllHashes || hashes.isEmpty()) {
        Optional<HashesSection> own = shard.readHashes();
        hashes = hashes.isPresent() ? hashes : own;
      }
    }
    return new ShardSet(
        shards, leftOut, headers.getFirst().descriptor(), hashes, new ConcurrentHashMap<>());
  }

  private static void requireSame(ShardFile one, ShardFile other) throws MixedShardsException {
    if (!isSame(one.header().descriptor(), other.header().descriptor())) {
      throw new MixedShardsException(
          one.path(), one.header().descriptor(), other.path(), other.header().descriptor());
    }
  }

  /** Names are not part of the identity. */
  private static boolean isSame(CodedObject one, CodedObject other) {
    return Arrays.equals(one.manifest().toBytes(), other.manifest().toBytes());
  }

  CodedObject descriptor() {
    return descriptor;
  }

  /** Returns the hashes of all generations, if any shard has them undamaged. */
  Optional<HashesSection> hashes() {
    return hashes;
  }

  /** Remembers that a shard has a wrong payload in a generation; thread-safe. */
  void convict(ShardFile shard, long generation) {
    polluted.merge(shard, new Polluted(generation, 1), Polluted::and);
  }

  /** Returns true if a shard was convicted of a wrong payload; thread-safe. */
  boolean isConvicted(ShardFile shard) {
    return polluted.containsKey(shard);
  }

  List<ShardFile> shards() {
    return shards;
  }

  /** Returns the contents of all files, as far as the cursors have advanced. */
  ShardReport report(ShardCursors cursors) {
    return report(cursors.summaries());
  }

  /** Returns the files left out and the shards with wrong payloads. */
  ShardReport report() {
    return report(List.of());
  }

  /** Returns the contents of all files, as far as they have been read. */
  ShardReport report(List<ShardReport.Shard> summaries) {
    List<ShardReport.Polluted> wrong = new ArrayList<>();
    for (ShardFile shard : shards) {
      Polluted found = polluted.get(shard);
      if (found != null) {
        wrong.add(new ShardReport.Polluted(shard.path(), found.first(), found.generations()));
      }
    }
    return new ShardReport(summaries, leftOut, wrong);
  }

  /** Returns the maximum number of records that fit in all shards. */
  long maxRecords() {
    return shards.stream().mapToLong(ShardFile::maxRecords).sum();
  }

  /** Returns these shards without some; this set still owns them. */
  ShardSet without(Map<ShardFile, String> reasons) {
    List<ShardFile> others = new ArrayList<>(shards);
    others.removeAll(reasons.keySet());
    List<ShardReport.LeftOut> out = new ArrayList<>(leftOut);
    reasons.forEach((shard, reason) -> out.add(new ShardReport.LeftOut(shard.path(), reason)));
    ShardSet rest = new ShardSet(others, out, descriptor, hashes, polluted);
    rest.isDivided = isDivided;
    rest.isIrregular = isIrregular;
    return rest;
  }

  /** An operation that reads these shards from their beginnings. */
  interface Use<T> {
    T run() throws IOException, InterruptedException;
  }

  /**
   * Applies an operation to these shards. It is repeated without {@link #ranges} if a record is not
   * where it should be. If a shard turns out not to be in ascending order, it is divided into runs
   * that are, and the operation is repeated.
   */
  <T> T inOrder(Use<T> use) throws IOException, InterruptedException {
    try {
      return inRanges(use);
    } catch (ShardCursor.DisorderException e) {
      divide();
      return use.run();
    }
  }

  private <T> T inRanges(Use<T> use) throws IOException, InterruptedException {
    try {
      return use.run();
    } catch (ShardRanges.IrregularException e) {
      forgetRanges();
      return use.run();
    }
  }

  /** Lets one thread at a time read from now on, without ranges. */
  void forgetRanges() {
    isIrregular = true;
  }

  /**
   * How batches are read.
   *
   * @param isInOrder true if one batch is read at a time
   * @param stage reads a batch that has been started
   * @param shards the shard of each cursor of a batch
   * @param summaries returns the contents of each shard so far
   */
  record Reading(
      boolean isInOrder,
      Stage<DecodingBatch, IOException> stage,
      List<ShardFile> shards,
      Supplier<List<ShardReport.Shard>> summaries) {}

  /**
   * Returns how batches are read: by several threads if records lie in order.
   *
   * @param from the first generation to be read
   */
  Reading reading(long from, Batches batches, NativeMemory memory) throws IOException {
    Optional<ShardRanges> ranges = ranges(batches, memory);
    if (ranges.isPresent()) {
      ShardRanges all = ranges.get();
      return new Reading(false, batch -> batch.read(all), all.shards(), all::summaries);
    }
    ShardCursors cursors = cursors(memory);
    skip(cursors, from);
    return new Reading(true, batch -> batch.read(cursors), cursors.shards(), cursors::summaries);
  }

  /** Reads on to the first block of a generation or of one after it. */
  private static void skip(ShardCursors cursors, long generation) throws IOException {
    for (long next = cursors.nextGeneration(generation);
        next < generation;
        next = cursors.nextGeneration(generation)) {
      cursors.drain(next, (_, _) -> {});
    }
  }

  /** Returns these shards as ranges that several threads read; empty if one has no such order. */
  Optional<ShardRanges> ranges(Batches batches, NativeMemory memory) throws IOException {
    return isDivided || isIrregular ? Optional.empty() : ShardRanges.of(shards, batches, memory);
  }

  private void divide() throws IOException {
    long largest = shards.stream().mapToLong(shard -> shard.header().recordBytes()).max().orElse(0);
    long spare = Math.max(0, MAX_RUN_BYTES / largest - shards.size());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment window = arena.allocate(Math.max(largest, MAX_WINDOW_BYTES));
      for (ShardFile shard : shards) {
        shard.divide((int) Math.min(1 + spare, Integer.MAX_VALUE), window);
        spare -= shard.runs().size() - 1;
      }
    }
    isDivided = true;
  }

  /**
   * Returns a cursor for each shard, or for each of its runs.
   *
   * @throws ShardCursor.DisorderException if a shard is not in ascending order and shards have not
   *     been divided
   */
  ShardCursors cursors(NativeMemory memory) throws IOException {
    long runs = shards.stream().mapToLong(shard -> shard.runs().size()).sum();
    long bytes = Math.min(MAX_WINDOW_BYTES, WINDOW_BYTES / Math.max(1, runs));
    List<ShardCursor> cursors = new ArrayList<>();
    for (ShardFile shard : shards) {
      int recordBytes = shard.header().recordBytes();
      for (ShardFile.Run run : shard.runs()) {
        long window = Math.max(1, bytes / recordBytes) * recordBytes;
        MemorySegment segment = memory.allocate(Math.min(window, run.end() - run.from()));
        cursors.add(new ShardCursor(shard, run, !isDivided, segment));
      }
    }
    return new ShardCursors(cursors);
  }

  private static void close(List<ShardFile> shards) throws IOException {
    for (ShardFile shard : shards) {
      shard.close();
    }
  }

  @Override
  public void close() throws IOException {
    close(shards);
  }
}
