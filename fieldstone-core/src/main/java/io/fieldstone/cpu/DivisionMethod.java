package io.fieldstone.cpu;

import io.fieldstone.engine.Divisor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A way to divide, by name.
 *
 * @param name as PCRC, or whoever made it known, has it
 * @param divisors it is made for
 * @param kernels makes its tables
 */
record DivisionMethod(
    String name, Predicate<Divisor> divisors, Function<Divisor, RemainderKernel> kernels) {

  static final DivisionMethod BITWISE = forAll("bitwise", BitwiseKernel::new);

  static final DivisionMethod BYTEWISE = forAll("bytewise", BytewiseKernel::new);

  private static final DivisionMethod JDK =
      new DivisionMethod("jdk", JdkKernel::supports, JdkKernel::new);

  /** All of them, the plainest first. */
  static List<DivisionMethod> all() {
    List<DivisionMethod> all = new ArrayList<>(tables());
    all.add(vector());
    all.add(JDK);
    return List.copyOf(all);
  }

  /** Those that need no vectors. */
  static List<DivisionMethod> allWithoutVectors() {
    List<DivisionMethod> all = new ArrayList<>(tables());
    all.add(JDK);
    return List.copyOf(all);
  }

  private static List<DivisionMethod> tables() {
    return List.of(
        BITWISE,
        BYTEWISE,
        forAll("parallel", ParallelKernel::new),
        forAll("slicing-8", SlicingKernel::by8),
        forAll("slicing-16", SlicingKernel::by16));
  }

  /** By lane shuffles; the kernels that one such method makes warm up together. */
  private static DivisionMethod vector() {
    FoldingResources resources = new FoldingResources();
    return forAll("vector", divisor -> FoldingKernel.of(divisor, resources));
  }

  private static DivisionMethod forAll(String name, Function<Divisor, RemainderKernel> kernels) {
    return new DivisionMethod(name, _ -> true, kernels);
  }
}
