package io.fieldstone.cuda.weights;

import static io.fieldstone.cuda.FakeKernels.require;
import static io.fieldstone.cuda.GpuMemory.int32;
import static io.fieldstone.cuda.GpuMemory.int64;
import static io.fieldstone.cuda.GpuMemory.set;

import io.fieldstone.cuda.Struct;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.weights.DistanceArguments.Sums;
import io.fieldstone.cuda.weights.DistanceArguments.Table;
import io.fieldstone.cuda.weights.DistanceArguments.Walks;
import io.fieldstone.engine.weights.InformationSetWalk;
import io.fieldstone.engine.weights.LabelledWords;
import io.fieldstone.engine.weights.Subsets;
import java.util.Optional;

/** The kernels of distances.cu in Java, by their definition. */
final class FakeDistanceKernels {

  private static final int NUMBER_BITS = 52;

  private FakeDistanceKernels() {}

  static FakeDriver register(FakeDriver driver) {
    FakeDriver registered =
        driver.kernel(
            "sums_table",
            Struct.bytes(Table.class),
            (_, struct) -> table(Struct.read(struct, Table.class)));
    for (int words : new int[] {0, 2, 4}) {
      registered =
          registered.kernel(
              "sums_light_" + words,
              Struct.bytes(Sums.class),
              (shape, struct) -> sums(shape, Struct.read(struct, Sums.class), words));
    }
    for (int words : new int[] {0, 2, 3, 4}) {
      int deciding = words;
      registered =
          registered.kernel(
              "trials_" + words,
              Struct.bytes(Walks.class),
              (shape, struct) -> walks(shape, Struct.read(struct, Walks.class), deciding));
    }
    return registered;
  }

  private static int sum(long rows, int rowWords, int word, int[] chosen) {
    int sum = 0;
    for (int row : chosen) {
      sum ^= int32(rows + 4L * (row * rowWords + word));
    }
    return sum;
  }

  /** Where a word of a sum of the table is. */
  private static long place(long sum, int word, int deciding, long sums) {
    return deciding < 4 ? sum * deciding + word : (word / 4 * sums + sum) * 4 + word % 4;
  }

  private static void table(Table a) {
    require(a.tail() >= 1 && a.tail() <= 3, "one to three rows");
    require(a.sums() == Subsets.exact(a.matrixRows(), a.tail()), "all sums");
    for (long sum = 0; sum < a.sums(); sum++) {
      int[] chosen = Subsets.subset(a.matrixRows(), a.tail(), sum);
      for (int word = 0; word < a.deciding(); word++) {
        int bits = word < a.words() ? sum(a.rows(), a.rowWords(), word, chosen) : 0;
        set(a.table() + 4 * place(sum, word, a.deciding(), a.sums()), bits);
      }
    }
  }

  private static void sums(LaunchShape shape, Sums a, int deciding) {
    require(shape.blockX() == 256, "the launch");
    require(
        shape.sharedBytes() >= 32 * (a.deciding() + Math.ceilDiv(a.size(), 2)),
        "a base and a prefix for each warp");
    require(
        deciding == a.deciding() || deciding == 0 && a.deciding() % 4 == 0,
        "the words that decide");
    for (int i = 0; i <= a.size(); i++) {
      long last = int64(a.binomials() + 8L * (i * (a.matrixRows() + 1) + a.matrixRows()));
      require(last == Subsets.exact(a.matrixRows(), i) || last == 1L << 62, "binomials");
    }
    for (long number = 0; number < a.count(); number++) {
      int[] chosen = Subsets.subset(a.matrixRows(), a.size(), a.first() + number);
      offer(a, chosen, number);
    }
  }

  private static void offer(Sums a, int[] chosen, long number) {
    int weight = 0;
    int label = a.rowWords() == a.words() ? 1 : 0;
    int ofTable = 0;
    for (int word = 0; word < a.rowWords(); word++) {
      int sum = sum(a.rows(), a.rowWords(), word, chosen);
      weight += word < a.words() ? Integer.bitCount(sum) : 0;
      label |= word < a.words() ? 0 : sum;
      ofTable += word < Math.min(a.words(), a.deciding()) ? ofTable(a, chosen, word) : 0;
    }
    if (ofTable > a.maxWeight() || weight > a.maxWeight() || label == 0) {
      return;
    }
    long found = int64(a.found());
    if (a.capacity() > 0) {
      if (found < a.capacity()) {
        set(a.numbers() + 8 * found, number);
      }
      set(a.found(), found + 1);
    } else {
      long key = (long) weight << NUMBER_BITS | number;
      set(a.found(), Long.compareUnsigned(key, found) < 0 ? key : found);
    }
  }

  /** Returns the ones of a word of a sum, whose smallest rows are looked up. */
  private static int ofTable(Sums a, int[] chosen, int word) {
    long inTable = 0;
    for (int i = 0; i < a.tail(); i++) {
      inTable += Subsets.exact(chosen[i], i + 1);
    }
    int sum = int32(a.table() + 4 * place(inTable, word, a.deciding(), a.tableSums()));
    for (int i = a.tail(); i < chosen.length; i++) {
      sum ^= int32(a.rows() + 4L * (chosen[i] * a.rowWords() + word));
    }
    return Integer.bitCount(sum);
  }

  private static void walks(LaunchShape shape, Walks a, int deciding) {
    require(shape.blockX() == 128, "the launch");
    require(shape.sharedBytes() >= 4 * (a.matrixRows() * a.stride() + 8), "a matrix");
    require(a.stride() >= a.rowWords() && a.stride() % 2 == 1, "the stride");
    require(deciding == a.deciding() || deciding == 0, "the words that decide");
    require(a.deciding() <= a.words(), "words of a row");
    require(a.firstSteps() == a.steps() * InformationSetWalk.FIRST_STEPS, "the steps");
    LabelledWords rows = rows(a);
    for (long number = 0; number < a.walks(); number++) {
      InformationSetWalk walk = new InformationSetWalk(rows, a.seed(), a.firstWalk() + number);
      for (int trial = 0; trial < a.trials(); trial++) {
        walk.next();
        long found = int64(a.found());
        Optional<int[]> word = walk.lightest(a.depth(), (int) (found >>> NUMBER_BITS));
        if (word.isPresent()) {
          long key = (long) walk.weight(word.get()) << NUMBER_BITS | number * a.trials() + trial;
          set(a.found(), Long.compareUnsigned(key, found) < 0 ? key : found);
        }
      }
    }
  }

  private static LabelledWords rows(Walks a) {
    int longs = Math.ceilDiv(a.length(), Long.SIZE);
    int labelWords = a.rowWords() - a.words();
    long[][] rows = new long[a.matrixRows()][longs + Math.ceilDiv(labelWords, 2)];
    for (int row = 0; row < rows.length; row++) {
      for (int word = 0; word < a.rowWords(); word++) {
        boolean isLabel = word >= a.words();
        int at = isLabel ? 2 * longs + word - a.words() : word;
        long bits = Integer.toUnsignedLong(int32(a.rows() + 4L * (row * a.rowWords() + word)));
        rows[row][at / 2] |= bits << 32 * (at % 2);
      }
    }
    return LabelledWords.of(rows, a.length(), labelWords * Integer.SIZE);
  }
}
