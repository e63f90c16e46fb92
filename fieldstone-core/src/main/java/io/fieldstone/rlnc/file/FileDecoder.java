package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.ObjectDescriptor;
import io.fieldstone.stream.Pipeline;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.Stage;
import io.fieldstone.stream.StageProfile;
import io.fieldstone.stream.file.FreeSpace;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a file of any of its shards that have full rank together, whatever mix of encoded and
 * recoded blocks they hold. Damaged records are left out and reported, and so are files of which
 * nothing fits. A shard with a damaged header is used if another has a good one.
 *
 * <p>If the result is not the file that was encoded, the shards are compared with each other: where
 * they hold more blocks than they need, a shard whose payloads contradict all others is found, left
 * out and reported, and the file is made of the rest. Shards that may be the cause are left out one
 * after another, 16 times in all at most.
 *
 * <p>Memory is bounded whatever the length. Reading, computing, hashing and writing overlap.
 * Immutable; as thread-safe as its engine.
 */
public final class FileDecoder {

  /** Read, compute, hash, write. */
  private static final int STAGES = 4;

  /** Decodings without some shards, after one with all of them that gave another file. */
  private static final int MAX_ATTEMPTS = 16;

  private static final double NS_PER_SECOND = 1e9;

  private final Engine engine;

  /**
   * A decoder.
   *
   * @param engine inverts and multiplies; stays the caller's
   */
  public FileDecoder(Engine engine) {
    this.engine = engine;
  }

