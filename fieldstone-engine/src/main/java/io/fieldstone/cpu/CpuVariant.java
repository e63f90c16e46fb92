package io.fieldstone.cpu;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.cpu.checksums.BucketSieve;
import io.fieldstone.cpu.checksums.DivisionMethods;
import io.fieldstone.cpu.checksums.ScalarSieve;
import io.fieldstone.cpu.coding.BlockedBasis;
import io.fieldstone.cpu.coding.BlockedSubstitution;
import io.fieldstone.cpu.coding.CpuInversions;
import io.fieldstone.cpu.coding.DeferredProductKernel;
import io.fieldstone.cpu.coding.KernelsByField;
import io.fieldstone.cpu.coding.NativeProductKernel;
import io.fieldstone.cpu.coding.ProductKernel;
import io.fieldstone.cpu.coding.ScalarBasis;
import io.fieldstone.cpu.coding.ScalarKernels;
import io.fieldstone.cpu.coding.ScalarSubstitution;
import io.fieldstone.cpu.coding.SubstitutionKernel;
import io.fieldstone.cpu.coding.TieredProductKernel;
import io.fieldstone.cpu.coding.VectorKernel;
import io.fieldstone.cpu.coding.WordKernel;
import io.fieldstone.cpu.execution.ScratchPool;
import io.fieldstone.cpu.execution.VectorSupport;
import io.fieldstone.cpu.sorting.SortMethods;
import io.fieldstone.cpu.stars.StarMethod;
import io.fieldstone.cpu.weights.CodeWeights;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.EngineStatus;
import io.fieldstone.engine.VectorApi;
import io.fieldstone.engine.checksums.PolynomialSieve;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.memory.NativeAccess;
import io.fieldstone.field.Gf256;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The configuration of a CPU engine: the kernels and methods of its ports, by default those of an
 * engine that differs from the oracle in how it multiplies.
 *
 * <p>What opens an engine is without lambdas. A JVM without a cache links its first in ten
 * milliseconds, and each more in one, which is longer than many a job.
 */
public abstract class CpuVariant implements ProductKernel.Factory {

  /** The name of the default engine. */
  static final String FASTEST = "cpu";

  /** The name of the engine that others are compared with. */
  static final String ORACLE = "cpu:scalar";

  private static final String IN_JAVA = "cpu:vector";

  /** The names of all variants, in their order: to make a variant takes milliseconds. */
  static final List<String> NAMES = List.of(FASTEST, IN_JAVA, ORACLE);

  /** Returns a variant by its name; the fastest without making the others. */
  static Optional<CpuVariant> find(String spec) {
    return spec.equals(FASTEST)
        ? Optional.of(new Fastest())
        : all().stream().filter(candidate -> candidate.spec().equals(spec)).findFirst();
  }

  /** Returns all variants, the fastest first. */
  static List<CpuVariant> all() {
    return List.of(new Fastest(), new InJava(), new Oracle());
  }

  /** Describes an engine that differs from the oracle in how it multiplies. */
  public static CpuVariant multiplyingBy(
      String spec, Supplier<String> description, ProductKernel.Factory kernels) {
    return new Multiplying(spec, description, kernels);
  }

  /** Returns the engines where the JVM denies native access, by name; both have one thread. */
  static Optional<CpuVariant> withoutNativeAccess(String spec) {
    return switch (spec) {
      case FASTEST -> Optional.of(new Plain());
      case ORACLE -> Optional.of(new Oracle());
      default -> Optional.empty();
    };
  }

  private final String spec;

  private CpuVariant(String spec) {
    this.spec = spec;
  }

  /** Opens the engine. */
  public final Engine open(EngineOptions options) {
    return new CpuEngine(this, options.threads());
  }

  /** Returns the name of the engine. */
  public final String spec() {
    return spec;
  }

  /** Describes how the engine multiplies. */
  abstract String description();

  /** Makes elimination bases from product kernels. */
  CpuInversions.BasisFactory bases(KernelsByField kernels) {
    return CpuVariant::scalarBasis;
  }

  /** Makes substitution kernels from product kernels. */
  SubstitutionKernel.Factory substitutions(KernelsByField kernels, ScratchPool scratchPool) {
    return field -> new BlockedSubstitution(field, kernels.forField(field), scratchPool);
  }

  /** Makes the ports that count codewords. */
  CodeWeights codeWeights(TaskPool workers) {
    return CodeWeights.scalar(workers);
  }

  /** Makes the methods of polynomial division. */
  DivisionMethods checksums() {
    return DivisionMethods.plain();
  }

  /** Makes the port that sieves polynomials. */
  PolynomialSieve polynomialSieve(TaskPool workers) {
    return new BucketSieve(workers);
  }

  /** Makes the methods of sorting. */
  SortMethods sorts() {
    return SortMethods.inJava();
  }

  /** Makes the methods of the 3-star search, the fastest last. */
  List<StarMethod> stars() {
    return List.of(StarMethod.SEQUENTIAL);
  }

  /** Returns whether lines of sight are computed by vectors. */
  boolean hasVectorSight() {
    return false;
  }

  /** Returns the name and the description of the engine, and whether it is present. */
  public final EngineStatus status() {
    EngineStatus status =
        NativeAccess.isDenied()
            ? withoutNativeAccess()
            : EngineStatus.present(spec, EngineKind.CPU, description());
    return List.of(FASTEST, IN_JAVA, ORACLE).contains(spec) ? status : status.forMeasurement();
  }

  private EngineStatus withoutNativeAccess() {
    return withoutNativeAccess(spec)
        .map(plain -> EngineStatus.present(spec, EngineKind.CPU, plain.description()))
        .orElseGet(() ->
            EngineStatus.missing(
                spec, EngineKind.CPU, "kernels that use addresses", NativeAccess.reason()));
  }

