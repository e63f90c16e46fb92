package io.fieldstone.cuda;

import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.ResidentBytes;
import io.fieldstone.engine.Sorting;
import io.fieldstone.engine.Sorts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/** The processor's sorting, to which what is on the GPU goes and from which it comes back. */
record VisitingSorts(Gpu gpu, Sorts processor) implements Sorts {

  private static final long ALIGNMENT = 64;

  @Override
  public List<String> methods(RecordFormat format) {
    return processor.methods(format);
  }

  @Override
  public Sorting sorting(RecordFormat format) {
    return new Visiting(processor.sorting(format));
  }

  @Override
  public Sorting sorting(RecordFormat format, String method) {
    return new Visiting(processor.sorting(format, method));
  }

  private final class Visiting implements Sorting {
    private final Sorting sorting;

    Visiting(Sorting sorting) {
      this.sorting = sorting;
    }

    @Override
    public RecordFormat format() {
      return sorting.format();
    }

    @Override
    public String method() {
      return sorting.method();
    }

    @Override
    public void sort(MemorySegment records) {
      sorting.sort(records);
    }

    @Override
    public void sort(MemorySegment records, MemorySegment sorted) {
      sorting.sort(records, sorted);
    }

    @Override
    public void sort(ResidentBytes records, long offset, long length) {
      try (Arena arena = Arena.ofShared()) {
        MemorySegment here = bring(arena, records, offset, length);
        sorting.sort(here);
        records.store(offset, here);
      }
    }

    @Override
    public void argsort(MemorySegment records, MemorySegment order) {
      sorting.argsort(records, order);
    }

    @Override
    public void argsort(ResidentBytes records, long offset, long length, ResidentBytes order) {
      CudaResidentBytes.on(gpu, order);
      if (records.equals(order) && length > 0) {
        throw new IllegalArgumentException("the order overlaps the records");
      }
      try (Arena arena = Arena.ofShared()) {
        MemorySegment here = bring(arena, records, offset, length);
        MemorySegment orderHere = arena.allocate(order.byteSize(), ALIGNMENT);
        sorting.argsort(here, orderHere);
        order.store(0, orderHere);
      }
    }

    private MemorySegment bring(Arena arena, ResidentBytes records, long offset, long length) {
      CudaResidentBytes bytes = CudaResidentBytes.on(gpu, records);
      Objects.checkFromIndexSize(offset, length, bytes.byteSize());
      MemorySegment here = arena.allocate(length, ALIGNMENT);
      bytes.read(offset, here);
      return here;
    }
  }
}
