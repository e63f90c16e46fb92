package io.fieldstone.cli.map;

import java.util.ArrayList;
import java.util.List;

/** Explains marks: entries side by side, in as many rows as they need. For one thread. */
final class Legend {

  private static final double LETTER_SIZE = 13;

  /** Letters are about so wide, as a part of their size. */
  private static final double LETTER_WIDTH = 0.56;

  private static final double ROW = 24;
  private static final double SYMBOL_WIDTH = 34;
  private static final double GAP = 20;

  /** Draws what is explained, at a place. */
  @FunctionalInterface
  interface Symbol {
    /**
     * The marks.
     *
     * @param x of the middle
     * @param y of the middle
     */
    List<Mark> at(double x, double y);
  }

  private final double left;
  private final double right;
  private final int ink;
  private final List<Mark> marks = new ArrayList<>();
  private double x;
  private double y;

  /**
   * A legend without entries.
   *
   * @param top of the first row
   */
  Legend(double left, double right, double top, int ink) {
    this.left = left;
    this.right = right;
    this.ink = ink;
    this.x = left;
    this.y = top + ROW / 2;
  }

  /** Adds an entry. */
  void add(String text, Symbol symbol) {
    add(text, SYMBOL_WIDTH, symbol);
  }

  /** Adds an entry whose symbol is so wide. */
  void add(String text, double symbolWidth, Symbol symbol) {
    double width = symbolWidth + LETTER_WIDTH * LETTER_SIZE * text.length();
    if (x > left && x + width > right) {
      x = left;
      y += ROW;
    }
    marks.addAll(symbol.at(x + symbolWidth / 2 - SYMBOL_WIDTH / 10, y));
    marks.add(new Mark.Words(text, x + symbolWidth, y + LETTER_SIZE / 3, LETTER_SIZE, false, ink));
    x += width + GAP;
  }

  List<Mark> marks() {
    return marks;
  }

  /** Where the last row ends. */
  double bottom() {
    return y + ROW / 2;
  }
}
