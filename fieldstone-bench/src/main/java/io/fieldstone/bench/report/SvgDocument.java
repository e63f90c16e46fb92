package io.fieldstone.bench.report;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes an SVG 1.1 document, element by element: each is begun, gets its attributes, then what is
 * in it, and is ended. Not thread-safe.
 */
public final class SvgDocument {

  /** Hundredths of a pixel are told apart. */
  private static final int UNITS = 100;

  private static final int WHITE = 0xFFFFFF;

  private final StringBuilder svg = new StringBuilder();

  /** Those that were begun and have not ended. */
  private final Deque<String> open = new ArrayDeque<>();

  /** Whether the last of them may still get attributes. */
  private boolean isEmpty;

  private SvgDocument() {}

  /** A white page with text in a plain font, of a size in pixels. */
  public static SvgDocument page(double width, double height) {
    SvgDocument page = new SvgDocument();
    page.svg.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    return page.begin("svg")
        .with("xmlns", "http://www.w3.org/2000/svg")
        .with("width", width)
        .with("height", height)
        .with("viewBox", "0 0 " + number(width) + " " + number(height))
        .with("font-family", "sans-serif")
        .begin("rect")
        .with("width", width)
        .with("height", height)
        .with("fill", colour(WHITE))
        .end();
  }

  /** Begins an element in the one that was begun last. */
  public SvgDocument begin(String name) {
    fill();
    svg.append('<').append(name);
    open.push(name);
    isEmpty = true;
    return this;
  }

  /**
   * Gives an attribute to the element that has just begun.
   *
   * @throws IllegalStateException if there is something in it
   */
  public SvgDocument with(String attribute, String value) {
    if (!isEmpty) {
      throw new IllegalStateException("too late for attribute " + attribute);
    }
    svg.append(' ').append(attribute).append("=\"").append(escaped(value)).append('"');
    return this;
  }

  /** As the other, of a number rounded to hundredths. */
  public SvgDocument with(String attribute, double value) {
    return with(attribute, number(value));
  }

  /** Puts words into the element that was begun last. */
  public SvgDocument words(String words) {
    fill();
    svg.append(escaped(words));
    return this;
  }

  /** Ends the element that was begun last. */
  public SvgDocument end() {
    String name = open.pop();
    if (isEmpty) {
      svg.append("/>\n");
    } else {
      svg.append("</").append(name).append(">\n");
    }
    isEmpty = false;
    return this;
  }

  private void fill() {
    if (isEmpty) {
      svg.append('>');
    }
    isEmpty = false;
  }

  /** Ends the page; the document. */
  public String finish() {
    while (!open.isEmpty()) {
      end();
    }
    return svg.toString();
  }

  /** A number rounded to hundredths; whole ones without a point. */
  public static String number(double value) {
    long units = Math.round(value * UNITS);
    return units % UNITS == 0
        ? Long.toString(units / UNITS)
        : Double.toString((double) units / UNITS);
  }

  /**
   * A colour as attributes want it.
   *
   * @param rgb whose lower 24 bits count
   */
  public static String colour(int rgb) {
    return "#%06x".formatted(rgb & WHITE);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
