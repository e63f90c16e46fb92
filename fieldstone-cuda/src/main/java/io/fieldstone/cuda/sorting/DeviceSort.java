package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import java.util.Optional;

/**
 * Sorts resident records.
 *
 * @param method of which the passes are taken
 */
record DeviceSort(Gpu gpu, SortKernels kernels, CudaSortMethod method) {

  /** Sorts records in place, through a copy if they are not aligned items. */
  void sort(long address, long count) {
    SortLayout layout = kernels.layout();
    SortOutput output = SortOutput.ofRecords(layout, address);
    boolean inPlace = layout.isWholeRecord() && address % layout.alignment() == 0;
    ScratchLayout scratch = new ScratchLayout();
    Buffers buffers = new Buffers(kernels, scratch, count, inPlace, method.steps());
    long gatheredBytes = output.isOfItems() ? 0 : count * output.bytes();
    long gathered = scratch.device(gatheredBytes);
    gpu.streams()
        .useOne(
            scratch,
            slot -> {
              DoubleBuffer items =
                  buffers.items(slot, inPlace ? address : slot.device(buffers.first));
              if (!inPlace) {
                kernels.makeItems(slot, address, items.current(), count, 0);
              }
              sort(slot, buffers.storage, items, count);
              long plan = buffers.storage.plan(slot);
              long to = output.isOfItems() ? address : slot.device(gathered);
              output.write(slot, kernels, items, plan, count, to);
              if (gatheredBytes > 0) {
                slot.stream().copy(to, address, gatheredBytes);
              }
              slot.await();
            });
  }

  /** Writes the order of records as indices of 4 or 8 bytes. */
  void order(long records, long count, long order, int indexBytes) {
    ScratchLayout scratch = new ScratchLayout();
    Buffers buffers = new Buffers(kernels, scratch, count, false, method.steps());
    gpu.streams()
        .useOne(
            scratch,
            slot -> {
              DoubleBuffer items = buffers.items(slot, slot.device(buffers.first));
              kernels.makeItems(slot, records, items.current(), count, 0);
              sort(slot, buffers.storage, items, count);
              SortOutput.ofOrder(indexBytes)
                  .write(slot, kernels, items, buffers.storage.plan(slot), count, order);
              slot.await();
            });
  }

  private void sort(StreamSlot slot, SortTempStorage storage, DoubleBuffer items, long count) {
    if (method.steps().isPresent()) {
      storage.sortInSteps(gpu.modules(), slot, items, count);
    } else if (method.usesBuckets()) {
      storage.count(slot, items.current(), count);
      new Partition(storage, BucketSizes.all(kernels.tuning().buckets().residentItems()))
          .sort(slot, items, count);
    } else {
      storage.sort(slot, items, count);
    }
  }

  /** Offsets of the buffers in a stream slot. */
  private static final class Buffers {
    private final SortTempStorage storage;
    private final long first;
    private final long second;

    Buffers(
        SortKernels kernels,
        ScratchLayout scratch,
        long count,
        boolean inPlace,
        Optional<StepSort> steps) {
      long bytes = Math.multiplyExact(count, kernels.layout().itemBytes());
      storage = new SortTempStorage(kernels, scratch, count, true, steps);
      first = scratch.device(inPlace ? 0 : bytes);
      second = scratch.device(bytes);
    }

    DoubleBuffer items(StreamSlot slot, long current) {
      return new DoubleBuffer(current, slot.device(second));
    }
  }
}
