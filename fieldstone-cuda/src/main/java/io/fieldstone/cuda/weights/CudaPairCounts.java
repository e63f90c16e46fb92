package io.fieldstone.cuda.weights;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.weights.PairCounting;
import io.fieldstone.engine.weights.PairCounts;
import io.fieldstone.engine.weights.WeightPreconditions;
import io.fieldstone.engine.weights.WordGroups;
import java.util.List;

/**
 * Counts pairs of words on a GPU. The method {@code tensor} uses binary tensor cores, from compute
 * capability 8.0 on; {@code local} and {@code global} are those of JWD. Thread-safe.
 */
public record CudaPairCounts(Gpu gpu) implements PairCounts {

  private static final String TENSOR = "tensor";
  private static final String LOCAL = "local";
  private static final String GLOBAL = "global";

  @Override
  public List<String> methods() {
    return gpu.hasBinaryTensorCores() ? List.of(TENSOR, LOCAL, GLOBAL) : List.of(LOCAL, GLOBAL);
  }

  @Override
  public PairCounting open(WordGroups left, WordGroups right, String method) {
    WeightPreconditions.requirePairs(left, right);
    Methods.require(method, "pairs of words", methods());
    ScratchLayout scratch = new ScratchLayout();
    PairMethod pairMethod =
        gpu.call(() -> "count pairs by " + method, () -> find(scratch, left, right, method));
    PairMemory memory = PairMemory.load(gpu, left, right, !method.equals(TENSOR));
    return new CudaPairCounting(gpu, pairMethod, memory, scratch);
  }

  private PairMethod find(ScratchLayout scratch, WordGroups left, WordGroups right, String method) {
    KernelModules modules = gpu.modules();
    int length = left.words().length();
    return switch (method) {
      case TENSOR -> {
        long runs = (long) left.groups().size() * right.groups().size();
        yield new TensorPairs(modules, scratch, length, runs);
      }
      case LOCAL -> HistogramPairs.local(modules, gpu.context().device(), length);
      case GLOBAL -> HistogramPairs.global(modules);
      default -> throw new AssertionError(method);
    };
  }
}
