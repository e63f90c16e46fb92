package io.fieldstone.rlnc.file;

import java.util.List;
import java.util.stream.Collectors;

/**
 * How much of an object some shards hold. The rank of a generation is the number of independent
 * blocks of it; at rank n it can be decoded.
 *
 * @param generations of the object
 * @param complete generations of full rank
 * @param minRank smallest rank of any generation; 0 if there is none
 * @param codedBlocks undamaged blocks seen
 * @param missingBlocks innovative blocks that all generations together still need
 * @param shortGenerations the first {@value #MAX_LISTED} generations that are short of rank
 */
public record RankSummary(
    long generations,
    long complete,
    int minRank,
    long codedBlocks,
    long missingBlocks,
    List<ShortGeneration> shortGenerations) {

  /** Most generations that are listed one by one. */
  public static final int MAX_LISTED = 100;

  private static final int MAX_REPORTED = 8;

  public RankSummary {
    shortGenerations = List.copyOf(shortGenerations);
  }

  /**
   * A generation that cannot be decoded.
   *
   * @param generation its number
   * @param rank independent blocks held
   * @param blocks independent blocks needed
   */
  public record ShortGeneration(long generation, int rank, int blocks) {

    /** How many innovative blocks it still needs. */
    public int missing() {
      return blocks - rank;
    }
  }

  /** Whether every generation can be decoded. */
  public boolean isComplete() {
    return complete == generations;
  }

  /** In one line: which generations are short, and of how many blocks. */
  public String describe() {
    if (isComplete()) {
      return "all %d generations have full rank".formatted(generations);
    }
    String told =
        shortGenerations.stream()
            .limit(MAX_REPORTED)
            .map(g -> "%d (%d of %d)".formatted(g.generation(), g.missing(), g.blocks()))
            .collect(Collectors.joining(", "));
    return "%d of %d generations are short of rank, %d blocks are missing; generation (missing): %s%s"
        .formatted(
            generations - complete,
            generations,
            missingBlocks,
            told,
            generations - complete > MAX_REPORTED ? ", …" : "");
  }
}
