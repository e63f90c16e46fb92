package io.fieldstone.cli.console;

import io.fieldstone.engine.memory.Phase;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Phases as comma-separated values, a line each after a heading: track, name, start and end in
 * nanoseconds since 1970, and bytes. Other processes of the machine can compare the times.
 */
public final class PhaseCsv {

  private static final String HEADING = "track,name,start ns,end ns,bytes\n";

  private static final int COLUMNS = 5;

  private PhaseCsv() {}

  /** Returns the current time in nanoseconds since 1970. */
  public static long now() {
    return ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
  }

  /**
   * Formats phases of this process.
   *
   * @param phases with times of {@link System#nanoTime}, and names without commas and line ends
   */
  public static String of(List<Phase> phases) {
    long shift = now() - System.nanoTime();
    StringBuilder csv = new StringBuilder(HEADING);
    for (Phase phase : phases) {
      csv.append(phase.track()).append(',').append(phase.name()).append(',');
      csv.append(phase.startNs() + shift).append(',').append(phase.endNs() + shift).append(',');
      csv.append(phase.bytes()).append('\n');
    }
    return csv.toString();
  }

  /**
   * Parses formatted phases.
   *
   * @return phases with times in nanoseconds since 1970
   * @throws IllegalArgumentException if the text is no result of {@link #of}; it names the line
   */
  public static List<Phase> parse(String text) {
    if (!text.startsWith(HEADING)) {
      throw new IllegalArgumentException("phases do not begin with '" + HEADING.strip() + "'");
    }
    List<Phase> phases = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 1; i < lines.size(); i++) {
      try {
        phases.add(phase(lines.get(i).split(",", -1)));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "line %d of phases is '%s'".formatted(i + 1, lines.get(i)), e);
      }
    }
    return phases;
  }

  private static Phase phase(String[] values) {
    if (values.length != COLUMNS) {
      throw new IllegalArgumentException(values.length + " columns, not " + COLUMNS);
    }
    return new Phase(
        values[0],
        values[1],
        Long.parseLong(values[2]),
        Long.parseLong(values[3]),
        Long.parseLong(values[4]));
  }
}
