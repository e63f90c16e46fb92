package io.fieldstone.net.pacing;

import java.util.Arrays;

/** The minimum over a time window, in slices of a tenth of it. For one thread. */
public final class WindowedMin {
  private static final int SLICES = 10;

  private final long sliceNanos;
  private final double[] minima = new double[SLICES];
  private final long[] slices = new long[SLICES];

  /** Creates an empty window of a length in nanoseconds. */
  public WindowedMin(long windowNanos) {
    sliceNanos = windowNanos / SLICES;
    reset();
  }

  /** Adds a value at a time. */
  public void add(double value, long nowNanos) {
    long slice = Math.floorDiv(nowNanos, sliceNanos);
    int index = Math.floorMod(slice, SLICES);
    if (slices[index] != slice) {
      slices[index] = slice;
      minima[index] = value;
    } else {
      minima[index] = Math.min(minima[index], value);
    }
  }

  /** The minimum of the window that ends now; infinite if nothing was added in it. */
  public double min(long nowNanos) {
    long slice = Math.floorDiv(nowNanos, sliceNanos);
    double min = Double.POSITIVE_INFINITY;
    for (int i = 0; i < SLICES; i++) {
      if (slices[i] > slice - SLICES && slices[i] <= slice) {
        min = Math.min(min, minima[i]);
      }
    }
    return min;
  }

  /** Forgets all values. */
  public void reset() {
    Arrays.fill(slices, Long.MIN_VALUE);
  }
}
