package io.fieldstone.cuda;

import io.fieldstone.engine.Methods;
import io.fieldstone.engine.PairCounting;
import io.fieldstone.engine.PairCounts;
import io.fieldstone.engine.WeightPreconditions;
import io.fieldstone.engine.WordGroups;
import java.util.List;

/**
 * Pairs of words counted on a GPU: {@code tensor} on binary tensor cores, from compute capability
 * 8.0 on; {@code local} and {@code global} as in JWD. Thread-safe.
 */
record CudaPairCounts(Gpu gpu) implements PairCounts {

  private static final String TENSOR = "tensor";
  private static final String LOCAL = "local";
  private static final String GLOBAL = "global";

  @Override
  public List<String> methods() {
    return gpu.hasBinaryTensorCores() ? List.of(TENSOR, LOCAL, GLOBAL) : List.of(LOCAL, GLOBAL);
  }

  @Override
  public PairCounting begin(WordGroups left, WordGroups right, String method) {
    WeightPreconditions.requirePairs(left, right);
    Methods.require(method, "pairs of words", methods());
    Workspace workspace = new Workspace();
    PairMethod kernels =
        gpu.call(() -> "count pairs by " + method, () -> kernels(workspace, left, right, method));
    PairMemory memory = PairMemory.bring(gpu, left, right, !method.equals(TENSOR));
    return new CudaPairCounting(gpu, kernels, memory, workspace);
  }

  private PairMethod kernels(
      Workspace workspace, WordGroups left, WordGroups right, String method) {
    KernelModules modules = gpu.modules();
    int length = left.words().length();
    return switch (method) {
      case TENSOR -> {
        long runs = (long) left.groups().size() * right.groups().size();
        yield new TensorPairs(modules, workspace, length, runs);
      }
      case LOCAL -> BinPairs.local(modules, gpu.context().device(), length);
      case GLOBAL -> BinPairs.global(modules);
      default -> throw new AssertionError(method);
    };
  }
}
