package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.plane.Grid;
import java.lang.foreign.MemorySegment;

/**
 * Points sorted by the cells of a grid with the engine's radix sort; points of a cell keep their
 * order.
 */
final class Binning {

  private final int[] order;
  private final double[] xs;
  private final double[] ys;

  private Binning(int[] order, double[] xs, double[] ys) {
    this.order = order;
    this.xs = xs;
    this.ys = ys;
  }

  static Binning of(Engine engine, double[] xs, double[] ys, Grid grid) {
    long[] keys = new long[xs.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = grid.key(xs[i], ys[i]);
    }
    int[] order = order(engine, keys);
    return new Binning(order, pick(xs, order), pick(ys, order));
  }

  /** Returns the indices of keys in ascending order of the keys; equal keys keep their order. */
  static int[] order(Engine engine, long[] keys) {
    int[] order = new int[keys.length];
    engine
        .sorts()
        .sorting(RecordFormat.of(KeyType.I64))
        .argsort(MemorySegment.ofArray(keys), MemorySegment.ofArray(order));
    return order;
  }

  /** Returns the original index of each point. */
  int[] order() {
    return order;
  }

  double[] xs() {
    return xs;
  }

  double[] ys() {
    return ys;
  }

  private static double[] pick(double[] values, int[] order) {
    double[] picked = new double[order.length];
    for (int i = 0; i < order.length; i++) {
      picked[i] = values[order[i]];
    }
    return picked;
  }
}
