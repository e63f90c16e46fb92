package io.fieldstone.rlnc.object;

import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A generation that a receiver collects: its blocks, and the share of each sender. */
final class OpenGeneration {

  /** No sender, as a slot. */
  static final int NOBODY = -1;

  enum State {
    /** Asks for blocks. */
    COLLECTING,
    /** Has full rank; a task decodes and hashes it. */
    VERIFYING,
    /** Has a wrong hash, and waits until the polluters of another generation are known. */
    PARKED
  }

  final int generation;
  final GenerationShape shape;
  Rows rows;
  State state = State.COLLECTING;

  /** Counts the fetches from the first block on. */
  int attempt;

  /** The slot of the only sender to ask, or {@link #NOBODY} if senders are mixed. */
  int solo = NOBODY;

  /** Whether the only sender to ask is on probation, which this generation may end. */
  boolean isTest;

  /** The slot of the only immediate relay to ask, once they are not mixed any more. */
  int immediate = NOBODY;

  /** The independent blocks to collect: all n, or those that the receivers of a relay want. */
  private int target;

  /** The blocks with the wrong hash, while the generation is fetched from one sender alone. */
  @Nullable Rows evidence;

  /** The numbers of the senders that failed to deliver this generation alone. */
  final Set<Integer> tried = new HashSet<>();

  /** The hashes of the source blocks. */
  @Nullable List<Sha256> leaves;

  /** The blocks to come from each slot; their sum and {@link #unassigned} is {@link #missing}. */
  int[] share = new int[0];

  int unassigned;

  /** The packets that arrived from each slot after the cut of its next report. */
  int[] arrivedAfterCut = new int[0];

  int[] sourceFirst = new int[0];
  int[] sourceEnd = new int[0];

  OpenGeneration(int generation, GenerationShape shape, Rows rows) {
    this.generation = generation;
    this.shape = shape;
    this.rows = rows;
    this.target = shape.blocks();
    this.unassigned = shape.blocks();
  }

  /** Makes room for senders in slots below {@code slots}. */
  void reserve(int slots) {
    if (slots > share.length) {
      share = Arrays.copyOf(share, slots);
      arrivedAfterCut = Arrays.copyOf(arrivedAfterCut, slots);
      sourceFirst = Arrays.copyOf(sourceFirst, slots);
      sourceEnd = Arrays.copyOf(sourceEnd, slots);
    }
  }

  boolean isCollecting() {
    return state == State.COLLECTING;
  }

  int missing() {
    return Math.max(0, target - rows.rank());
  }

  /** Returns true if fewer than all blocks are collected. */
  boolean isPartial() {
    return target < shape.blocks();
  }

  /** Collects fewer than all blocks, before the first has arrived or been assigned. */
  void limit(int blocks) {
    target = blocks;
    unassigned = blocks;
  }

  /** Raises the number of blocks to collect to at least {@code blocks}, at most all. */
  void raise(int blocks) {
    int before = missing();
    target = Math.clamp(blocks, target, shape.blocks());
    unassigned += missing() - before;
  }
}
