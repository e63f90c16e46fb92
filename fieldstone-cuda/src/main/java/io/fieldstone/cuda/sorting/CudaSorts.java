package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.CpuFallback;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.sorting.delta.DeltaDecoder;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.Sorting;
import io.fieldstone.engine.sorting.Sorts;
import java.util.List;

/**
 * Sorts records on a GPU by the methods of {@link CudaSortMethod}. The automatic method uses LSD
 * passes for resident records and small host arrays, and {@link CudaSortMethod#PACKED} for large
 * host arrays. The CPU sorts very small host arrays. Thread-safe.
 */
public final class CudaSorts implements Sorts, AutoCloseable {

  private final String spec;
  private final Gpu gpu;
  private final CpuFallback fallback;
  private final DeltaDecoder decoder;
  private final SortTuning tuning;
  private final SortKernels.Cache kernels;

  /**
   * Creates the sorting port of an engine.
   *
   * @param spec of the engine, for error messages
   * @param fallback sorts inputs that are too small for a transfer to the GPU
   */
  public CudaSorts(String spec, Gpu gpu, CpuFallback fallback, EngineOptions options) {
    this.spec = spec;
    this.gpu = gpu;
    this.fallback = fallback;
    this.decoder = new DeltaDecoder(options);
    this.tuning = SortTuning.of(gpu.context().device());
    this.kernels = new SortKernels.Cache(gpu.modules(), tuning);
  }

  @Override
  public List<String> methods(RecordFormat format) {
    return CudaSortMethod.all().stream().map(CudaSortMethod::spec).toList();
  }

  @Override
  public Sorting sorting(RecordFormat format) {
    Sorting resident = sortingBy(CudaSortMethod.SERIAL, format);
    Sorting hostToHost = sortingBy(CudaSortMethod.PACKED, format);
    Sorting onCpu = fallback.engine().sorts().sorting(format);
    return new AutoSorting(Methods.AUTO, gpu, tuning.thresholds(), resident, hostToHost, onCpu);
  }

  @Override
  public Sorting sorting(RecordFormat format, String method) {
    if (method.equals(Methods.AUTO)) {
      return sorting(format);
    }
    Methods.require(method, format + " on " + spec, methods(format));
    return CudaSortMethod.all().stream()
        .filter(each -> each.spec().equals(method))
        .findFirst()
        .map(each -> sortingBy(each, format))
        .orElseThrow();
  }

  private Sorting sortingBy(CudaSortMethod method, RecordFormat format) {
    return new CudaSorting(gpu, format, method, kernels, decoder);
  }

  @Override
  public void close() {
    decoder.close();
  }
}
