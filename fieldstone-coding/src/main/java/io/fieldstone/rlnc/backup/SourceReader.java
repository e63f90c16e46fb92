package io.fieldstone.rlnc.backup;

import io.fieldstone.stream.file.OpenFile;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

/** Reads source blocks, and keeps the last file open. For one thread at a time. */
final class SourceReader implements Closeable {

  private final SourceBlocks blocks;
  private final List<Path> paths;
  private final int blockSize;
  private final KeptFile file = new KeptFile(OpenFile::read);

  /**
   * Creates a reader.
   *
   * @param paths the place of each file
   */
  SourceReader(SourceBlocks blocks, List<Path> paths, int blockSize) {
    this.blocks = blocks;
    this.paths = paths;
    this.blockSize = blockSize;
  }

  /**
   * Reads consecutive blocks; the last block of a file is padded with zeros.
   *
   * @param target {@code count} blocks
   * @throws IOException if a file cannot be read or is too short
   */
  void read(int first, int count, MemorySegment target) throws IOException {
    for (int done = 0; done < count; ) {
      int number = blocks.fileOf(first + done);
      int run = Math.min(count - done, blocks.firstOf(number + 1) - first - done);
      int last = first + done + run - 1;
      long bytes = (long) (run - 1) * blockSize + blocks.bytesOf(last);
      MemorySegment part = target.asSlice((long) done * blockSize, (long) run * blockSize);
      file.of(paths.get(number)).readFully(part.asSlice(0, bytes), blocks.offsetOf(first + done));
      part.asSlice(bytes).fill((byte) 0);
      done += run;
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
