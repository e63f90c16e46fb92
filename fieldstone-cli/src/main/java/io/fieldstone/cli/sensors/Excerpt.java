package io.fieldstone.cli.sensors;

/** Text of files in messages: anything, and of any length. */
final class Excerpt {

  private static final int MAX_LENGTH = 60;

  private Excerpt() {}

  /** The text, cut where it is too long for a message. */
  static String of(String text) {
    return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "…";
  }
}
