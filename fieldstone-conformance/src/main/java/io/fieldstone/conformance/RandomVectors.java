package io.fieldstone.conformance;

import io.fieldstone.field.Gf256;
import java.util.SplittableRandom;

/** Makes random coding vectors of all kinds. */
final class RandomVectors {

  private final Gf256 field;
  private final SplittableRandom random;

  RandomVectors(Gf256 field, SplittableRandom random) {
    this.field = field;
    this.random = random;
  }

  /**
   * Returns a vector that is dense, sparse, a unit vector, zero, or a multiple of an earlier row.
   *
   * @param before the earlier rows of n bytes
   * @param rows the number of earlier rows
   */
  byte[] next(int n, byte[] before, int rows) {
    byte[] vector = new byte[n];
    switch (random.nextInt(8)) {
      case 0 -> vector[random.nextInt(n)] = 1;
      case 1 -> {
        for (int i = 0; i < 3; i++) {
          vector[random.nextInt(n)] = (byte) random.nextInt();
        }
      }
      case 2 -> {
        if (rows > 0 && random.nextInt(4) == 0) {
          int from = random.nextInt(rows) * n;
          int factor = random.nextInt(256);
          for (int j = 0; j < n; j++) {
            vector[j] = (byte) field.multiply(factor, before[from + j] & 0xFF);
          }
        } else {
          random.nextBytes(vector);
        }
      }
      default -> random.nextBytes(vector);
    }
    return vector;
  }
}
