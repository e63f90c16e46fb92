package io.fieldstone.cpu.sorting;

import io.fieldstone.cpu.execution.CpuResidentBytes;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.HeldMemory;
import io.fieldstone.engine.memory.MemoryPreconditions;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordInput;
import io.fieldstone.engine.sorting.RecordOutput;
import io.fieldstone.engine.sorting.SortPreconditions;
import io.fieldstone.engine.sorting.Sorting;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** Sorts with one kernel. */
final class CpuSorting implements Sorting {

  private final Engine engine;
  private final RecordFormat format;
  private final String method;
  private final SortKernel kernel;
  private final long limit;
  private final Consumer<String> taken;

  /** Makes a sorting with unlimited working memory. */
  CpuSorting(Engine engine, RecordFormat format, String method, SortKernel kernel) {
    this(engine, format, method, kernel, Long.MAX_VALUE, _ -> {});
  }

  private CpuSorting(
      Engine engine,
      RecordFormat format,
      String method,
      SortKernel kernel,
      long limit,
      Consumer<String> taken) {
    this.engine = engine;
    this.format = format;
    this.method = method;
    this.kernel = kernel;
    this.limit = limit;
    this.taken = taken;
  }

  @Override
  public RecordFormat format() {
    return format;
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public long minWorkingBytes(long records) {
    return kernel.minWorkingBytes(records);
  }

  @Override
  public Sorting withMemoryLimit(long workingBytes) {
    return new CpuSorting(engine, format, method, kernel, workingBytes, taken);
  }

  @Override
  public Sorting withMethodListener(Consumer<String> listener) {
    return new CpuSorting(engine, format, method, kernel, limit, listener);
  }

  @Override
  public void sort(MemorySegment records) {
    SortPreconditions.requireRecords(format, records.byteSize());
    MemoryPreconditions.requireWritable("the sorted records", records);
    HeldMemory.runWithoutCallbacks(
        () -> {
          MemorySegment usable = HeldMemory.unconfined(records);
          taken.accept(kernel.sort(usable, usable, limit));
        },
        records);
  }

  @Override
  public void sort(MemorySegment records, MemorySegment sorted) {
    SortPreconditions.requireRecords(format, records, sorted);
    HeldMemory.runWithoutCallbacks(
        () ->
            taken.accept(
                kernel.sort(HeldMemory.unconfined(records), HeldMemory.unconfined(sorted), limit)),
        records,
        sorted);
  }

  @Override
  public long minStreamingBytes(long records) {
    return kernel.minStreamingBytes(records);
  }

  @Override
  public boolean sort(long records, RecordInput input, RecordOutput output) {
    SortPreconditions.requireCount(records);
    Optional<String> sorted = kernel.sort(records, input, output, limit);
    sorted.ifPresent(taken);
    return sorted.isPresent();
  }

  @Override
  public void sort(ResidentBytes records, long offset, long length) {
    sort(slice(records, offset, length));
  }

  @Override
  public void argsort(MemorySegment records, MemorySegment order) {
    int indexBytes = SortPreconditions.requireOrder(format, records, order);
    HeldMemory.runWithoutCallbacks(
        () ->
            kernel.argsort(
                HeldMemory.unconfined(records), HeldMemory.unconfined(order), indexBytes, limit),
        records,
        order);
  }

  @Override
  public void argsort(ResidentBytes records, long offset, long length, ResidentBytes order) {
    argsort(slice(records, offset, length), CpuResidentBytes.memory(order, engine));
  }

  private MemorySegment slice(ResidentBytes records, long offset, long length) {
    MemorySegment memory = CpuResidentBytes.memory(records, engine);
    Objects.checkFromIndexSize(offset, length, memory.byteSize());
    return memory.asSlice(offset, length);
  }
}
