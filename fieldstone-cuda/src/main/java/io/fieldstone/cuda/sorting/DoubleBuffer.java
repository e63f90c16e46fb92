package io.fieldstone.cuda.sorting;

/**
 * Two device buffers of equal size. A pass moves items from the current to the alternate one.
 *
 * @param current address of the items
 * @param alternate address of the other buffer
 */
public record DoubleBuffer(long current, long alternate) {

  /** Returns the part of both buffers that starts at an offset. */
  DoubleBuffer from(long offsetBytes) {
    return new DoubleBuffer(current + offsetBytes, alternate + offsetBytes);
  }

  /** Exchanges the buffers, as a pass does. */
  public DoubleBuffer swapped() {
    return new DoubleBuffer(alternate, current);
  }
}
