package io.fieldstone.rlnc.object;

import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A generation that a receiver collects: its blocks, and how they are divided among senders. */
final class OpenGeneration {

  private enum State {
    /** Asks for blocks. */
    COLLECTING,
    /** Has full rank; a task decodes and hashes it. */
    VERIFYING,
    /** Has a wrong hash, and waits until another one is out of quarantine. */
    SUSPENDED
  }

  private final int number;
  private final GenerationShape shape;
  private final Division division;
  private Rows rows;
  private State state = State.COLLECTING;

  /** Counts the fetches from the first block on. */
  private int attempt;

  /** The only sender to ask; null if senders are mixed. */
  private @Nullable SenderState exclusive;

  /** Whether the only sender to ask is on probation, which this generation may end. */
  private boolean isProbe;

  /** The only immediate relay to ask, once they are not mixed any more. */
  private @Nullable SenderState relay;

  /** The independent blocks to collect: all n, or those that the receivers of a relay want. */
  private int target;

  /** The blocks with the wrong hash, while the generation is in quarantine. */
  private @Nullable Rows evidence;

  /** The numbers of the senders that failed to deliver this generation alone. */
  private final Set<Integer> tried = new HashSet<>();

  /** The hashes of the source blocks. */
  private @Nullable List<Sha256> leaves;

  OpenGeneration(int number, GenerationShape shape, Rows rows) {
    this.number = number;
    this.shape = shape;
    this.rows = rows;
    this.target = shape.blocks();
    this.division = new Division(shape.blocks());
  }

  /** Returns the number of the generation. */
  int number() {
    return number;
  }

  GenerationShape shape() {
    return shape;
  }

  /** Returns the number of its source blocks. */
  int blocks() {
    return shape.blocks();
  }

  /** Returns how its missing blocks are divided among senders. */
  Division division() {
    return division;
  }

  /** Returns the blocks that were collected. */
  Rows rows() {
    return rows;
  }

  // State

  boolean isCollecting() {
    return state == State.COLLECTING;
  }

  boolean isVerifying() {
    return state == State.VERIFYING;
  }

  boolean isSuspended() {
    return state == State.SUSPENDED;
  }

  /** Goes on to collect blocks, after some were removed. */
  void collect() {
    state = State.COLLECTING;
  }

  void verify() {
    state = State.VERIFYING;
  }

  void suspend() {
    state = State.SUSPENDED;
  }

  /** Returns the number of fetches from the first block on before this one, modulo 64. */
  int attempt() {
    return attempt;
  }

  /** Removes all blocks, and begins the next attempt. */
  void restart() {
    rows.clear();
    attempt = (attempt + 1) % Report.MAX_ATTEMPTS;
    state = State.COLLECTING;
  }

  // Blocks to collect

  int missing() {
    return Math.max(0, target - rows.rank());
  }

  /** Returns true if fewer than all blocks are collected. */
  boolean isPartial() {
    return target < shape.blocks();
  }

  /** Collects fewer than all blocks, before the first has arrived or been assigned. */
  void limit(int blocks) {
    division.addUnassigned(blocks - target);
    target = blocks;
  }

  /** Raises the number of blocks to collect to at least {@code blocks}, at most all. */
  void raise(int blocks) {
    int before = missing();
    target = Math.clamp(blocks, target, shape.blocks());
    division.addUnassigned(missing() - before);
  }

  // Senders

  /** Returns the only sender to ask; null if senders are mixed. */
  @Nullable SenderState exclusive() {
    return exclusive;
  }

  /** Asks one sender only. */
  void assignTo(SenderState sender) {
    exclusive = sender;
  }

  /** Mixes senders again. */
  void mixSenders() {
    exclusive = null;
  }

  /** Returns true if the only sender to ask is on probation, which this generation may end. */
  boolean isProbe() {
    return isProbe;
  }

  void setProbe(boolean value) {
    isProbe = value;
  }

  /** Returns the only immediate relay to ask; null if there is none, or several are mixed. */
  @Nullable SenderState relay() {
    return relay;
  }

  void setRelay(@Nullable SenderState immediate) {
    relay = immediate;
  }

  /** Notes that a sender failed to deliver this generation alone. */
  void addTried(int sender) {
    tried.add(sender);
  }

  boolean isTried(SenderState sender) {
    return tried.contains(sender.number());
  }

  /** Forgets which senders failed; returns false if none did. */
  boolean forgetTried() {
    boolean any = !tried.isEmpty();
    tried.clear();
    return any;
  }

  // Quarantine

  /** Returns true if it is fetched from one sender alone, and blocks are kept as evidence. */
  boolean isQuarantined() {
    return evidence != null;
  }

  /** Returns the blocks with the wrong hash; null outside of a quarantine. */
  @Nullable Rows evidence() {
    return evidence;
  }

  /** Keeps the blocks as evidence, and collects others. */
  void beginQuarantine(Rows empty) {
    evidence = rows;
    rows = empty;
  }

  // Leaves

  /** Returns the hashes of the source blocks; null if they are unknown. */
  @Nullable List<Sha256> leaves() {
    return leaves;
  }

  void setLeaves(List<Sha256> hashes) {
    leaves = List.copyOf(hashes);
  }

  @Override
  public String toString() {
    return "generation %d: %s, rank %d of %d%s%s, %s"
        .formatted(
            number,
            state,
            rows.rank(),
            shape.blocks(),
            exclusive == null ? "" : ", from sender %d alone".formatted(exclusive.number()),
            evidence == null ? "" : ", in quarantine",
            division);
  }
}
