package io.fieldstone.relays;

import java.util.List;
import java.util.stream.IntStream;

/** The fields of the benchmark: N points of splitmix64 on 2000×2000, as docs/relays.md has them. */
final class BenchmarkField {

  private static final int SIDE = 2000;

  private long state;

  private BenchmarkField(long seed) {
    this.state = seed;
  }

  static SensorField of(int points, long seed) {
    BenchmarkField random = new BenchmarkField(seed);
    double[] xs = new double[points];
    double[] ys = new double[points];
    for (int i = 0; i < points; i++) {
      xs[i] = random.coordinate();
      ys[i] = random.coordinate();
    }
    return SensorField.planar(ids(points), xs, ys);
  }

  static List<String> ids(int points) {
    return IntStream.range(0, points).mapToObj(Integer::toString).toList();
  }

  private long coordinate() {
    return ((next() >>> 32) * SIDE) >>> 32;
  }

  private long next() {
    state += 0x9E3779B97F4A7C15L;
    long z = state;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
