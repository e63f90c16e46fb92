package io.fieldstone.net.catalogue;

import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.ContentDigests;
import io.fieldstone.rlnc.crypto.GenerationCipher;
import io.fieldstone.rlnc.crypto.GenerationContent;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongConsumer;

/**
 * Hashes files into offers, each with several threads. For one caller at a time.
 *
 * <p>A file that is encrypted is read twice, the first time for its salt ({@link ContentDigests}).
 */
final class FileHasher implements AutoCloseable {

  private static final Sha256 NO_ROOT = Sha256.hash(ByteBuffer.allocate(0));

  private final GenerationShape shape;
  private final Optional<MasterKey> key;
  private final int threads;
  private final ExecutorService workers;

  FileHasher(GenerationShape shape, Optional<MasterKey> key, int threads) {
    this.shape = shape;
    this.key = key;
    this.threads = threads;
    this.workers =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name("fieldstone-hash-", 0).factory());
  }

  /** Returns the number of times that a file is read. */
  int passes() {
    return key.isPresent() ? 2 : 1;
  }

  /**
   * Hashes a file.
   *
   * @param hashed called with the bytes of each generation in each pass, by several threads
   * @throws FileChangedException if the file changes meanwhile
   */
  Offer hash(String name, Path file, LongConsumer hashed) throws IOException, InterruptedException {
    FileStamp stamp = FileStamp.of(file);
    long length =
        key.isPresent() ? GenerationCipher.ciphertextLength(stamp.bytes(), shape) : stamp.bytes();
    requireFits(length);
    // A manifest without its root, for the numbers of generations.
    ObjectManifest sizes = new ObjectManifest(shape, length, Optional.empty(), NO_ROOT);
    HashList hashes = new HashList(sizes.generations());
    Optional<GenerationCipher> cipher = Optional.empty();
    try (OpenFile opened = OpenFile.read(file)) {
      opened.requireEnd(stamp.bytes());
      Optional<ContentDigests> digests = Optional.empty();
      if (key.isPresent()) {
        ContentDigests first = digest(opened, stamp.bytes(), sizes.generations(), hashed);
        cipher = Optional.of(GenerationCipher.of(key.get(), first.salt(key.get())));
        digests = Optional.of(first);
      }
      Job job = new Job(file, opened, content(sizes, cipher), digests, hashes, hashed);
      GenerationQueue.run(workers, threads, hashes.size(), queue -> hash(queue, job));
    } catch (IOException e) {
      if (!FileStamp.of(file).equals(stamp)) {
        throw new FileChangedException(file);
      }
      throw e;
    }
    if (!FileStamp.of(file).equals(stamp)) {
      throw new FileChangedException(file);
    }
    ObjectManifest manifest =
        new ObjectManifest(
            shape, length, cipher.map(GenerationCipher::parameters), new HashTree().object(hashes));
    return new Offer(name, file, stamp, content(manifest, cipher), hashes);
  }

  /** Checks that a file does not have too many generations, and names a shape that it fits. */
  private void requireFits(long length) {
    long max = ObjectManifest.MAX_GENERATIONS;
    if (Math.ceilDiv(length, shape.bytes()) <= max) {
      return;
    }
    int k = shape.blockSize();
    long n = Math.ceilDiv(Math.ceilDiv(length, max), k);
    throw new IllegalArgumentException(
        "%d bytes are more than %d generations of %d blocks; serve with --generation %s"
            .formatted(
                length,
                max,
                shape.blocks(),
                n <= GenerationShape.MAX_BLOCKS
                    ? Long.toString(n)
                    : GenerationShape.MAX_BLOCKS + " and larger blocks"));
  }

  /** Returns what is coded: the bytes of a file, or their ciphertext. */
  static GenerationContent content(ObjectManifest manifest, Optional<GenerationCipher> cipher) {
    try {
      return GenerationContent.of(manifest, cipher);
    } catch (MalformedDataException e) {
      throw new AssertionError("the length is that of a ciphertext", e);
    }
  }

  /** Reads a file for the first time. */
  private ContentDigests digest(OpenFile file, long length, int generations, LongConsumer hashed)
      throws IOException, InterruptedException {
    ContentDigests digests = new ContentDigests(shape, length);
    int pitch = GenerationCipher.plaintextBytes(shape);
    GenerationQueue.run(
        workers,
        threads,
        generations,
        queue -> {
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(Math.min(pitch, length));
            for (int generation = queue.next();
                generation != GenerationQueue.NONE;
                generation = queue.next()) {
              long at = (long) generation * pitch;
              MemorySegment bytes = memory.asSlice(0, Math.min(pitch, length - at));
              file.readFully(bytes, at);
              digests.digest(generation, bytes);
              hashed.accept(bytes.byteSize());
            }
          }
        });
    return digests;
  }

  /**
   * The hashing of one file.
   *
   * @param digests those of the first pass, if there was one
   * @param hashes receives the hashes of the generations
   */
  private record Job(
      Path file,
      OpenFile opened,
      GenerationContent content,
      Optional<ContentDigests> digests,
      HashList hashes,
      LongConsumer hashed) {}

  private static void hash(GenerationQueue queue, Job job) throws IOException {
    HashTree tree = new HashTree();
    ObjectManifest sizes = job.content.manifest();
    int k = sizes.shape().blockSize();
    try (Arena arena = Arena.ofConfined()) {
      SourceReader reader = new SourceReader(job.content, arena);
      MemorySegment memory = arena.allocate(sizes.shape().bytes());
      for (int generation = queue.next();
          generation != GenerationQueue.NONE;
          generation = queue.next()) {
        MemorySegment source = memory.asSlice(0, sizes.shapeOf(generation).bytes());
        MemorySegment bytes = reader.read(job.opened, generation, source);
        if (job.digests.isPresent() && !job.digests.get().areOf(generation, bytes)) {
          throw new FileChangedException(job.file);
        }
        job.hashes.set(generation, tree.generation(source, k));
        job.hashed.accept(bytes.byteSize());
      }
    }
  }

  @Override
  public void close() {
    workers.close();
  }
}
