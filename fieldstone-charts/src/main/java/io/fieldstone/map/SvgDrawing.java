package io.fieldstone.map;

import static io.fieldstone.chart.drawing.SvgDocument.colour;
import static io.fieldstone.chart.drawing.SvgDocument.number;

import io.fieldstone.chart.drawing.SvgDocument;
import java.util.List;
import java.util.regex.Pattern;

/** Renders drawings as SVG. */
final class SvgDrawing {

  /** Characters that XML excludes, or that a title would not show. */
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cs}\\x{FFFE}\\x{FFFF}]");

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
        case Mark.Text text -> write(text);
        case Mark.Title title -> write(title);
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

  private void write(Mark.Text text) {
    svg.begin("text")
        .with("x", text.x())
        .with("y", text.y())
        .with("font-size", text.size())
        .with("fill", colour(text.colour()));
    if (text.isBold()) {
      svg.with("font-weight", "bold");
    }
    svg.words(text.text()).end();
  }

  private void write(Mark.Title title) {
    svg.begin("circle")
        .with("cx", title.x())
        .with("cy", title.y())
        .with("r", title.radius())
        .with("fill", "none")
        .with("pointer-events", "all");
    svg.begin("title").words(UNPRINTABLE.matcher(title.text()).replaceAll("\uFFFD")).end().end();
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
