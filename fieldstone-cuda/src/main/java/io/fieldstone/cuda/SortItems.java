package io.fieldstone.cuda;

/**
 * Items on the GPU, and as much room again: a pass moves them from one to the other.
 *
 * @param here address of the items
 * @param other address of the room
 */
record SortItems(long here, long other) {

  /** Those from {@code bytes} on, with their room. */
  SortItems from(long bytes) {
    return new SortItems(here + bytes, other + bytes);
  }

  /** After a pass. */
  SortItems moved() {
    return new SortItems(other, here);
  }
}
