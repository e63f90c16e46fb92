package io.fieldstone.weights.distance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.Ports;
import io.fieldstone.engine.weights.InformationSetTrials;
import io.fieldstone.engine.weights.LabelledWords;
import io.fieldstone.engine.weights.LightSums;
import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.weights.codes.CodeFamily;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** No word is returned that the matrices of the code refuse, whatever an engine answers. */
class VerifiedWordsTest {

  /** An engine that answers with the first sums and trials, light or not. */
  private record Wrong(Ports ports) implements Engine {

    Wrong() {
      this(
          Ports.<LightSums>of(LightSums.class, FirstSums::new)
              .with(InformationSetTrials.class, () -> Wrong::firstTrial));
    }

    private static Optional<InformationSetTrials.Trial> firstTrial(
        LabelledWords redundancy, int depth, long seed, long first, long count, int maxWeight) {
      return Optional.of(new InformationSetTrials.Trial(redundancy.length() * 2, 0));
    }

    @Override
    public String spec() {
      return "wrong";
    }

    @Override
    public EngineKind kind() {
      return EngineKind.CPU;
    }

    @Override
    public String description() {
      return "wrong answers";
    }

    @Override
    public <P> Optional<P> find(Class<P> port) {
      return ports.find(port);
    }

    @Override
    public void close() {}
  }

  private static final class FirstSums implements LightSums {

    @Override
    public Optional<Sum> lightest(
        LabelledWords rows, int size, long first, long count, int maxWeight) {
      return Optional.of(new Sum(0, first));
    }

    @Override
    public Optional<long[]> light(
        LabelledWords rows, int size, long first, long count, int maxWeight, int maxFound) {
      return Optional.of(LongStream.range(first, first + Math.min(count, 4)).toArray());
    }
  }

  private static final WordSpace GOLAY = WordSpace.of(CodeFamily.golay(24));

  private static final LightWord EIGHT = new LightWord(List.of(0, 1, 2, 3, 7, 10, 11, 18));

  /** The Z operators of the [[4,2,2]] code, of which 1111 is a stabilizer. */
  private static final WordSpace FOUR =
      WordSpace.outside(Gf2Matrix.of("1111"), Gf2Matrix.of("1111"));

  @Test
  void refusesHeavySumsOfAnEngine() {
    DistanceProof proof = DistanceProof.of(new Wrong(), GOLAY, List.of());
    proof.know(EIGHT);

    assertThatThrownBy(() -> proof.run(_ -> true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(
            "a computed word is not one of weight up to 7 of the space (24,12)");
    assertThatThrownBy(() -> DistanceProof.of(new Wrong(), GOLAY, List.of()).words(7, _ -> true))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void refusesHeavyWordsOfATrial() {
    InformationSetSearch search = InformationSetSearch.of(new Wrong(), GOLAY, 1, 1);
    search.know(EIGHT);

    assertThatThrownBy(() -> search.run(0, 32, (_, _) -> true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(
            "a computed word is not one of weight up to 7 of the space (24,12)");
    assertThat(search.lightest()).contains(EIGHT);
  }

  @Test
  void refusesStabilizersAndWordsThatChecksDetect() {
    assertThat(FOUR.verified(new LightWord(List.of(0, 1)), 2).weight()).isEqualTo(2);
    for (List<Integer> positions :
        List.of(List.<Integer>of(), List.of(0, 1, 2, 3), List.of(2), List.of(0, 1, 2))) {
      assertThat(FOUR.contains(new LightWord(positions))).isFalse();
      assertThatThrownBy(() -> FOUR.verified(new LightWord(positions), 4))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageEndingWith("of the space [[4,2]]: " + positions);
    }
  }

  /** The matrices and the basis of a space agree on random words. */
  @Test
  void acceptsTheWordsOfTheBasis() {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 200; round++) {
      int n = 2 + random.nextInt(80);
      Gf2Matrix checks = KnownCodes.random(random, 1 + random.nextInt(n - 1), n);
      Gf2Matrix kernel = checks.nullSpace();
      if (kernel.rows() > 1) {
        Gf2Matrix stabilizers =
            KnownCodes.random(random, random.nextInt(kernel.rows()), kernel.rows())
                .multiply(kernel);
        WordSpace quotient = WordSpace.outside(checks, stabilizers);
        WordSpace code = WordSpace.spannedBy(kernel);
        for (int each = 0; each < 20; each++) {
          boolean isIn = random.nextInt(4) > 0;
          long[] bits =
              isIn
                  ? KnownCodes.random(random, 1, kernel.rows()).multiply(kernel).row(0)
                  : KnownCodes.random(random, 1, n).row(0);
          LightWord word = LightWord.of(bits);
          assertThat(code.contains(word))
              .isEqualTo(word.weight() > 0 && code.label(bits).isPresent());
          assertThat(quotient.contains(word))
              .isEqualTo(quotient.label(bits).filter(l -> WordSpace.weight(l) > 0).isPresent());
        }
      }
    }
  }
}
