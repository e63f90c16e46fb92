package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.HashesSection;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.stream.Batches;
import io.fieldstone.stream.Interruptions;
import io.fieldstone.stream.NativeMemory;
import io.fieldstone.stream.Pipeline;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.ProgressSum;
import io.fieldstone.stream.Stage;
import io.fieldstone.stream.StageProfile;
import io.fieldstone.stream.WarmUp;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a shard of an encoder again from other shards of the object: the same blocks, so that a
 * guarantee for any K of N shards holds as before. Each generation is decoded and verified by its
 * hash. The name and the publisher record are those of {@link ShardRecoder}, which makes random
 * combinations instead and needs no full rank. An encrypted object stays encrypted.
 *
 * <p>Memory is bounded for files of any size. Immutable; as thread-safe as its engine.
 */
public final class ShardRestorer {

  private static final double NS_PER_SECOND = 1e9;

  private final Engine engine;
  private final boolean replaces;
  private final PhaseListener phases;

  /**
   * Creates a restorer.
   *
   * @param engine performs the computation; the caller closes it
   */
  public ShardRestorer(Engine engine) {
    this(engine, true, PhaseListener.NONE);
  }

  private ShardRestorer(Engine engine, boolean replaces, PhaseListener phases) {
    engine.requireOpen();
    this.engine = engine;
    this.replaces = replaces;
    this.phases = phases;
  }

  /**
   * Returns a restorer that throws {@link java.nio.file.FileAlreadyExistsException} if the target
   * exists.
   */
  public ShardRestorer withoutReplacing() {
    return new ShardRestorer(engine, false, phases);
  }

  /** Returns a restorer that reports the stages of each batch as phases of its thread. */
  public ShardRestorer withPhaseListener(PhaseListener listener) {
    return new ShardRestorer(engine, replaces, listener);
  }

  /**
   * Makes a shard.
   *
   * @param shards at least one shard of an object
   * @param original the encoding, as {@link ShardLayout} found it in these shards
   * @param number the number of the shard, 0 … N − 1
   * @param target the shard; an existing file is replaced after the new one is complete
   * @throws ShortRankException if a generation has too few independent blocks
   * @throws DigestMismatchException if a generation has a wrong hash, and cannot be decoded from
   *     other shards
   * @throws IOException if reading or writing fails, or there is not enough space. No exception
   *     leaves a target written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public RecodingResult restore(
      List<Path> shards,
      ShardLayout.Original original,
      int number,
      Path target,
      ProgressListener listener)
      throws IOException, InterruptedException {
    ShardLayout.Original encoding = original.including(number);
    return Interruptions.report(() -> {
      long start = System.nanoTime();
      try (ShardSet set = ShardSet.open(shards)) {
        return FileDecoder.decodeAll(
            engine, set, () -> new Job(set, encoding, number, target, listener).run(start));
      }
    });
  }

  /** A batch of generations, decoded from shards and encoded again. */
  private record Slot(DecodingBatch decoded, EncodingBatch coded) {
    void close() {
      decoded.close();
      coded.close();
    }
  }

  private final class Job {
    private final ShardSet set;
    private final CodedObject object;
    private final ShardLayout.Original original;
    private final EncodingParameters parameters;
    private final int number;
    private final Path target;
    private final ShardHeader header;
    private final ProgressSum written;
    private long next;

    Job(
        ShardSet set,
        ShardLayout.Original original,
        int number,
        Path target,
        ProgressListener listener) {
      this.set = set;
      this.object = set.descriptor();
      this.original = original;
      this.parameters = original.parameters();
      this.number = number;
      this.target = target;
      this.header = ShardRecoder.header(set, original.recordId(), false);
      this.written = new ProgressSum(object.length(), listener);
    }

