package io.fieldstone.rlnc.backup;

import io.fieldstone.stream.file.OpenFile;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads source blocks, and keeps the last file open. For one thread at a time. */
final class SourceReader implements Closeable {

  private final SourceBlocks blocks;
  private final List<Path> paths;
  private final int blockSize;
  private Optional<OpenFile> open = Optional.empty();
  private int openFile = -1;

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
      int file = blocks.fileOf(first + done);
      int run = Math.min(count - done, blocks.firstOf(file + 1) - first - done);
      int last = first + done + run - 1;
      long bytes = (long) (run - 1) * blockSize + blocks.bytesOf(last);
      MemorySegment part = target.asSlice((long) done * blockSize, (long) run * blockSize);
      file(file).readFully(part.asSlice(0, bytes), blocks.offsetOf(first + done));
      part.asSlice(bytes).fill((byte) 0);
      done += run;
    }
  }

  private OpenFile file(int number) throws IOException {
    if (openFile != number) {
      close();
      open = Optional.of(OpenFile.read(paths.get(number)));
      openFile = number;
    }
    return open.orElseThrow();
  }

  @Override
  public void close() throws IOException {
    openFile = -1;
    if (open.isPresent()) {
      OpenFile closing = open.get();
      open = Optional.empty();
      closing.close();
    }
  }
}
