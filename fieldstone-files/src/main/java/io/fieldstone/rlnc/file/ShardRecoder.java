package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.HashesSection;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.stream.Batches;
import io.fieldstone.stream.Interruptions;
import io.fieldstone.stream.NativeMemory;
import io.fieldstone.stream.Pipeline;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.ProgressSum;
import io.fieldstone.stream.Stage;
import io.fieldstone.stream.StageProfile;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Makes a new shard from existing shards without decoding: random combinations of their blocks of
 * each generation, with explicit coding vectors. The new blocks are as useful to a decoder as any,
 * up to the rank of the sources. A combination of a wrong payload is undetectably wrong. So shards
 * with surplus blocks are first compared with each other.
 *
 * <p>The new shard has the name and the publisher record of the first shard with a valid record,
 * else the name of the first shard.
 *
 * <p>Memory is bounded for files of any size. Several threads read by position, compute and write.
 * Where positions cannot be computed, after bytes were inserted or lost, one thread reads at a
 * time. Immutable; as thread-safe as its engine.
 */
public final class ShardRecoder {

  private static final double NS_PER_SECOND = 1e9;

  private final Engine engine;
  private final boolean replaces;
  private final PhaseListener phases;

  /**
   * Creates a recoder.
   *
   * @param engine performs the computation; the caller closes it
   */
  public ShardRecoder(Engine engine) {
    this(engine, true, PhaseListener.NONE);
  }

  private ShardRecoder(Engine engine, boolean replaces, PhaseListener phases) {
    engine.requireOpen();
    this.engine = engine;
    this.replaces = replaces;
    this.phases = phases;
  }

  /**
   * Returns a recoder that throws {@link java.nio.file.FileAlreadyExistsException} if the target
   * exists.
   */
  public ShardRecoder withoutReplacing() {
    return new ShardRecoder(engine, false, phases);
  }

  /** Returns a recoder that reports the stages of each batch as phases of its thread. */
  public ShardRecoder withPhaseListener(PhaseListener listener) {
    return new ShardRecoder(engine, replaces, listener);
  }

  /**
   * Recodes shards.
   *
   * @param shards at least one shard of an object
   * @param target the new shard; an existing file is replaced after the new one is complete
   * @param blocks the new blocks of each generation, 1 … {@value
   *     EncodingParameters#MAX_CODED_BLOCKS}; a generation without source blocks gets none
   * @param seed the seed of the combinations; use a new one for each shard made from the same
   *     shards, because the same seed gives the same blocks
   * @throws MixedShardsException if the shards belong to different objects
   * @throws MalformedShardException if no file is a valid shard
   * @throws PollutedShardsException if payloads contradict each other; it names the shard if it can
   *     be identified
   * @throws IOException if there is no undamaged block, reading or writing fails, or there is not
   *     enough space. No exception leaves a target written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public RecodingResult recode(
      List<Path> shards, Path target, int blocks, long seed, ProgressListener listener)
      throws IOException, InterruptedException {
    if (blocks < 1 || blocks > EncodingParameters.MAX_CODED_BLOCKS) {
      throw new IllegalArgumentException(
          "blocks %d is not in 1…%d".formatted(blocks, EncodingParameters.MAX_CODED_BLOCKS));
    }
    return Interruptions.report(() -> recodeShards(shards, target, blocks, seed, listener));
  }

  private RecodingResult recodeShards(
      List<Path> shards, Path target, int blocks, long seed, ProgressListener listener)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    try (ShardSet set = ShardSet.open(shards)) {
      return set.inOrder(() -> recode(set, new Job(set, target, blocks, seed, listener), start));
    }
  }

  private RecodingResult recode(ShardSet set, Job job, long start)
      throws IOException, InterruptedException {
    try {
      return job.run(start);
    } catch (Contradiction e) {
      try (NativeMemory memory = new NativeMemory(engine)) {
        PollutionSearch search = new PollutionSearch(engine, set.descriptor(), memory);
        ShardCursors cursors = set.cursors(memory);
        Pollution pollution = search.search(cursors, true);
        ShardReport report = set.report(cursors);
        throw new PollutedShardsException(
            set.descriptor().name(),
            blame(set, pollution.contradiction()).orElseGet(pollution::describe),
            report);
      }
    }
  }

  /**
   * Finds the shards with wrong payloads in a generation by its hash.
   *
   * @return a clause; empty if there is no hash, or too few right blocks to decode
   */
  private Optional<String> blame(ShardSet set, long generation) throws IOException {
    if (set.hashes().isEmpty() || generation < 0) {
      return Optional.empty();
    }
    Sha256 hash = set.hashes().get().get(Math.toIntExact(generation));
    CodedObject object = set.descriptor();
    try (NativeMemory memory = new NativeMemory(engine);
        GenerationRecovery recovery = new GenerationRecovery(engine, set, generation, hash)) {
      ShardCursors cursors = set.cursors(memory);
      long at;
      do {
        at = Math.min(generation, cursors.nextGeneration(generation));
        cursors.drain(at, at == generation ? recovery::add : (_, _) -> {});
      } while (at < generation);
      long bytes = (long) object.blocksOf(generation) * object.shape().blockSize();
      if (!recovery.recover(memory.allocate(bytes))) {
        return Optional.empty();
      }
    }
    return Optional.of(
        set.report().polluted().stream()
            .map(
                shard -> "%s has wrong blocks of generation %d".formatted(shard.path(), generation))
            .collect(Collectors.joining(", ")));
  }

