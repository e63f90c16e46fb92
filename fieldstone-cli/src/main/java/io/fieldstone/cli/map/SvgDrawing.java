package io.fieldstone.cli.map;

import java.util.List;

/** Writes drawings as SVG 1.1. */
final class SvgDrawing {

  /** Hundredths of a pixel are told apart. */
  private static final int UNITS = 100;

  private final StringBuilder svg = new StringBuilder();
  private int clips;

  private SvgDrawing() {}

  static String of(Drawing drawing) {
    return new SvgDrawing().write(drawing);
  }

  private String write(Drawing drawing) {
    String size = number(drawing.width()) + "\" height=\"" + number(drawing.height());
    svg.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        .append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size + "\" viewBox=\"0 0 ")
        .append(number(drawing.width()) + " " + number(drawing.height()))
        .append(
            "\" font-family=\"sans-serif\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n")
        .append("<rect width=\"" + size + "\" fill=\"#ffffff\"/>\n");
    write(drawing.marks());
    return svg.append("</svg>\n").toString();
  }

  private void write(List<Mark> marks) {
    for (Mark mark : marks) {
      switch (mark) {
        case Mark.Filled filled ->
            write(filled.outline(), "fill=\"" + colour(filled.colour()) + "\"");
        case Mark.Stroked stroked ->
            write(
                stroked.outline(),
                "fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"%s"
                    .formatted(
                        colour(stroked.colour()), number(stroked.width()), dashes(stroked.dash())));
        case Mark.Words words -> write(words);
        case Mark.Clipped clipped -> write(clipped);
      }
    }
  }

  private void write(Mark.Clipped clipped) {
    String id = "clip" + clips;
    clips++;
    svg.append("<clipPath id=\"" + id + "\"><path d=\"");
    draw(new Outline().box(clipped.x(), clipped.y(), clipped.width(), clipped.height()));
    svg.append("\"/></clipPath>\n<g clip-path=\"url(#" + id + ")\">\n");
    write(clipped.marks());
    svg.append("</g>\n");
  }

  private void write(Mark.Words words) {
    String weight = words.isBold() ? " font-weight=\"bold\"" : "";
    String text = words.text().replace("&", "&amp;").replace("<", "&lt;");
    svg.append(
        "<text x=\"%s\" y=\"%s\" font-size=\"%s\"%s fill=\"%s\">%s</text>\n"
            .formatted(
                number(words.x()),
                number(words.y()),
                number(words.size()),
                weight,
                colour(words.colour()),
                text));
  }

  private void write(Outline outline, String attributes) {
    if (!outline.isEmpty()) {
      svg.append("<path " + attributes + " d=\"");
      draw(outline);
      svg.append("\"/>\n");
    }
  }

  private void draw(Outline outline) {
    outline.draw(
        new Outline.Pen() {
          @Override
          public void move(double x, double y) {
            point('M', x, y);
          }

          @Override
          public void line(double x, double y) {
            point('L', x, y);
          }

          @Override
          public void close() {
            svg.append('Z');
          }
        });
  }

  private void point(char command, double x, double y) {
    svg.append(command).append(number(x)).append(' ').append(number(y));
  }

  private static String dashes(double dash) {
    return dash == 0 ? "" : " stroke-dasharray=\"" + number(dash) + "\"";
  }

  private static String colour(int colour) {
    return "#%06x".formatted(colour);
  }

  /** Rounded; whole numbers without a point. */
  private static String number(double value) {
    long units = Math.round(value * UNITS);
    return units % UNITS == 0
        ? Long.toString(units / UNITS)
        : Double.toString((double) units / UNITS);
  }
}