  /** Words, where the JVM denies native access. */
  private static final class Plain extends CpuVariant {

    Plain() {
      super(FASTEST);
    }

    @Override
    String description() {
      return "words of eight symbols, because " + NativeAccess.reason();
    }

    @Override
    public ProductKernel forField(Gf256 field) {
      return new WordKernel(field);
    }

    @Override
    SubstitutionKernel.Factory substitutions(KernelsByField kernels, ScratchPool scratchPool) {
      return ScalarSubstitution::new;
    }

    @Override
    CodeWeights codeWeights(TaskPool workers) {
      return CodeWeights.withoutVectors(false, workers);
    }

    @Override
    DivisionMethods checksums() {
      return DivisionMethods.withoutVectors();
    }

    @Override
    SortMethods sorts() {
      return SortMethods.oracle();
    }

    @Override
    List<StarMethod> stars() {
      return StarMethod.scalar();
    }
  }

  /** The fastest kernels in Java. */
  private static class InJava extends CpuVariant {

    InJava() {
      this(IN_JAVA);
    }

    InJava(String spec) {
      super(spec);
    }

    @Override
    String description() {
      return describeJava();
    }

    @Override
    public ProductKernel forField(Gf256 field) {
      return inJava(field);
    }

    @Override
    CpuInversions.BasisFactory bases(KernelsByField kernels) {
      return (field, columns, arena) ->
          new BlockedBasis(field, kernels.forField(field), columns, arena);
    }

    @Override
    CodeWeights codeWeights(TaskPool workers) {
      return hasVectors()
          ? CodeWeights.vector(workers)
          : CodeWeights.withoutVectors(false, workers);
    }

    @Override
    DivisionMethods checksums() {
      return divisions();
    }

    @Override
    List<StarMethod> stars() {
      return hasVectors() ? StarMethod.vector() : StarMethod.scalar();
    }

    @Override
    boolean hasVectorSight() {
      return hasVectors();
    }
  }

  /** Kernels in C for large work; words for small work, and vectors in Java without these. */
  private static final class Fastest extends InJava implements Supplier<DivisionMethods> {

    Fastest() {
      super(FASTEST);
    }

    @Override
    String description() {
      return describeFastest();
    }

    @Override
    public ProductKernel forField(Gf256 field) {
      return new DeferredProductKernel(field, CpuVariant::inJava);
    }

    @Override
    CodeWeights codeWeights(TaskPool workers) {
      return hasVectors()
          ? CodeWeights.fastest(workers)
          : CodeWeights.withoutVectors(true, workers);
    }

    @Override
    DivisionMethods checksums() {
      return DivisionMethods.withNatives(this);
    }

    /** Returns the methods in Java, when they are needed. */
    @Override
    public DivisionMethods get() {
      return divisions();
    }

    @Override
    SortMethods sorts() {
      return SortMethods.fastest();
    }
  }

  /** Tables, a byte at a time, and the simplest method of each port. */
  private static final class Oracle extends CpuVariant {

    Oracle() {
      super(ORACLE);
    }

    @Override
    String description() {
      return "log and exp tables, a byte at a time (Nuclei, Fig. 2); the oracle";
    }

    @Override
    public ProductKernel forField(Gf256 field) {
      return ScalarKernels.table(field);
    }

    @Override
    SubstitutionKernel.Factory substitutions(KernelsByField kernels, ScratchPool scratchPool) {
      return ScalarSubstitution::new;
    }

    @Override
    DivisionMethods checksums() {
      return DivisionMethods.oracle();
    }

    @Override
    PolynomialSieve polynomialSieve(TaskPool workers) {
      return new ScalarSieve();
    }

    @Override
    SortMethods sorts() {
      return SortMethods.oracle();
    }
  }

  /** Another way to multiply. */
  private static final class Multiplying extends CpuVariant {

    private final Supplier<String> description;
    private final ProductKernel.Factory kernels;

    Multiplying(String spec, Supplier<String> description, ProductKernel.Factory kernels) {
      super(spec);
      this.description = description;
      this.kernels = kernels;
    }

    @Override
    String description() {
      return description.get();
    }

    @Override
    public ProductKernel forField(Gf256 field) {
      return kernels.forField(field);
    }
  }

  private static String describe(NativeLibrary library) {
    return library
        .missing()
        .map(reason -> describeJava() + "; no native kernels, because " + reason)
        .orElseGet(() -> NativeProductKernel.describe(library));
  }

  private static String describeFastest() {
    return NativeLibrary.ifLoaded()
        .map(CpuVariant::describe)
        .orElseGet(() ->
            VectorApi.isLoaded()
                ? describeJava()
                : "words of eight symbols, until there is work for native kernels");
  }

  private static ProductKernel inJava(Gf256 field) {
    return hasVectors() ? new TieredProductKernel(field) : new WordKernel(field);
  }

  private static String describeJava() {
    // A conditional expression would load the kernel's class and the Vector API in either case.
    if (hasVectors()) {
      return VectorKernel.describe();
    }
    return "words of eight symbols, because " + VectorSupport.missing().orElseThrow();
  }

  private static DivisionMethods divisions() {
    return hasVectors() ? DivisionMethods.withVectors() : DivisionMethods.withoutVectors();
  }

  /** Loads the Vector API, which takes longer than many a job: ask only if it is needed. */
  private static boolean hasVectors() {
    Optional<String> missing = VectorSupport.missing();
    missing.ifPresent(CpuProvider::warnOfMissing);
    return missing.isEmpty();
  }

  private static Basis scalarBasis(Gf256 field, int columns, Arena arena) {
    return new ScalarBasis(field, columns);
  }
}