  /** Thrown to stop recoding when shards contradict each other, so that the cause is searched. */
  private static final class Contradiction extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private final class Job {
    private final ShardSet set;
    private final CodedObject descriptor;
    private final ShardHeader header;
    private final Path target;
    private final int blocks;
    private final long key;
    private final ProgressSum written;
    private final RankTally tally;
    private long unchecked;

    /** The first generation of the next batch. */
    private long next;

    /** The number of undamaged blocks in the batches read so far. */
    private long found;

    /** The number of records made of the batches read so far. */
    private long records;

    Job(ShardSet set, Path target, int blocks, long seed, ProgressListener listener) {
      this.set = set;
      this.descriptor = set.descriptor();
      this.header = header(set, recordId(set.descriptor()), true);
      this.target = target;
      this.blocks = blocks;
      this.key = key(seed);
      this.written = new ProgressSum(descriptor.length(), listener);
      this.tally = new RankTally(descriptor);
    }

    private ShardHeader finished(ShardWriter shard) {
      return set.hashes().isPresent()
          ? header.withHashesAt(shard.positionOf(shard.records()))
          : header;
    }

    private long hashesBytes() {
      return set.hashes().isPresent() ? HashesSection.sectionBytes(descriptor.generations()) : 0;
    }

    RecodingResult run(long start) throws IOException, InterruptedException {
      try (NativeMemory memory = new NativeMemory(engine);
          Temporaries temporaries = new Temporaries()) {
        OpenFile file = temporaries.create(target, replaces);
        ShardWriter shard = new ShardWriter(target, file, header.byteSize(), header.recordBytes());
        temporaries.requireSpaceOfEach(maxBytes());
        Batches batches = plan();
        Pipeline<RecodingBatch, IOException> pipeline =
            new Pipeline<>("recode", slots(batches, memory));
        Supplier<List<ShardReport.Shard>> summaries = addReading(pipeline, batches, memory);
        List<StageProfile> profile =
            pipeline
                .inOrder("read", this::count)
                .anyOrder("compute", batch -> batches.compute(engine, () -> compute(batch)))
                .anyOrder("write", batch -> write(batch, shard))
                .withPhaseListener(phases)
                .run();
        if (descriptor.generations() > 0 && found == 0) {
          throw new IOException(
              "no undamaged block of '%s' to recode".formatted(descriptor.name()));
        }
        if (set.hashes().isPresent()) {
          shard.append(set.hashes().get());
        }
        shard.finish(finished(shard));
        temporaries.commit();
        return new RecodingResult(
            header.descriptor(),
            target,
            shard.records(),
            header.byteSize() + shard.records() * header.recordBytes() + hashesBytes(),
            tally.summary(),
            unchecked,
            set.report(summaries.get()),
            (System.nanoTime() - start) / NS_PER_SECOND,
            profile);
      }
    }

