package io.fieldstone.cli.crc;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.OutputText;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.TextTable;
import io.fieldstone.cli.console.Units;
import io.fieldstone.crc.CrcNotation;
import io.fieldstone.crc.design.FoundPolynomial;
import io.fieldstone.crc.design.PolynomialSearch;
import io.fieldstone.crc.design.SearchGoal;
import io.fieldstone.crc.design.SearchResult;
import io.fieldstone.engine.Engine;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Runs {@code crc --best}: searches all polynomials of a width. */
final class CrcBest {

  /** The maximum number of polynomials in a table. */
  private static final int MAX_SHOWN = 10;

  private static final int STEPS = 10_000;
  private static final double NS_PER_SECOND = 1e9;

  private final Session session;
  private final CrcDesignOptions options;

  /** Creates a search by the options of a command. */
  CrcBest(Session session, CrcDesignOptions options) {
    this.session = session;
    this.options = options;
  }

  /**
   * Prints the plan, or searches and prints the polynomials.
   *
   * @param output the file for all polynomials; null for none
   */
  void run(long width, @Nullable Path output) throws IOException, InterruptedException, Failure {
    if (options.length == null) {
      throw session.usage("--best needs --length BITS");
    }
    SearchGoal goal = goal(width, options.length, options.distance);
    if (options.isPlan && (output != null || options.resume != null)) {
      throw session.usage("--plan excludes -o and --resume");
    }
    if (options.resume != null) {
      InputFiles.requireOutputs(session.command(), List.of(), options.resume, output);
    }
    try (Engine engine = session.openCores()) {
      PolynomialSearch search = PolynomialSearch.of(goal, engine);
      if (options.isPlan) {
        plan(goal, engine, search.plan());
      } else {
        run(goal, search, output);
      }
    }
  }

  private void run(SearchGoal goal, PolynomialSearch search, @Nullable Path output)
      throws IOException, InterruptedException, Failure {
    SearchResult result =
        search(options.resume == null ? search : search.withCheckpoint(options.resume));
    if (output != null) {
      OutputText.write(InputFiles.target(output), csv(result));
    }
    if (output == null || !InputFiles.isStandardOutput(output)) {
      report(result);
    }
    session.forceOut();
    if (options.resume != null) {
      Files.deleteIfExists(options.resume);
    }
    if (result.found().isEmpty()) {
      throw new Failure(
          "proven: none of %s polynomials has HD %d"
              .formatted(Units.count(goal.polynomials()), result.distance()),
          "%d bits and %d".formatted(goal.messageBits(), goal.width()));
    }
  }

  private SearchGoal goal(long width, long length, @Nullable Long distance) {
    try {
      return new SearchGoal(
          Math.toIntExact(width),
          Math.toIntExact(length),
          distance == null ? OptionalInt.empty() : OptionalInt.of(Math.toIntExact(distance)));
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw session.usage("--best: " + e.getMessage());
    }
  }

  private record Planned(
      int width,
      int length,
      Optional<Integer> hd,
      long polynomials,
      long classes,
      String engine,
      int threads,
      double predictedSeconds) {}

  private void plan(SearchGoal goal, Engine engine, PolynomialSearch.Plan plan) {
    session.printResult(
        new Planned(
            goal.width(),
            goal.messageBits(),
            goal.distance().stream().boxed().findFirst(),
            plan.polynomials(),
            plan.classes(),
            engine.spec(),
            engine.threads(),
            plan.seconds()),
        () ->
            "%s polynomials, of which %s are examined (of each reciprocal pair one)\n"
                    .formatted(Units.count(plan.polynomials()), Units.count(plan.classes()))
                + "about %s on %s, with %d threads\n"
                    .formatted(
                        Units.duration((long) (plan.seconds() * NS_PER_SECOND)),
                        engine.spec(),
                        engine.threads()));
  }

  private SearchResult search(PolynomialSearch search)
      throws IOException, InterruptedException, Failure {
    try (Progress.Steps steps = session.steps("polynomials")) {
      return search.run(
          (done, total) -> steps.begin("", (int) ((double) done / total * STEPS), STEPS));
    } catch (IllegalArgumentException e) {
      throw Failure.of(e);
    }
  }

  private record Polynomial(
      String koopman,
      String normal,
      String reciprocal,
      int hd,
      Optional<BigInteger> undetected,
      int terms) {

    static Polynomial of(FoundPolynomial found) {
      return new Polynomial(
          CrcNotation.KOOPMAN.of(found.poly()).toString(),
          found.poly().toString(),
          CrcNotation.KOOPMAN.of(found.reciprocal()).toString(),
          found.distance(),
          found.undetected(),
          found.terms());
    }
  }

  private record Found(
      int width, int length, int hd, long examined, long qualified, List<Polynomial> polynomials) {}

  private void report(SearchResult result) {
    SearchGoal goal = result.goal();
    session.printResult(
        new Found(
            goal.width(),
            goal.messageBits(),
            result.distance(),
            goal.polynomials(),
            result.polynomials(),
            result.found().stream().map(Polynomial::of).toList()),
        () -> text(result));
  }

  private static String text(SearchResult result) {
    if (result.found().isEmpty()) {
      return "";
    }
    TextTable table =
        new TextTable()
            .text("koopman")
            .text("normal")
            .text("reciprocal")
            .number("HD")
            .number("undetected")
            .number("terms");
    for (FoundPolynomial found :
        result.found().subList(0, Math.min(MAX_SHOWN, result.found().size()))) {
      Polynomial one = Polynomial.of(found);
      table.row(
          one.koopman(),
          one.normal(),
          one.reciprocal(),
          one.hd(),
          one.undetected().map(BigInteger::toString).orElse("-"),
          one.terms());
    }
    SearchGoal goal = result.goal();
    int more = result.found().size() - MAX_SHOWN;
    return table
        + (more > 0 ? "%s more pairs; -o FILE.csv lists all\n".formatted(Units.count(more)) : "")
        + "proven: %s of %s polynomials have HD %d at %s bits\n"
            .formatted(
                Units.count(result.polynomials()),
                Units.count(goal.polynomials()),
                result.distance(),
                Units.count(goal.messageBits()));
  }

  private static String csv(SearchResult result) {
    StringBuilder csv = new StringBuilder("koopman,normal,reciprocal,hd,undetected,terms\n");
    for (FoundPolynomial found : result.found()) {
      Polynomial one = Polynomial.of(found);
      csv.append(
          "%s,%s,%s,%d,%s,%d\n"
              .formatted(
                  one.koopman(),
                  one.normal(),
                  one.reciprocal(),
                  one.hd(),
                  one.undetected().map(BigInteger::toString).orElse(""),
                  one.terms()));
    }
    return csv.toString();
  }
}
