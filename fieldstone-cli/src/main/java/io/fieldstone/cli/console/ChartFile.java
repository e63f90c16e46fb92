package io.fieldstone.cli.console;

import io.fieldstone.chart.Chart;
import io.fieldstone.chart.Fonts;
import io.fieldstone.chart.PngCharts;
import io.fieldstone.chart.SvgCharts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** A file of charts that {@code --plot} names, in SVG or PNG. */
public final class ChartFile {

  private ChartFile() {}

  /**
   * Checks before long work that charts can be drawn.
   *
   * @throws Failure if this machine has no fonts
   */
  public static void requireDrawable(CommandSpec command, String option, Path file) throws Failure {
    InputFiles.requireEnding(command, option, file, InputFiles.SVG, InputFiles.PNG);
    if (!Fonts.arePresent()) {
      throw noFonts(file);
    }
  }

  /** Creates or replaces the file atomically. Its ending decides the format. */
  public static void write(Path file, List<Chart> charts) throws IOException, Failure {
    Optional<byte[]> image =
        InputFiles.hasEnding(file, InputFiles.PNG)
            ? PngCharts.drawAll(charts)
            : SvgCharts.drawAll(charts).map(svg -> svg.getBytes(StandardCharsets.UTF_8));
    OutputText.write(file, image.orElseThrow(() -> noFonts(file)));
  }

  private static Failure noFonts(Path file) {
    return new Failure("no fonts on this machine, which drawing needs", file);
  }
}
