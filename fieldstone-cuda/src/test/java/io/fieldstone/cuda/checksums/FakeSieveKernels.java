package io.fieldstone.cuda.checksums;

import static io.fieldstone.cuda.FakeKernels.require;
import static io.fieldstone.cuda.GpuMemory.int32;
import static io.fieldstone.cuda.GpuMemory.set;

import io.fieldstone.cpu.checksums.ScalarSieve;
import io.fieldstone.cuda.Struct;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.cuda.driver.LaunchShape;
import java.util.Map;

/** The kernels of sieve.cu in Java, by the oracle: they exclude all that may be excluded. */
public final class FakeSieveKernels {

  private FakeSieveKernels() {}

  /** Returns the records that describe structs, by the names of the CUDA source. */
  public static Map<String, Class<? extends Record>> structs() {
    return Map.of("SieveArguments", SieveArguments.class);
  }

  public static FakeDriver register(FakeDriver driver) {
    return driver
        .kernel(
            "sieve_narrow",
            Struct.bytes(SieveArguments.class),
            (shape, struct) -> sieve(shape, Struct.read(struct, SieveArguments.class), 3, 32))
        .kernel(
            "sieve_wide",
            Struct.bytes(SieveArguments.class),
            (shape, struct) -> sieve(shape, Struct.read(struct, SieveArguments.class), 33, 40));
  }

  private static void sieve(LaunchShape shape, SieveArguments a, int minWidth, int maxWidth) {
    require(shape.blockX() == 32, "one warp");
    require(a.width() >= minWidth && a.width() <= maxWidth, "the width");
    require(a.bucketBits() < a.width() && a.width() - a.bucketBits() <= 31, "the buckets");
    require(
        shape.sharedBytes() == 4 * ((1 << a.bucketBits()) + (1 << a.placeBits())),
        "the shared memory");
    long[] kept = new ScalarSieve().sift(a.width(), a.bits(), a.first(), a.first() + a.count());
    for (long number : kept) {
      long bit = number - a.first();
      long word = a.kept() + bit / Integer.SIZE * Integer.BYTES;
      set(word, int32(word) | 1 << (int) (bit % Integer.SIZE));
    }
  }
}
