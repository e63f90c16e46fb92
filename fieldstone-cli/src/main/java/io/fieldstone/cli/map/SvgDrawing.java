package io.fieldstone.cli.map;

import static io.fieldstone.bench.report.SvgDocument.colour;
import static io.fieldstone.bench.report.SvgDocument.number;

import io.fieldstone.bench.report.SvgDocument;
import java.util.List;

/** Writes drawings as SVG. */
final class SvgDrawing {

  private final SvgDocument svg;
  private int clips;

  private SvgDrawing(SvgDocument svg) {
    this.svg = svg;
  }

  static String of(Drawing drawing) {
    SvgDocument svg = SvgDocument.page(drawing.width(), drawing.height());
    svg.begin("g").with("stroke-linecap", "round").with("stroke-linejoin", "round");
    new SvgDrawing(svg).write(drawing.marks());
    return svg.finish();
  }

  private void write(List<Mark> marks) {
    for (Mark mark : marks) {
      switch (mark) {
        case Mark.Filled filled -> write(filled);
        case Mark.Stroked stroked -> write(stroked);
        case Mark.Words words -> write(words);
        case Mark.Clipped clipped -> write(clipped);
      }
    }
  }

  private void write(Mark.Filled filled) {
    if (!filled.outline().isEmpty()) {
      begin(filled.outline()).with("fill", colour(filled.colour())).end();
    }
  }

  private void write(Mark.Stroked stroked) {
    if (stroked.outline().isEmpty()) {
      return;
    }
    begin(stroked.outline())
        .with("fill", "none")
        .with("stroke", colour(stroked.colour()))
        .with("stroke-width", stroked.width());
    if (stroked.dash() != 0) {
      svg.with("stroke-dasharray", stroked.dash());
    }
    svg.end();
  }

  private void write(Mark.Clipped clipped) {
    String id = "clip" + clips;
    clips++;
    svg.begin("clipPath").with("id", id);
    begin(new Outline().box(clipped.x(), clipped.y(), clipped.width(), clipped.height()));
    svg.end().end();
    svg.begin("g").with("clip-path", "url(#" + id + ")");
    write(clipped.marks());
    svg.end();
  }

  private void write(Mark.Words words) {
    svg.begin("text")
        .with("x", words.x())
        .with("y", words.y())
        .with("font-size", words.size())
        .with("fill", colour(words.colour()));
    if (words.isBold()) {
      svg.with("font-weight", "bold");
    }
    svg.words(words.text()).end();
  }

  private SvgDocument begin(Outline outline) {
    return svg.begin("path").with("d", path(outline));
  }

  private static String path(Outline outline) {
    StringBuilder path = new StringBuilder();
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
            path.append('Z');
          }

          private void point(char command, double x, double y) {
            path.append(command).append(number(x)).append(' ').append(number(y));
          }
        });
    return path.toString();
  }
}
