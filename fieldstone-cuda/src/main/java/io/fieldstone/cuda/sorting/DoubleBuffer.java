package io.fieldstone.cuda.sorting;

/**
 * Items on the GPU, and as much room again: a pass moves them from one to the other.
 *
 * @param here address of the items
 * @param other address of the room
 */
record DoubleBuffer(long here, long other) {

  /** Those from {@code bytes} on, with their room. */
  DoubleBuffer from(long bytes) {
    return new DoubleBuffer(here + bytes, other + bytes);
  }

  /** After a pass. */
  DoubleBuffer moved() {
    return new DoubleBuffer(other, here);
  }
}
