package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import java.util.List;
import java.util.Optional;

/** Where the items of buckets are, and how a lane comes by them and sorts them. */
interface BucketItems {

  /** Reserves what lanes need for any of these buckets. */
  void reserve(ScratchLayout scratch, List<Bucket> buckets);

  /** The items of a bucket, from {@link #sort} on, and as much room. */
  DoubleBuffer items(StreamSlot slot, Bucket bucket);

  /** Sorts them; the {@link #plan} says where they are then. */
  void sort(StreamSlot slot, Bucket bucket);

  /** Address of the plan of what the lane has sorted. */
  long plan(StreamSlot slot);

  /** Items that are where they belong. */
  final class InPlace implements BucketItems {
    private final DoubleBuffer all;
    private final SortKernels kernels;
    private Optional<SortTempStorage> bench = Optional.empty();

    InPlace(DoubleBuffer all, SortKernels kernels) {
      this.all = all;
      this.kernels = kernels;
    }

    @Override
    public void reserve(ScratchLayout scratch, List<Bucket> buckets) {
      bench = Optional.of(new SortTempStorage(kernels, scratch, Bucket.most(buckets), false));
    }

    @Override
    public DoubleBuffer items(StreamSlot slot, Bucket bucket) {
      return bucket.of(all, kernels.layout());
    }

    @Override
    public void sort(StreamSlot slot, Bucket bucket) {
      bench.orElseThrow().sort(slot, items(slot, bucket), bucket.count());
    }

    @Override
    public long plan(StreamSlot slot) {
      return bench.orElseThrow().plan(slot);
    }
  }
}
