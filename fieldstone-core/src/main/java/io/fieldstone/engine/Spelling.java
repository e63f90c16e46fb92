package io.fieldstone.engine;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Suggests a name for a misspelt one, in the messages of errors. */
public final class Spelling {

  /** A word may have one error, and one more for each four characters. */
  private static final int CHARACTERS_PER_ERROR = 4;

  private static final int MIN_BEGINNING = 3;

  private Spelling() {}

  /**
   * Returns the name that a word misspells, ignoring case: the one with the smallest edit distance,
   * or else one that the word begins or continues. It is empty if all names differ too much.
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
    return nearest(word, names)
        .map("did you mean '%s'?"::formatted)
        .orElseGet(() -> "there are: " + String.join(", ", names));
  }

  private static boolean isBeginning(String one, String other) {
    return Math.min(one.length(), other.length()) >= MIN_BEGINNING
        && (one.startsWith(other) || other.startsWith(one));
  }

  /** Returns the Levenshtein distance (1965), computed row by row. */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
