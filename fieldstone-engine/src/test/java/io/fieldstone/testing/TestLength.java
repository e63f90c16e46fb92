package io.fieldstone.testing;

/** How long tests with many cases run: in {@code mvn -Pthorough verify}, all of their cases. */
public final class TestLength {

  private static final boolean IS_THOROUGH = Boolean.getBoolean("fieldstone.thorough");

  private TestLength() {}

  /** Returns the share of the cases that run: one in {@code share}, or all where it is 1. */
  public static int oneIn(int share) {
    return IS_THOROUGH ? 1 : share;
  }
}
