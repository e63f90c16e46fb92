package io.fieldstone.spark.app;

import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.spark.JobFailedException;
import io.fieldstone.spark.storage.Storage;
import io.fieldstone.spark.weights.DistanceForecast;
import io.fieldstone.spark.weights.DistanceJob;
import io.fieldstone.weights.codes.CodeFamily;
import io.fieldstone.weights.codes.MalformedMatrixException;
import io.fieldstone.weights.codes.MatrixFile;
import io.fieldstone.weights.codes.PauliText;
import io.fieldstone.weights.codes.Permutation;
import io.fieldstone.weights.codes.StabilizerCode;
import io.fieldstone.weights.codes.StabilizerFile;
import io.fieldstone.weights.distance.DistanceProof;
import io.fieldstone.weights.distance.LightWord;
import io.fieldstone.weights.distance.StabilizerWords;
import io.fieldstone.weights.distance.WordSpace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "distance",
    sortOptions = false,
    description = "Prove the minimum distance of a binary linear code or of a quantum code.")
final class DistanceCommand extends JobCommand {

  private static final double MAX_SECONDS = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;

  @Parameters(
      paramLabel = "CODE",
      arity = "0..1",
      description = "A name, such as bch:127,64, or a file with a generator matrix.")
  private @Nullable String codeName;

  @Option(names = "--parity-check", description = "Read the file as a parity-check matrix.")
  private boolean isParityCheck;

  @Option(names = "--x", paramLabel = "FILE", description = "File with the X checks of a CSS code.")
  private @Nullable String xChecks;

  @Option(names = "--z", paramLabel = "FILE", description = "File with its Z checks.")
  private @Nullable String zChecks;

  /** The logical operators of a CSS code. */
  enum Operators {
    X,
    Z
  }

  @Option(
      names = "--side",
      paramLabel = "SIDE",
      description = "With --x and --z: the logical operators x or z.")
  private @Nullable Operators operators;

  @Option(
      names = "--stabilizer",
      paramLabel = "FILE",
      description = "File with generators of the stabilizer of a quantum code.")
  private @Nullable String stabilizer;

  @Option(
      names = "--permutation",
      paramLabel = "FILE",
      description =
          "File with a known automorphism of the code: the image of each position or qubit, from 0."
              + " May be repeated.")
  private List<String> permutations = List.of();

  @Option(names = "--exact", description = "Prove the distance. A search alone takes no cluster.")
  private boolean isExact;