  /**
   * Decodes.
   *
   * @param shards of one object; at least one
   * @param target the file; replaced once the new one is whole and its SHA-256 is right
   * @throws ShortRankException if the shards hold too little: it says of what
   * @throws MixedShardsException if they are not of one object in one version
   * @throws MalformedShardException if none of the files is a shard
   * @throws DigestMismatchException if the result is not the file that was encoded; it says what
   *     the comparison of the shards has shown
   * @throws IOException if reading or writing fails; after any exception no target was written
   * @throws InterruptedException if the calling thread was interrupted
   */
  public DecodingResult decode(List<Path> shards, Path target, ProgressListener listener)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    try (ShardSet set = ShardSet.open(shards)) {
      try {
        return attempt(set, target, listener, start);
      } catch (DigestMismatchException e) {
        return attemptWithout(set, target, listener, start, e);
      }
    }
  }

  private DecodingResult attempt(ShardSet set, Path target, ProgressListener listener, long start)
      throws IOException, InterruptedException {
    if (set.maxRecords() < set.descriptor().sourceBlocks()) {
      throw shortRank(set);
    }
    try {
      return set.inOrder(() -> new Job(set, target, listener).run(start));
    } catch (ShortOfRank e) {
      ShortRankException shortage = shortRank(set);
      if (!shortage.ranks().isComplete()) {
        throw shortage;
      }
      // What seemed to be missing is further on in a shard that is not in order.
      return retry(set, target, listener, start);
    }
  }

  private DecodingResult retry(ShardSet set, Path target, ProgressListener listener, long start)
      throws IOException, InterruptedException {
    try {
      return new Job(set, target, listener).run(start);
    } catch (ShortOfRank e) {
      throw shortRank(set);
    }
  }

  private ShortRankException shortRank(ShardSet set) throws IOException, InterruptedException {
    return set.inOrder(() -> {
      try (NativeMemory memory = new NativeMemory(engine)) {
        ShardCursors cursors = set.cursors(memory);
        RankScan scan = new RankScan(engine, set.descriptor(), GenerationListener.NONE);
        return new ShortRankException(scan.scan(cursors, memory), set.report(cursors));
      }
    });
  }

  /** Decodes without the shards that contradict the others, or that may be the cause. */
  private DecodingResult attemptWithout(
      ShardSet set,
      Path target,
      ProgressListener listener,
      long start,
      DigestMismatchException mismatch)
      throws IOException, InterruptedException {
    Pollution pollution = compare(set);
    DigestMismatchException failure = mismatch.explained(pollution.describe());
    Map<ShardFile, String> reasons = pollution.reasons();
    if (!reasons.isEmpty()) {
      try {
        return attempt(set.without(reasons), target, listener, start);
      } catch (DigestMismatchException e) {
        failure.addSuppressed(e);
      }
    }
    for (ShardFile candidate : pollution.candidates().stream().limit(MAX_ATTEMPTS).toList()) {
      Map<ShardFile, String> without = new LinkedHashMap<>(reasons);
      without.put(candidate, "without it the file is as it was encoded");
      try {
        return attempt(set.without(without), target, listener, start);
      } catch (DigestMismatchException | ShortRankException e) {
        failure.addSuppressed(e);
      }
    }
    throw failure;
  }

  private Pollution compare(ShardSet set) throws IOException, InterruptedException {
    return set.inOrder(() -> {
      try (NativeMemory memory = new NativeMemory(engine);
          PollutionSearch search = new PollutionSearch(engine, set.descriptor(), memory)) {
        return search.search(set.cursors(memory), false);
      }
    });
  }

  /** Some generation cannot be decoded: a reason to stop, and to find out about all of them. */
  private static final class ShortOfRank extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private final class Job {
    private final ShardSet set;
    private final ObjectDescriptor descriptor;
    private final Path target;
    private final ProgressListener listener;
    private final MessageDigest digest = ObjectDescriptor.newSha256();
    private long next;
    private long written;

    Job(ShardSet set, Path target, ProgressListener listener) {
      this.set = set;
      this.descriptor = set.descriptor();
      this.target = target;
      this.listener = listener;
    }

    DecodingResult run(long start) throws IOException, InterruptedException {
      FreeSpace.requireBeside(target, descriptor.length(), "the file");
      List<DecodingBatch> slots = new ArrayList<>();
      try (NativeMemory memory = new NativeMemory(engine);
          Temporaries temporaries = new Temporaries()) {
        OpenFile file = temporaries.create(target);
        ShardCursors cursors = set.cursors(memory);
        fill(slots, memory);
        List<StageProfile> profile =
            new Pipeline<DecodingBatch, IOException>(slots)
                .stage("read", batch -> read(batch, cursors))
                .stage("compute", batch -> compute(batch, cursors.shards()))
                .stage("hash", this::hash)
                .stage("write", batch -> write(batch.decoded(), file))
                .run();
        String sha256 = HexFormat.of().formatHex(digest.digest());
        if (!sha256.equals(descriptor.sha256())) {
          throw new DigestMismatchException(
              descriptor.name(), sha256, descriptor.sha256(), set.report(cursors));
        }
        temporaries.commit();
        return new DecodingResult(
            descriptor,
            target,
            set.report(cursors),
            (System.nanoTime() - start) / NS_PER_SECOND,
            profile);
      } finally {
        slots.forEach(DecodingBatch::close);
      }
    }

    private void fill(List<DecodingBatch> slots, NativeMemory memory) throws IOException {
      Batches batches =
          Batches.plan(
              STAGES, DecodingBatch.bytesOfGeneration(descriptor), descriptor.generations());
      for (int i = 0; i < batches.slots(); i++) {
        slots.add(new DecodingBatch(engine, descriptor, batches.generations(), memory));
      }
    }

    private long read(DecodingBatch batch, ShardCursors cursors) throws IOException {
      if (next == descriptor.generations()) {
        return Stage.END;
      }
      batch.gather(next, cursors);
      next += batch.generations();
      return batch.sourceBytes();
    }

    private long compute(DecodingBatch batch, List<ShardFile> shards) throws IOException {
      if (!batch.decode(shards)) {
        throw new ShortOfRank();
      }
      return batch.sourceBytes();
    }

    private long hash(DecodingBatch batch) {
      MemorySegment decoded = batch.decoded();
      long most = Integer.MAX_VALUE;
      for (long at = 0; at < decoded.byteSize(); at += most) {
        long bytes = Math.min(most, decoded.byteSize() - at);
        digest.update(decoded.asSlice(at, bytes).asByteBuffer());
      }
      return decoded.byteSize();
    }

    private long write(MemorySegment decoded, OpenFile file) throws IOException {
      file.write(decoded, written);
      written += decoded.byteSize();
      listener.progress(written, descriptor.length());
      return decoded.byteSize();
    }
  }
}
