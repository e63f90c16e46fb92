package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import java.util.List;
import java.util.Optional;

/** Sorts the items of buckets in a stream slot: in place, or after gathering them from parts. */
interface BucketItems {

  /** Reserves scratch memory that suffices for each of the buckets. */
  void reserve(ScratchLayout scratch, List<Bucket> buckets);

  /** Returns the buffers of a bucket, which {@link #sort} fills or sorts. */
  DoubleBuffer items(StreamSlot slot, Bucket bucket);

  /** Sorts a bucket. The {@link #plan} says which of its buffers has the result. */
  void sort(StreamSlot slot, Bucket bucket);

  /** Returns the address of the plan of the bucket that the slot sorted last. */
  long plan(StreamSlot slot);

  /** Buckets whose items are contiguous already. */
  final class InPlace implements BucketItems {
    private final DoubleBuffer all;
    private final SortKernels kernels;
    private Optional<SortTempStorage> storage = Optional.empty();

    InPlace(DoubleBuffer all, SortKernels kernels) {
      this.all = all;
      this.kernels = kernels;
    }

    @Override
    public void reserve(ScratchLayout scratch, List<Bucket> buckets) {
      long maxItems = Bucket.maxCount(buckets);
      storage =
          Optional.of(new SortTempStorage(kernels, scratch, maxItems, false, Optional.empty()));
    }

    @Override
    public DoubleBuffer items(StreamSlot slot, Bucket bucket) {
      return bucket.slice(all, kernels.layout());
    }

    @Override
    public void sort(StreamSlot slot, Bucket bucket) {
      storage.orElseThrow().sort(slot, items(slot, bucket), bucket.count());
    }

    @Override
    public long plan(StreamSlot slot) {
      return storage.orElseThrow().plan(slot);
    }
  }
}
