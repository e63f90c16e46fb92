package io.fieldstone.chart.drawing;

import java.awt.Color;
import java.util.List;

/** The width and the colours of all charts. */
public final class ChartStyle {

  /** The width of a chart, in pixels. */
  public static final int WIDTH = 900;

  /**
   * Colours of measured figures: the palette of Okabe and Ito, safe for colour-blind readers, with
   * a grey and a dark red.
   */
  public static final List<Color> MEASURED_COLOURS =
      List.of(
          new Color(0x0072B2),
          new Color(0xD55E00),
          new Color(0x009E73),
          new Color(0xCC79A7),
          new Color(0xE69F00),
          new Color(0x56B4E9),
          new Color(0x000000),
          new Color(0xF0E442),
          new Color(0x999999),
          new Color(0x882255));

  private ChartStyle() {}
}