    RecodingResult run(long start) throws IOException, InterruptedException {
      List<Slot> slots = new ArrayList<>();
      try (NativeMemory memory = new NativeMemory(engine);
          Temporaries temporaries = new Temporaries()) {
        OpenFile file = temporaries.create(target, replaces);
        ShardWriter shard = new ShardWriter(target, file, header.byteSize(), header.recordBytes());
        temporaries.requireSpaceOfEach(shardBytes());
        Batches batches = fill(slots, memory);
        Verification verification = Verification.of(engine, set);
        ShardSet.Reading reading = set.reading(0, batches, memory);
        WarmUp warmUp = new WarmUp(engine, object.shape().field(), batches.occupiesAllThreads());
        List<StageProfile> profile = pipeline(slots, reading, verification, warmUp, shard).run();
        ShardReport report = set.report(reading.summaries().get());
        verification.finish(report);
        if (set.hashes().isPresent()) {
          shard.append(set.hashes().get());
          shard.finish(header.withHashesAt(shard.positionOf(records())));
        } else {
          shard.finish(header);
        }
        temporaries.commit();
        return result(report, start, profile);
      } finally {
        slots.forEach(Slot::close);
      }
    }

    private RecodingResult result(ShardReport report, long start, List<StageProfile> profile) {
      long generations = object.generations();
      return new RecodingResult(
          header.descriptor(),
          target,
          records(),
          shardBytes(),
          new RankSummary(
              generations,
              generations,
              generations == 0 ? 0 : object.blocksOf(generations - 1),
              records(),
              0,
              List.of()),
          0,
          report,
          (System.nanoTime() - start) / NS_PER_SECOND,
          profile);
    }

    private long records() {
      return RangeEncoder.records(parameters, object.sourceBlocks(), number);
    }

    private long shardBytes() {
      long hashes = set.hashes().isPresent() ? HashesSection.sectionBytes(object.generations()) : 0;
      return header.byteSize() + records() * header.recordBytes() + hashes;
    }

    private Batches fill(List<Slot> slots, NativeMemory memory) throws IOException {
      int most = Math.clamp(object.sourceBlocks(), 1, object.shape().blocks());
      Batches batches =
          Batches.plan(
              engine,
              DecodingBatch.generationBytes(object, false)
                  + EncodingBatch.generationBytes(parameters, most, false),
              object.generations());
      for (int i = 0; i < batches.slots(); i++) {
        EncodingBatch coded = new EncodingBatch(engine, parameters, most, batches, false, memory);
        slots.add(new Slot(new DecodingBatch(engine, set, batches, false, memory), coded));
      }
      return batches;
    }

    private Pipeline<Slot, IOException> pipeline(
        List<Slot> slots,
        ShardSet.Reading reading,
        Verification verification,
        WarmUp warmUp,
        ShardWriter shard) {
      return new Pipeline<Slot, IOException>("restore", slots)
          .inOrder("read", this::start)
          .inOrderIf(reading.isInOrder(), "read", slot -> reading.stage().run(slot.decoded()))
          .anyOrder("compute", slot -> decode(slot.decoded(), reading.shards(), warmUp))
          .anyOrder("hash", slot -> verify(slot.decoded(), verification, reading.shards()))
          .anyOrder("encode", this::encode)
          .anyOrder("write", slot -> write(slot, shard))
          .withPhaseListener(phases);
    }

    private long start(Slot slot) throws IOException {
      if (next == object.generations()) {
        return Stage.END;
      }
      slot.decoded().start(next);
      next += slot.decoded().generations();
      return slot.decoded().sourceBytes();
    }

    private static long decode(DecodingBatch batch, List<ShardFile> shards, WarmUp warmUp)
        throws IOException, InterruptedException {
      warmUp.await();
      if (!batch.decode(shards)) {
        throw new FileDecoder.ShortOfRank();
      }
      return batch.sourceBytes();
    }

    private static long verify(
        DecodingBatch batch, Verification verification, List<ShardFile> shards) throws IOException {
      verification.verify(batch, shards);
      return batch.sourceBytes();
    }

    private long encode(Slot slot) throws IOException {
      slot.coded().fill(slot.decoded().decoded(), slot.decoded().first());
      return slot.coded().encode(shard -> shard == number);
    }

    private long write(Slot slot, ShardWriter shard) throws IOException {
      MemorySegment records = slot.coded().records(number, original.recordId());
      if (records.byteSize() > 0) {
        long before = slot.decoded().first() * RangeEncoder.recordsOfFull(parameters, number);
        shard.write(records, before);
      }
      written.add(slot.decoded().sourceBytes());
      return records.byteSize();
    }
  }
}
