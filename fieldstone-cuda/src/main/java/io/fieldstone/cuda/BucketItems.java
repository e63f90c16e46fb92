package io.fieldstone.cuda;

/** Where the items of buckets are, and how a lane comes by them. */
interface BucketItems {

  /** Reserves what lanes need for buckets of up to so many items. */
  void reserve(Workspace workspace, long most);

  /** The items of a bucket, from {@link #bring} on, and as much room. */
  SortItems items(Lane lane, Bucket bucket);

  /** Brings them there. */
  void bring(Lane lane, Bucket bucket);

  /**
   * Items that are where they belong.
   *
   * @param all of them
   */
  record InPlace(SortItems all, SortLayout layout) implements BucketItems {

    @Override
    public void reserve(Workspace workspace, long most) {}

    @Override
    public SortItems items(Lane lane, Bucket bucket) {
      return bucket.of(all, layout);
    }

    @Override
    public void bring(Lane lane, Bucket bucket) {}
  }
}
