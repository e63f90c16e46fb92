package io.fieldstone.bench.files;

import io.fieldstone.bench.measure.ThreadTeam;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Reads and copies a file by several threads, 4 MiB at a time. Copying forces all files to the
 * disk, as {@code dd bs=4M conv=notrunc,fsync} for each thread.
 *
 * @param source the file
 * @param bytes its bytes
 */
record FileSystemRates(Path source, long bytes) {

  private static final int BUFFER_BYTES = 4 << 20;

  /** Uses a part of the file that one thread has read. */
  private interface Use {
    void accept(ByteBuffer part, long position) throws IOException;
  }

  /** Makes a run that reads the file. */
  Runnable reading(ThreadTeam team) {
    return team.onAll(thread -> {
      try (FileChannel from = FileChannel.open(source)) {
        forEachPart(team, thread, from, (_, _) -> {});
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  /** Makes a run that copies the file to one that all threads write; it is made if absent. */
  Runnable copying(ThreadTeam team, Path target) {
    return team.onAll(thread -> copy(team, thread, target, 1));
  }

  /** Makes a run that copies the file to {@link #parts}, one for each thread. */
  Runnable copyingToParts(ThreadTeam team, Path target) {
    return team.onAll(thread -> copy(team, thread, part(target, thread), team.threads()));
  }

  /** Returns the files of which each thread writes one. */
  List<Path> parts(ThreadTeam team, Path target) {
    return IntStream.range(0, team.threads()).mapToObj(thread -> part(target, thread)).toList();
  }

  private static Path part(Path target, int thread) {
    return target.resolveSibling(target.getFileName() + "." + thread);
  }

  /**
   * Copies the parts of one thread.
   *
   * @param files how many files there are: parts follow each other without gaps in each
   */
  private void copy(ThreadTeam team, int thread, Path target, int files) {
    try (FileChannel from = FileChannel.open(source);
        FileChannel to =
            FileChannel.open(target, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      forEachPart(
          team,
          thread,
          from,
          (part, position) -> {
            long start = position / BUFFER_BYTES / files * BUFFER_BYTES;
            for (long at = start; part.hasRemaining(); ) {
              at += to.write(part, at);
            }
          });
      to.force(true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the parts of one thread: of {@code t} threads, it takes every t-th part. */
  private void forEachPart(ThreadTeam team, int thread, FileChannel from, Use use)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    long step = (long) BUFFER_BYTES * team.threads();
    for (long position = (long) thread * BUFFER_BYTES; position < bytes; position += step) {
      buffer.clear();
      for (long at = position; buffer.hasRemaining(); ) {
        int read = from.read(buffer, at);
        if (read < 0) {
          break;
        }
        at += read;
      }
      use.accept(buffer.flip(), position);
    }
  }
}
