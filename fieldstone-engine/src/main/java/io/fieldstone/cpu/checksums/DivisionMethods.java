package io.fieldstone.cpu.checksums;

import io.fieldstone.concurrent.Lazy;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.natives.NativeLibrary;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The division methods of an engine.
 *
 * @param named makes the methods that a caller can name, the simplest first
 * @param chosen makes the kernel if none is named
 */
public record DivisionMethods(
    Supplier<List<Named>> named, Function<Divisor, SegmentKernel> chosen) {

  /**
   * A named method.
   *
   * @param name name in PCRC or in the literature
   * @param divisors accepts the divisors that it supports
   * @param kernels makes the kernel of a divisor
   */
  public record Named(
      String name, Predicate<Divisor> divisors, Function<Divisor, SegmentKernel> kernels) {}

  private static final Named BITWISE = forAll("bitwise", BitwiseKernel::new);
  private static final Named BYTEWISE = forAll("bytewise", BytewiseKernel::new);

  private static final Named JDK = new Named("jdk", JdkKernel::supports, JdkKernel::new);

  /** Returns the oracle only. */
  public static DivisionMethods oracle() {
    return new DivisionMethods(() -> List.of(BITWISE), BitwiseKernel::new);
  }

  /** Returns division by bits and by bytes. */
  public static DivisionMethods plain() {
    return new DivisionMethods(() -> List.of(BITWISE, BYTEWISE), BytewiseKernel::new);
  }

  /** Returns all methods that need no vectors. */
  public static DivisionMethods withoutVectors() {
    return new DivisionMethods(
        () -> Stream.concat(tables(), Stream.of(JDK)).toList(),
        divisor -> fastest(divisor, SlicingKernel.by16(divisor)));
  }

  /** Returns all methods in Java, for one engine; its folding kernels share their warm-up. */
  public static DivisionMethods withVectors() {
    FoldingResources resources = new FoldingResources();
    Named vector =
        new Named(
            "vector",
            _ -> FoldingResources.vectorsAreLong(),
            divisor -> FoldingKernel.of(divisor, resources));
    return new DivisionMethods(
        () -> Stream.concat(tables(), Stream.of(vector, JDK)).toList(),
        divisor ->
            fastest(
                divisor,
                FoldingResources.vectorsAreLong()
                    ? new FoldingKernel(divisor, resources)
                    : SlicingKernel.by16(divisor)));
  }

  /**
   * Returns the native kernels and others. Native ones are loaded when they are named, or when
   * there is enough work.
   *
   * @param inJava makes the others, when they are named or native kernels are missing
   */
  public static DivisionMethods withNatives(Supplier<DivisionMethods> inJava) {
    Lazy<DivisionMethods> others = new Lazy<>(inJava);
    Named carryless =
        new Named(
            "carry-less",
            _ -> !NativeLibrary.get().levels(CarrylessKernel.NAME).isEmpty(),
            divisor -> carryless(divisor).orElseThrow());
    return new DivisionMethods(
        () -> Stream.concat(others.get().named().get().stream(), Stream.of(carryless)).toList(),
        divisor ->
            JdkKernel.supports(divisor)
                ? byLength(divisor)
                : new DeferredKernel(
                    SlicingKernel.by16(divisor),
                    () ->
                        carryless(divisor).orElseGet(() -> others.get().chosen().apply(divisor))));
  }

  private static Optional<SegmentKernel> carryless(Divisor divisor) {
    return CarrylessKernel.of(NativeLibrary.get(), divisor, SlicingKernel.by16(divisor));
  }

  /** Returns the names of the methods for a divisor. */
  List<String> names(Divisor divisor) {
    return named.get().stream()
        .filter(each -> each.divisors().test(divisor))
        .map(Named::name)
        .toList();
  }

  /** Makes the kernel of a method by name; empty if it does not support the divisor. */
  Optional<SegmentKernel> kernel(Divisor divisor, String name) {
    return named.get().stream()
        .filter(each -> each.name().equals(name) && each.divisors().test(divisor))
        .findFirst()
        .map(each -> each.kernels().apply(divisor));
  }

  private static Stream<Named> tables() {
    return Stream.of(
        BITWISE,
        BYTEWISE,
        forAll("parallel", ParallelKernel::new),
        forAll("slicing-8", SlicingKernel::by8),
        forAll("slicing-16", SlicingKernel::by16));
  }

  private static SegmentKernel fastest(Divisor divisor, SegmentKernel others) {
    return JdkKernel.supports(divisor) ? byLength(divisor) : others;
  }

  /** Returns tables for short messages, and the JDK's instructions for others. */
  private static SegmentKernel byLength(Divisor divisor) {
    return new LengthThresholdKernel(
        SlicingKernel.by16(divisor), new JdkKernel(divisor), JdkKernel.MIN_BYTES);
  }

  private static Named forAll(String name, Function<Divisor, SegmentKernel> kernels) {
    return new Named(name, _ -> true, kernels);
  }
}
