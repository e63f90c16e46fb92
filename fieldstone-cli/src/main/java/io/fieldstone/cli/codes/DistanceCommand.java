package io.fieldstone.cli.codes;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.FileNames;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.TextInput;
import io.fieldstone.cli.console.TextTable;
import io.fieldstone.cli.console.Units;
import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.stream.file.StateFile;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.CodeFamily;
import io.fieldstone.weights.codes.Permutation;
import io.fieldstone.weights.codes.StabilizerCode;
import io.fieldstone.weights.distance.DistanceProof;
import io.fieldstone.weights.distance.LightWord;
import io.fieldstone.weights.distance.SideExchange;
import io.fieldstone.weights.distance.StabilizerWords;
import io.fieldstone.weights.distance.WordSpace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone distance}: bounds and proves minimum distances of codes. */
@Command(
    name = "distance",
    sortOptions = false,
    customSynopsis = {
      "fieldstone distance CODE [OPTION]...",
      "fieldstone distance --x FILE --z FILE [OPTION]...",
      "fieldstone distance --stabilizer FILE [OPTION]...",
    },
    description = {
      "Find the minimum distance of a binary linear code or of a quantum code: a word of small"
          + " weight, and a proof that none is lighter if it takes no longer than the search.",
      "",
      "CODE is a file with a generator matrix, or a name as 'fieldstone weights' takes. A file has"
          + " rows of 0s and 1s, or is alist, MatrixMarket, .npy or .npz; one that ends in .json"
          + " has the positions of the ones of each row, the largest of which is the last. n is at"
          + " most 2048.",
      "",
      "With --x and --z, the distance is the least weight of a logical operator: a word that"
          + " commutes with all checks of one kind and is no sum of those of the other.",
      "",
      "With --stabilizer, FILE has generators of the stabilizer of any code of up to 682 qubits:"
          + " Pauli operators such as XZZXI, one a line, or a matrix (X|Z) in the formats above,"
          + " with 2n columns. A .json file is an array of operators. Signs do not matter, and"
          + " generators may be dependent. The distance is the least weight of an operator that"
          + " commutes with all generators and is no product of them; of a state (k = 0), that of"
          + " a product of generators.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone distance golay:24",
      "  fieldstone distance bch:127,64 --exact        prove it, however long it takes",
      "  fieldstone distance bch:127,64 --plan         predicted time of the proof",
      "  fieldstone distance h.alist --parity-check --seconds 60 -o word.json",
      "  fieldstone distance --x hx.mtx --z hz.mtx     both sides of a quantum code",
      "  fieldstone distance --stabilizer paulis.txt   any stabilizer code",
      "  fieldstone distance golay:24 --words 8        all words of weight up to 8",
      "  fieldstone distance golay:23 --cosets         covering radius, and cosets by weight",
      "  fieldstone distance code.txt --exact --resume run.checkpoint",
    })
public final class DistanceCommand implements Callable<Integer> {

