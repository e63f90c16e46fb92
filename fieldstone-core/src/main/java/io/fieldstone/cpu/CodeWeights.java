package io.fieldstone.cpu;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.PairCounts;
import io.fieldstone.engine.WeightCounts;
import io.fieldstone.engine.WeightTransforms;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** The ports that count codewords, of one engine. */
record CodeWeights(
    WeightCounts weightCounts, PairCounts pairCounts, WeightTransforms weightTransforms) {

  /** Makes them. */
  interface Factory {
    CodeWeights of(TaskPool workers);
  }

  /** The oracles. */
  static CodeWeights scalar(TaskPool workers) {
    SequencedMap<String, PairKernel.Factory> kernels = new LinkedHashMap<>();
    kernels.put("naive", NaivePairs::new);
    return new CodeWeights(
        new ScalarWeightCounts(), new CpuPairCounts(kernels, workers), new ScalarTransforms());
  }

  /** The fastest that vectors make. */
  static CodeWeights vector(TaskPool workers) {
    SequencedMap<String, PairKernel.Factory> kernels = new LinkedHashMap<>();
    kernels.put("popcount", VectorPairs::new);
    kernels.put("naive", NaivePairs::new);
    return new CodeWeights(
        new BlockedWeightCounts(workers),
        new CpuPairCounts(kernels, workers),
        new VectorTransforms(workers));
  }
}
