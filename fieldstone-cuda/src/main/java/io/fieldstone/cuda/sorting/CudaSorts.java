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
 * Sorting on a GPU, by the ways of {@link CudaSortMethod}. What the engine chooses itself are LSD
 * passes for what is resident or little, and {@link CudaSortMethod#PACKED} for what is much from
 * host to host; few records in host memory are the processor's. Thread-safe.
 */
public final class CudaSorts implements Sorts, AutoCloseable {

  private final String spec;
  private final Gpu gpu;
  private final CpuFallback fallback;
  private final DeltaDecoder unpacker;
  private final SortKernels.Cache kernels;

  /**
   * The port.
   *
   * @param spec the engine's, for messages
   * @param fallback sorts what is not worth the way
   */
  public CudaSorts(String spec, Gpu gpu, CpuFallback fallback, EngineOptions options) {
    this.spec = spec;
    this.gpu = gpu;
    this.fallback = fallback;
    this.unpacker = new DeltaDecoder(options);
    this.kernels = new SortKernels.Cache(gpu.modules());
  }

  @Override
  public List<String> methods(RecordFormat format) {
    return CudaSortMethod.names();
  }

  @Override
  public Sorting sorting(RecordFormat format) {
    Sorting resident = sortingBy(CudaSortMethod.SERIAL, format);
    Sorting crossing = sortingBy(CudaSortMethod.PACKED, format);
    Sorting there = fallback.engine().sorts().sorting(format);
    return new AutoSorting(Methods.AUTO, gpu, resident, crossing, there);
  }

  @Override
  public Sorting sorting(RecordFormat format, String method) {
    if (method.equals(Methods.AUTO)) {
      return sorting(format);
    }
    Methods.require(method, format + " on " + spec, methods(format));
    return sortingBy(CudaSortMethod.of(method).orElseThrow(), format);
  }

  private Sorting sortingBy(CudaSortMethod method, RecordFormat format) {
    return new CudaSorting(gpu, format, method, kernels, unpacker);
  }

  @Override
  public void close() {
    unpacker.close();
  }
}
