package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.rlnc.crypto.DecryptionException;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.ObjectManifest;
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
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decodes a file from any of its shards that together have full rank, with encoded and recoded
 * blocks. Damaged records are skipped and reported; so are files without a usable record. A shard
 * with a damaged header is used if another shard has a valid one.
 *
 * {@snippet :
 * new FileDecoder(engine).decode(shards, Path.of("film.mkv"), ProgressListener.NONE);
 * }
 *
 * <p>Every generation is verified by its hash, on several threads. A generation with a wrong hash
 * is decoded again without some of the shards, and the shards with wrong payloads are reported
 * ({@link ShardReport#polluted}).
 *
 * <p>If no shard has the hashes of its generations undamaged, the whole file is verified. If its
 * digest is wrong, or it is encrypted and does not authenticate, the shards are compared with each
 * other. If they hold more blocks than necessary, a shard with contradictory payloads can be
 * identified. It is left out and reported, and the file is decoded from the rest. If several shards
 * may be the cause, they are left out in turn, in at most 16 attempts.
 *
 * <p>{@link #withPartialOutput} also accepts shards that are not sufficient, and restores the
 * blocks that they are sufficient for.
 *
 * <p>Memory is bounded for files of any size, except for 32 bytes for each generation. Each thread
 * of the engine reads, computes, hashes, decrypts and writes batches of generations by position.
 * Where positions cannot be computed, after bytes were inserted or lost, one thread reads at a
 * time. Immutable; as thread-safe as its engine.
 */
public final class FileDecoder {

  /** The maximum number of decodings without some shards, after one with all of them. */
  private static final int MAX_ATTEMPTS = 16;

  private static final double NS_PER_SECOND = 1e9;

  /** The temporary destination of the bytes until their SHA-256 is verified. */
  @FunctionalInterface
  private interface Output {
    OpenFile create(Temporaries temporaries) throws IOException;
  }

  /** The parameters of a decoding, and its start time. */
  private record Request(
      Path target,
      Output output,
      Optional<PublisherKey> publisher,
      ProgressListener listener,
      long startNs) {}

  private final Engine engine;
  private final boolean replaces;
  private final Optional<MasterKey> key;

  /** The keys of which each shard must have a publisher record; empty if none is required. */
  private final List<PublisherKey> publishers;

  private final PhaseListener phases;
  private final boolean isPartial;

  /**
   * Creates a decoder.
   *
   * @param engine performs the computation; the caller closes it
   */
  public FileDecoder(Engine engine) {
    this(engine, true, Optional.empty(), List.of(), PhaseListener.NONE, false);
  }

  private FileDecoder(
      Engine engine,
      boolean replaces,
      Optional<MasterKey> key,
      List<PublisherKey> publishers,
      PhaseListener phases,
      boolean isPartial) {
    engine.requireOpen();
    this.engine = engine;
    this.replaces = replaces;
    this.key = key;
    this.publishers = publishers;
    this.phases = phases;
    this.isPartial = isPartial;
  }

  /**
   * Returns a decoder that throws {@link java.nio.file.FileAlreadyExistsException} if the target
   * exists.
   */
  public FileDecoder withoutReplacing() {
    return new FileDecoder(engine, false, key, publishers, phases, isPartial);
  }

  /** Returns a decoder of encrypted objects. It refuses those that are not encrypted. */
  public FileDecoder decrypting(MasterKey newKey) {
    return new FileDecoder(engine, replaces, Optional.of(newKey), publishers, phases, isPartial);
  }

  /**
   * Returns a decoder that refuses shards without a valid publisher record of one of these keys. A
   * shard with a damaged header is read by the header of another one, which is verified.
   *
   * @param newPublishers copied; empty if no record is required
   */
  public FileDecoder withPublishers(List<PublisherKey> newPublishers) {
    return new FileDecoder(engine, replaces, key, List.copyOf(newPublishers), phases, isPartial);
  }

  /** Returns a decoder that reports the stages of each batch as phases of its thread. */
  public FileDecoder withPhaseListener(PhaseListener listener) {
    return new FileDecoder(engine, replaces, key, publishers, listener, isPartial);
  }

  /**
   * Returns a decoder that also accepts shards that are not sufficient. It restores every complete
   * generation, and of others every source block that is solvable without the missing ones. {@link
   * DecodingResult#missing} has the rest, which is zeros in the file. Most useful with a systematic
   * or a {@linkplain io.fieldstone.rlnc.Code.Pipeline pipeline} code: a dense generation is solved
   * as a whole or not at all. Of an encrypted object only complete generations are restored.
   */
  public FileDecoder withPartialOutput() {
    return new FileDecoder(engine, replaces, key, publishers, phases, true);
  }

  /**
   * Decodes shards to a file.
   *
   * @param shards at least one shard of an object
   * @param target the file; an existing file is replaced after the new one is complete and its
   *     SHA-256 verified. Long runs of zeros are holes in it. A device, a FIFO or an open
   *     descriptor is written to ({@link Temporaries})
   * @throws ShortRankException if a generation has too few independent blocks; it names the
   *     generations. Not thrown {@linkplain #withPartialOutput with partial output}
   * @throws MixedShardsException if the shards belong to different objects
   * @throws MalformedShardException if no file is a valid shard
   * @throws DigestMismatchException if the result, or a generation of it, has a wrong hash, or no
   *     shard has its hash and it does not authenticate; the message names the shards that may be
   *     the cause
   * @throws DecryptionException if the object is encrypted and this decoder has no key, or another
   *     one; if it has its hashes and does not authenticate; or if it is not encrypted and this
   *     decoder has a key
   * @throws PublisherException if this decoder requires a publisher, and a shard has no valid
   *     record of one
   * @throws IOException if reading or writing fails, or there is not enough space. No exception
   *     leaves a target written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public DecodingResult decode(List<Path> shards, Path target, ProgressListener listener)
      throws IOException, InterruptedException {
    Output output = temporaries -> temporaries.create(target, replaces);
    return Interruptions.report(() -> decode(shards, target, output, listener));
  }

  /**
   * Decodes shards to a stream. The bytes are kept in an unnamed temporary file until their SHA-256
   * is verified.
   *
   * @param target flushed, not closed
   * @param name the name of the stream in messages
   * @see #decode(List, Path, ProgressListener)
   */
  public DecodingResult decode(
      List<Path> shards, OutputStream target, String name, ProgressListener listener)
      throws IOException, InterruptedException {
    Output output = temporaries -> temporaries.create(target, name);
    return Interruptions.report(() -> decode(shards, Path.of(name), output, listener));
  }

  private DecodingResult decode(
      List<Path> shards, Path target, Output output, ProgressListener listener)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    try (ShardSet set = ShardSet.open(shards)) {
      Request request = new Request(target, output, publisher(set), listener, start);
      Optional<Decryption> _ = Decryption.of(set.descriptor(), key);
      try {
        return attempt(set, request);
      } catch (ShortRankException | DigestMismatchException e) {
        if (e instanceof DigestMismatchException mismatch && !mismatch.isOfGeneration()) {
          return attemptWithout(set, request, mismatch);
        }
        if (!isPartial) {
          throw e;
        }
        return decodePartially(set, request);
      }
    }
  }

  /** Returns the publisher of the first shard after verifying all; empty if none is required. */
  private Optional<PublisherKey> publisher(ShardSet set) throws PublisherException {
    Optional<PublisherKey> first = Optional.empty();
    for (ShardFile shard : set.shards()) {
      if (!publishers.isEmpty() && !shard.isHeaderDamaged()) {
        PublisherKey signer = PublisherException.requireSigned(shard, publishers);
        first = first.or(() -> Optional.of(signer));
      }
    }
    return first;
  }

  private DecodingResult attempt(ShardSet set, Request request)
      throws IOException, InterruptedException {
    return decodeAll(engine, set, () -> new Job(set, request).run());
  }

  /**
   * Decodes all generations of shards.
   *
   * @throws ShortRankException if a generation has too few independent blocks
   */
  static <T> T decodeAll(Engine engine, ShardSet set, ShardSet.Use<T> decoding)
      throws IOException, InterruptedException {
    if (set.maxRecords() < set.descriptor().sourceBlocks()) {
      throw shortRank(engine, set);
    }
    return decode(engine, set, decoding);
  }

  /**
   * Decodes generations of shards, and again without the ranges of the shards if blocks seem to be
   * missing: they may be later in a shard that is not in order.
   *
   * @throws ShortRankException if a generation has too few independent blocks
   */
  static <T> T decode(Engine engine, ShardSet set, ShardSet.Use<T> decoding)
      throws IOException, InterruptedException {
    try {
      return set.inOrder(decoding);
    } catch (ShortOfRank e) {
      ShortRankException shortage = shortRank(engine, set);
      if (!shortage.ranks().isComplete()) {
        throw shortage;
      }
      set.forgetRanges();
    }
    try {
      return set.inOrder(decoding);
    } catch (ShortOfRank e) {
      throw shortRank(engine, set);
    }
  }

  private DecodingResult decodePartially(ShardSet set, Request request)
      throws IOException, InterruptedException {
    set.forgetRanges();
    return set.inOrder(() -> new Job(set, request).runPartially());
  }

  /** Reads all blocks of some shards, and returns which generations have too low a rank. */
  private static ShortRankException shortRank(Engine engine, ShardSet set)
      throws IOException, InterruptedException {
    RankScan.Found found = RankScan.scan(engine, set, GenerationListener.NONE);
    return new ShortRankException(found.ranks(), found.report());
  }

  /** Decodes without the shards that contradict the others, or that may be the cause. */
  private DecodingResult attemptWithout(
      ShardSet set, Request request, DigestMismatchException mismatch)
      throws IOException, InterruptedException {
    Pollution pollution = compare(set);
    DigestMismatchException failure = mismatch.explained(pollution.describe());
    Map<ShardFile, String> reasons = pollution.reasons();
    if (!reasons.isEmpty()) {
      ShardSet others = set.without(reasons);
      try {
        return attempt(others, request);
      } catch (DigestMismatchException e) {
        failure.addSuppressed(e);
      } catch (ShortRankException e) {
        if (isPartial) {
          return decodePartially(others, request);
        }
        throw e;
      }
    }
    for (ShardFile candidate : pollution.candidates().stream().limit(MAX_ATTEMPTS).toList()) {
      Map<ShardFile, String> without = new LinkedHashMap<>(reasons);
      without.put(candidate, "without it the SHA-256 is correct");
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
      try (NativeMemory memory = new NativeMemory(engine)) {
        PollutionSearch search = new PollutionSearch(engine, set.descriptor(), memory);
        return search.search(set.cursors(memory), false);
      }
    });
  }

  /**
   * Thrown to stop decoding when a generation has too low a rank, so that all generations are
   * examined.
   */
  static final class ShortOfRank extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private final class Job {
    private final ShardSet set;
    private final CodedObject descriptor;
    private final Request request;
    private final Optional<Decryption> decryption;
    private final Verification verification;
    private final ProgressSum written;
    private long next;

    Job(ShardSet set, Request request) throws DecryptionException {
      this.set = set;
      this.descriptor = set.descriptor();
      this.decryption = Decryption.of(set.descriptor(), key);
      this.verification = Verification.of(engine, set);
      this.request = request;
      this.written = new ProgressSum(length(), request.listener());
    }

    DecodingResult run() throws IOException, InterruptedException {
      List<DecodingBatch> slots = new ArrayList<>();
      try (NativeMemory memory = new NativeMemory(engine);
          Temporaries temporaries = new Temporaries()) {
        OpenFile file = request.output().create(temporaries);
        temporaries.requireSpaceOfEach(denseBytes());
        Batches batches =
            Batches.plan(
                engine,
                DecodingBatch.generationBytes(descriptor, decryption.isPresent()),
                descriptor.generations());
        for (int i = 0; i < batches.slots(); i++) {
          slots.add(new DecodingBatch(engine, set, batches, decryption.isPresent(), memory));
        }
        Engine.hashing().expect(length());
        ShardSet.Reading reading = set.reading(0, batches, memory);
        WarmUp warmUp =
            new WarmUp(engine, descriptor.shape().field(), batches.occupiesAllThreads());
        List<StageProfile> profile = pipeline(slots, reading, warmUp, file).run();
        file.extend(length());
        ShardReport report = set.report(reading.summaries().get());
        verification.finish(report);
        temporaries.commit();
        return result(report, MissingBlocks.NONE, profile);
      } finally {
        slots.forEach(DecodingBatch::close);
      }
    }

    DecodingResult runPartially() throws IOException, InterruptedException {
      try (NativeMemory memory = new NativeMemory(engine);
          Temporaries temporaries = new Temporaries()) {
        OpenFile file = request.output().create(temporaries);
        temporaries.requireSpaceOfEach(denseBytes());
        ShardCursors cursors = set.cursors(memory);
        MissingBlocks missing =
            new PartialDecoding(engine, set, decryption)
                .decode(cursors, memory, file, length(), request.listener());
        temporaries.commit();
        return result(set.report(cursors), missing, List.of());
      }
    }

    private DecodingResult result(
        ShardReport report, MissingBlocks missing, List<StageProfile> profile) {
      return new DecodingResult(
          descriptor,
          request.publisher(),
          length(),
          request.target(),
          report,
          missing,
          (System.nanoTime() - request.startNs()) / NS_PER_SECOND,
          profile);
    }

    private Pipeline<DecodingBatch, IOException> pipeline(
        List<DecodingBatch> slots, ShardSet.Reading reading, WarmUp warmUp, OpenFile file) {
      Pipeline<DecodingBatch, IOException> pipeline =
          new Pipeline<DecodingBatch, IOException>("decode", slots)
              .inOrder("read", this::start)
              .inOrderIf(reading.isInOrder(), "read", reading.stage())
              .anyOrder("compute", batch -> compute(batch, reading.shards(), warmUp))
              .anyOrder("hash", batch -> verify(batch, reading.shards()));
      decryption.ifPresent(one -> pipeline.anyOrder("decrypt", batch -> one.decrypt(batch, set)));
      return pipeline.anyOrder("write", batch -> write(batch, file)).withPhaseListener(phases);
    }

    /** Returns the bytes of the file. */
    private long length() {
      return decryption.map(Decryption::length).orElse(descriptor.length());
    }

    /**
     * Returns the bytes of the file without those of generations of zeros, which become holes; all
     * of them if no hashes show that.
     */
    private long denseBytes() {
      long bytes = length();
      if (decryption.isPresent() || set.hashes().isEmpty()) {
        return bytes;
      }
      ObjectManifest object = descriptor.manifest();
      return bytes
          - new HashTree()
              .zeros(object, set.hashes().get()).stream().mapToLong(object::bytesOf).sum();
    }

    private long start(DecodingBatch batch) throws IOException {
      if (next == descriptor.generations()) {
        return Stage.END;
      }
      batch.start(next);
      next += batch.generations();
      return batch.sourceBytes();
    }

    private long compute(DecodingBatch batch, List<ShardFile> shards, WarmUp warmUp)
        throws IOException, InterruptedException {
      if (!batch.isUncoded()) {
        warmUp.await();
      }
      if (!batch.decode(shards)) {
        throw new ShortOfRank();
      }
      return batch.sourceBytes();
    }

    private long verify(DecodingBatch batch, List<ShardFile> shards) throws IOException {
      verification.verify(batch, shards);
      return batch.sourceBytes();
    }

    private long write(DecodingBatch batch, OpenFile file) throws IOException {
      MemorySegment bytes = decryption.isPresent() ? batch.decrypted() : batch.decoded();
      file.writeSparsely(bytes, decryption.isPresent() ? batch.decryptedAt() : batch.decodedAt());
      written.add(bytes.byteSize());
      return bytes.byteSize();
    }
  }
}
