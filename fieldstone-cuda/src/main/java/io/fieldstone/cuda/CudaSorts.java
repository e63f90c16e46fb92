package io.fieldstone.cuda;

import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.Sorting;
import io.fieldstone.engine.Sorts;
import java.util.List;

/**
 * Sorting on a GPU, by the ways of {@link SortMethod}. What the engine chooses itself are LSD
 * passes for what is resident or little, and {@link SortMethod#PACKED} for what is much from host
 * to host; few records in host memory are the processor's. Thread-safe.
 */
final class CudaSorts implements Sorts, AutoCloseable {

  private final String spec;
  private final Gpu gpu;
  private final Processor processor;
  private final Unpacker unpacker;
  private final SortKernels.Cache kernels;

  /**
   * The port.
   *
   * @param spec the engine's, for messages
   * @param processor sorts what is not worth the way
   */
  CudaSorts(String spec, Gpu gpu, Processor processor, EngineOptions options) {
    this.spec = spec;
    this.gpu = gpu;
    this.processor = processor;
    this.unpacker = new Unpacker(options);
    this.kernels = new SortKernels.Cache(gpu.modules());
  }

  @Override
  public List<String> methods(RecordFormat format) {
    return SortMethod.names();
  }

  @Override
  public Sorting sorting(RecordFormat format) {
    Sorting resident = sortingBy(SortMethod.SERIAL, format);
    Sorting crossing = sortingBy(SortMethod.PACKED, format);
    Sorting there = processor.engine().sorts().sorting(format);
    return new ChosenSorting(Methods.AUTO, gpu, resident, crossing, there);
  }

  @Override
  public Sorting sorting(RecordFormat format, String method) {
    if (method.equals(Methods.AUTO)) {
      return sorting(format);
    }
    Methods.require(method, format + " on " + spec, methods(format));
    return sortingBy(SortMethod.of(method).orElseThrow(), format);
  }

  private Sorting sortingBy(SortMethod method, RecordFormat format) {
    return new CudaSorting(gpu, format, method, kernels, unpacker);
  }

  @Override
  public void close() {
    unpacker.close();
  }
}
