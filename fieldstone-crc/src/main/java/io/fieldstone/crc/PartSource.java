package io.fieldstone.crc;

import io.fieldstone.engine.memory.HostMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Reads parts of a file or stream for several threads. Thread-safe. */
interface PartSource {

  /**
   * Reads the next part for a thread; the end leaves the part empty.
   *
   * @throws IOException if reading fails, or if a file has become shorter
   */
  void read(Part part) throws IOException;

  /**
   * Returns the bytes of the source; call after all parts have been read.
   *
   * @throws IOException if a file has another length than when it was opened
   */
  long length() throws IOException;

  /** Returns the number of threads that can read parts, at most {@code threads}. */
  int concurrency(int threads);

  /** A buffer of one thread, with a part of the source. */
  final class Part {

    /** The maximum bytes of one read, which must fit an {@code int}. */
    private static final long MAX_READ_BYTES = 1 << 30;

    private final HostMemory memory;

    /** The position of the next read. */
    private long position;

    /** The end of the range that belongs to this thread. */
    private long end;

    private long filled;

    Part(HostMemory memory) {
      this.memory = memory;
    }

    /** Prepares the buffer for another source. */
    void reset() {
      startRange(0, 0);
      filled = 0;
    }

    /** Sets the range of the source that belongs to this thread. */
    void startRange(long from, long to) {
      position = from;
      end = to;
    }

    boolean isRangeDone() {
      return position >= end;
    }

    /** Reads some bytes at a position; returns their number, or -1 at the end of the source. */
    interface Reading {
      int read(ByteBuffer target, long position) throws IOException;
    }

    /** Reads until the buffer is full, the range is done or the source ends. */
    void fill(Reading reading) throws IOException {
      filled = 0;
      long wanted = Math.min(memory.segment().byteSize(), end - position);
      while (filled < wanted) {
        long most = Math.min(MAX_READ_BYTES, wanted - filled);
        int read = reading.read(memory.segment().asSlice(filled, most).asByteBuffer(), position);
        if (read < 0) {
          return;
        }
        filled += read;
        position += read;
      }
    }

    boolean isEmpty() {
      return filled == 0;
    }

    boolean isFull() {
      return filled == memory.segment().byteSize();
    }

    /** Returns the position of the first byte in the source. */
    long offset() {
      return position - filled;
    }

    MemorySegment bytes() {
      return memory.segment().asSlice(0, filled);
    }

    void close() {
      memory.close();
    }
  }
}
