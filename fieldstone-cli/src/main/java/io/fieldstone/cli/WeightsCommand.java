package io.fieldstone.cli;

import io.fieldstone.chart.Chart;
import io.fieldstone.chart.ErrorCurveChart;
import io.fieldstone.cli.codes.CodeFile;
import io.fieldstone.cli.console.ChartFile;
import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.FileNames;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.MethodNames;
import io.fieldstone.cli.console.OutputText;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.TextInput;
import io.fieldstone.cli.console.TextTable;
import io.fieldstone.cli.console.Units;
import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.weights.BitErrors;
import io.fieldstone.weights.Checkpoint;
import io.fieldstone.weights.ErrorBounds;
import io.fieldstone.weights.ErrorCurve;
import io.fieldstone.weights.JointPlan;
import io.fieldstone.weights.JointRunner;
import io.fieldstone.weights.JointWeightDistribution;
import io.fieldstone.weights.JointWeights;
import io.fieldstone.weights.LongCodeWeights;
import io.fieldstone.weights.WeightDistribution;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.CodeFamily;
import io.fieldstone.weights.codes.CodeMatrix;
import io.fieldstone.weights.codes.Permutation;
import io.fieldstone.weights.distance.WordSpace;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone weights}: computes weight and joint weight distributions of codes. */
@Command(
    name = "weights",
    sortOptions = false,
    customSynopsis = "fieldstone weights CODE [--joint] [OPTION]...",
    description = {
      "Count the codewords of a binary linear code by weight, or pairs of codewords by joint"
          + " weight.",
      "",
      "CODE is a file with a generator matrix, as rows of 0s and 1s, which commas may separate and"
          + " brackets enclose, or in alist format; or a name: hamming:r, simplex:r, golay:23,"
          + " golay:24, rm:r,m, bch:n,k, bch:n,d=D, cyclic:n,HEX, polynomial:n,HEX. The prefixes"
          + " extended: and dual: derive another code. MatrixMarket, .npy, .npz and, in .json,"
          + " positions of ones are read, too.",
      "",
      "n is at most 256, or 1048576 if k or n - k is at most 32: then the 2^k words, or the"
          + " 2^(n-k) sums of checks, are counted by transforms.",
      "",
      "The output is CSV: weight,count or x,y,z,count. For a pair of codewords, x positions are 1"
          + " in both, y only in the first and z only in the second. Counts are exact.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone weights golay:24                   codewords of each weight",
      "  fieldstone weights golay:24 --polynomial      the weight enumerator, for Sage",
      "  fieldstone weights polynomial:12144,104C11DB7 --max-weight 6",
      "  fieldstone weights bch:127,22 --joint -o jwd.csv --plot jwd.svg",
      "  fieldstone weights bch:127,22 --joint --plan  predicted time of each method",
      "  fieldstone weights bch:127,36 --joint --resume run.checkpoint -o jwd.csv",
      "  fieldstone weights hamming:5 --joint --bit-errors 0.98,0.005,0.005,0.01 -q",
      "  fieldstone weights bch:31,11 --joint --curve 0.02,0.2 --plot curve.svg",
    })
final class WeightsCommand implements Callable<Integer> {

