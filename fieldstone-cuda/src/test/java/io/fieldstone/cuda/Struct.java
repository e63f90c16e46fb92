package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/** Reads a kernel's struct member by member with the alignment of C. */
final class Struct {

  private final MemorySegment memory;
  private long at;

  Struct(MemorySegment memory) {
    this.memory = memory;
  }

  /** A {@code struct Matrices}. */
  record Matrices(long data, long stride, long pitch) {
    long row(long matrix, long row) {
      return data + matrix * pitch + row * stride;
    }
  }

  Matrices matrices() {
    return new Matrices(int64(), int64(), int64());
  }

  void skip(int bytes) {
    at += bytes;
  }

  long int64() {
    at = (at + 7) & -8;
    long value = memory.get(JAVA_LONG, at);
    at += Long.BYTES;
    return value;
  }

  int int32() {
    int value = memory.get(JAVA_INT, at);
    at += Integer.BYTES;
    return value;
  }
}
