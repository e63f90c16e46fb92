package io.fieldstone.chart.drawing;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes an SVG 1.1 document element by element: begin an element, give its attributes, write its
 * content, end it. Not thread-safe.
 */
public final class SvgDocument {

  /** Units of a pixel to which numbers are rounded. */
  private static final int UNITS = 100;

  private static final int WHITE = 0xFFFFFF;

  private final StringBuilder svg = new StringBuilder();

  /** Elements that have begun and not ended. */
  private final Deque<String> open = new ArrayDeque<>();

  /** Whether the last open element may still get attributes. */
  private boolean isEmpty;

  private SvgDocument() {}

  /** Begins a white page with a plain font; sizes are in pixels. */
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

  /** Begins an element inside the open one. */
  public SvgDocument begin(String name) {
    fill();
    svg.append('<').append(name);
    open.push(name);
    isEmpty = true;
    return this;
  }

  /**
   * Adds an attribute to the element that has just begun.
   *
   * @throws IllegalStateException if the element has content
   */
  public SvgDocument with(String attribute, String value) {
    if (!isEmpty) {
      throw new IllegalStateException("too late for attribute " + attribute);
    }
    svg.append(' ').append(attribute).append("=\"").append(escaped(value)).append('"');
    return this;
  }

  /** Adds an attribute whose value is a number, rounded to hundredths. */
  public SvgDocument with(String attribute, double value) {
    return with(attribute, number(value));
  }

  /** Writes text into the open element. */
  public SvgDocument words(String words) {
    fill();
    svg.append(escaped(words));
    return this;
  }

  /** Ends the open element. */
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

  /** Ends all open elements, and returns the document. */
  public String finish() {
    while (!open.isEmpty()) {
      end();
    }
    return svg.toString();
  }

  /** Formats a number rounded to hundredths, without a decimal point if it is whole. */
  public static String number(double value) {
    long units = Math.round(value * UNITS);
    return units % UNITS == 0
        ? Long.toString(units / UNITS)
        : Double.toString((double) units / UNITS);
  }

  /**
   * Formats a colour for an attribute.
   *
   * @param rgb the colour in its lower 24 bits
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
