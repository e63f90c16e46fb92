package io.fieldstone.cli.relays;

import io.fieldstone.cli.console.MethodNames;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.Units;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.relays.SensorField;
import io.fieldstone.relays.StarEstimate;
import io.fieldstone.relays.StarFileSize;
import io.fieldstone.relays.ThreeStarSearch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code relays} that count and write 3-stars. */
final class StarOptions {

  private static final double NS_PER_SECOND = 1e9;

  /** The values of {@code --rule}. */
  enum Rule {
    circumcircle(StarRule.CIRCUMCIRCLE),
    enclosing(StarRule.ENCLOSING_CIRCLE);

    private final StarRule rule;

    Rule(StarRule rule) {
      this.rule = rule;
    }
  }

  /** The values of {@code --method}. */
  static final class StarMethods extends MethodNames {
    private static final StarField EMPTY =
        new StarField(new double[0], new double[0], 1, StarRule.CIRCUMCIRCLE);

    StarMethods() {
      super(engine -> engine.stars().methods(EMPTY));
    }
  }

  /** A step of a search that reports the number of sensors processed. */
  @FunctionalInterface
  private interface SearchStep<T, X extends Exception> {
    T run(IntConsumer progress) throws X;
  }

  @Option(names = "--count", description = "Only count the 3-stars, without a plan.")
  private boolean isCount;

  @Option(
      names = "--no-count",
      description = "Only plan. Counting the 3-stars of a dense field may take long.")
  private boolean isNoCount;

  @Option(
      names = "--stars",
      paramLabel = "FILE",
      description = "Write all 3-stars to FILE, compressed (see docs/relays.md).")
  private @Nullable Path starsFile;

  @Option(
      names = "--rule",
      paramLabel = "RULE",
      description =
          "The circle whose radius must be at most R: circumcircle, through the three sensors (the"
              + " default); enclosing, the smallest circle that contains them.")
  private @Nullable Rule rule;

  @Option(
      names = "--method",
      paramLabel = "METHOD",
      completionCandidates = StarMethods.class,
      description =
          "Search method of the engine: auto (the default); on the cores sequential, annulus,"
              + " lanes.")
  private @Nullable String method;

  /** Returns whether 3-stars are only counted, without a plan. */
  boolean isCount() {
    return isCount;
  }

  /** Returns whether there is only a plan. */
  boolean isNoCount() {
    return isNoCount;
  }

  /** Returns the file of 3-stars. */
  @Nullable Path file() {
    return starsFile;
  }

  /** Returns whether an option says which 3-stars are searched, how, or where they are written. */
  boolean areSearched() {
    return starsFile != null || rule != null || method != null;
  }

  /** Checks that options go together. */
  void check(Session session) {
    if (isNoCount && areSearched()) {
      throw session.usage("--no-count excludes --stars, --rule and --method");
    }
  }

  /** Returns a search of the 3-stars of a field. */
  ThreeStarSearch search(Session session, Engine engine, SensorField field, double range) {
    StarRule starRule = (rule == null ? Rule.circumcircle : rule).rule;
    try {
      return method == null || method.equals(Methods.AUTO)
          ? ThreeStarSearch.in(engine, field, range, starRule)
          : ThreeStarSearch.in(engine, field, range, starRule, method);
    } catch (IllegalArgumentException e) {
      // With a method, either may be wrong, and the message names it.
      throw session.usage((method == null ? "--range: " : "") + e.getMessage());
    }
  }

  /** Counts the 3-stars, and writes them if there is a file. */
  RelaysReport.Counted stars(Session session, ThreeStarSearch search) throws IOException {
    String ruleName = (rule == null ? Rule.circumcircle : rule).name();
    long start = System.nanoTime();
    informOfMany(session, search.estimate());
    if (starsFile == null) {
      long stars = runStep(session, search, search::count);
      return new RelaysReport.Counted(
          stars,
          ruleName,
          search.method(),
          (System.nanoTime() - start) / NS_PER_SECOND,
          OptionalLong.empty());
    }
    Path file = starsFile;
    StarFileSize size = runStep(session, search, progress -> search.measure(file, progress));
    session.inform(
        "writing %s: %s for %s 3-stars"
            .formatted(file, Units.bytes(size.bytes()), Units.count(size.stars())));
    long stars = runStep(session, search, progress -> search.write(file, size, progress));
    return new RelaysReport.Counted(
        stars,
        ruleName,
        search.method(),
        (System.nanoTime() - start) / NS_PER_SECOND,
        OptionalLong.of(size.bytes()));
  }

  /** Says at once how many stars there are, where a search takes long; boxes count fast. */
  private void informOfMany(Session session, Optional<StarEstimate> estimate) {
    if (estimate.isEmpty()
        || (starsFile == null && estimate.get().kind() == StarEstimate.Kind.EXACT)) {
      return;
    }
    String prefix =
        switch (estimate.get().kind()) {
          case EXACT -> "";
          case AT_LEAST -> "at least ";
          case ABOUT -> "about ";
        };
    session.inform(
        "%s%s 3-stars: searching all takes long"
            .formatted(prefix, Units.count(estimate.get().stars())));
  }

  private static <T, X extends Exception> T runStep(
      Session session, ThreeStarSearch search, SearchStep<T, X> part) throws X {
    try (Progress.Steps steps = session.steps("3-stars")) {
      return part.run(done -> steps.begin("", done, search.sensors()));
    }
  }
}
