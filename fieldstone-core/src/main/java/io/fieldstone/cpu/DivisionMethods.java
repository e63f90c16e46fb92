package io.fieldstone.cpu;

import io.fieldstone.engine.Divisor;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The ways in which an engine divides, the plainest first, and what it chooses.
 *
 * @param named those that may be asked for by name
 * @param chosen makes the kernel of messages for which none is asked
 */
record DivisionMethods(List<Named> named, Function<Divisor, RemainderKernel> chosen) {

  /** What an engine's own choice is called. */
  static final String CHOSEN = "auto";

  /**
   * One of them.
   *
   * @param name as PCRC, or whoever made it known, has it
   * @param divisors for which there is such a kernel
   * @param kernels makes its tables
   */
  record Named(
      String name, Predicate<Divisor> divisors, Function<Divisor, RemainderKernel> kernels) {}

  private static final Named BITWISE = forAll("bitwise", BitwiseKernel::new);
  private static final Named BYTEWISE = forAll("bytewise", BytewiseKernel::new);

  /** The oracle alone. */
  static final DivisionMethods ORACLE = new DivisionMethods(List.of(BITWISE), BitwiseKernel::new);

  /** Bit by bit and byte by byte. */
  static final DivisionMethods PLAIN =
      new DivisionMethods(List.of(BITWISE, BYTEWISE), BytewiseKernel::new);

  /** Everything there is. */
  static final DivisionMethods FASTEST =
      new DivisionMethods(
          List.of(
              BITWISE,
              BYTEWISE,
              forAll("parallel", ParallelKernel::new),
              forAll("slicing-8", SlicingKernel::by8),
              forAll("slicing-16", SlicingKernel::by16),
              new Named("jdk", JdkKernel::supports, JdkKernel::new)),
          DivisionMethods::fastest);

  /** The names that there are for a divisor. */
  List<String> names(Divisor divisor) {
    return named.stream().filter(each -> each.divisors().test(divisor)).map(Named::name).toList();
  }

  /** Makes the tables of a method by name; empty if it does not exist for the divisor. */
  Optional<RemainderKernel> kernel(Divisor divisor, String name) {
    return named.stream()
        .filter(each -> each.name().equals(name) && each.divisors().test(divisor))
        .findFirst()
        .map(each -> each.kernels().apply(divisor));
  }

  private static RemainderKernel fastest(Divisor divisor) {
    RemainderKernel tables = SlicingKernel.by16(divisor);
    return JdkKernel.supports(divisor)
        ? new ChosenKernel(tables, new JdkKernel(divisor), JdkKernel.LEAST_BYTES)
        : tables;
  }

  private static Named forAll(String name, Function<Divisor, RemainderKernel> kernels) {
    return new Named(name, _ -> true, kernels);
  }
}
