package io.fieldstone.net.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fieldstone.net.catalogue.GenerationQueue;
import io.fieldstone.net.catalogue.SourceReader;
import io.fieldstone.rlnc.crypto.GenerationContent;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The output file, under the name {@code .NAME.fst-part} beside it until it is complete; of a name
 * that is too long for that, the end is replaced by digits of its hash. The part file stays if the
 * fetch ends early; the next fetch hashes what is in it, and trusts nothing else. It has the bytes
 * of the file, decrypted if the object is encrypted. Their hashes are those of the ciphertext, so
 * they are encrypted again for a comparison: one plaintext has one ciphertext.
 */
final class PartFile implements Destination {

  private static final String SUFFIX = ".fst-part";

  /** The maximum bytes of a name in usual file systems. */
  private static final int MAX_NAME_BYTES = 255;

  /** The digits of a hash that tell the part files of long names apart. */
  private static final int HASH_DIGITS = 16;

  private final Path target;
  private final Path part;
  private final boolean mayReplace;
  private final Temporaries temporaries = new Temporaries();
  private Optional<OpenFile> file = Optional.empty();
  private Optional<EarlyForce> force = Optional.empty();
  private Optional<GenerationContent> content = Optional.empty();

  /** The bytes that the part file had at the start; behind them it has none. */
  private long heldBytes;

  private long zeroBytes;
  private boolean isDropped;
  private boolean wasThere;

  /**
   * Refers to an output file; nothing is created yet.
   *
   * @param mayReplace whether another file of this name is replaced
   */
  PartFile(Path target, boolean mayReplace) {
    this.target = target;
    this.part = partOf(target);
    this.mayReplace = mayReplace;
  }

  /** Returns the part file of an output file. */
  static Path partOf(Path target) {
    Path real = target;
    try {
      // A symbolic link stays, and the file that it refers to is replaced.
      real = target.toRealPath();
    } catch (NoSuchFileException _) {
      // A new file.
    } catch (IOException _) {
      // Opening it names the problem.
    }
    return real.resolveSibling(nameOf(String.valueOf(real.getFileName())));
  }

  private static String nameOf(String name) {
    String part = "." + name + SUFFIX;
    if (bytesOf(part) <= MAX_NAME_BYTES) {
      return part;
    }
    String end =
        "-"
            + Sha256.hash(ByteBuffer.wrap(name.getBytes(UTF_8)))
                .toString()
                .substring(0, HASH_DIGITS)
            + SUFFIX;
    int length = name.length();
    while (bytesOf("." + name.substring(0, length) + end) > MAX_NAME_BYTES) {
      length = name.offsetByCodePoints(length, -1);
    }
    return "." + name.substring(0, length) + end;
  }

  private static int bytesOf(String name) {
    return name.getBytes(UTF_8).length;
  }

  @Override
  public void requireSpace(GenerationContent object) throws IOException {
    if (object.isEncrypted() && !keepsTarget()) {
      requireSpaceFor(Math.max(0, object.length() - partBytes()));
    }
  }

  private void requireSpaceFor(long bytes) throws IOException {
    Temporaries.requireSpace(Temporaries.directoryOf(target), bytes);
  }

  private long partBytes() throws IOException {
    return Files.exists(part) ? Files.size(part) : 0;
  }

  @Override
  public BitSet begin(GenerationHashes hashes, GenerationContent object, int threads)
      throws IOException, InterruptedException {
    if (keepsTarget()) {
      return kept(hashes, object, threads);
    }
    BitSet zeros = zeros(hashes, object);
    requireSpaceFor(bytesBehind(partBytes(), object, zeros));
    OpenFile opened = temporaries.resume(part, target);
    file = Optional.of(opened);
    force = Optional.of(new EarlyForce(opened));
    content = Optional.of(object);
    heldBytes = opened.size();
    BitSet there = verify(opened, hashes, object, threads);
    zeros.stream()
        .filter(each -> object.positionOf(each) >= heldBytes)
        .forEach(each -> {
          zeroBytes += object.bytesOf(each);
          there.set(each);
        });
    return there;
  }

  /** Returns the generations whose hashes show that they are zeros; none if it is encrypted. */
  private static BitSet zeros(GenerationHashes hashes, GenerationContent object) {
    return object.isEncrypted()
        ? new BitSet()
        : new HashTree().zeros(hashes.manifest(), hashes.all());
  }

