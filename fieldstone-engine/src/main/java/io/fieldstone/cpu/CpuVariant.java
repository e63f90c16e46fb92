package io.fieldstone.cpu;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.cpu.checksums.DivisionMethods;
import io.fieldstone.cpu.coding.BlockedBasis;
import io.fieldstone.cpu.coding.BlockedSubstitution;
import io.fieldstone.cpu.coding.CpuInversions;
import io.fieldstone.cpu.coding.DeferredProductKernel;
import io.fieldstone.cpu.coding.KernelsByField;
import io.fieldstone.cpu.coding.LogDomainKernel;
import io.fieldstone.cpu.coding.NativeProductKernel;
import io.fieldstone.cpu.coding.ProductKernel;
import io.fieldstone.cpu.coding.ScalarBasis;
import io.fieldstone.cpu.coding.ScalarKernels;
import io.fieldstone.cpu.coding.ScalarSubstitution;
import io.fieldstone.cpu.coding.SubstitutionKernel;
import io.fieldstone.cpu.coding.TieredProductKernel;
import io.fieldstone.cpu.coding.VectorKernel;
import io.fieldstone.cpu.coding.VectorLoopKernel;
import io.fieldstone.cpu.coding.WordKernel;
import io.fieldstone.cpu.execution.ScratchPool;
import io.fieldstone.cpu.execution.VectorSupport;
import io.fieldstone.cpu.sorting.SortMethods;
import io.fieldstone.cpu.stars.StarMethod;
import io.fieldstone.cpu.weights.CodeWeights;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.EngineStatus;
import io.fieldstone.engine.VectorApi;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.memory.NativeAccess;
import io.fieldstone.field.Gf256;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The configuration of a CPU engine.
 *
 * @param spec name of the engine
 * @param description makes a human-readable description of its multiplication
 * @param kernels makes product kernels
 * @param bases makes elimination bases from product kernels
 * @param substitutions makes substitution kernels from product kernels
 * @param codeWeights makes the ports that count codewords
 * @param checksums makes the methods of polynomial division
 * @param sorts methods of sorting
 * @param stars makes the methods of the 3-star search, the fastest last
 */
