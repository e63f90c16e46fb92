package io.fieldstone.rlnc.file;

/**
 * How a job cuts an object into batches: large enough that every thread has something to do, small
 * enough that memory does not depend on the file.
 *
 * @param slots batches in memory at a time, one for each stage that works
 * @param generations of a batch
 */
record Batches(int slots, int generations) {

  /** About 16 MiB of source at n = 128, k = 4096 and half as much redundancy. */
  private static final long SLOT_BYTES = 48L << 20;

  /** What is kept on the heap for each generation must stay small when generations are tiny. */
  private static final long MAX_GENERATIONS = 1024;

  /**
   * A plan.
   *
   * @param stages of the job's pipeline
   * @param generationBytes memory that a generation takes in a slot
   * @param generations of the object; a great number if it is not known
   */
  static Batches plan(int stages, long generationBytes, long generations) {
    long most = Math.clamp(generations, 1, MAX_GENERATIONS);
    long perSlot = Math.clamp(SLOT_BYTES / generationBytes, 1, most);
    long batches = Math.ceilDiv(Math.max(1, generations), perSlot);
    return new Batches((int) Math.min(stages, batches), (int) perSlot);
  }
}
