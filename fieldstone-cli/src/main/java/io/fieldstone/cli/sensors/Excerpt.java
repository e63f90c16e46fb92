package io.fieldstone.cli.sensors;

/** Shortens text from files for messages. */
final class Excerpt {

  private static final int MAX_LENGTH = 60;

  private Excerpt() {}

  /** Returns the text, truncated to {@value #MAX_LENGTH} characters. */
  static String of(String text) {
    return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "…";
  }
}
