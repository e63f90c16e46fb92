package io.fieldstone.cpu.weights;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.weights.InformationSetTrials;
import io.fieldstone.engine.weights.LightSums;
import io.fieldstone.engine.weights.PairCounts;
import io.fieldstone.engine.weights.WalshCounts;
import io.fieldstone.engine.weights.WeightCounts;
import io.fieldstone.engine.weights.WeightTransforms;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/** The ports of an engine that count codewords, and search light ones. */
public record CodeWeights(
    WeightCounts weightCounts,
    PairCounts pairCounts,
    WeightTransforms weightTransforms,
    LightSums lightSums,
    InformationSetTrials informationSetTrials,
    WalshCounts walshCounts) {

  /** Returns the oracles. */
  public static CodeWeights scalar(TaskPool workers) {
    SequencedMap<String, PairKernel.Factory> kernels = new LinkedHashMap<>();
    kernels.put("naive", NaivePairs::new);
    return new CodeWeights(
        new ScalarWeightCounts(),
        new CpuPairCounts(kernels, workers),
        new ScalarTransforms(),
        new ScalarLightSums(),
        new ScalarTrials(),
        new ScalarWalshCounts(workers));
  }

  /** Returns the fastest implementations with vectors in Java. */
  public static CodeWeights vector(TaskPool workers) {
    return vector(VectorPairs::new, VectorTransformKernel::new, workers);
  }

  /** As {@link #vector(TaskPool)}, with kernels in C where they are present. */
  public static CodeWeights fastest(TaskPool workers) {
    return vector(
        NativePairs::fastest,
        () -> NativeTransformKernel.fastest().orElseGet(VectorTransformKernel::new),
        workers);
  }

  /**
   * Returns the fastest implementations without the Vector API.
   *
   * @param withNatives whether to take kernels in C where they are present
   */
  public static CodeWeights withoutVectors(boolean withNatives, TaskPool workers) {
    SequencedMap<String, PairKernel.Factory> kernels = new LinkedHashMap<>();
    WeightTransforms transforms = new ScalarTransforms();
    if (withNatives) {
      NativePairs.factory().ifPresent(popcounts -> kernels.put("popcount", popcounts));
      Optional<TransformKernel> kernel = NativeTransformKernel.fastest();
      if (kernel.isPresent()) {
        transforms = new BlockedTransforms(kernel::orElseThrow, workers);
      }
    }
    kernels.put("naive", NaivePairs::new);
    return blocked(
        new CpuPairCounts(kernels, workers), transforms, new ScalarWalshCounts(workers), workers);
  }

  private static CodeWeights vector(
      PairKernel.Factory popcounts, TransformKernel.Factory transforms, TaskPool workers) {
    SequencedMap<String, PairKernel.Factory> kernels = new LinkedHashMap<>();
    kernels.put("popcount", popcounts);
    kernels.put("naive", NaivePairs::new);
    return blocked(
        new CpuPairCounts(kernels, workers),
        new BlockedTransforms(transforms, workers),
        new VectorWalshCounts(workers),
        workers);
  }

  private static CodeWeights blocked(
      PairCounts pairs, WeightTransforms transforms, WalshCounts walsh, TaskPool workers) {
    SumKernel sums = new VectorizedSums();
    return new CodeWeights(
        new BlockedWeightCounts(workers),
        pairs,
        transforms,
        new BlockedLightSums(sums, workers),
        new BlockedTrials(sums, workers),
        walsh);
  }
}
