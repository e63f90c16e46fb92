package io.fieldstone.rlnc.backup;

import io.fieldstone.stream.file.OpenFile;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.List;

/** Reads source blocks, and keeps the last file open. For one thread at a time. */
final class SourceReader implements Closeable {

  private final SourceBlocks blocks;
  private final List<Path> paths;
  private final int blockSize;
  private final Failures failures;
  private final KeptFile file = new KeptFile(OpenFile::read);

  /** Takes the failure to read a file. */
  @FunctionalInterface
  interface Failures {

    /**
     * Returns normally if zeros are to stand for the bytes.
     *
     * @param file the number of the file
     * @throws IOException if reading ends
     */
    void accept(int file, IOException e) throws IOException;
  }

  /**
   * Creates a reader that ends at the first failure.
   *
   * @param paths the place of each file
   */
  SourceReader(SourceBlocks blocks, List<Path> paths, int blockSize) {
    this(
        blocks,
        paths,
        blockSize,
        (_, e) -> {
          throw e;
        });
  }

  /**
   * Creates a reader.
   *
   * @param paths the place of each file
   */
  SourceReader(SourceBlocks blocks, List<Path> paths, int blockSize, Failures failures) {
    this.failures = failures;
    this.blocks = blocks;
    this.paths = paths;
    this.blockSize = blockSize;
  }

  /**
   * Reads consecutive blocks; the last block of a file is padded with zeros.
   *
   * @param target {@code count} blocks
   * @throws IOException if a file cannot be read or is too short, and that ends reading
   */
  void read(int first, int count, MemorySegment target) throws IOException {
    for (int done = 0; done < count; ) {
      int number = blocks.fileOf(first + done);
      int run = Math.min(count - done, blocks.firstOf(number + 1) - first - done);
      int last = first + done + run - 1;
      long bytes = (long) (run - 1) * blockSize + blocks.bytesOf(last);
      MemorySegment part = target.asSlice((long) done * blockSize, (long) run * blockSize);
      try {
        file.of(paths.get(number)).readFully(part.asSlice(0, bytes), blocks.offsetOf(first + done));
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException e) {
        failures.accept(number, e);
        part.fill((byte) 0);
      }
      part.asSlice(bytes).fill((byte) 0);
      done += run;
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