  @Option(names = "--plan", description = "Only print the predicted cost of the proof.")
  private boolean isPlan;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "Search a light word for S seconds on the driver first (default: 10).")
  private double seconds = 10;

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description = "Prove, save the state in FILE, and continue from it if it exists.")
  private @Nullable String checkpoint;

  @Override
  void checkOptions() {
    boolean isCss = xChecks != null && zChecks != null && operators != null;
    int codes = (codeName != null ? 1 : 0) + (isCss ? 1 : 0) + (stabilizer != null ? 1 : 0);
    boolean isPartial = xChecks != null || zChecks != null || operators != null;
    if (codes != 1 || isPartial && !isCss) {
      throw usage("give either CODE, or --x, --z and --side, or --stabilizer");
    }
    if (isParityCheck && (codeName == null || CodeFamily.isName(codeName))) {
      throw usage("--parity-check needs a file of CODE");
    }
    if (isPlan == (isExact || checkpoint != null)) {
      throw usage("give either --exact or --resume, or --plan: a search alone takes no cluster");
    }
    if (!(seconds > 0 && seconds <= MAX_SECONDS)) {
      throw usage("--seconds %s is not in 0…1e6, without 0".formatted(seconds));
    }
  }

  /**
   * The words whose least weight is sought.
   *
   * @param name the code or the kind of operators, for display
   * @param paulis the operators that the words stand for, if they do
   */
  private record Words(String name, WordSpace space, Optional<StabilizerWords> paulis) {

    int weight(int wordWeight) {
      return paulis.map(words -> words.operatorWeight(wordWeight)).orElse(wordWeight);
    }

    Permutation positions(Permutation permutation) {
      return paulis.map(words -> words.positions(permutation)).orElse(permutation);
    }

    Result result(DistanceProof.Bounds bounds) {
      LightWord word = bounds.lightest().orElseThrow();
      return new Result(
          paulis.map(each -> each.code().qubits()).orElseGet(space::length),
          paulis.map(each -> each.code().logicalQubits()).orElseGet(space::logicalDimension),
          weight(word.weight()),
          weight(bounds.lower()),
          bounds.isProven(),
          paulis.map(each -> each.qubits(word)).orElseGet(word::positions),
          paulis.map(each -> each.operator(word)),
          bounds.sums());
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
      Optional<String> pauli,
      double sums) {

    String text(String name) {
      return "%s: d = %d (proven)%n%s"
          .formatted(
              name,
              distance,
              pauli.orElseGet(
                  () -> witness.stream().map(String::valueOf).collect(Collectors.joining(" "))));
    }
  }

  @Override
  int run(JavaSparkContext context) throws IOException {
    Storage storage = Storage.of(context);
    Words words = words(storage);
    DistanceJob job =
        DistanceJob.of(context, words.space)
            .withEngine(engine())
            .withAutomorphisms(automorphisms(storage, words))
            .withSearch(Duration.ofNanos((long) (seconds * NANOS_PER_SECOND)))
            .withProgress(bounds -> report(words, bounds));
    if (isPlan) {
      DistanceForecast forecast = job.forecast(words::weight);
      if (isJson()) {
        return result(forecast, "");
      }
      println(forecast.text());
      return ExitCode.OK;
    }
    Result result = words.result((checkpoint == null ? job : job.withCheckpoint(checkpoint)).run());
    if (isJson()) {
      int _ = result(result, "");
    } else {
      println(result.text(words.name));
    }
    if (checkpoint != null) {
      storage.delete(storage.path(checkpoint));
    }
    return ExitCode.OK;
  }

  private List<Permutation> automorphisms(Storage storage, Words words) throws IOException {
    List<Permutation> known = new ArrayList<>();
    for (String file : permutations) {
      String text = new String(storage.read(storage.path(file)), StandardCharsets.UTF_8);
      try {
        known.add(words.positions(Permutation.parse(text)));
      } catch (IllegalArgumentException e) {
        throw new JobFailedException(e.getMessage() + ": " + file, e);
      }
    }
    return known;
  }

  private void report(Words words, DistanceProof.Bounds bounds) {
    if (!isQuiet()) {
      warn(
          "d ≥ %d after %.3g of %.3g sums"
              .formatted(words.weight(bounds.lower()), bounds.sums(), bounds.totalSums()));
    }
  }

  private Words words(Storage storage) throws IOException {
    if (codeName != null && CodeFamily.isName(codeName)) {
      return ofCode(WordSpace.of(CodeFamily.parse(codeName)));
    }
    String source =
        Optional.ofNullable(codeName)
            .or(() -> Optional.ofNullable(stabilizer))
            .orElseGet(() -> xChecks + " and " + zChecks);
    try {
      if (stabilizer != null) {
        StabilizerWords paulis = StabilizerWords.of(stabilizer(storage, stabilizer));
        return new Words(paulis.code() + " code", paulis.space(), Optional.of(paulis));
      }
      if (xChecks != null && zChecks != null && operators != null) {
        int columns = matrix(storage, xChecks, 1).columns();
        Gf2Matrix z = matrix(storage, zChecks, columns);
        Gf2Matrix x = matrix(storage, xChecks, z.columns());
        WordSpace.requireCommuting(x, z);
        WordSpace space =
            operators == Operators.X ? WordSpace.outside(z, x) : WordSpace.outside(x, z);
        return new Words(operators.name(), space, Optional.empty());
      }
      Gf2Matrix matrix = matrix(storage, source, 1);
      WordSpace space =
          isParityCheck ? WordSpace.ofParityCheck(matrix) : WordSpace.ofGenerator(matrix);
      if (space.dimension() == 0) {
        throw new JobFailedException("the code has no word but zero: " + source);
      }
      return ofCode(space);
    } catch (IllegalArgumentException e) {
      throw new JobFailedException(e.getMessage() + ": " + source, e);
    } catch (MalformedMatrixException e) {
      throw new JobFailedException(String.valueOf(e.getMessage()), e);
    }
  }

  private static Words ofCode(WordSpace space) {
    return new Words(space + " code", space, Optional.empty());
  }

  private static StabilizerCode stabilizer(Storage storage, String name)
      throws IOException, MalformedMatrixException {
    byte[] bytes = storage.read(storage.path(name));
    return JsonCodes.isJson(name)
        ? StabilizerCode.of(
            PauliText.parse(name, JsonCodes.operators(name, bytes), StabilizerWords.MAX_QUBITS))
        : StabilizerFile.parse(name, bytes, StabilizerWords.MAX_QUBITS);
  }

  /**
   * Reads a matrix.
   *
   * @param minColumns the number of columns of a list of supports without a greater position
   */
  private static Gf2Matrix matrix(Storage storage, String name, int minColumns)
      throws IOException, MalformedMatrixException {
    byte[] bytes = storage.read(storage.path(name));
    return JsonCodes.isJson(name)
        ? MatrixFile.ofSupports(
            name, JsonCodes.supports(name, bytes), minColumns, WordSpace.MAX_LENGTH)
        : MatrixFile.parse(name, bytes, WordSpace.MAX_LENGTH);
  }
}
