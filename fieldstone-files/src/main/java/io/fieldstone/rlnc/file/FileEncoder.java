package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.GenerationCipher;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.crypto.SigningKey;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.Names;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.WireBlock;
import io.fieldstone.stream.Batches;
import io.fieldstone.stream.Interruptions;
import io.fieldstone.stream.NativeMemory;
import io.fieldstone.stream.Pipeline;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.ProgressSum;
import io.fieldstone.stream.Stage;
import io.fieldstone.stream.StageProfile;
import io.fieldstone.stream.WarmUp;
import io.fieldstone.stream.file.FileStamp;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.Source;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Encodes a file into shard files {@code DIR/NAME.NN.fst}: block b of each generation goes to shard
 * b mod shards.
 *
 * {@snippet :
 * GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 128, 4096);
 * new FileEncoder(engine, new EncodingParameters(shape, 16, 0.5, 1))
 *     .encode(Path.of("film.mkv"), Path.of("shards"), ProgressListener.NONE);
 * }
 *
 * <p>Memory is bounded for files of any size: a batch of generations for each thread of the engine,
 * together 240 MiB or four generations, and 32 bytes for each generation, or 64 to encrypt a file.
 * Each thread reads, encrypts, hashes, computes and writes batches by position. Immutable; as
 * thread-safe as its engine.
 */
public final class FileEncoder {

  /** The maximum size of a file whose size may be another than the number of its bytes. */
  private static final int MAX_VIRTUAL_BYTES = 1 << 16;

  private static final double NS_PER_SECOND = 1e9;

  private final Engine engine;
  private final EncodingParameters parameters;
  private final boolean replaces;
  private final Optional<MasterKey> key;
  private final Optional<SigningKey> signing;
  private final PhaseListener phases;

  /**
   * Creates an encoder.
   *
   * @param engine performs the computation; the caller closes it
   */
  public FileEncoder(Engine engine, EncodingParameters parameters) {
    this(engine, parameters, true, Optional.empty(), Optional.empty(), PhaseListener.NONE);
  }

  private FileEncoder(
      Engine engine,
      EncodingParameters parameters,
      boolean replaces,
      Optional<MasterKey> key,
      Optional<SigningKey> signing,
      PhaseListener phases) {
    engine.requireOpen();
    this.engine = engine;
    this.parameters = parameters;
    this.replaces = replaces;
    this.key = key;
    this.signing = signing;
    this.phases = phases;
  }

  /**
   * Returns an encoder that throws {@link FileAlreadyExistsException} if the directory has a shard
   * of the same name, of any number.
   */
  public FileEncoder withoutReplacing() {
    return new FileEncoder(engine, parameters, false, key, signing, phases);
  }

  /**
   * Returns an encoder that encrypts before it codes. The same file, key, n and k give the same
   * object, because the salt is computed from the file in a first pass. A stream has a random salt.
   *
   * @throws IllegalArgumentException if generations have too few or too many bytes ({@link
   *     GenerationCipher#plaintextBytes})
   */
  public FileEncoder encrypting(MasterKey newKey) {
    int _ = GenerationCipher.plaintextBytes(parameters.shape());
    return new FileEncoder(engine, parameters, replaces, Optional.of(newKey), signing, phases);
  }

  /** Returns an encoder that signs the name and the id of the object in each shard's header. */
  public FileEncoder signing(SigningKey newKey) {
    return new FileEncoder(engine, parameters, replaces, key, Optional.of(newKey), phases);
  }

  /** Returns an encoder that reports the stages of each batch as phases of its thread. */
  public FileEncoder withPhaseListener(PhaseListener listener) {
    return new FileEncoder(engine, parameters, replaces, key, signing, listener);
  }

  /**
   * Encodes a file under its own name.
   *
   * @param source a regular file; one of the kernel, whose size is not that of its content, is read
   *     as a stream
   * @param directory the directory of the shards; created if absent. All shards of the same name in
   *     it are replaced or removed together, after the new ones are complete ({@link Temporaries})
   * @throws IOException if reading or writing fails, there is not enough space, or the file changes
   *     meanwhile; the directory is then unchanged
   * @throws IllegalArgumentException if the name cannot be stored in a shard (docs/format.md), or
   *     the file has too many generations
   * @throws InterruptedException if the calling thread is interrupted; the directory is then
   *     unchanged
   */
  public EncodingResult encode(Path source, Path directory, ProgressListener listener)
      throws IOException, InterruptedException {
    if (Files.exists(source) && !Files.isRegularFile(source)) {
      throw new FileSystemException(source.toString(), null, "not a regular file");
    }
    return Interruptions.report(() -> encodeFile(source, directory, listener));
  }

