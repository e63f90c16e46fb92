package io.fieldstone.cuda;

import io.fieldstone.engine.Extents;
import java.lang.foreign.MemorySegment;

/** How messages are divided on a GPU. What it is given has been checked. */
interface GpuMethod {

  /** Appends a message to a register. */
  long append(long register, ByteSource message);

  /**
   * Appends each of many messages to the same register.
   *
   * @param registers receives those after the messages
   */
  void append(long register, ByteSource data, Extents messages, MemorySegment registers);
}
