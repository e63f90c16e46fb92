package io.fieldstone.cuda;

import java.util.List;
import java.util.Optional;

/** Where the items of buckets are, and how a lane comes by them and sorts them. */
interface BucketItems {

  /** Reserves what lanes need for any of these buckets. */
  void reserve(Workspace workspace, List<Bucket> buckets);

  /** The items of a bucket, from {@link #sort} on, and as much room. */
  SortItems items(Lane lane, Bucket bucket);

  /** Sorts them; the {@link #plan} says where they are then. */
  void sort(Lane lane, Bucket bucket);

  /** Address of the plan of what the lane has sorted. */
  long plan(Lane lane);

  /** Items that are where they belong. */
  final class InPlace implements BucketItems {
    private final SortItems all;
    private final SortKernels kernels;
    private Optional<SortBench> bench = Optional.empty();

    InPlace(SortItems all, SortKernels kernels) {
      this.all = all;
      this.kernels = kernels;
    }

    @Override
    public void reserve(Workspace workspace, List<Bucket> buckets) {
      bench = Optional.of(new SortBench(kernels, workspace, Bucket.most(buckets), false));
    }

    @Override
    public SortItems items(Lane lane, Bucket bucket) {
      return bucket.of(all, kernels.layout());
    }

    @Override
    public void sort(Lane lane, Bucket bucket) {
      bench.orElseThrow().sort(lane, items(lane, bucket), bucket.count());
    }

    @Override
    public long plan(Lane lane) {
      return bench.orElseThrow().plan(lane);
    }
  }
}
