package io.fieldstone.engine;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** Suggests a name for a misspelt one, in the messages of errors. */
public final class Spelling {

  /** A word may have one error, and one more for each four characters. */
  private static final int CHARACTERS_PER_ERROR = 4;

  private static final int MIN_BEGINNING = 3;

  private Spelling() {}

  /**
   * Returns the name that a word misspells, ignoring case: the one with the smallest distance, or
   * else one that the word begins or continues. It is empty if all names differ too much.
   */
  public static Optional<String> nearest(String word, Collection<String> names) {
    String wanted = word.toLowerCase(Locale.ROOT);
    int smallest = 2 + word.length() / CHARACTERS_PER_ERROR;
    Optional<String> nearest = Optional.empty();
    for (String name : names) {
      String candidate = name.toLowerCase(Locale.ROOT);
      int distance = distance(wanted, candidate);
      if (distance < smallest) {
        smallest = distance;
        nearest = Optional.of(name);
      }
    }
    return nearest.or(() ->
        names.stream()
            .filter(name -> isBeginning(wanted, name.toLowerCase(Locale.ROOT)))
            .findFirst());
  }

  /**
   * Returns the second half of a message about an unknown name: {@code did you mean 'crc'?} or, if
   * no name is near, {@code there are: crc, sort}.
   */
  public static String hint(String word, Collection<String> names) {
    return hint(word, names, () -> "there are: " + String.join(", ", names));
  }

  /** Returns the same, with other words if no name is near. */
  public static String hint(String word, Collection<String> names, Supplier<String> otherwise) {
    return nearest(word, names).map("did you mean '%s'?"::formatted).orElseGet(otherwise);
  }

  private static boolean isBeginning(String one, String other) {
    return Math.min(one.length(), other.length()) >= MIN_BEGINNING
        && (one.startsWith(other) || other.startsWith(one));
  }

  /**
   * Returns the distance by single characters that are missing, too many or wrong, and by
   * neighbours that are exchanged (Damerau 1964). A digit counts twice: another number is another
   * thing.
   */
  private static int distance(String from, String to) {
    int[][] distances = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        distances[i][j] = i + j == 0 ? 0 : distance(from, i, to, j, distances);
      }
    }
    return distances[from.length()][to.length()];
  }

  /** Returns the distance of the first i characters from the first j, by those of fewer. */
  private static int distance(String from, int i, String to, int j, int[][] distances) {
    int shortest = Integer.MAX_VALUE;
    if (i > 0) {
      shortest = distances[i - 1][j] + weight(from.charAt(i - 1));
    }
    if (j > 0) {
      shortest = Math.min(shortest, distances[i][j - 1] + weight(to.charAt(j - 1)));
    }
    if (i > 0 && j > 0) {
      char last = from.charAt(i - 1);
      char other = to.charAt(j - 1);
      int wrong = last == other ? 0 : Math.max(weight(last), weight(other));
      shortest = Math.min(shortest, distances[i - 1][j - 1] + wrong);
      if (i > 1 && j > 1 && last == to.charAt(j - 2) && from.charAt(i - 2) == other) {
        shortest = Math.min(shortest, distances[i - 2][j - 2] + 1);
      }
    }
    return shortest;
  }

  private static int weight(char each) {
    return Character.isDigit(each) ? 2 : 1;
  }
}