  private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(10);
  private static final int STEPS = 1000;
  private static final double YEAR_SECONDS = 365.25 * 24 * 3600;
  private static final double MAX_DURATION_SECONDS = 100 * YEAR_SECONDS;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "CODE", description = "File, - for standard input, or name of a code.")
  private String codeName = "";

  @Option(names = "--joint", description = "Count pairs of codewords by joint weight.")
  private boolean isJoint;

  @Option(names = "--parity-check", description = "Read the file as a parity-check matrix.")
  private boolean isParityCheck;

  @Option(names = "--reduce", description = "Drop rows that depend linearly on earlier rows.")
  private boolean reduces;

  @Option(
      names = "--max-weight",
      paramLabel = "W",
      converter = Converters.Count.class,
      description =
          "Only count words of weight up to W. Needed for most codes of more than 5000 bits.")
  private long maxWeight = -1;

  @Option(
      names = "--permutation",
      paramLabel = "FILE",
      description =
          "File with a known automorphism of the code: the image of each position, from 0. May be"
              + " repeated. Cyclic shifts are detected automatically.")
  private List<Path> permutations = List.of();

  @Option(
      names = "--method",
      paramLabel = "METHOD",
      completionCandidates = PairMethods.class,
      description =
          "Counting method for pairs: auto (the default), cyclic, transform, dual, orbits,"
              + " symmetric, or a method of the engine that counts all pairs, such as naive.")
  private String method = JointWeights.AUTO;

  @Option(
      names = "--plan",
      description = "With --joint: only print the methods and their predicted times.")
  private boolean isPlan;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the counts to FILE (default: -, standard output).")
  private @Nullable Path output;

  @Option(
      names = "--polynomial",
      description =
          "Write the weight enumerator as a polynomial that Sage reads, instead of the CSV: in x"
              + " and y, or with --joint in a, b, c, d.")
  private boolean isPolynomial;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description =
          "Draw the distributions to FILE (.svg or .png): bars by weight; x against y + z.")
  private @Nullable Path plot;

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description =
          "With --joint: save checkpoints in FILE and continue from it if it exists. FILE is"
              + " deleted after the result is stored.")
  private @Nullable Path checkpointFile;

  @Option(
      names = "--bit-error",
      paramLabel = "P",
      converter = Converters.Decimal.class,
      description =
          "Also print the union bound on the decoding error of a receiver with bit error"
              + " probability P.")
  private @Nullable Double bitError;

  @Option(
      names = "--bit-errors",
      paramLabel = "P",
      split = ",",
      arity = "1",
      converter = Converters.Decimal.class,
      description =
          "With --joint, P00,P01,P10,P11: the probabilities that a bit is wrong at neither of two"
              + " receivers, only at the second, only at the first, at both. Also print the union"
              + " bound on both decoding wrongly.")
  private List<Double> bitErrors = List.of();

  @Option(
      names = "--curve",
      paramLabel = "P",
      split = ",",
      arity = "1",
      converter = Converters.Decimal.class,
      description =
          "With --joint, FROM,TO: instead of the counts, write and plot the decoding errors of one"
              + " receiver, and of two whose errors correlate, for bit error probabilities in this"
              + " range. Up to k = 16, decoding is also simulated.")
  private List<Double> curve = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Session session = Session.of(spec);
    checkOptions(session);
    Optional<CodeMatrix> longCode = isName() ? longCode(session) : Optional.empty();
    Optional<Gf2Matrix> matrix =
        isName() ? Optional.empty() : Optional.of(matrix(session, codeFile()));
    if (matrix.isPresent() && matrix.get().columns() > BinaryCode.MAX_LENGTH) {
      longCode = Optional.of(longCode(matrix.get()));
    }
    if (longCode.isPresent()) {
      countLong(session, longCode.get());
      return ExitCode.OK;
    }
    BinaryCode code = code(session, matrix);
    try (Engine engine = session.openEngine()) {
      JointWeights weights = weights(session, code, engine);
      if (isPlan) {
        plan(session, weights);
        return ExitCode.OK;
      }
      if (isJoint && checkpointFile == null) {
        // Before words are counted, which can take minutes.
        JointPlan _ = planOf(session, () -> weights.plan(method));
      }
      WeightDistribution single = single(session, weights);
      if (checkpointFile != null) {
        resume(session, weights, single, checkpointFile);
      } else {
        Optional<JointWeightDistribution> joint =
            isJoint
                ? Optional.of(joint(session, weights, Optional.empty(), method))
                : Optional.empty();
        if (curve.isEmpty()) {
          report(session, code, single, joint);
        } else {
          reportCurve(session, new ErrorCurve(code, joint.orElseThrow()));
        }
      }
      return ExitCode.OK;
    }
  }

  /** Continues from a checkpoint, which is deleted only after the result is stored. */
  private void resume(Session session, JointWeights weights, WeightDistribution single, Path file)
      throws IOException, Failure {
    try (Checkpoint checkpoint = Checkpoint.open(file, CHECKPOINT_INTERVAL)) {
      // The engine selects the method, and the previous run may have had another.
      Optional<String> previousMethod = checkpoint.method();
      if (previousMethod.isPresent() && !weights.methods().contains(previousMethod.get())) {
        throw new Failure(
            "a checkpoint of the unknown method '%s'".formatted(previousMethod.get()), file);
      }
      JointWeightDistribution joint =
          joint(
              session,
              weights,
              Optional.of(checkpoint),
              method.equals(JointWeights.AUTO) ? previousMethod.orElse(method) : method);
      report(session, weights.code(), single, Optional.of(joint));
      session.forceOut();
      checkpoint.delete();
    }
  }

  private void checkOptions(Session session) throws IOException, Failure {
    if (maxWeight != -1) {
      Converters.requireInRange(spec, "--max-weight", maxWeight, 0, CodeMatrix.MAX_LENGTH);
      if (isJoint || isPolynomial || bitError != null) {
        throw session.usage("--max-weight excludes --joint, --polynomial and --bit-error");
      }
    }
    if (isPolynomial && (session.isJson() || isPlan)) {
      throw session.usage("--polynomial excludes --json and --plan");
    }
    if (!isJoint
        && (isPlan
            || checkpointFile != null
            || !bitErrors.isEmpty()
            || !curve.isEmpty()
            || !method.equals(JointWeights.AUTO))) {
      throw session.usage("--method, --plan, --resume, --bit-errors and --curve need --joint");
    }
    checkCurve(session);
    if (isPlan
        && (output != null
            || plot != null
            || checkpointFile != null
            || bitError != null
            || !bitErrors.isEmpty())) {
      throw session.usage("--plan excludes -o, --plot, --resume, --bit-error and --bit-errors");
    }
    if ((isParityCheck || reduces) && isName()) {
      throw session.usage(
          "%s needs a file, but '%s' is a name"
              .formatted(isParityCheck ? "--parity-check" : "--reduce", codeName));
    }
    if (output != null && InputFiles.isStandardOutput(output)) {
      output = null; // the default
    }
    if (plot != null) {
      ChartFile.requireDrawable(spec, "--plot", plot);
    }
    List<Path> inputs = new ArrayList<>(permutations);
    if (!isName()) {
      inputs.add(codeFile());
    }
    if (inputs.stream().filter(InputFiles::isStandardStream).count() > 1) {
      throw session.usage("standard input can be only one of CODE and the permutations");
    }
    InputFiles.requireOutputs(spec, inputs, outputFile(), plot, checkpointFile);
    bitError(); // reports a mistake before the computation
    jointErrors(session);
  }

  private void checkCurve(Session session) throws Failure {
    if (curve.isEmpty()) {
      return;
    }
    if (isPolynomial
        || isPlan
        || checkpointFile != null
        || bitError != null
        || !bitErrors.isEmpty()) {
      throw session.usage(
          "--curve excludes --polynomial, --plan, --resume, --bit-error and --bit-errors");
    }
    if (curve.size() != 2) {
      throw session.usage("--curve takes 2 probabilities, not " + curve.size());
    }
    if (!(curve.get(0) > 0 && curve.get(0) < curve.get(1) && curve.get(1) <= 0.5)) {
      throw session.usage(
          "--curve %s,%s is not a range in 0…0.5, without 0".formatted(curve.get(0), curve.get(1)));
    }
  }

  /** Returns the file of the CSV; null for standard output. */
  private @Nullable Path outputFile() {
    return output == null || InputFiles.isStandardStream(output) ? null : output;
  }

  private Optional<Double> bitError() {
    if (bitError != null && !(bitError >= 0 && bitError <= 1)) {
      throw Converters.usage(spec, "--bit-error " + bitError + " is not in 0…1");
    }
    return Optional.ofNullable(bitError);
  }

  private Optional<BitErrors> jointErrors(Session session) {
    if (bitErrors.isEmpty()) {
      return Optional.empty();
    }
    if (bitErrors.size() != 4) {
      throw session.usage("--bit-errors takes 4 probabilities, not " + bitErrors.size());
    }
    try {
      return Optional.of(
          new BitErrors(bitErrors.get(0), bitErrors.get(1), bitErrors.get(2), bitErrors.get(3)));
    } catch (IllegalArgumentException e) {
      throw session.usage("--bit-errors: " + e.getMessage());
    }
  }

  /**
   * Tests whether CODE is a name. A missing file that has nearly the form of one is one, misspelt.
   */
  private boolean isName() {
    return CodeFamily.isName(codeName)
        || CodeFamily.nearest(codeName).isPresent() && !Files.exists(codeFile());
  }

  private Path codeFile() {
    return FileNames.of(spec, codeName);
  }

  private BinaryCode code(Session session, Optional<Gf2Matrix> read) throws Failure {
    if (read.isEmpty()) {
      return named(session, () -> CodeFamily.parse(codeName));
    }
    Gf2Matrix matrix = read.get();
    try {
      if (isParityCheck) {
        return BinaryCode.ofParityCheck(matrix);
      }
      return reduces ? BinaryCode.spannedBy(matrix) : BinaryCode.of(matrix);
    } catch (IllegalArgumentException e) {
      String hint = BinaryCode.dependentRows(matrix).isEmpty() ? "" : " (--reduce drops them)";
      throw new Failure(e.getMessage() + hint, TextInput.name(codeFile()), e);
    }
  }

  private static <T> T named(Session session, Supplier<T> code) {
    try {
      return code.get();
    } catch (IllegalArgumentException e) {
      throw session.usage(String.valueOf(e.getMessage()));
    }
  }

  /** Returns the code with a name, if it is longer than others. */
  private Optional<CodeMatrix> longCode(Session session) {
    CodeMatrix code = named(session, () -> CodeFamily.matrix(codeName));
    return code.length() > BinaryCode.MAX_LENGTH ? Optional.of(code) : Optional.empty();
  }

  private CodeMatrix longCode(Gf2Matrix matrix) throws Failure {
    try {
      return isParityCheck || reduces
          ? CodeMatrix.spannedBy(matrix, isParityCheck)
          : new CodeMatrix(matrix, false);
    } catch (IllegalArgumentException e) {
      throw new Failure(e.getMessage() + " (--reduce drops them)", TextInput.name(codeFile()), e);
    }
  }

  private static Gf2Matrix matrix(Session session, Path file) throws IOException, Failure {
    return CodeFile.matrix(session, file, CodeMatrix.MAX_LENGTH);
  }

  private void countLong(Session session, CodeMatrix code) throws IOException, Failure {
    if (isJoint || !permutations.isEmpty()) {
      throw session.usage(
          "code %s: --joint and --permutation need n ≤ %d".formatted(code, BinaryCode.MAX_LENGTH));
    }
    int last = maxWeight < 0 ? code.length() : (int) Math.min(maxWeight, code.length());
    List<BigInteger> counts;
    try (Engine engine = session.openEngine();
        Progress.Steps steps = session.steps("words")) {
      LongCodeWeights weights = LongCodeWeights.of(code, engine);
      session.inform("%s on %s".formatted(weights, engine.spec()));
      counts =
          weights
              .counts(
                  last,
                  done -> {
                    steps.begin("", (int) (done * STEPS), STEPS);
                    return true;
                  })
              .orElseThrow();
    } catch (IllegalArgumentException e) {
      throw session.usage(
          e.getMessage() + (code.length() <= WordSpace.MAX_LENGTH ? ": " + minimumHint() : ""));
    }
    List<Weight> weights =
        IntStream.range(0, counts.size())
            .filter(weight -> counts.get(weight).signum() != 0)
            .mapToObj(weight -> new Weight(weight, counts.get(weight)))
            .toList();
    String text =
        isPolynomial ? polynomial(new WeightDistribution(counts), Optional.empty()) : csv(weights);
    Path csvFile = outputFile();
    if (csvFile != null) {
      OutputText.write(csvFile, text);
    }
    if (plot != null) {
      ChartFile.write(plot, List.of(chart(plot, code.toString(), weights)));
    }
    Optional<Double> bound =
        bitError().map(p -> ErrorBounds.oneReceiver(new WeightDistribution(counts), p));
    session.printResult(
        new Result(
            code.length(),
            code.dimension(),
            weights.stream().mapToInt(Weight::weight).filter(weight -> weight > 0).findFirst(),
            weights,
            List.of(),
            bound,
            Optional.empty()),
        () ->
            csvFile == null
                ? text
                : "%s code: %d weights; %s%n"
                    .formatted(code, weights.size(), ErrorLine.oneLine(csvFile.toString())));
    if (!session.isJson()) {
      bound.ifPresent(p -> printBound(session, "decoding error", p));
    }
  }

  /** Returns the chart of words, to be drawn to a file. */
  private static Chart chart(Path file, String code, List<Weight> weights) throws Failure {
    List<Double> words = weights.stream().map(weight -> weight.count().doubleValue()).toList();
    if (words.stream().anyMatch(count -> count.isInfinite())) {
      throw new Failure(
          "more than %.1e words of one weight cannot be drawn; --max-weight leaves heavy words out"
              .formatted(Double.MAX_VALUE),
          file);
    }
    return WeightsPlot.distribution(code, weights.stream().map(Weight::weight).toList(), words);
  }

  private JointWeights weights(Session session, BinaryCode code, Engine engine)
      throws IOException, Failure {
    List<Permutation> known = new ArrayList<>();
    for (Path file : permutations) {
      try {
        Permutation permutation = Permutation.parse(TextInput.text(session, file));
        code.requireAutomorphism(permutation);
        known.add(permutation);
      } catch (IllegalArgumentException e) {
        throw new Failure(String.valueOf(e.getMessage()), TextInput.name(file), e);
      }
    }
    return JointWeights.of(code, known, engine);
  }

  private WeightDistribution single(Session session, JointWeights weights) {
    try {
      return weights.single();
    } catch (IllegalArgumentException e) {
      throw session.usage(e.getMessage() + ": " + minimumHint());
    }
  }

  private JointPlan planOf(Session session, Supplier<JointPlan> plan) {
    try {
      return plan.get();
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      throw session.usage(method.equals(JointWeights.AUTO) ? message : "--method: " + message);
    }
  }

  private JointWeightDistribution joint(
      Session session, JointWeights weights, Optional<Checkpoint> checkpoint, String planMethod)
      throws IOException {
    JointPlan plan = planOf(session, () -> weights.plan(planMethod));
    session.inform("method %s: %s".formatted(plan.method(), plan.description()));
    try (Progress.Steps steps = session.steps("pairs")) {
      JointRunner runner =
          JointRunner.of(
              weights,
              (done, _, left) -> {
                steps.begin(Units.duration(left.toNanos()) + " left", (int) (done * STEPS), STEPS);
                return true;
              });
      return checkpoint.isPresent()
          ? runner.withCheckpoint(checkpoint.get()).run(plan)
          : runner.run(plan);
    }
  }

  /** The values of {@code --method}. */
  static final class PairMethods extends MethodNames {
    PairMethods() {
      super(engine -> JointWeights.of(CodeFamily.hamming(2), engine).methods());
    }
  }

  private record Method(
      String method, String description, double predictedSeconds, Optional<String> obstacle) {}

  /** The result of {@code --plan} as {@code --json} prints it. */
  private record Plans(List<Method> methods, String selected) {}

  private void plan(Session session, JointWeights weights) {
    List<Method> methods =
        weights.plans().stream()
            .map(plan ->
                new Method(
                    plan.method(), plan.description(), plan.predictedSeconds(), plan.obstacle()))
            .toList();
    JointPlan selected = planOf(session, () -> weights.prediction(method));
    session.printResult(
        new Plans(methods, selected.method()),
        () -> {
          TextTable table = new TextTable().text("method").number("predicted").text("description");
          methods.forEach(each ->
              table.row(each.method(), duration(each.predictedSeconds()), each.description()));
          return table + selection(selected);
        });
  }

  private String minimumHint() {
    return "'fieldstone distance %s' finds the minimum".formatted(ErrorLine.oneLine(codeName));
  }

  private String selection(JointPlan selected) {
    return selected
        .obstacle()
        .map(
            reason -> "%s cannot run: %s%n%s%n".formatted(selected.method(), reason, minimumHint()))
        .orElseGet(() ->
            "%s %s%n"
                .formatted(
                    method.equals(JointWeights.AUTO) ? "auto selects" : "selected:",
                    selected.method()));
  }

  private static String duration(double seconds) {
    return seconds < MAX_DURATION_SECONDS
        ? Units.duration((long) (seconds * 1e9))
        : "%.1e years".formatted(seconds / YEAR_SECONDS);
  }

  private record Weight(int weight, BigInteger count) {}

  /** The result as {@code --json} prints it. */
  private record Result(
      int length,
      int dimension,
      OptionalInt minimumDistance,
      List<Weight> weights,
      List<JointWeightDistribution.Entry> joint,
      Optional<Double> decodingErrorBound,
      Optional<Double> bothDecodingErrorBound) {}

  private void report(
      Session session,
      BinaryCode code,
      WeightDistribution single,
      Optional<JointWeightDistribution> joint)
      throws IOException, Failure {
    String counts = isPolynomial ? polynomial(single, joint) : csv(single, joint);
    Path csvFile = outputFile();
    if (csvFile != null) {
      OutputText.write(csvFile, counts);
    }
    if (plot != null) {
      List<Chart> charts = new ArrayList<>(List.of(chart(plot, code.toString(), weights(single))));
      joint.ifPresent(pairs -> charts.add(WeightsPlot.heatMap(code, pairs)));
      ChartFile.write(plot, charts);
    }
    Optional<Double> bound = bitError().map(p -> ErrorBounds.oneReceiver(single, p));
    Optional<Double> both =
        jointErrors(session)
            .flatMap(errors -> joint.map(pairs -> ErrorBounds.bothReceivers(pairs, errors)));
    if (session.isJson()) {
      session.print(
          new Result(
              code.length(),
              code.dimension(),
              single.minimumDistance(),
              weights(single),
              joint.map(JointWeightDistribution::entries).orElse(List.of()),
              bound,
              both),
          () -> "");
      return;
    }
    if (csvFile == null) {
      session.streams().out().print(counts);
    } else if (!session.isQuiet()) {
      session.streams().out().print(summary(code, single, joint));
    }
    bound.ifPresent(p -> printBound(session, "decoding error", p));
    both.ifPresent(p -> printBound(session, "decoding error of both", p));
  }

  /** The result of {@code --curve} as {@code --json} prints it. */
  private record Curve(int length, int dimension, int trials, List<ErrorCurve.Point> points) {}

  private void reportCurve(Session session, ErrorCurve errors) throws IOException, Failure {
    List<Double> probabilities = ErrorCurve.range(curve.get(0), curve.get(1));
    List<ErrorCurve.Point> points = new ArrayList<>();
    try (Progress.Steps steps = session.steps("points")) {
      for (double probability : probabilities) {
        steps.begin("", points.size(), probabilities.size() * ErrorCurve.CORRELATIONS.size());
        for (double correlation : ErrorCurve.CORRELATIONS) {
          points.add(errors.point(probability, correlation));
        }
      }
    }
    String csv = ErrorCurve.csv(points);
    Path csvFile = outputFile();
    if (csvFile != null) {
      OutputText.write(csvFile, csv);
    }
    if (plot != null) {
      ChartFile.write(plot, List.of(ErrorCurveChart.of(errors, points)));
    }
    BinaryCode code = errors.code();
    Curve result = new Curve(code.length(), code.dimension(), errors.trials(), points);
    if (csvFile == null) {
      session.printResult(result, () -> csv);
    } else {
      session.print(
          result,
          () ->
              "%s code: %d points, %d trials each; %s%n"
                  .formatted(
                      code, points.size(), errors.trials(), ErrorLine.oneLine(csvFile.toString())));
    }
  }

  private static void printBound(Session session, String what, double bound) {
    String useless = bound > 1 ? ", which is useless: no probability exceeds 1" : "";
    session.streams().out().println(what + " at most " + bound + useless);
  }

  private static String polynomial(
      WeightDistribution single, Optional<JointWeightDistribution> joint) {
    return joint.map(JointWeightDistribution::enumerator).orElseGet(single::enumerator) + "\n";
  }

  private String csv(WeightDistribution single, Optional<JointWeightDistribution> joint) {
    return joint.map(WeightsCommand::csv).orElseGet(() -> csv(weights(single)));
  }

  private static String csv(List<Weight> weights) {
    StringBuilder csv = new StringBuilder("weight,count\n");
    weights.forEach(
        each -> csv.append(each.weight()).append(',').append(each.count()).append('\n'));
    return csv.toString();
  }

  /** Returns the counts that are asked for. */
  private List<Weight> weights(WeightDistribution single) {
    return single.weights().stream()
        .filter(weight -> maxWeight < 0 || weight <= maxWeight)
        .map(weight -> new Weight(weight, single.count(weight)))
        .toList();
  }

  private static String csv(JointWeightDistribution joint) {
    StringBuilder csv = new StringBuilder("x,y,z,count\n");
    for (JointWeightDistribution.Entry entry : joint.entries()) {
      csv.append(entry.x()).append(',').append(entry.y()).append(',').append(entry.z());
      csv.append(',').append(entry.count()).append('\n');
    }
    return csv.toString();
  }

  private String summary(
      BinaryCode code, WeightDistribution single, Optional<JointWeightDistribution> joint) {
    String distance =
        single.minimumDistance().isPresent()
            ? ", minimum distance " + single.minimumDistance().getAsInt()
            : "";
    return "%s code%s: %d weights%s; %s\n"
        .formatted(
            code,
            distance,
            single.weights().size(),
            joint.map(pairs -> ", " + pairs.entries().size() + " joint weights").orElse(""),
            ErrorLine.oneLine(String.valueOf(output)));
  }
}
