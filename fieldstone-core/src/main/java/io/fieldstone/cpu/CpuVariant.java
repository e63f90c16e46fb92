package io.fieldstone.cpu;

import io.fieldstone.engine.EngineStatus;
import java.util.function.Function;

/** The engines of this package, by name, the one to prefer first. */
enum CpuVariant {
  SCALAR(
      "cpu:scalar",
      "log and exp tables, a byte at a time (Nuclei, Fig. 2); the oracle",
      ScalarKernels::table,
      kernels -> ScalarBasis::new),
  TABLE_LOG(
      "cpu:table-log",
      "tables in the log domain (Nuclei, Sec. V-C)",
      LogDomainKernel::new,
      kernels -> ScalarBasis::new),
  LOOP_WORD(
      "cpu:loop-word",
      "shift and add, four bytes at a time (Nuclei, Fig. 4)",
      ScalarKernels::wordLoop,
      kernels -> ScalarBasis::new),
  LOOP_BYTE(
      "cpu:loop-byte",
      "shift and add, a byte at a time (Nuclei, Fig. 3)",
      ScalarKernels::byteLoop,
      kernels -> ScalarBasis::new);

  private final String spec;
  private final String description;
  private final ProductKernel.Factory kernels;
  private final Function<Kernels, CpuEliminations.BasisFactory> bases;

  CpuVariant(
      String spec,
      String description,
      ProductKernel.Factory kernels,
      Function<Kernels, CpuEliminations.BasisFactory> bases) {
    this.spec = spec;
    this.description = description;
    this.kernels = kernels;
    this.bases = bases;
  }

  String spec() {
    return spec;
  }

  String description() {
    return description;
  }

  ProductKernel.Factory kernels() {
    return kernels;
  }

  CpuEliminations.BasisFactory bases(Kernels kernels) {
    return bases.apply(kernels);
  }

  EngineStatus status() {
    return EngineStatus.present(spec, description);
  }
}
