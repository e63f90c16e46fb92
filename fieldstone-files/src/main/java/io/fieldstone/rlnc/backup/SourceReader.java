package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.wire.SetLayout;
import io.fieldstone.stream.file.OpenFile;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.List;

/** Reads pieces and source blocks, and keeps the last file open. For one thread at a time. */
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
   * Reads consecutive pieces; each last one of a file is padded with zeros.
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
      readFrom(number, blocks.offsetOf(first + done), part.asSlice(0, bytes));
      part.asSlice(bytes).fill((byte) 0);
      done += run;
    }
  }

  /**
   * Reads consecutive blocks of the set, with the pieces of several files in a shared one.
   *
   * @param target {@code count} blocks
   */
  void readBlocks(SetLayout layout, int first, int count, MemorySegment target) throws IOException {
    int run;
    for (int done = 0; done < count; done += run) {
      int from = first + done;
      MemorySegment part = target.asSlice((long) done * blockSize);
      run = 0;
      while (done + run < count && !layout.isShared(from + run)) {
        run++;
      }
      if (run > 0) {
        read(layout.firstPiece(from), run, part.asSlice(0, (long) run * blockSize));
      } else {
        run = 1;
        int at = 0;
        for (int piece = layout.firstPiece(from); piece < layout.firstPiece(from + 1); piece++) {
          readPiece(piece, part.asSlice(at, blocks.bytesOf(piece)));
          at += blocks.bytesOf(piece);
        }
        part.asSlice(at, blockSize - at).fill((byte) 0);
      }
    }
  }

  /** Reads the bytes of a piece. */
  void readPiece(int piece, MemorySegment target) throws IOException {
    readFrom(blocks.fileOf(piece), blocks.offsetOf(piece), target);
  }

  /** Reads bytes of a file; zeros if they cannot be read, and that does not end reading. */
  private void readFrom(int number, long offset, MemorySegment target) throws IOException {
    try {
      file.of(paths.get(number)).readFully(target, offset);
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      failures.accept(number, e);
      target.fill((byte) 0);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
