package io.fieldstone.cuda;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Bytes that a kernel is to read, wherever they are. */
interface ByteSource {

  long byteSize();

  /** Some of them. */
  ByteSource slice(long offset, long bytes);

  /** The bytes, if they are in host memory and have to cross the bus. */
  Optional<MemorySegment> home();

  /** Reserves what bringing any span of up to {@code most} bytes takes in a lane. */
  void reserve(Workspace workspace, long most);

  /** Bytes of a piece: what crosses the bus is cut, what is there is not. */
  default long pieceBytes() {
    return home().isPresent() ? Span.CROSSING : Span.RESIDENT;
  }

  /** Brings a span to the GPU, or finds it there; returns its address. */
  long bring(Lane lane, Span span);
}
