package io.fieldstone.rlnc.file;

/**
 * The division of a job into batches, large enough to use all threads, with memory independent of
 * the file size.
 *
 * @param slots the batches in memory at a time, one for each stage
 * @param generations the generations of a batch
 */
record Batches(int slots, int generations) {

  /** The target memory of a slot: about 16 MiB of source at n = 128, k = 4096, redundancy 0.5. */
  private static final long SLOT_BYTES = 48L << 20;

  /** The maximum generations of a batch, which bounds the heap if generations are tiny. */
  private static final long MAX_GENERATIONS = 1024;

  /**
   * Plans the batches of a job.
   *
   * @param stages the stages of the pipeline
   * @param generationBytes the memory of a generation in a slot
   * @param generations the generations of the object; a large number if unknown
   */
  static Batches plan(int stages, long generationBytes, long generations) {
    long maxGenerations = Math.clamp(generations, 1, MAX_GENERATIONS);
    long perSlot = Math.clamp(SLOT_BYTES / generationBytes, 1, maxGenerations);
    long batches = Math.ceilDiv(Math.max(1, generations), perSlot);
    return new Batches((int) Math.min(stages, batches), (int) perSlot);
  }
}
