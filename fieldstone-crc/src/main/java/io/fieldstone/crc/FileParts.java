package io.fieldstone.crc;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads a file of known length by position. Each thread reads ranges of its own, so that several
 * threads read at the same time and each reads forwards.
 */
final class FileParts implements PartSource {

  private final Path path;
  private final FileChannel file;
  private final long length;
  private final long rangeBytes;
  private final AtomicLong next = new AtomicLong();

  /**
   * Makes the parts of an open file.
   *
   * @param length the length of the file when it was opened
   * @param rangeBytes the consecutive bytes that one thread reads
   */
  FileParts(Path path, FileChannel file, long length, long rangeBytes) {
    this.path = path;
    this.file = file;
    this.length = length;
    this.rangeBytes = rangeBytes;
  }

  @Override
  public void read(Part part) throws IOException {
    if (part.isRangeDone()) {
      long from = Math.min(length, next.getAndAdd(rangeBytes));
      part.startRange(from, from + Math.min(rangeBytes, length - from));
    }
    boolean isEnd = part.isRangeDone();
    part.fill(file::read);
    if (part.isEmpty() && !isEnd) {
      throw changed("shorter", file.size());
    }
  }

  @Override
  public long length() throws IOException {
    long now = file.size();
    if (now != length) {
      throw changed(now > length ? "longer" : "shorter", now);
    }
    return length;
  }

  private FileSystemException changed(String how, long now) {
    return new FileSystemException(
        path.toString(),
        null,
        "became %s while it was read, %,d instead of %,d bytes".formatted(how, now, length));
  }

  @Override
  public int concurrency(int threads) {
    return (int) Math.min(threads, Math.ceilDiv(length, rangeBytes));
  }
}
