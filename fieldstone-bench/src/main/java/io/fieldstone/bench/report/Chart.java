package io.fieldstone.bench.report;

import io.fieldstone.engine.Phase;
import io.fieldstone.stream.Timeline;
import java.util.List;

/** A chart of a report. */
public sealed interface Chart extends Part {

  /**
   * One line, or one colour of bars.
   *
   * @param name what the legend calls it
   * @param xs positions on the x axis; of a bar chart the indices of the labels
   * @param ys as many heights
   * @param fromPaper whether these are a paper's figures, which are drawn apart from ours
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

  /** Lines over two axes, both logarithmic: sizes double and speeds span orders of magnitude. */
  record Lines(String name, String title, String xTitle, String yTitle, List<Series> series)
      implements Chart {
    public Lines {
      series = List.copyOf(series);
    }
  }

  /**
   * Bars beside labels, on a logarithmic axis.
   *
   * @param labels one a group of bars
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
   * Who worked on what when: a row for each place, and a bar for each stretch of time.
   *
   * @param phases in any order
   */
  record Gantt(String name, String title, List<Phase> phases) implements Chart {
    public Gantt {
      phases = List.copyOf(phases);
    }

    /** What a timeline has remembered. */
    public static Gantt of(String name, String title, Timeline timeline) {
      return new Gantt(name, title, timeline.phases());
    }
  }

  /**
   * Values of points of a plane, as colours.
   *
   * @param xs the columns, ascending
   * @param ys the rows, ascending
   * @param points those that have a value; others stay blank
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

    /** The value at a column and a row, by their indices. */
    public record Point(int column, int row, double value) {}

    public HeatMap {
      xs = List.copyOf(xs);
      ys = List.copyOf(ys);
      points = List.copyOf(points);
    }
  }
}
