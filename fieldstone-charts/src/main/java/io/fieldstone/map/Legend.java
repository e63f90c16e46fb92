package io.fieldstone.map;

import java.util.ArrayList;
import java.util.List;

/** Lays out a legend: entries side by side, wrapped to rows. Not thread-safe. */
final class Legend {

  private static final double FONT_SIZE = 13;

  /** The mean width of a letter as a fraction of the font size. */
  private static final double LETTER_WIDTH = 0.56;

  private static final double ROW_HEIGHT = 24;
  private static final double SYMBOL_WIDTH = 34;
  private static final double GAP = 20;

  /** Draws the symbol of an entry. */
  @FunctionalInterface
  interface Symbol {
    /**
     * Returns the marks of the symbol.
     *
     * @param x the x of its centre
     * @param y the y of its centre
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
   * Makes an empty legend.
   *
   * @param top the top of the first row
   */
  Legend(double left, double right, double top, int ink) {
    this.left = left;
    this.right = right;
    this.ink = ink;
    this.x = left;
    this.y = top + ROW_HEIGHT / 2;
  }

  /** Adds an entry. */
  void add(String text, Symbol symbol) {
    add(text, SYMBOL_WIDTH, symbol);
  }

  /** Adds an entry with a symbol of a given width. */
  void add(String text, double symbolWidth, Symbol symbol) {
    double width = symbolWidth + LETTER_WIDTH * FONT_SIZE * text.length();
    if (x > left && x + width > right) {
      x = left;
      y += ROW_HEIGHT;
    }
    marks.addAll(symbol.at(x + symbolWidth / 2 - SYMBOL_WIDTH / 10, y));
    marks.add(new Mark.Text(text, x + symbolWidth, y + FONT_SIZE / 3, FONT_SIZE, false, ink));
    x += width + GAP;
  }

  List<Mark> marks() {
    return marks;
  }

  /** Returns the bottom of the last row. */
  double bottom() {
    return y + ROW_HEIGHT / 2;
  }
}
