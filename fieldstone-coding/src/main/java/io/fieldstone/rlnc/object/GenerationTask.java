package io.fieldstone.rlnc.object;

import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Decodes and hashes one generation of full rank. {@link #run} may be called on any thread, once;
 * then {@link ObjectReceiver#finish} takes the task on the receiver's thread.
 */
public final class GenerationTask implements Runnable {

  private final OpenGeneration generation;
  private final Rows rows;
  private final MemorySegment output;

  /** Read and written by the thread of the receiver. */
  boolean isFinished;

  private volatile @Nullable Sha256 hash;

  GenerationTask(OpenGeneration generation, Rows rows, MemorySegment output) {
    this.generation = generation;
    this.rows = rows;
    this.output = output;
  }

  /** Decodes and hashes. */
  @Override
  public void run() {
    rows.decode(output);
    hash = new HashTree().generation(output, rows.shape().blockSize());
  }

  /** Returns the number of the generation. */
  public int generation() {
    return generation.number();
  }

  /** Returns the n·k bytes of the generation. */
  public long bytes() {
    return output.byteSize();
  }

  OpenGeneration open() {
    return generation;
  }

  /** Returns the decoded n·k bytes. */
  MemorySegment output() {
    return output;
  }

  /** Returns the hash of the decoded bytes, or null before {@link #run} has ended. */
  @Nullable Sha256 hash() {
    return hash;
  }
}
