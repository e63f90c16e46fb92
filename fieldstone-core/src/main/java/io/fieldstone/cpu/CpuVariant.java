package io.fieldstone.cpu;

import io.fieldstone.engine.Basis;
import io.fieldstone.engine.EngineStatus;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.util.function.Function;

/** The engines of this package, by name, the one to prefer first. */
enum CpuVariant {
  VECTOR(
      "cpu",
      "lane shuffles on vectors of the widest size",
      VectorKernel::new,
      kernels ->
          (field, columns, arena) ->
              new BlockedBasis(field, kernels.forField(field), columns, arena)),
  SCALAR(
      "cpu:scalar",
      "log and exp tables, a byte at a time (Nuclei, Fig. 2); the oracle",
      ScalarKernels::table,
      kernels -> CpuVariant::scalarBasis),
  TABLE_LOG(
      "cpu:table-log",
      "tables in the log domain (Nuclei, Sec. V-C)",
      LogDomainKernel::new,
      kernels -> CpuVariant::scalarBasis),
  LOOP_WORD(
      "cpu:loop-word",
      "shift and add, four bytes at a time (Nuclei, Fig. 4)",
      ScalarKernels::wordLoop,
      kernels -> CpuVariant::scalarBasis),
  LOOP_BYTE(
      "cpu:loop-byte",
      "shift and add, a byte at a time (Nuclei, Fig. 3)",
      ScalarKernels::byteLoop,
      kernels -> CpuVariant::scalarBasis);

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
    return this == VECTOR ? VectorKernel.describe() : description;
  }

  ProductKernel.Factory kernels() {
    return kernels;
  }

  CpuEliminations.BasisFactory bases(Kernels kernels) {
    return bases.apply(kernels);
  }

  private static Basis scalarBasis(Gf256 field, int columns, Arena arena) {
    return new ScalarBasis(field, columns);
  }

  EngineStatus status() {
    if (this == VECTOR && VectorSupport.missing().isPresent()) {
      return EngineStatus.missing(spec, description, VectorSupport.missing().orElseThrow());
    }
    return EngineStatus.present(spec, description());
  }
}