  /** Returns the bytes behind a position that are not zeros. */
  private static long bytesBehind(long position, GenerationContent object, BitSet zeros) {
    long bytes = 0;
    int generations = object.manifest().generations();
    for (int each = zeros.nextClearBit(0);
        each < generations;
        each = zeros.nextClearBit(each + 1)) {
      long from = Math.max(position, object.positionOf(each));
      bytes += Math.max(0, object.positionOf(each) + object.bytesOf(each) - from);
    }
    return bytes;
  }

  /** Returns true if there is a file that must stay. */
  private boolean keepsTarget() {
    return !mayReplace && Files.exists(target);
  }

  /** Returns all generations if the file that is there has them. */
  private BitSet kept(GenerationHashes hashes, GenerationContent object, int threads)
      throws IOException, InterruptedException {
    int generations = hashes.manifest().generations();
    if (Files.isRegularFile(target) && Files.size(target) == object.length()) {
      try (OpenFile opened = OpenFile.read(target)) {
        BitSet equal = verify(opened, hashes, object, threads);
        if (equal.cardinality() == generations) {
          wasThere = true;
          return equal;
        }
      }
    }
    throw new FileAlreadyExistsException(target.toString());
  }

  /** Hashes the generations that the file may have. */
  private static BitSet verify(
      OpenFile opened, GenerationHashes hashes, GenerationContent content, int threads)
      throws IOException, InterruptedException {
    long size = opened.size();
    BitSet verified = new BitSet(hashes.manifest().generations());
    if (size == 0 || hashes.manifest().generations() == 0) {
      return verified;
    }
    try (ExecutorService workers =
        Executors.newFixedThreadPool(threads, Thread.ofPlatform().daemon().factory())) {
      GenerationQueue.run(
          workers,
          threads,
          content.manifest().generations(),
          queue -> verify(opened, size, hashes, content, queue, verified));
    }
    return verified;
  }

  private static void verify(
      OpenFile opened,
      long size,
      GenerationHashes hashes,
      GenerationContent content,
      GenerationQueue queue,
      BitSet verified)
      throws IOException {
    ObjectManifest object = hashes.manifest();
    HashTree tree = new HashTree();
    try (Arena arena = Arena.ofConfined()) {
      SourceReader reader = new SourceReader(content, arena);
      // The first generation is the largest.
      MemorySegment memory = arena.allocate(object.shapeOf(0).bytes());
      for (int generation = queue.next();
          generation != GenerationQueue.NONE;
          generation = queue.next()) {
        if (content.positionOf(generation) + content.bytesOf(generation) > size) {
          return;
        }
        MemorySegment source = memory.asSlice(0, object.shapeOf(generation).bytes());
        MemorySegment _ = reader.read(opened, generation, source);
        if (tree.generation(source, object.shape().blockSize()).equals(hashes.of(generation))) {
          synchronized (verified) {
            verified.set(generation);
          }
        }
      }
    }
  }

  @Override
  public void verified(int generation, MemorySegment bytes) throws IOException {
    long position = content.orElseThrow().positionOf(generation);
    if (position >= heldBytes) {
      file.orElseThrow().writeSparsely(bytes, position);
    } else {
      file.orElseThrow().write(bytes, position); // an earlier attempt may have left other bytes
    }
    force.orElseThrow().written(bytes.byteSize());
  }

  @Override
  public boolean isResumed() {
    try {
      return Files.size(part) > 0;
    } catch (IOException _) {
      return false; // there is none, or opening it names the problem
    }
  }

  @Override
  public boolean isOrdered() {
    return false;
  }

  @Override
  public int limit() {
    return Integer.MAX_VALUE;
  }

  @Override
  public void drop() {
    isDropped = true;
  }

  @Override
  public boolean wasThere() {
    return wasThere;
  }

  @Override
  public long zeroBytes() {
    return zeroBytes;
  }

  @Override
  public void commit() throws IOException {
    if (wasThere) {
      return;
    }
    force.orElseThrow().await();
    // An earlier attempt may have fetched a longer object.
    file.orElseThrow().truncate(content.orElseThrow().length());
    file.orElseThrow().extend(content.orElseThrow().length());
    temporaries.commit();
  }

  @Override
  public void close() throws IOException {
    try {
      if (force.isPresent()) {
        force.get().await();
      }
    } finally {
      temporaries.close();
      if (isDropped && file.isPresent() && heldBytes == 0) {
        Files.deleteIfExists(part);
      }
    }
  }
}
