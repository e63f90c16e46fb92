package io.fieldstone.cpu.checksums;

import io.fieldstone.concurrent.Lazy;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.natives.NativeLibrary;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The division methods of an engine. */
public abstract class DivisionMethods {

  /**
   * A named method.
   *
   * @param name name in PCRC or in the literature
   * @param divisors accepts the divisors that it supports
   * @param kernels makes the kernel of a divisor
   */
  public record Named(
      String name, Predicate<Divisor> divisors, Function<Divisor, SegmentKernel> kernels) {}

  private DivisionMethods() {}

  /** Makes the methods that a caller can name, the simplest first. */
  abstract Stream<Named> named();

  /** Makes the kernel if none is named. */
  abstract SegmentKernel chosen(Divisor divisor);

  /** Returns the oracle only. */
  public static DivisionMethods oracle() {
    return new DivisionMethods() {
      @Override
      Stream<Named> named() {
        return Stream.of(bitwise());
      }

      @Override
      SegmentKernel chosen(Divisor divisor) {
        return new BitwiseKernel(divisor);
      }
    };
  }

  /** Returns division by bits and by bytes. */
  public static DivisionMethods plain() {
    return new DivisionMethods() {
      @Override
      Stream<Named> named() {
        return Stream.of(bitwise(), bytewise());
      }

      @Override
      SegmentKernel chosen(Divisor divisor) {
        return new BytewiseKernel(divisor);
      }
    };
  }

  /** Returns all methods that need no vectors. */
  public static DivisionMethods withoutVectors() {
    return new DivisionMethods() {
      @Override
      Stream<Named> named() {
        return Stream.concat(tables(), Stream.of(jdk()));
      }

      @Override
      SegmentKernel chosen(Divisor divisor) {
        return JdkKernel.supports(divisor) ? new JdkKernel(divisor) : SlicingKernel.by16(divisor);
      }
    };
  }

  /** Returns all methods in Java, for one engine; its folding kernels share their warm-up. */
  public static DivisionMethods withVectors() {
    FoldingResources resources = new FoldingResources();
    return new DivisionMethods() {
      @Override
      Stream<Named> named() {
        Named vector =
            new Named(
                "vector",
                _ -> FoldingResources.vectorsAreLong(),
                divisor -> FoldingKernel.of(divisor, resources));
        return Stream.concat(tables(), Stream.of(vector, jdk()));
      }

      @Override
      SegmentKernel chosen(Divisor divisor) {
        if (JdkKernel.supports(divisor)) {
          return new JdkKernel(divisor);
        }
        return FoldingResources.vectorsAreLong()
            ? new FoldingKernel(divisor, resources)
            : SlicingKernel.by16(divisor);
      }
    };
  }

  /**
   * Returns the native kernels and others. Native ones are loaded when they are named, or when
   * there is enough work.
   *
   * @param inJava makes the others, when they are named or native kernels are missing
   */
  public static DivisionMethods withNatives(Supplier<DivisionMethods> inJava) {
    return new WithNatives(inJava);
  }

  private static final class WithNatives extends DivisionMethods {

    private final Lazy<DivisionMethods> others;

    WithNatives(Supplier<DivisionMethods> inJava) {
      others = new Lazy<>(inJava);
    }

    @Override
    Stream<Named> named() {
      Named carryless =
          new Named(
              "carry-less",
              _ -> !NativeLibrary.get().levels(CarrylessKernel.NAME).isEmpty(),
              divisor -> carryless(divisor).orElseThrow());
      return Stream.concat(others.get().named(), Stream.of(carryless));
    }

    /** Without lambdas: an engine is opened for the first checksum of a JVM. */
    @Override
    SegmentKernel chosen(Divisor divisor) {
      return JdkKernel.supports(divisor)
          ? new JdkKernel(divisor)
          : new DeferredKernel(SlicingKernel.by16(divisor), new Faster(this, divisor));
    }

    private record Faster(WithNatives methods, Divisor divisor) implements Supplier<SegmentKernel> {
      @Override
      public SegmentKernel get() {
        return carryless(divisor).orElseGet(() -> methods.others.get().chosen(divisor));
      }
    }
  }

  private static Optional<SegmentKernel> carryless(Divisor divisor) {
    return CarrylessKernel.of(NativeLibrary.get(), divisor, SlicingKernel.by16(divisor));
  }

  /** Returns the names of the methods for a divisor. */
  List<String> names(Divisor divisor) {
    return named().filter(each -> each.divisors().test(divisor)).map(Named::name).toList();
  }

  /** Makes the kernel of a method by name; empty if it does not support the divisor. */
  Optional<SegmentKernel> kernel(Divisor divisor, String name) {
    return named()
        .filter(each -> each.name().equals(name) && each.divisors().test(divisor))
        .findFirst()
        .map(each -> each.kernels().apply(divisor));
  }

  private static Named bitwise() {
    return forAll("bitwise", BitwiseKernel::new);
  }

  private static Named bytewise() {
    return forAll("bytewise", BytewiseKernel::new);
  }

  private static Named jdk() {
    return new Named("jdk", JdkKernel::supports, JdkKernel::new);
  }

  private static Stream<Named> tables() {
    return Stream.of(
            Stream.of(bitwise(), bytewise()),
            ofOtherModules(),
            Stream.of(
                forAll("slicing-8", SlicingKernel::by8), forAll("slicing-16", SlicingKernel::by16)))
        .flatMap(Function.identity());
  }

  private static Stream<Named> ofOtherModules() {
    return ServiceLoader.load(NamedDivisions.class, NamedDivisions.class.getClassLoader()).stream()
        .flatMap(provider -> provider.get().methods().stream());
  }

  private static Named forAll(String name, Function<Divisor, SegmentKernel> kernels) {
    return new Named(name, _ -> true, kernels);
  }
}
