package io.fieldstone.rlnc.file;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The ranks of the generations of an object in some shards. The rank of a generation is the number
 * of its independent blocks; at rank n it can be decoded.
 *
 * @param generations the generations of the object
 * @param complete the generations of full rank
 * @param minRank the minimum rank of the generations; 0 if there are none
 * @param codedBlocks the undamaged blocks
 * @param missingBlocks the innovative blocks that all generations still need
 * @param shortGenerations the first {@value #MAX_LISTED} generations of too low rank
 */
public record RankSummary(
    long generations,
    long complete,
    int minRank,
    long codedBlocks,
    long missingBlocks,
    List<ShortGeneration> shortGenerations) {

  /** The maximum number of generations that are listed. */
  public static final int MAX_LISTED = 100;

  private static final int MAX_REPORTED = 8;

  public RankSummary {
    shortGenerations = List.copyOf(shortGenerations);
  }

  /**
   * A generation that cannot be decoded.
   *
   * @param generation the number of the generation
   * @param rank the independent blocks held
   * @param blocks the independent blocks needed
   */
  public record ShortGeneration(long generation, int rank, int blocks) {

    /** Returns the number of innovative blocks that it still needs. */
    public int missing() {
      return blocks - rank;
    }
  }

  /** Returns true if every generation can be decoded. */
  public boolean isComplete() {
    return complete == generations;
  }

  /** Describes in one line which generations lack blocks, and how many. */
  public String describe() {
    if (isComplete()) {
      return generations == 1
          ? "the generation has full rank"
          : "all %d generations have full rank".formatted(generations);
    }
    String named =
        shortGenerations.stream()
            .limit(MAX_REPORTED)
            .map(g -> "%d (%d of %d)".formatted(g.generation(), g.missing(), g.blocks()))
            .collect(Collectors.joining(", "));
    long lacking = generations - complete;
    return "%d of %s %s short of rank, %s %s missing; generation (missing): %s%s"
        .formatted(
            lacking,
            plural(generations, "generation"),
            verb(lacking),
            plural(missingBlocks, "block"),
            verb(missingBlocks),
            named,
            lacking > MAX_REPORTED ? ", …" : "");
  }

  /** Returns a count and its noun, such as {@code 3 blocks}. */
  static String plural(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }

  private static String verb(long count) {
    return count == 1 ? "is" : "are";
  }
}