record CpuVariant(
    String spec,
    Supplier<String> description,
    ProductKernel.Factory kernels,
    Function<KernelsByField, CpuInversions.BasisFactory> bases,
    SubstitutionFactory substitutions,
    CodeWeights.Factory codeWeights,
    Supplier<DivisionMethods> checksums,
    SortMethods sorts,
    Supplier<List<StarMethod>> stars) {

  /** Makes substitution kernels from product kernels. */
  interface SubstitutionFactory {
    SubstitutionKernel.Factory of(KernelsByField kernels, ScratchPool scratchPool);
  }

  /** The name of the default engine. */
  static final String FASTEST = "cpu";

  /** The name of the engine that others are compared with. */
  static final String ORACLE = "cpu:scalar";

  private static final String IN_JAVA = "cpu:vector";

  /** Returns all variants, the fastest first. */
  static List<CpuVariant> all() {
    return List.of(
        fastest(),
        inJava(),
        oracle(),
        scalar(
            "cpu:table-log",
            () -> "tables in the log domain (Nuclei, Sec. V-C)",
            LogDomainKernel::new),
        vectorLoop(),
        scalar(
            "cpu:loop-word",
            () -> "shift and add, four bytes at a time (Nuclei, Fig. 4)",
            ScalarKernels::wordLoop),
        scalar(
            "cpu:loop-byte",
            () -> "shift and add, a byte at a time (Nuclei, Fig. 3)",
            ScalarKernels::byteLoop));
  }

  /** Returns the engines where the JVM denies native access, by name; both have one thread. */
  static Optional<CpuVariant> withoutNativeAccess(String spec) {
    return switch (spec) {
      case FASTEST -> Optional.of(plain());
      case ORACLE -> Optional.of(oracle());
      default -> Optional.empty();
    };
  }

  private static CpuVariant plain() {
    return new CpuVariant(
        FASTEST,
        () -> "words of eight symbols, because " + NativeAccess.reason(),
        WordKernel::new,
        _ -> CpuVariant::scalarBasis,
        (_, _) -> ScalarSubstitution::new,
        workers -> CodeWeights.withoutVectors(false, workers),
        DivisionMethods::withoutVectors,
        SortMethods.oracle(),
        StarMethod::scalar);
  }

  EngineStatus status() {
    EngineStatus status =
        NativeAccess.isDenied()
            ? withoutNativeAccess()
            : EngineStatus.present(spec, EngineKind.CPU, description.get());
    return List.of(FASTEST, IN_JAVA, ORACLE).contains(spec) ? status : status.forMeasurement();
  }

  private EngineStatus withoutNativeAccess() {
    return withoutNativeAccess(spec)
        .map(plain -> EngineStatus.present(spec, EngineKind.CPU, plain.description.get()))
        .orElseGet(() ->
            EngineStatus.missing(
                spec, EngineKind.CPU, "kernels that use addresses", NativeAccess.reason()));
  }

  /** Kernels in C for large work; words for small work, and vectors in Java without these. */
  private static CpuVariant fastest() {
    return new CpuVariant(
        FASTEST,
        CpuVariant::describeFastest,
        field -> new DeferredProductKernel(field, CpuVariant::inJava),
        CpuVariant::blockedBases,
        CpuVariant::blockedSubstitutions,
        workers ->
            hasVectors() ? CodeWeights.fastest(workers) : CodeWeights.withoutVectors(true, workers),
        () -> DivisionMethods.withNatives(CpuVariant::divisions),
        SortMethods.fastest(),
        CpuVariant::starMethods);
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

  /** The fastest kernels in Java. */
  private static CpuVariant inJava() {
    return new CpuVariant(
        IN_JAVA,
        CpuVariant::describeJava,
        CpuVariant::inJava,
        CpuVariant::blockedBases,
        CpuVariant::blockedSubstitutions,
        CpuVariant::codeWeights,
        CpuVariant::divisions,
        SortMethods.inJava(),
        CpuVariant::starMethods);
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

  private static CodeWeights codeWeights(TaskPool workers) {
    return hasVectors() ? CodeWeights.vector(workers) : CodeWeights.withoutVectors(false, workers);
  }

  private static List<StarMethod> starMethods() {
    return hasVectors() ? StarMethod.vector() : StarMethod.scalar();
  }

  /** Loads the Vector API, which takes longer than many a job: ask only if it is needed. */
  private static boolean hasVectors() {
    Optional<String> missing = VectorSupport.missing();
    missing.ifPresent(CpuProvider::warnOfMissing);
    return missing.isEmpty();
  }

  private static CpuVariant scalar(
      String spec, Supplier<String> description, ProductKernel.Factory kernels) {
    return new CpuVariant(
        spec,
        description,
        kernels,
        _ -> CpuVariant::scalarBasis,
        CpuVariant::blockedSubstitutions,
        CodeWeights::scalar,
        DivisionMethods::plain,
        SortMethods.inJava(),
        () -> List.of(StarMethod.SEQUENTIAL));
  }

  /** The baseline of Nuclei on the cores; a loop over words where there are no vectors. */
  private static CpuVariant vectorLoop() {
    return scalar("cpu:loop-vector", CpuVariant::describeVectorLoop, CpuVariant::vectorLoop);
  }

  private static String describeVectorLoop() {
    return VectorSupport.missing()
        .map("shift and add, four bytes at a time, because %s"::formatted)
        .orElse("shift and add, 16 bytes at a time (Nuclei, Sec. IV-D)");
  }

  private static ProductKernel vectorLoop(Gf256 field) {
    return hasVectors() ? new VectorLoopKernel(field) : ScalarKernels.wordLoop(field);
  }

  private static CpuVariant oracle() {
    return new CpuVariant(
        ORACLE,
        () -> "log and exp tables, a byte at a time (Nuclei, Fig. 2); the oracle",
        ScalarKernels::table,
        _ -> CpuVariant::scalarBasis,
        (_, _) -> ScalarSubstitution::new,
        CodeWeights::scalar,
        DivisionMethods::oracle,
        SortMethods.oracle(),
        () -> List.of(StarMethod.SEQUENTIAL));
  }

  private static SubstitutionKernel.Factory blockedSubstitutions(
      KernelsByField kernels, ScratchPool scratchPool) {
    return field -> new BlockedSubstitution(field, kernels.forField(field), scratchPool);
  }

  private static CpuInversions.BasisFactory blockedBases(KernelsByField kernels) {
    return (field, columns, arena) ->
        new BlockedBasis(field, kernels.forField(field), columns, arena);
  }

  private static Basis scalarBasis(Gf256 field, int columns, Arena arena) {
    return new ScalarBasis(field, columns);
  }
}