    /**
     * Adds the stages that read the shards: by several threads if possible.
     *
     * @return returns the contents of each shard so far
     */
    private Supplier<List<ShardReport.Shard>> addReading(
        Pipeline<RecodingBatch, IOException> pipeline, Batches batches, NativeMemory memory)
        throws IOException {
      // A header may claim billions of generations; cursors skip those without records.
      Optional<ShardRanges> ranges =
          descriptor.generations() <= set.maxRecords()
              ? set.ranges(batches, memory)
              : Optional.empty();
      if (ranges.isPresent()) {
        ShardRanges all = ranges.get();
        pipeline.inOrder("read", this::start).anyOrder("read", batch -> gather(batch, all));
        return all::summaries;
      }
      ShardCursors cursors = set.cursors(memory);
      pipeline.inOrder("read", batch -> gather(batch, cursors));
      return cursors::summaries;
    }

    private long start(RecodingBatch batch) {
      if (next == descriptor.generations()) {
        return Stage.END;
      }
      batch.start(next);
      next += batch.generations();
      return batch.sourceBytes();
    }

    private static long gather(RecodingBatch batch, ShardRanges ranges) throws IOException {
      ranges.read(batch.first(), batch.generations(), batch::gather);
      if (ranges.mayLackRecords() && !batch.isComplete()) {
        throw new ShardRanges.IrregularException();
      }
      return batch.sourceBytes();
    }

    private long gather(RecodingBatch batch, ShardCursors cursors) throws IOException {
      next = cursors.nextGeneration(descriptor.generations());
      return start(batch) == Stage.END ? Stage.END : batch.gather(cursors);
    }

    /** Returns the maximum size of the new shard in bytes; headers may claim impossible lengths. */
    private long maxBytes() {
      double generations = Math.min(descriptor.generations(), set.maxRecords());
      return (long)
          (header.byteSize() + generations * blocks * header.recordBytes() + hashesBytes());
    }

    private Batches plan() {
      // At most the number of records: the length in a header may be false.
      long generations = Math.min(descriptor.generations(), set.maxRecords());
      return Batches.plan(
          engine, RecodingBatch.generationBytes(header, rows(), blocks), generations);
    }

    /** Returns the maximum number of innovative blocks of a generation. */
    private int rows() {
      long max = Math.min(set.maxRecords(), descriptor.sourceBlocks());
      return Math.clamp(max, 1, descriptor.shape().blocks());
    }

    private List<RecodingBatch> slots(Batches batches, NativeMemory memory) throws IOException {
      List<RecodingBatch> slots = new ArrayList<>();
      for (int i = 0; i < batches.slots(); i++) {
        slots.add(new RecodingBatch(engine, header, rows(), blocks, batches, memory));
      }
      return slots;
    }

    /** Counts the records of a batch, which follow those of the batches before it. */
    private long count(RecodingBatch batch) {
      batch.number(records);
      records += batch.records();
      tally.skipTo(batch.first());
      for (int g = 0; g < batch.generations(); g++) {
        tally.add(batch.rank(g), batch.codedBlocks(g));
        found += batch.codedBlocks(g);
        unchecked += batch.rank(g) > 0 && !batch.isChecked(g) ? 1 : 0;
      }
      return batch.sourceBytes();
    }

    private long compute(RecodingBatch batch) throws IOException {
      if (!batch.isConsistent()) {
        throw new Contradiction();
      }
      batch.compute(key);
      return batch.sourceBytes();
    }

    private long write(RecodingBatch batch, ShardWriter shard) throws IOException {
      long bytes = batch.write(shard);
      written.add(batch.sourceBytes());
      return bytes;
    }
  }

  /**
   * Returns the header of a new shard without the offset of the hashes, which is known after the
   * records.
   */
  static ShardHeader header(ShardSet set, long recordId, boolean hasVectors) {
    return set.shards().stream()
        .map(ShardFile::header)
        .filter(ShardRecoder::isSigned)
        .findFirst()
        .orElse(set.shards().getFirst().header())
        .of(recordId, hasVectors);
  }

  private static boolean isSigned(ShardHeader header) {
    try {
      return PublisherRecord.verified(header).isPresent();
    } catch (MalformedDataException e) {
      return false;
    }
  }

  /** Returns the number that the records of recoded shards carry. */
  static long recordId(CodedObject object) {
    return object.manifest().id().word0();
  }

  /**
   * Derives a Philox key that differs from the seed. With the encoder's own seed, a recoder would
   * repeat its coefficients, and so its blocks. The mixer is SplitMix64's (Steele, Lea, Flood
   * 2014).
   */
  private static long key(long seed) {
    long z = seed + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
