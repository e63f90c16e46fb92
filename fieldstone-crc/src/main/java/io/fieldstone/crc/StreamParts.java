package io.fieldstone.crc;

import java.io.IOException;
import java.nio.channels.ReadableByteChannel;

/**
 * Reads a stream, such as a pipe, or a file whose length is not known. One thread reads at a time,
 * while further threads divide.
 */
final class StreamParts implements PartSource {

  private final ReadableByteChannel source;
  private long length;
  private boolean hasEnded;

  StreamParts(ReadableByteChannel source) {
    this.source = source;
  }

  @Override
  public synchronized void read(Part part) throws IOException {
    part.startRange(length, hasEnded ? length : Long.MAX_VALUE);
    part.fill((target, _) -> source.read(target));
    hasEnded |= !part.isFull();
    length += part.bytes().byteSize();
  }

  @Override
  public synchronized long length() {
    return length;
  }

  @Override
  public int concurrency(int threads) {
    return threads;
  }
}
