package io.fieldstone.cuda.checksums;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.engine.checksums.ChecksumPreconditions;
import io.fieldstone.engine.checksums.PolynomialSieve;

/** Sieves generator polynomials on a GPU, a warp for each, by sieve.cu. Thread-safe. */
public record CudaPolynomialSieve(Gpu gpu) implements PolynomialSieve {

  /** The numbers of a call, which a large GPU sieves in some tenths of a second. */
  private static final long BATCH = 1 << 24;

  @Override
  public long[] sift(int width, int bits, long from, long to) {
    ChecksumPreconditions.requireSieve(width, bits, from, to);
    return gpu.call(
        () -> "sieve polynomials %d to %d of width %d".formatted(from, to, width),
        () -> {
          SieveJob job = new SieveJob(gpu, width, bits, from, to);
          gpu.jobs().run(job);
          return job.kept();
        });
  }

  @Override
  public long batch() {
    return BATCH;
  }
}
