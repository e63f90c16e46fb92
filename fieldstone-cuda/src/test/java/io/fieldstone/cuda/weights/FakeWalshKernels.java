package io.fieldstone.cuda.weights;

import static io.fieldstone.cuda.FakeKernels.require;
import static io.fieldstone.cuda.GpuMemory.int32;
import static io.fieldstone.cuda.GpuMemory.int64;
import static io.fieldstone.cuda.GpuMemory.set;

import io.fieldstone.cuda.Struct;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.cuda.driver.LaunchShape;

/** The kernel of walsh.cu in Java: one transform of all numbers. */
final class FakeWalshKernels {

  private FakeWalshKernels() {}

  static FakeDriver register(FakeDriver driver) {
    return driver.kernel(
        "walsh_count",
        Struct.bytes(WalshArguments.class),
        (shape, struct) -> count(shape, Struct.read(struct, WalshArguments.class)));
  }

  private static void count(LaunchShape shape, WalshArguments a) {
    require(shape.blockX() == 256 && shape.sharedBytes() == 0, "the block");
    require(a.rows() >= 13 && a.rows() <= 32, "the rows");
    int[] numbers = new int[1 << a.rows()];
    for (int i = 0; i < a.length(); i++) {
      int column = int32(a.columns() + 4L * i);
      numbers[column & numbers.length - 1] += (column >>> a.rows() & 1) == 0 ? 1 : -1;
    }
    for (int half = 1; half < numbers.length; half *= 2) {
      for (int i = 0; i < numbers.length; i++) {
        if ((i & half) == 0) {
          int difference = numbers[i] - numbers[i + half];
          numbers[i] += numbers[i + half];
          numbers[i + half] = difference;
        }
      }
    }
    for (int number : numbers) {
      long count = a.counts() + 8L * (a.length() - number >> 1);
      set(count, int64(count) + 1);
    }
  }
}
