package io.fieldstone.net.fetch;

import io.fieldstone.rlnc.crypto.GenerationContent;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.stream.file.FileErrors;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.Optional;

/**
 * A new file that is kept in memory until it is complete, for folders of many small files: nothing
 * of it is on the disk before, so that neither a lock nor a part that stays is needed.
 */
final class SmallFile implements Destination {

  /** The maximum bytes of such a file. */
  static final long MAX_BYTES = 1 << 20;

  private final Path target;
  private final Path part;
  private Optional<GenerationContent> content = Optional.empty();
  private byte[] bytes = new byte[0];

  /**
   * Refers to an output file.
   *
   * @param target does not exist
   */
  SmallFile(Path target) {
    this.target = target;
    this.part = PartFile.partOf(target);
  }

  /** Returns true if a file can be kept in memory: a small one of which nothing is on the disk. */
  static boolean isFor(Path target, long length) {
    return length <= MAX_BYTES && !Files.exists(target) && !Files.exists(PartFile.partOf(target));
  }

  @Override
  public BitSet begin(GenerationHashes hashes, GenerationContent object, int threads)
      throws IOException {
    if (object.length() > MAX_BYTES) {
      throw new IOException(
          "'%s' has %d bytes now, more than it was listed with".formatted(target, object.length()));
    }
    content = Optional.of(object);
    bytes = new byte[(int) object.length()];
    return new BitSet();
  }

  @Override
  public void verified(int generation, MemorySegment generationBytes) {
    long at = content.orElseThrow().positionOf(generation);
    MemorySegment _ =
        MemorySegment.ofArray(bytes)
            .asSlice(at, generationBytes.byteSize())
            .copyFrom(generationBytes);
  }

  @Override
  public boolean isOrdered() {
    return false;
  }

  @Override
  public int limit() {
    return Integer.MAX_VALUE;
  }

  /** Writes the file under the name of a part file, and gives it its name. */
  @Override
  public void commit() throws IOException {
    try {
      try (FileChannel channel =
          FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
          int _ = channel.write(left);
        }
        channel.force(true);
      }
      if (Files.exists(target)) {
        Files.delete(part);
        throw new FileAlreadyExistsException(target.toString());
      }
      Path _ = Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw FileErrors.of(target, e);
    }
  }

  @Override
  public void close() {}
}