  private EncodingResult encodeFile(Path source, Path directory, ProgressListener listener)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    FileStamp stamp = FileStamp.of(source);
    try (OpenFile opened = OpenFile.read(source)) {
      String name = String.valueOf(source.getFileName());
      Names.utf8(name);
      if (!hasItsSize(opened, stamp.size())) {
        stamp.requireUnchanged();
        try (InputStream stream = Files.newInputStream(source)) {
          return encodeStream(stream, name, directory, listener);
        }
      }
      int added = key.isPresent() ? GenerationCipher.TAG_BYTES : 0;
      parameters.requireFits(stamp.size(), ObjectManifest.MAX_GENERATIONS, added);
      Source.OfFile file = new Source.OfFile(opened, stamp);
      if (key.isEmpty()) {
        return new Job(file, Optional.empty(), name, directory, listener).run(start);
      }
      // The file is read twice, so each byte counts half each time.
      BatchEncryption encryption =
          BatchEncryption.ofFile(
              engine,
              file.again(),
              parameters,
              key.get(),
              (done, total) -> listener.progress(done / 2, total),
              phases);
      ProgressListener second = (done, total) -> listener.progress((done + total) / 2, total);
      return new Job(file, Optional.of(encryption), name, directory, second).run(start);
    }
  }

  /**
   * Returns false if a file has more or fewer bytes than its size. Those of {@code /proc} have the
   * size 0, and those of {@code /sys} that of a page.
   */
  private static boolean hasItsSize(OpenFile file, long size) throws IOException {
    return size > MAX_VIRTUAL_BYTES
        || file.read(MemorySegment.ofArray(new byte[(int) size + 1]), 0) == size;
  }

  /**
   * Encodes a stream to its end under a name.
   *
   * @param source not closed; a blocking read delays cancellation
   * @param name the file name stored in the shards
   * @see #encode(Path, Path, ProgressListener)
   */
  public EncodingResult encode(
      InputStream source, String name, Path directory, ProgressListener listener)
      throws IOException, InterruptedException {
    return Interruptions.report(() -> encodeStream(source, name, directory, listener));
  }

  private EncodingResult encodeStream(
      InputStream source, String name, Path directory, ProgressListener listener)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    Job job =
        new Job(
            new Source.OfStream(source),
            key.map(BatchEncryption::ofStream),
            name,
            directory,
            listener);
    return job.run(start);
  }

  private final class Job {
    private final Source source;
    private final Optional<BatchEncryption> encryption;
    private final Identification identification;
    private final String name;
    private final Path directory;
    private final ProgressSum written;
    private long generations;
    private long read;
    private long coded;
    private boolean isEnded;

    Job(
        Source source,
        Optional<BatchEncryption> encryption,
        String name,
        Path directory,
        ProgressListener listener) {
      Names.utf8(name);
      this.source = source;
      this.encryption = encryption;
      this.identification =
          new Identification(name, parameters, encryption.map(BatchEncryption::cipher), signing);
      this.name = name;
      this.directory = directory;
      this.written = new ProgressSum(source.length(), listener);
    }

    EncodingResult run(long start) throws IOException, InterruptedException {
      long expected = expectedGenerations();
      List<EncodingBatch> slots = new ArrayList<>();
      try (NativeMemory memory = new NativeMemory(engine);
          Temporaries temporaries = new Temporaries()) {
        temporaries.createDirectories(directory);
        List<ShardWriter> shards = shards(temporaries);
        if (source.length() != ProgressListener.UNKNOWN) {
          temporaries.requireSpaceOfEach(bytesOfAShard(codedLength()));
        }
        Batches batches = fill(slots, expected, memory);
        WarmUp warmUp =
            new WarmUp(engine, parameters.shape().field(), batches.occupiesAllThreads());
        warmUp.start();
        Engine.hashing().expect(source.length());
        List<StageProfile> profile = pipeline(slots, shards, warmUp).run();
        source.requireUnchanged();
        CodedObject object = identification.finish(shards, coded);
        temporaries.commit();
        return result(object, shards, start, profile);
      } finally {
        slots.forEach(EncodingBatch::close);
      }
    }

    private Pipeline<EncodingBatch, IOException> pipeline(
        List<EncodingBatch> slots, List<ShardWriter> shards, WarmUp warmUp) {
      Pipeline<EncodingBatch, IOException> pipeline =
          new Pipeline<EncodingBatch, IOException>("encode", slots)
              .inOrder("read", this::claim)
              .anyOrder("read", batch -> batch.read(source));
      encryption.ifPresent(one -> pipeline.anyOrder("encrypt", batch -> one.encrypt(batch, name)));
      return pipeline
          .anyOrder("hash", identification::add)
          // The hash of the first generation gives the number that all records carry.
          .afterFirst("compute", batch -> compute(batch, warmUp))
          .anyOrder("write", batch -> write(batch, shards))
          .withPhaseListener(phases);
    }

    private EncodingResult result(
        CodedObject object, List<ShardWriter> shards, long start, List<StageProfile> profile) {
      long records = shards.stream().mapToLong(ShardWriter::records).sum();
      long others = identification.headerBytes() + identification.trailerBytes(generations);
      return new EncodingResult(
          object,
          signing.map(SigningKey::publisher),
          read,
          shards.stream().map(ShardWriter::path).toList(),
          records,
          records * EncodingBatch.recordBytes(parameters.shape()) + shards.size() * others,
          (System.nanoTime() - start) / NS_PER_SECOND,
          profile);
    }

    private long expectedGenerations() {
      return source.length() == ProgressListener.UNKNOWN
          ? ObjectManifest.MAX_GENERATIONS
          : Math.ceilDiv(codedLength(), parameters.shape().bytes());
    }

    /** Returns the bytes to be coded of a source whose length is known. */
    private long codedLength() {
      return encryption.isPresent()
          ? GenerationCipher.ciphertextLength(source.length(), parameters.shape())
          : source.length();
    }

    private void requireGenerations(long count) {
      if (count > ObjectManifest.MAX_GENERATIONS) {
        throw new IllegalArgumentException(
            ("the input has more than %d generations of %d blocks; encode with a larger"
                    + " --generation or --block-size")
                .formatted(ObjectManifest.MAX_GENERATIONS, parameters.shape().blocks()));
      }
    }

    /** Returns the mean bytes of a shard; shards differ by a record of each generation at most. */
    private long bytesOfAShard(long length) {
      GenerationShape shape = parameters.shape();
      int last = (int) Math.ceilDiv(length % shape.bytes(), shape.blockSize());
      // As a double: with high redundancy the number may exceed a long.
      double records =
          (double) (length / shape.bytes()) * parameters.codedBlocks(shape.blocks())
              + (last == 0 ? 0 : parameters.codedBlocks(last));
      return (long)
          (records * (WireBlock.HEADER_BYTES + shape.blockSize()) / parameters.shards()
              + identification.headerBytes()
              + identification.trailerBytes(Math.ceilDiv(length, shape.bytes())));
    }

    private Batches fill(List<EncodingBatch> slots, long expected, NativeMemory memory)
        throws IOException {
      long k = parameters.shape().blockSize();
      // Room for the tag of an encrypted object, also of an empty one.
      int least =
          encryption.isPresent() ? (int) Math.ceilDiv(GenerationCipher.TAG_BYTES + 1L, k) : 1;
      int maxBlocks =
          source.length() == ProgressListener.UNKNOWN
              ? parameters.shape().blocks()
              : Math.clamp(Math.ceilDiv(codedLength(), k), least, parameters.shape().blocks());
      Batches batches =
          Batches.plan(
              engine,
              EncodingBatch.generationBytes(parameters, maxBlocks, encryption.isPresent()),
              expected);
      for (int i = 0; i < batches.slots(); i++) {
        slots.add(
            new EncodingBatch(
                engine, parameters, maxBlocks, batches, encryption.isPresent(), memory));
      }
      return batches;
    }

    private List<ShardWriter> shards(Temporaries temporaries) throws IOException {
      Set<Path> old = new TreeSet<>(oldShards());
      if (!replaces && !old.isEmpty()) {
        throw new FileAlreadyExistsException(old.iterator().next().toString());
      }
      List<ShardWriter> shards = new ArrayList<>();
      for (int i = 0; i < parameters.shards(); i++) {
        Path path = directory.resolve(parameters.shardFile(name, i));
        old.remove(path);
        OpenFile created = temporaries.create(path, replaces);
        shards.add(
            new ShardWriter(
                path,
                created,
                identification.headerBytes(),
                EncodingBatch.recordBytes(parameters.shape())));
      }
      for (Path rest : old) {
        temporaries.remove(rest);
      }
      return shards;
    }

    /** Returns the existing shards of the name, of any number. */
    private List<Path> oldShards() throws IOException {
      Pattern shard = Pattern.compile(Pattern.quote(name) + "\\.[0-9]{2,}\\.fst");
      List<Path> old = new ArrayList<>();
      try (DirectoryStream<Path> files =
          Files.newDirectoryStream(
              directory, file -> shard.matcher(String.valueOf(file.getFileName())).matches())) {
        files.forEach(old::add);
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
      return old;
    }

    /** Claims the bytes of the next batch; a stream is read. */
    private long claim(EncodingBatch batch) throws IOException {
      if (isEnded) {
        return Stage.END;
      }
      isEnded = batch.claim(source, generations);
      generations += batch.generations();
      requireGenerations(generations);
      coded += batch.codedBytes();
      read += batch.sourceBytes();
      return batch.sourceBytes() == 0 ? Stage.END : batch.sourceBytes();
    }

    private static long compute(EncodingBatch batch, WarmUp warmUp)
        throws IOException, InterruptedException {
      warmUp.await();
      return batch.encode();
    }

    private long write(EncodingBatch batch, List<ShardWriter> shards) throws IOException {
      long bytes = batch.write(shards, identification.recordId());
      written.add(batch.sourceBytes());
      return bytes;
    }
  }
}
