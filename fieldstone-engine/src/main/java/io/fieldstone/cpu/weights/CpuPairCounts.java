package io.fieldstone.cpu.weights;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.weights.PairCounting;
import io.fieldstone.engine.weights.PairCounts;
import io.fieldstone.engine.weights.WeightPreconditions;
import io.fieldstone.engine.weights.WordGroups;
import java.util.List;
import java.util.SequencedMap;

/** Implements the pair-counting port with named kernels. */
final class CpuPairCounts implements PairCounts {

  private final SequencedMap<String, PairKernel.Factory> kernels;
  private final TaskPool workers;

  /**
   * Makes the port.
   *
   * @param kernels kernels by name, the default first
   */
  CpuPairCounts(SequencedMap<String, PairKernel.Factory> kernels, TaskPool workers) {
    this.kernels = kernels;
    this.workers = workers;
  }

  @Override
  public List<String> methods() {
    return List.copyOf(kernels.sequencedKeySet());
  }

  @Override
  public PairCounting open(WordGroups left, WordGroups right, String method) {
    WeightPreconditions.requirePairs(left, right);
    Methods.require(method, "pairs of words", methods());
    PairKernel.Factory factory = kernels.get(method);
    if (factory == null) {
      throw new AssertionError(method);
    }
    return new CpuPairCounting(left, right, factory.of(left, right), workers);
  }
}
