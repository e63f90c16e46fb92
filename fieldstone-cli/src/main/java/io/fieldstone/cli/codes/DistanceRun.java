package io.fieldstone.cli.codes;

import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.Units;
import io.fieldstone.engine.Engine;
import io.fieldstone.stream.file.StateFile;
import io.fieldstone.weights.codes.Permutation;
import io.fieldstone.weights.distance.DistanceProof;
import io.fieldstone.weights.distance.InformationSetSearch;
import io.fieldstone.weights.distance.LightWord;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

/** Searches a light word of one side, and proves that none is lighter if that is asked or fast. */
final class DistanceRun {

  private static final int STEPS = 1000;

  /**
   * The limits of a run.
   *
   * @param seconds the time of the search, and that of a proof which is not asked for
   * @param trials the trials of the search; a value less than 0 leaves them to the time
   * @param bound the weight of words at which the search ends
   * @param isExact whether a proof is asked for, however long it takes
   */
  record Limits(double seconds, long trials, int bound, boolean isExact) {}

  private final Session session;
  private final Side side;
  private final Limits limits;
  private final InformationSetSearch search;
  private final DistanceProof proof;
  private final long startNs = System.nanoTime();
  private int lower;

  DistanceRun(
      Session session,
      Engine engine,
      Side side,
      Limits limits,
      long seed,
      List<Permutation> automorphisms) {
    this.session = session;
    this.side = side;
    this.limits = limits;
    this.search = InformationSetSearch.of(engine, side.space(), seed);
    this.proof = DistanceProof.of(engine, side.space(), automorphisms);
  }

  DistanceProof proof() {
    return proof;
  }

  /** Continues from a state file, if it exists. */
  void restore(StateFile file, byte[] bytes) {
    proof.restore(file.path().toString(), bytes);
    proof.bounds().lightest().ifPresent(search::know);
    lower = proof.bounds().lower();
  }

  /**
   * Searches.
   *
   * @param found receives each lighter word
   */
  void search(Consumer<LightWord> found) {
    try (Progress.Steps steps = session.steps("trials")) {
      search.run(
          limits.bound(),
          limits.trials() < 0 ? Long.MAX_VALUE : limits.trials(),
          (trials, improved) -> {
            improved.ifPresent(word -> {
              proof.know(word);
              found.accept(word);
              steps.interleave(() ->
                  session.inform(
                      side.prefix()
                          + "weight %d after %d trials".formatted(side.weight(word), trials)));
            });
            double seconds = seconds();
            steps.begin(searchText(seconds), searchSteps(trials, seconds), STEPS);
            return limits.trials() >= 0 || seconds < searchSeconds();
          });
    }
  }

  private double seconds() {
    return (System.nanoTime() - startNs) / 1e9;
  }

  /** Returns the time of the search: not more than the proof would take. */
  private double searchSeconds() {
    double proofSeconds = proof.plan().seconds();
    return isProofWanted(proofSeconds)
        ? Math.min(limits.seconds(), proofSeconds)
        : limits.seconds();
  }

  private boolean isProofWanted(double proofSeconds) {
    boolean isReached =
        limits.bound() > 0
            && search.lightest().filter(word -> word.weight() <= limits.bound()).isPresent();
    return limits.isExact() || !isReached && proofSeconds <= limits.seconds();
  }

  private int searchSteps(long trials, double seconds) {
    double part =
        limits.trials() > 0 ? (double) trials / limits.trials() : seconds / limits.seconds();
    return (int) Math.min(STEPS, part * STEPS);
  }

  private String searchText(double seconds) {
    return "%.3g trials/s, d ≤ %s, missed with %.1e"
        .formatted(
            search.trials() / seconds,
            search.lightest().map(side::weight).orElseGet(side::length),
            search.missProbability());
  }

  /** Proves the distance if that is asked or fast; the state goes to a file, if there is one. */
  void prove(Optional<StateFile> file, Consumer<LightWord> found) {
    DistanceProof.Plan plan = proof.plan();
    if (!isProofWanted(plan.seconds())) {
      return;
    }
    session.inform(side.prefix() + plan.description());
    long begunNs = System.nanoTime();
    double before = proof.bounds().sums();
    try (Progress.Steps steps = session.steps("sums")) {
      proof.run(bounds -> {
        Optional<LightWord> lighter =
            bounds
                .lightest()
                .filter(word ->
                    search.lightest().filter(known -> known.weight() <= word.weight()).isEmpty());
        lighter.ifPresent(word -> {
          search.know(word);
          found.accept(word);
          steps.interleave(() ->
              session.inform(
                  side.prefix() + "weight %d by the proof".formatted(side.weight(word))));
        });
        if (bounds.lower() > lower) {
          lower = bounds.lower();
          steps.interleave(() ->
              session.inform(
                  side.prefix()
                      + "d ≥ %d after %.3g of %.3g sums"
                          .formatted(side.weight(lower), bounds.sums(), bounds.totalSums())));
        }
        file.ifPresent(each -> each.note(proof::save));
        steps.begin(
            left(begunNs, before, bounds),
            (int) (bounds.sums() / bounds.totalSums() * STEPS),
            STEPS);
        return true;
      });
    } finally {
      file.ifPresent(StateFile::trySave);
    }
  }

  private static String left(long begunNs, double before, DistanceProof.Bounds bounds) {
    double perSum = (System.nanoTime() - begunNs) / Math.max(1, bounds.sums() - before);
    return Units.duration(
            (long) Math.min(Long.MAX_VALUE, perSum * (bounds.totalSums() - bounds.sums())))
        + " left";
  }

  /** Returns the lightest word that was found. */
  LightWord lightest() {
    return proof.bounds().lightest().orElseThrow(() -> new CancellationException("no word found"));
  }

  /** Returns what was found. */
  SideResult result() {
    DistanceProof.Bounds bounds = proof.bounds();
    LightWord word = lightest();
    return new SideResult(
        side.operators(),
        side.weight(word),
        side.weight(bounds.lower()),
        bounds.isProven(),
        side.support(word),
        side.letters(word).orElse(null),
        search.trials(),
        bounds.isProven() ? 0 : search.missProbability(),
        bounds.sums());
  }
}
