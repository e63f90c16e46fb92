package io.fieldstone.chart;

import java.util.List;

/** A chart of figures. */
public sealed interface Chart {

  /** Returns a short name for files: letters, digits and hyphens. */
  String name();

  /** Returns the title. */
  String title();

  /**
   * A line, or the bars of one colour.
   *
   * @param name its name in the legend
   * @param xs positions on the x axis; of a bar chart, indices of the labels
   * @param ys heights, one for each x
   * @param fromPaper whether the figures are those of a paper, which are drawn in grey
   */
  record Series(String name, List<Double> xs, List<Double> ys, boolean fromPaper) {
    public Series {
      xs = List.copyOf(xs);
      ys = List.copyOf(ys);
      if (xs.size() != ys.size()) {
        throw new IllegalArgumentException(
            "%d x and %d y in series '%s'".formatted(xs.size(), ys.size(), name));
      }
    }
  }

  /** Lines over two logarithmic axes. */
  record Lines(String name, String title, String xTitle, String yTitle, List<Series> series)
      implements Chart {
    public Lines {
      series = List.copyOf(series);
    }
  }

  /**
   * Groups of bars on a logarithmic axis.
   *
   * @param labels one for each group
   * @param series heights by the index of the label; a label that a series lacks has no bar
   */
  record Bars(String name, String title, String yTitle, List<String> labels, List<Series> series)
      implements Chart {
    public Bars {
      labels = List.copyOf(labels);
      series = List.copyOf(series);
    }
  }

  /**
   * A heat map: values at the points of a grid, as colours.
   *
   * @param xs the columns, ascending
   * @param ys the rows, ascending
   * @param points the points with a value; others stay blank
   */
  record HeatMap(
      String name,
      String title,
      String xTitle,
      String yTitle,
      List<Integer> xs,
      List<Integer> ys,
      List<Point> points)
      implements Chart {

    /** A value at the index of a column and of a row. */
    public record Point(int column, int row, double value) {}

    public HeatMap {
      xs = List.copyOf(xs);
      ys = List.copyOf(ys);
      points = List.copyOf(points);
    }
  }
}
