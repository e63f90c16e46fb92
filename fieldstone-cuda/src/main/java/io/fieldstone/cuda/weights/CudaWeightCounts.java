package io.fieldstone.cuda.weights;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.engine.weights.WeightCounts;
import io.fieldstone.engine.weights.WeightPreconditions;

/** Counts words by weight on a GPU, by {@code weights_count} of pairs.cu. Thread-safe. */
public record CudaWeightCounts(Gpu gpu) implements WeightCounts {

  @Override
  public void count(BinaryWords basis, BinaryWords offsets, long[] multiplicities, long[] counts) {
    WeightPreconditions.requireCosets(basis, offsets, multiplicities, counts);
    gpu.run(
        () -> "count %d cosets of 2^%d words".formatted(offsets.count(), basis.count()),
        () -> {
          WeightCountJob job = new WeightCountJob(gpu, basis, offsets, multiplicities);
          gpu.jobs().run(job);
          job.addTo(counts);
        },
        basis.data(),
        offsets.data());
  }
}
