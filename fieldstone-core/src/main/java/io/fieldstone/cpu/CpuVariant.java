package io.fieldstone.cpu;

import io.fieldstone.engine.Basis;
import io.fieldstone.engine.EngineStatus;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.function.Function;

/**
 * An engine of this package.
 *
 * @param spec its name
 * @param description how it multiplies, for people
 * @param kernels makes its products
 * @param bases makes its elimination from its products
 */
record CpuVariant(
    String spec,
    String description,
    ProductKernel.Factory kernels,
    Function<Kernels, CpuEliminations.BasisFactory> bases) {

  /** The name of the engine to prefer. */
  static final String FASTEST = "cpu";

  /** All of them, the fastest first. */
  static List<CpuVariant> all() {
    return List.of(
        fastest(),
        scalar(
            "cpu:scalar",
            "log and exp tables, a byte at a time (Nuclei, Fig. 2); the oracle",
            ScalarKernels::table),
        scalar(
            "cpu:table-log", "tables in the log domain (Nuclei, Sec. V-C)", LogDomainKernel::new),
        scalar(
            "cpu:loop-word",
            "shift and add, four bytes at a time (Nuclei, Fig. 4)",
            ScalarKernels::wordLoop),
        scalar(
            "cpu:loop-byte",
            "shift and add, a byte at a time (Nuclei, Fig. 3)",
            ScalarKernels::byteLoop));
  }

  EngineStatus status() {
    return EngineStatus.present(spec, description);
  }

  private static CpuVariant fastest() {
    // A conditional would load the kernel's class, and with it the Vector API, in any case.
    if (VectorSupport.missing().isPresent()) {
      return new CpuVariant(
          FASTEST,
          "log and exp tables, a byte at a time, because " + VectorSupport.missing().orElseThrow(),
          ScalarKernels::table,
          CpuVariant::blockedBases);
    }
    return new CpuVariant(
        FASTEST, VectorKernel.describe(), VectorKernel::new, CpuVariant::blockedBases);
  }

  private static CpuVariant scalar(String spec, String description, ProductKernel.Factory kernels) {
    return new CpuVariant(spec, description, kernels, _ -> CpuVariant::scalarBasis);
  }

  private static CpuEliminations.BasisFactory blockedBases(Kernels kernels) {
    return (field, columns, arena) ->
        new BlockedBasis(field, kernels.forField(field), columns, arena);
  }

  private static Basis scalarBasis(Gf256 field, int columns, Arena arena) {
    return new ScalarBasis(field, columns);
  }
}
