package io.fieldstone.stream.file;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A file of which some bytes cannot be read, as on a disk with bad sectors: zeros stand for them.
 * So they count as damage, which a reader with redundancy survives. The first error of a file is
 * logged. Thread-safe.
 */
public final class DamagedInput implements PositionedInput {

  private static final Logger LOGGER = System.getLogger(DamagedInput.class.getName());

  /** The bytes that are read together where a longer read has failed: a page. */
  private static final int PIECE_BYTES = 4096;

  private final PositionedInput file;
  private final AtomicBoolean isReported = new AtomicBoolean();

  /** Wraps a file, which is closed with it. */
  DamagedInput(PositionedInput file) {
    this.file = file;
  }

  /** Returns an opener of a file of this machine. Other file systems retry reads themselves. */
  public static Opener opener(Path file) {
    return new Opener() {
      @Override
      public Path name() {
        return file;
      }

      @Override
      public PositionedInput open() throws IOException {
        return new DamagedInput(OpenFile.read(file));
      }
    };
  }

  @Override
  public Path name() {
    return file.name();
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  @Override
  public long read(MemorySegment destination, long position) throws IOException {
    try {
      return file.read(destination, position);
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException _) {
      return readPieces(destination, position);
    }
  }

  private long readPieces(MemorySegment destination, long position) throws IOException {
    long bytes = Math.min(destination.byteSize(), Math.max(0, file.size() - position));
    long done = 0;
    while (done < bytes) {
      long at = position + done;
      long wanted = Math.min(bytes - done, PIECE_BYTES - at % PIECE_BYTES);
      MemorySegment piece = destination.asSlice(done, wanted);
      try {
        long read = file.read(piece, at);
        if (read < wanted) {
          return done + read;
        }
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException e) {
        report(e, at);
        piece.fill((byte) 0);
      }
      done += wanted;
    }
    return done;
  }

  private void report(IOException e, long position) {
    if (!isReported.getAndSet(true)) {
      LOGGER.log(
          Level.WARNING,
          "cannot read at byte {0}, so a page is damaged: {1}",
          Long.toString(position),
          e.getMessage());
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
