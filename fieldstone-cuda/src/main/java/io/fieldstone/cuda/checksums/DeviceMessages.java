package io.fieldstone.cuda.checksums;

import io.fieldstone.cuda.execution.KernelArguments;
import io.fieldstone.engine.memory.Extents;

/**
 * Many messages on the GPU, {@code struct Messages} of checksums.cu.
 *
 * @param data address that offsets count from
 * @param offsets address of their offsets, where they are listed; else 0
 * @param lengths address of their lengths, likewise
 * @param offset of the first, where they are equal
 * @param stride from one to the next, likewise
 * @param length of each, likewise
 * @param count how many
 */
record DeviceMessages(
    long data, long offsets, long lengths, long offset, long stride, long length, long count) {

  /** One message. */
  static DeviceMessages one(long address, long length) {
    return new DeviceMessages(address, 0, 0, 0, 0, length, 1);
  }

  /** Equal ones. */
  static DeviceMessages of(long data, Extents.Equal messages) {
    return new DeviceMessages(
        data, 0, 0, messages.offset(), messages.stride(), messages.length(), messages.count());
  }

  /** Messages listed on the GPU. */
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
