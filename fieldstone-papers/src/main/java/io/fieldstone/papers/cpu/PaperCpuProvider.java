package io.fieldstone.papers.cpu;

import io.fieldstone.cpu.CpuVariant;
import io.fieldstone.cpu.coding.ProductKernel;
import io.fieldstone.cpu.execution.VectorSupport;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.EngineProvider;
import io.fieldstone.engine.EngineStatus;
import io.fieldstone.field.Gf256;
import java.util.List;

/** Provides engines of the cores that multiply as Nuclei does. */
public final class PaperCpuProvider implements EngineProvider {

  private static final List<CpuVariant> VARIANTS =
      List.of(
          CpuVariant.multiplyingBy(
              "cpu:table-log",
              () -> "tables in the log domain (Nuclei, Sec. V-C)",
              LogDomainKernel::new),
          CpuVariant.multiplyingBy(
              "cpu:loop-vector", PaperCpuProvider::describeVectors, PaperCpuProvider::vectors),
          CpuVariant.multiplyingBy(
              "cpu:loop-word",
              () -> "shift and add, four bytes at a time (Nuclei, Fig. 4)",
              LoopKernels::words),
          CpuVariant.multiplyingBy(
              "cpu:loop-byte",
              () -> "shift and add, a byte at a time (Nuclei, Fig. 3)",
              LoopKernels::bytes));

  /** For the service loader. */
  public PaperCpuProvider() {}

  @Override
  public int preference() {
    return FOR_MEASUREMENT;
  }

  @Override
  public List<EngineStatus> engines() {
    return VARIANTS.stream().map(CpuVariant::status).toList();
  }

  @Override
  public Engine open(String spec, EngineOptions options) {
    return VARIANTS.stream()
        .filter(variant -> variant.spec().equals(spec))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no engine '" + spec + "' of a paper"))
        .open(options);
  }

  private static String describeVectors() {
    return VectorSupport.missing()
        .map("shift and add, four bytes at a time, because %s"::formatted)
        .orElse("shift and add, 16 bytes at a time (Nuclei, Sec. IV-D)");
  }

  private static ProductKernel vectors(Gf256 field) {
    // A conditional expression would load the kernel's class and the Vector API in either case.
    if (VectorSupport.missing().isEmpty()) {
      return new VectorLoopKernel(field);
    }
    return LoopKernels.words(field);
  }
}