  private static final String IMAGE = "a permutation maps the X operators to these";
  private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(10);
  private static final double MAX_SECONDS = 1e9;
  private static final double PLAN_SECONDS = 1;
  private static final int STEPS = 1000;
  private static final double YEAR_SECONDS = 365.25 * 24 * 3600;
  private static final double MAX_DURATION_SECONDS = 100 * YEAR_SECONDS;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "CODE",
      arity = "0..1",
      description = "File, - for standard input, or name of a code.")
  private @Nullable String codeName;

  @Option(names = "--parity-check", description = "Read the file as a parity-check matrix.")
  private boolean isParityCheck;

  @Option(names = "--reduce", description = "Drop rows that depend linearly on earlier rows.")
  private boolean reduces;

  @Option(names = "--x", paramLabel = "FILE", description = "File with the X checks of a CSS code.")
  private @Nullable Path xChecks;

  @Option(names = "--z", paramLabel = "FILE", description = "File with its Z checks.")
  private @Nullable Path zChecks;

  @Option(
      names = "--stabilizer",
      paramLabel = "FILE",
      description = "File with generators of the stabilizer of a quantum code.")
  private @Nullable Path stabilizer;

  /** The logical operators of a CSS code. */
  enum Operators {
    X,
    Z,
    BOTH
  }

  @Option(
      names = "--side",
      paramLabel = "SIDE",
      description =
          "The logical operators x, z, or both (the default) of --x and --z. With --stabilizer, the"
              + " file has those of a CSS code, which are proven apart.")
  private @Nullable Operators operators;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      converter = Converters.Decimal.class,
      description =
          "Search for S seconds, on each side (default: 10). Without a proof, the result has the"
              + " approximate probability that a certain lighter word was missed.")
  private double seconds = 10;

  @Option(
      names = "--trials",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Search with at least N trials instead, so that the result is reproducible.")
  private long trials = -1;

  @Option(
      names = "--bound",
      paramLabel = "W",
      converter = Converters.Count.class,
      description = "End the search at a word of weight W or less.")
  private long bound;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      converter = Converters.Seed.class,
      description = "Seed of the random information sets (default: 1).")
  private long seed = 1;

  @Option(names = "--exact", description = "Prove the distance, however long it takes.")
  private boolean isExact;

  @Option(
      names = "--plan",
      description = "Only print the predicted time of the proof, or what --cosets takes.")
  private boolean isPlan;

  @Option(
      names = "--words",
      paramLabel = "W",
      converter = Converters.Count.class,
      description = "Count all words of weight up to W; -o writes them.")
  private long maxWeight = -1;

  @Option(
      names = "--cosets",
      description =
          "Count the cosets of the code by their least weight, the largest of which is the covering"
              + " radius. n - k is at most 36; it takes 2^(n-k) / 4 bytes of memory.")
  private boolean isCosets;

  @Option(
      names = "--permutation",
      paramLabel = "FILE",
      description =
          "File with a known automorphism of the code: the image of each position or qubit, from 0."
              + " May be repeated. Shifts of equal blocks are detected automatically.")
  private List<Path> permutations = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description =
          "Write the lightest words to FILE, again when one is lighter: as CSV, or .json or .sage.")
  private @Nullable Path output;

  @Option(
      names = "--check",
      paramLabel = "FILE",
      description = "Only check that the words of FILE (CSV or .json) are words of the code.")
  private @Nullable Path wordFile;

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description =
          "Prove the distance, save checkpoints in FILE and continue from it if it exists. FILE is"
              + " deleted after the result is printed.")
  private @Nullable Path checkpointFile;

  @Override
  public Integer call() throws IOException, Failure {
    Session session = Session.of(spec);
    checkOptions(session);
    List<Side> sides = sides(session);
    if (wordFile != null) {
      check(session, sides, wordFile);
    } else if (isCosets) {
      new CosetRun(session, sides.getFirst()).run(isPlan);
    } else {
      try (Engine engine = session.openEngine()) {
        run(session, engine, sides);
      }
    }
    return ExitCode.OK;
  }

  private void run(Session session, Engine engine, List<Side> sides) throws IOException, Failure {
    if (maxWeight >= 0) {
      words(session, engine, sides.getFirst());
    } else if (isPlan) {
      plan(session, engine, sides);
    } else if (checkpointFile != null) {
      try (StateFile file = StateFile.open(checkpointFile, CHECKPOINT_INTERVAL)) {
        solve(session, engine, sides, Optional.of(file));
        session.forceOut();
        file.delete();
      }
    } else {
      solve(session, engine, sides, Optional.empty());
    }
  }

  private void checkOptions(Session session) throws IOException, Failure {
    int codes =
        (codeName != null ? 1 : 0) + (xChecks != null ? 1 : 0) + (stabilizer != null ? 1 : 0);
    if ((xChecks == null) != (zChecks == null) || codes != 1) {
      throw session.usage("give either CODE, or both --x and --z, or --stabilizer");
    }
    boolean isCode = codeName != null;
    if (!isCode && (isParityCheck || reduces) || isCode && operators != null) {
      throw session.usage(
          "--side is for --x and --z, or --stabilizer; --parity-check and --reduce are for CODE");
    }
    if (codeName != null && isName(codeName) && (isParityCheck || reduces)) {
      throw session.usage(
          "--parity-check and --reduce need a file, but '%s' is a name".formatted(codeName));
    }
    if (!(seconds > 0 && seconds <= MAX_SECONDS)) {
      throw session.usage("--seconds %s is not in 0…1e9, without 0".formatted(seconds));
    }
    if (trials == 0 || trials < -1) {
      throw session.usage("--trials %d is less than 1".formatted(trials));
    }
    if (bound != 0) {
      Converters.requireInRange(spec, "--bound", bound, 1, WordSpace.MAX_LENGTH);
    }
    if (maxWeight != -1) {
      Converters.requireInRange(spec, "--words", maxWeight, 1, WordSpace.MAX_LENGTH);
    }
    if (isCosets && codeName == null) {
      throw session.usage("--cosets is for CODE");
    }
    int modes =
        (isPlan || isCosets ? 1 : 0)
            + (wordFile != null ? 1 : 0)
            + (checkpointFile != null || isExact ? 1 : 0)
            + (maxWeight >= 0 ? 1 : 0);
    if (modes > 1) {
      throw session.usage(
          "--exact or --resume, --plan, --words, --cosets and --check exclude each other");
    }
    if (isCss()
        && isWanted(Operators.X)
        && isWanted(Operators.Z)
        && (maxWeight >= 0 || checkpointFile != null)) {
      throw session.usage("--words and --resume take one side: add --side x or --side z");
    }
    if (output != null && (isPlan || isCosets || wordFile != null)) {
      throw session.usage("--plan, --cosets and --check write no words: -o is for others");
    }
    List<Path> inputs = new ArrayList<>(permutations);
    inputs.addAll(matrixFiles());
    if (wordFile != null) {
      inputs.add(wordFile);
    }
    if (inputs.stream().filter(InputFiles::isStandardStream).count() > 1) {
      throw session.usage("standard input can be only one of the files");
    }
    InputFiles.requireOutputs(spec, inputs, output, checkpointFile);
  }

  private boolean isCss() {
    return xChecks != null || stabilizer != null && operators != null;
  }

  private boolean isWanted(Operators kind) {
    return operators == null || operators == Operators.BOTH || operators == kind;
  }

  private List<Path> matrixFiles() {
    List<Path> files = new ArrayList<>();
    if (xChecks != null && zChecks != null) {
      files.add(xChecks);
      files.add(zChecks);
    } else if (stabilizer != null) {
      files.add(stabilizer);
    } else if (codeName != null && !isName(codeName)) {
      files.add(FileNames.of(spec, codeName));
    }
    return files;
  }

  /** Tests for a name. A missing file that has nearly the form of one is one, misspelt. */
  private boolean isName(String code) {
    return CodeFamily.isName(code)
        || CodeFamily.nearest(code).isPresent() && !Files.exists(FileNames.of(spec, code));
  }

  private List<Side> sides(Session session) throws IOException, Failure {
    List<Path> files = matrixFiles();
    if (xChecks != null) {
      return cssSides(session, files.getFirst(), files.getLast());
    }
    if (stabilizer != null) {
      return isCss() ? cssSides(session, stabilizer) : stabilizerSides(session, stabilizer);
    }
    if (files.isEmpty()) {
      try {
        return List.of(Side.ofCode(WordSpace.of(CodeFamily.parse(String.valueOf(codeName)))));
      } catch (IllegalArgumentException e) {
        throw session.usage(String.valueOf(e.getMessage()));
      }
    }
    Gf2Matrix matrix = CodeFile.matrix(session, files.getFirst(), WordSpace.MAX_LENGTH);
    try {
      WordSpace space =
          isParityCheck
              ? WordSpace.ofParityCheck(matrix)
              : reduces ? WordSpace.spannedBy(matrix) : WordSpace.ofGenerator(matrix);
      requireWords(space, TextInput.name(files.getFirst()));
      return List.of(Side.ofCode(space));
    } catch (IllegalArgumentException e) {
      String hint = BinaryCode.dependentRows(matrix).isEmpty() ? "" : " (--reduce drops them)";
      throw new Failure(e.getMessage() + hint, TextInput.name(files.getFirst()), e);
    }
  }

  private static void requireWords(WordSpace space, String name) throws Failure {
    if (space.dimension() == 0) {
      throw new Failure("the code has no word but zero", name);
    }
  }

  private List<Side> cssSides(Session session, Path xFile, Path zFile) throws IOException, Failure {
    List<Gf2Matrix> checks = CodeFile.matrices(session, xFile, zFile, WordSpace.MAX_LENGTH);
    return cssSides(
        checks.getFirst(),
        checks.getLast(),
        TextInput.name(xFile) + " and " + TextInput.name(zFile));
  }

  private List<Side> cssSides(Session session, Path file) throws IOException, Failure {
    StabilizerCode code = CodeFile.stabilizer(session, file, WordSpace.MAX_LENGTH);
    Optional<StabilizerCode.CssChecks> checks = code.css();
    if (checks.isEmpty()) {
      throw new Failure("not a CSS code: --side needs one", TextInput.name(file));
    }
    return cssSides(checks.get().x(), checks.get().z(), TextInput.name(file));
  }

  private List<Side> cssSides(Gf2Matrix x, Gf2Matrix z, String name) throws Failure {
    try {
      WordSpace.requireCommuting(x, z);
      List<Side> sides = new ArrayList<>();
      if (isWanted(Operators.X)) {
        sides.add(Side.ofCss("X", WordSpace.outside(z, x)));
      }
      if (isWanted(Operators.Z)) {
        sides.add(Side.ofCss("Z", WordSpace.outside(x, z)));
      }
      return sides;
    } catch (IllegalArgumentException e) {
      throw new Failure(String.valueOf(e.getMessage()), name, e);
    }
  }

  private List<Side> stabilizerSides(Session session, Path file) throws IOException, Failure {
    StabilizerCode code = CodeFile.stabilizer(session, file, StabilizerWords.MAX_QUBITS);
    boolean isProof = wordFile == null && maxWeight < 0;
    if (isProof && code.logicalQubits() > 0 && code.css().isPresent()) {
      session.inform("a CSS code: --side both proves its distance with far fewer sums");
    }
    return List.of(Side.ofStabilizer(StabilizerWords.of(code)));
  }

  private List<Permutation> automorphisms(Session session, Side side) throws IOException, Failure {
    List<Permutation> known = new ArrayList<>();
    for (Path file : permutations) {
      try {
        known.add(side.positions(Permutation.parse(TextInput.text(session, file))));
      } catch (IllegalArgumentException e) {
        throw new Failure(String.valueOf(e.getMessage()), TextInput.name(file), e);
      }
    }
    return known;
  }

  private DistanceRun newRun(Session session, Engine engine, Side side, DistanceRun.Limits limits)
      throws IOException, Failure {
    List<Permutation> automorphisms = automorphisms(session, side);
    try {
      return new DistanceRun(session, engine, side, limits, seed, automorphisms);
    } catch (IllegalArgumentException e) {
      throw new Failure("--permutation: " + e.getMessage(), e);
    }
  }

  /** The result as {@code --json} prints it. */
  private record Result(
      int length,
      int dimension,
      int distance,
      int lowerBound,
      boolean proven,
      List<Integer> witness,
      @Nullable String pauli,
      List<SideResult> sides) {

    static Result of(Side code, List<SideResult> sides) {
      SideResult least = sides.getFirst();
      int lower = least.lowerBound();
      for (SideResult side : sides) {
        least = side.distance() < least.distance() ? side : least;
        lower = Math.min(lower, side.lowerBound());
      }
      return new Result(
          code.length(),
          code.dimension(),
          least.distance(),
          lower,
          lower == least.distance(),
          least.witness(),
          least.pauli(),
          sides);
    }

    /**
     * Returns the result for display.
     *
     * @param words the witness of each side
     */
    String text(List<Side> kinds, List<LightWord> words) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < sides.size(); i++) {
        Side kind = kinds.get(i);
        SideResult side = sides.get(i);
        text.append(kind.isOneOfTwo() ? kind.prefix() : kind.code() + " code: ")
            .append(side.distanceText());
        if (!side.proven()) {
          text.append(
              ", d ≥ %d proven; %d trials missed a certain lighter word with probability %.1e"
                  .formatted(side.lowerBound(), side.trials(), side.missProbability()));
        }
        text.append("\n").append(kind.text(words.get(i))).append("\n");
      }
      Side first = kinds.getFirst();
      if (first.isOneOfTwo()) {
        text.append(first.code())
            .append((proven ? " code: d = %d (proven)\n" : " code: d ≤ %d\n").formatted(distance));
      }
      return text.toString();
    }
  }

  private void solve(Session session, Engine engine, List<Side> sides, Optional<StateFile> file)
      throws IOException, Failure {
    List<LightWord> before = new ArrayList<>();
    List<SideResult> results = new ArrayList<>();
    Optional<Permutation> exchange = exchange(sides);
    for (Side side : sides) {
      if (!results.isEmpty() && exchange.isPresent()) {
        LightWord image = before.getFirst().image(exchange.get());
        session.inform(side.prefix() + IMAGE);
        write(side, before, image);
        results.add(results.getFirst().ofImage(side, image));
        before.add(image);
        break;
      }
      DistanceRun run =
          newRun(session, engine, side, limits(side, seconds, isExact || file.isPresent()));
      try {
        if (file.isPresent()) {
          restore(run, file.get());
        }
        run.search(word -> write(side, before, word));
        run.prove(file, word -> write(side, before, word));
      } catch (UncheckedIOException e) {
        throw e.getCause();
      } catch (IllegalArgumentException e) {
        throw new Failure(String.valueOf(e.getMessage()), e);
      }
      results.add(run.result());
      before.add(run.lightest());
    }
    Result result = Result.of(sides.getFirst(), results);
    session.printResult(result, () -> result.text(sides, before));
  }

  /** Returns a permutation that maps the first side to the second, if there is one of each. */
  private static Optional<Permutation> exchange(List<Side> sides) {
    return sides.size() == 2
        ? SideExchange.find(sides.getFirst().space(), sides.getLast().space())
        : Optional.empty();
  }

  private DistanceRun.Limits limits(Side side, double searchSeconds, boolean isProof) {
    return new DistanceRun.Limits(searchSeconds, trials, side.wordWeight((int) bound), isProof);
  }

  private static void restore(DistanceRun run, StateFile file) throws IOException {
    Optional<byte[]> bytes = file.read();
    if (bytes.isPresent()) {
      run.restore(file, bytes.get());
    }
  }

  /** Writes the words of earlier sides and a new one. */
  private void write(Side side, List<LightWord> before, LightWord word) {
    if (output != null) {
      List<LightWord> words = new ArrayList<>(before);
      words.add(word);
      try {
        WordFile.write(output, side, words);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The predicted cost of the proof of one side, as {@code --json} prints it. */
  private record SidePlan(
      String operators, int distance, double sums, double predictedSeconds, String description) {}

  /** The result of {@code --plan} as {@code --json} prints it. */
  private record Plans(List<SidePlan> plans) {}

  private void plan(Session session, Engine engine, List<Side> sides) throws IOException, Failure {
    List<SidePlan> plans = new ArrayList<>();
    Optional<Permutation> exchange = exchange(sides);
    for (Side side : sides) {
      if (!plans.isEmpty() && exchange.isPresent()) {
        plans.add(new SidePlan(side.operators(), plans.getFirst().distance(), 0, 0, IMAGE));
        break;
      }
      DistanceRun run =
          newRun(session, engine, side, limits(side, Math.min(seconds, PLAN_SECONDS), false));
      run.search(_ -> {});
      DistanceProof.Plan plan = run.proof().plan();
      plans.add(
          new SidePlan(
              side.operators(),
              run.result().distance(),
              plan.sums(),
              plan.seconds(),
              plan.description()));
    }
    session.printResult(
        new Plans(plans),
        () -> {
          TextTable table =
              new TextTable()
                  .text("side")
                  .number("d ≤")
                  .number("sums")
                  .number("predicted")
                  .text("description");
          plans.forEach(each ->
              table.row(
                  each.operators(),
                  String.valueOf(each.distance()),
                  "%.3g".formatted(each.sums()),
                  duration(each.predictedSeconds()),
                  each.description()));
          return table.toString();
        });
  }

  private static String duration(double predicted) {
    return predicted < MAX_DURATION_SECONDS
        ? Units.duration((long) (predicted * 1e9))
        : "%.1e years".formatted(predicted / YEAR_SECONDS);
  }

  private record Weight(int weight, int count) {}

  /** The result of {@code --words} as {@code --json} prints it. */
  private record Words(int length, int dimension, int maxWeight, List<Weight> weights) {}

  private void words(Session session, Engine engine, Side side) throws IOException, Failure {
    int max = (int) Math.min(maxWeight, side.length());
    List<LightWord> words;
    try (Progress.Steps steps = session.steps("sums")) {
      DistanceProof proof = DistanceProof.of(engine, side.space(), automorphisms(session, side));
      words =
          proof.words(
              side.wordWeight(max),
              bounds -> {
                steps.begin("", (int) (bounds.sums() / bounds.totalSums() * STEPS), STEPS);
                return true;
              });
    } catch (IllegalArgumentException e) {
      throw new Failure(String.valueOf(e.getMessage()), e);
    }
    if (output != null) {
      WordFile.write(output, side, words);
    }
    Map<Integer, Integer> counts = new TreeMap<>();
    words.forEach(word -> counts.merge(side.weight(word), 1, Integer::sum));
    List<Weight> weights =
        counts.entrySet().stream().map(each -> new Weight(each.getKey(), each.getValue())).toList();
    session.printResult(
        new Words(side.length(), side.dimension(), max, weights),
        () -> {
          StringBuilder csv = new StringBuilder("weight,count\n");
          weights.forEach(
              each -> csv.append(each.weight()).append(',').append(each.count()).append('\n'));
          return csv.toString();
        });
  }

  /** The result of {@code --check} as {@code --json} prints it. */
  private record Check(int length, int dimension, int words, int distance) {}

  private void check(Session session, List<Side> sides, Path file) throws IOException, Failure {
    Side first = sides.getFirst();
    List<LightWord> words = WordFile.read(session, file, first);
    int least = first.length();
    for (int word = 0; word < words.size(); word++) {
      LightWord each = words.get(word);
      int weight = first.weight(each);
      if (sides.stream().noneMatch(side -> side.space().contains(each))) {
        throw new Failure(
            "word %d (from 1), of weight %d, is not %s".formatted(word + 1, weight, first.noun()),
            TextInput.name(file));
      }
      least = Math.min(least, weight);
    }
    int distance = least;
    session.printResult(
        new Check(first.length(), first.dimension(), words.size(), distance),
        () ->
            "%s code: %d words are right, d ≤ %d%n"
                .formatted(first.code(), words.size(), distance));
  }
}
