package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.ObjectDescriptor;
import io.fieldstone.stream.Pipeline;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.Stage;
import io.fieldstone.stream.StageProfile;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.io.OutputStream;
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

  /** Where the bytes go until they are known to be right. */
  @FunctionalInterface
  private interface Output {
    OpenFile create(Temporaries temporaries) throws IOException;
  }

  /** What is to be written where, and when that began. */
  private record Request(Path target, Output output, ProgressListener listener, long startNs) {}

  private final Engine engine;
  private final boolean replaces;

  /**
   * A decoder.
   *
   * @param engine inverts and multiplies; stays the caller's
   */
  public FileDecoder(Engine engine) {
    this(engine, true);
  }

  private FileDecoder(Engine engine, boolean replaces) {
    this.engine = engine;
    this.replaces = replaces;
  }

  /** The same, but a target that exists is a {@link java.nio.file.FileAlreadyExistsException}. */
  public FileDecoder withoutReplacing() {
    return new FileDecoder(engine, false);
  }

  /**
   * Decodes.
   *
   * @param shards of one object; at least one
   * @param target the file; one that exists is replaced once the new one is whole and its SHA-256
   *     is right. A device, a FIFO or an open descriptor is written to ({@link Temporaries})
   * @throws ShortRankException if the shards hold too little: it says of what
   * @throws MixedShardsException if they are not of one object in one version
   * @throws MalformedShardException if none of the files is a shard
   * @throws DigestMismatchException if the result is not the file that was encoded; it says what
   *     the comparison of the shards has shown
   * @throws IOException if reading or writing fails, or there is not enough space; after any
   *     exception no target was written
   * @throws InterruptedException if the calling thread was interrupted
   */
  public DecodingResult decode(List<Path> shards, Path target, ProgressListener listener)
      throws IOException, InterruptedException {
    return decode(
        shards,
        target,
        temporaries -> replaces ? temporaries.create(target) : temporaries.createNew(target),
        listener);
  }

  /**
   * Decodes to a stream, to which nothing is written before all of it is known to be right. Until
   * then the bytes are in a temporary file without a name.
   *
   * @param target flushed; stays open
   * @param name of the stream, as errors name it
   * @see #decode(List, Path, ProgressListener)
   */
  public DecodingResult decode(
      List<Path> shards, OutputStream target, String name, ProgressListener listener)
      throws IOException, InterruptedException {
    return decode(shards, Path.of(name), temporaries -> temporaries.create(target, name), listener);
  }

  private DecodingResult decode(
      List<Path> shards, Path target, Output output, ProgressListener listener)
      throws IOException, InterruptedException {
    Request request = new Request(target, output, listener, System.nanoTime());
    try (ShardSet set = ShardSet.open(shards)) {
      try {
        return attempt(set, request);
      } catch (DigestMismatchException e) {
        return attemptWithout(set, request, e);
      }
    }
  }

  private DecodingResult attempt(ShardSet set, Request request)
      throws IOException, InterruptedException {
    if (set.maxRecords() < set.descriptor().sourceBlocks()) {
      throw shortRank(set);
    }
    try {
      return set.inOrder(() -> new Job(set, request).run());
    } catch (ShortOfRank e) {
      ShortRankException shortage = shortRank(set);
      if (!shortage.ranks().isComplete()) {
        throw shortage;
      }
      // What seemed to be missing is further on in a shard that is not in order.
      return retry(set, request);
    }
  }

  private DecodingResult retry(ShardSet set, Request request)
      throws IOException, InterruptedException {
    try {
      return new Job(set, request).run();
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
      ShardSet set, Request request, DigestMismatchException mismatch)
      throws IOException, InterruptedException {
    Pollution pollution = compare(set);
    DigestMismatchException failure = mismatch.explained(pollution.describe());
    Map<ShardFile, String> reasons = pollution.reasons();
    if (!reasons.isEmpty()) {
      try {
        return attempt(set.without(reasons), request);
      } catch (DigestMismatchException e) {
        failure.addSuppressed(e);
      }
    }
    for (ShardFile candidate : pollution.candidates().stream().limit(MAX_ATTEMPTS).toList()) {
      Map<ShardFile, String> without = new LinkedHashMap<>(reasons);
      without.put(candidate, "without it the file is as it was encoded");
      try {
        return attempt(set.without(without), request);
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
    private final Request request;
    private final MessageDigest digest = ObjectDescriptor.newSha256();
    private long next;
    private long written;

    Job(ShardSet set, Request request) {
      this.set = set;
      this.descriptor = set.descriptor();
      this.request = request;
    }

    DecodingResult run() throws IOException, InterruptedException {
      List<DecodingBatch> slots = new ArrayList<>();
      try (NativeMemory memory = new NativeMemory(engine);
          Temporaries temporaries = new Temporaries()) {
        OpenFile file = request.output().create(temporaries);
        temporaries.requireSpace(descriptor.length());
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
            request.target(),
            set.report(cursors),
            (System.nanoTime() - request.startNs()) / NS_PER_SECOND,
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
      request.listener().progress(written, descriptor.length());
      return decoded.byteSize();
    }
  }
}
