package io.fieldstone.crc.design;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.zip.CRC32;

/**
 * How far a search has come: the polynomials below a number are examined, and those that qualify
 * are known. As a file it is text of some lines, of which the last has the CRC-32 of the others.
 */
final class SearchState {

  /** The maximum number of found pairs. */
  static final int MAX_FOUND = 1 << 22;

  private static final String MAGIC = "fieldstone crc --best 1";
  private static final int LINES_BEFORE_FOUND = 6;

  private final SearchGoal goal;
  private final long next;
  private final int distance;
  private final long[] found;

  /**
   * Creates a state.
   *
   * @param next the first polynomial that is not examined, without its terms x^width and 1
   * @param distance the distance that the found ones reach; 0 before one is found without a goal
   * @param found the polynomials in normal notation, of each reciprocal pair one; not copied
   */
  SearchState(SearchGoal goal, long next, int distance, long[] found) {
    this.goal = goal;
    this.next = next;
    this.distance = distance;
    this.found = found;
  }

  SearchGoal goal() {
    return goal;
  }

  long next() {
    return next;
  }

  int distance() {
    return distance;
  }

  long[] found() {
    return found;
  }

  /** Returns the state before the search. */
  static SearchState start(SearchGoal goal) {
    return new SearchState(goal, 0, goal.distance().orElse(0), new long[0]);
  }

  /** Tests whether everything is examined. */
  boolean isComplete() {
    return next == goal.polynomials();
  }

  /** Returns the text of a file. */
  String text() {
    StringBuilder text = new StringBuilder(MAGIC + "\n");
    text.append("width ").append(goal.width()).append('\n');
    text.append("length ").append(goal.messageBits()).append('\n');
    text.append("hd ").append(goal.distance().orElse(0)).append('\n');
    text.append("next ").append(next).append('\n');
    text.append("reached ").append(distance).append('\n');
    for (long polynomial : found) {
      text.append(Long.toHexString(polynomial)).append('\n');
    }
    return text + "crc32 %08x\n".formatted(crc32(text));
  }

  private static long crc32(CharSequence text) {
    CRC32 crc = new CRC32();
    crc.update(text.toString().getBytes(StandardCharsets.US_ASCII));
    return crc.getValue();
  }

  /**
   * Parses the text of a file.
   *
   * @throws IllegalArgumentException if it is not one, or is damaged
   */
  static SearchState parse(String text) {
    int end = text.lastIndexOf("crc32 ");
    if (!text.startsWith(MAGIC + "\n") || end < 0) {
      throw new IllegalArgumentException("not a checkpoint of crc --best");
    }
    if (!text.substring(end).equals("crc32 %08x\n".formatted(crc32(text.substring(0, end))))) {
      throw new IllegalArgumentException("a damaged checkpoint: its checksum differs");
    }
    String[] lines = text.substring(0, end).split("\n");
    try {
      int hd = (int) number(lines, 3, "hd ");
      SearchGoal goal =
          new SearchGoal(
              Math.toIntExact(number(lines, 1, "width ")),
              Math.toIntExact(number(lines, 2, "length ")),
              hd == 0 ? OptionalInt.empty() : OptionalInt.of(hd));
      long next = number(lines, 4, "next ");
      int distance = Math.toIntExact(number(lines, 5, "reached "));
      long[] found =
          Arrays.stream(lines, LINES_BEFORE_FOUND, lines.length)
              .mapToLong(line -> Long.parseLong(line, 16))
              .toArray();
      if (next < 0
          || next > goal.polynomials()
          || distance < 0
          || distance > goal.width() + 1
          || Arrays.stream(found).anyMatch(one -> one < 1 || one >>> goal.width() != 0)
          || Arrays.stream(found).anyMatch(one -> one % 2 == 0)) {
        throw new IllegalArgumentException("a number is out of range");
      }
      return new SearchState(goal, next, distance, found);
    } catch (ArithmeticException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("a damaged checkpoint: " + e.getMessage(), e);
    }
  }

  private static long number(String[] lines, int line, String name) {
    if (!lines[line].startsWith(name)) {
      throw new IllegalArgumentException("no line '" + name.strip() + "'");
    }
    return Long.parseLong(lines[line].substring(name.length()));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SearchState state
        && goal.equals(state.goal)
        && next == state.next
        && distance == state.distance
        && Arrays.equals(found, state.found);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(next) + 31 * goal.hashCode();
  }

  @Override
  public String toString() {
    return text();
  }
}
