package io.fieldstone.cuda.checksums;

import io.fieldstone.cuda.execution.KernelArguments;
import io.fieldstone.engine.memory.Extents;

/**
 * A batch of messages on the GPU: {@code struct Messages} of checksums.cu.
 *
 * @param data the base address of the offsets
 * @param offsets the address of the offsets of listed messages; else 0
 * @param lengths the address of the lengths of listed messages; else 0
 * @param offset the offset of the first of equal messages
 * @param stride the distance of equal messages
 * @param length the length of equal messages
 * @param count the number of messages
 */
record DeviceMessages(
    long data, long offsets, long lengths, long offset, long stride, long length, long count) {

  /** Returns a single message. */
  static DeviceMessages one(long address, long length) {
    return new DeviceMessages(address, 0, 0, 0, 0, length, 1);
  }

  /** Returns messages of equal length and distance. */
  static DeviceMessages of(long data, Extents.Equal messages) {
    return new DeviceMessages(
        data, 0, 0, messages.offset(), messages.stride(), messages.length(), messages.count());
  }

  /** Returns messages whose offsets and lengths are listed on the GPU. */
  static DeviceMessages listed(long data, long offsets, long lengths, long count) {
    return new DeviceMessages(data, offsets, lengths, 0, 0, 0, count);
  }

  boolean isListed() {
    return offsets != 0;
  }

  void write(KernelArguments arguments) {
    arguments
        .int64(data)
        .int64(offsets)
        .int64(lengths)
        .int64(offset)
        .int64(stride)
        .int64(length)
        .int64(count);
  }
}
