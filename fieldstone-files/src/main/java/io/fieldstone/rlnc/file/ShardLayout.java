package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.stream.file.DamagedInput;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * How the blocks of an object are distributed over its shards, as some records of each shard show.
 * A header does not say how many shards an encoder made.
 *
 * @param object the object
 * @param blocksPerShard the most blocks of a generation in one of the shards
 * @param original how the encoder distributed them; empty if no shard shows it, because all are
 *     recoded, empty, or of encodings with other numbers of shards
 */
public record ShardLayout(CodedObject object, int blocksPerShard, Optional<Original> original) {

  /** The generations at the beginning of a shard of which all records are read. */
  private static final int FIRST_GENERATIONS = 2;

  /** The bytes read at a time, if records are not larger. */
  private static final long WINDOW_BYTES = 1 << 20;

  /** Spare blocks per generation: n + 2 random blocks lack rank with probability 256^-3. */
  private static final int SPARE_BLOCKS = 2;

  /** The seed of an encoder, if no record carries it. Blocks that depend on it do. */
  private static final long DEFAULT_SEED = 1;

  /**
   * The encoding of an object: block b of a generation is in shard b mod N.
   *
   * @param parameters those of the encoder. If shards of several encodings fit the given ones, a
   *     shard gets the most blocks of them
   * @param isCountKnown false if N is not known, because each shard has one block of a generation;
   *     it is then larger than the number of any given shard
   * @param sufficient the number of shards of which any selection restores the object for certain
   * @param present the numbers of the given shards
   * @param recordId the number that the records of the encoder carry
   */
  public record Original(
      EncodingParameters parameters,
      boolean isCountKnown,
      OptionalInt sufficient,
      NavigableSet<Integer> present,
      long recordId) {

    public Original {
      present = Collections.unmodifiableNavigableSet(new TreeSet<>(present));
    }

    /** Returns the numbers of the other shards, the lowest if their count is not known. */
    public List<Integer> missing() {
      return IntStream.range(0, parameters.shards())
          .filter(shard -> !present.contains(shard))
          .limit(isCountKnown ? Long.MAX_VALUE : 1)
          .boxed()
          .toList();
    }

    /**
     * Returns this encoding with another number of shards, if that is not known.
     *
     * @param shard the number of a shard that must be one of them
     * @throws IllegalArgumentException if it is not
     */
    public Original including(int shard) {
      if (shard >= 0 && shard < parameters.shards()) {
        return this;
      }
      if (isCountKnown || shard < 0 || shard >= EncodingParameters.MAX_SHARDS) {
        throw new IllegalArgumentException(
            "shard %d is not in 0…%d"
                .formatted(
                    shard,
                    isCountKnown ? parameters.shards() - 1 : EncodingParameters.MAX_SHARDS - 1));
      }
      double perBlock = (1 + parameters.redundancy()) / parameters.shards() * (shard + 1);
      EncodingParameters more =
          new EncodingParameters(parameters.shape(), shard + 1, perBlock - 1, parameters.seed());
      return new Original(more, false, sufficient, present, recordId);
    }
  }

  /**
   * The undamaged records of one generation in one shard.
   *
   * @param generation the generation
   * @param positions their offsets in the shard
   * @param indices the indices of their blocks; recoded blocks have none
   */
  private record Sample(long generation, NavigableSet<Long> positions, NavigableSet<Long> indices) {

    Sample(long generation) {
      this(generation, new TreeSet<>(), new TreeSet<>());
    }
  }

  /**
   * Reads some records of each shard.
   *
   * @throws MalformedShardException if no file is a valid shard
   * @throws MixedShardsException if the shards belong to different objects
   */
  public static ShardLayout of(List<Path> shards) throws IOException {
    try (ShardSet set = ShardSet.open(shards.stream().map(DamagedInput::opener).toList(), false)) {
      return of(set);
    }
  }

  private static ShardLayout of(ShardSet set) throws IOException {
    CodedObject object = set.descriptor();
    Survey survey = new Survey(object);
    for (ShardFile shard : set.shards()) {
      survey.read(shard);
    }
    return new ShardLayout(object, survey.blocksPerShard, survey.original());
  }

  /**
   * Returns the random combinations of each generation that a shard needs to replace one of the
   * encoder: as many blocks as the largest, and a few more where the fewest shards of which any
   * selection is sufficient have none to spare.
   */
  public int blocksOfReplacement() {
    if (original.isEmpty() || original.get().sufficient().isEmpty()) {
      return Math.max(1, blocksPerShard);
    }
    EncodingParameters parameters = original.get().parameters();
    int n = Math.clamp(object.sourceBlocks(), 1, object.shape().blocks());
    int coded = parameters.codedBlocks(n);
    int others =
        IntStream.rangeClosed(1, original.get().sufficient().getAsInt() - 1)
            .map(last -> parameters.recordsOf(parameters.shards() - last, coded))
            .sum();
    return Math.max(blocksPerShard, n - others + SPARE_BLOCKS);
  }

  /** Collects samples of shards, and finds the encoding that explains them. */
  private static final class Survey {
    private final CodedObject object;

    /** The samples of the shards that an encoder made. */
    private final List<List<Sample>> encoded = new ArrayList<>();

    private int blocksPerShard;
    private OptionalLong seed = OptionalLong.empty();
    private long recordId;

    Survey(CodedObject object) {
      this.object = object;
    }

    /** Reads the records of the first generations of a shard, and of the last. */
    void read(ShardFile file) throws IOException {
      long last = object.generations() - 1;
      NavigableMap<Long, Sample> samples = new TreeMap<>();
      LongStream.concat(LongStream.range(0, FIRST_GENERATIONS), LongStream.of(last))
          .filter(generation -> generation >= 0 && generation <= last)
          .forEach(generation -> samples.put(generation, new Sample(generation)));
      long from = file.runs().getFirst().from();
      long end = file.runs().getLast().end();
      long recordBytes = file.header().recordBytes();
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment window = arena.allocate(Math.max(recordBytes, WINDOW_BYTES));
        scan(file.scan(new ShardFile.Run(from, end), window), samples, FIRST_GENERATIONS);
        // The last generation has no more records than another, but for rounding.
        long tail = (mostBlocks(samples) + 2L) * 2 * recordBytes;
        long at = Math.max(from, end - tail);
        scan(file.scan(new ShardFile.Run(at, end), window), samples, Long.MAX_VALUE);
      }
      blocksPerShard = Math.max(blocksPerShard, mostBlocks(samples));
      if (!file.header().vectors()) {
        recordId = file.header().recordId();
        encoded.add(List.copyOf(samples.values()));
      }
    }

    private static int mostBlocks(NavigableMap<Long, Sample> samples) {
      return samples.values().stream()
          .mapToInt(sample -> sample.positions().size())
          .max()
          .orElse(0);
    }

    /** Adds records to the samples of their generations, up to a generation. */
    private void scan(RecordScanner scanner, NavigableMap<Long, Sample> samples, long end)
        throws IOException {
      while (scanner.next() && scanner.block().generation() < end) {
        Sample sample = samples.get(scanner.block().generation());
        if (sample != null) {
          sample.positions().add(scanner.recordAt());
          index(scanner.block().vector()).ifPresent(sample.indices()::add);
        }
      }
    }

    /** Returns the index of a block of an encoder, and keeps its seed. */
    private Optional<Long> index(CodingVector vector) {
      return switch (vector) {
        case CodingVector.Source(int index) -> Optional.of((long) index);
        case CodingVector.Seeded(long own, long index) -> {
          seed = OptionalLong.of(own);
          yield Optional.of(index);
        }
        case CodingVector.Pipelined(int _, long own, long index) -> {
          seed = OptionalLong.of(own);
          yield Optional.of(index);
        }
        case CodingVector.Explicit _ -> Optional.empty();
      };
    }

    private Stream<Sample> samples() {
      return encoded.stream().flatMap(List::stream);
    }

    /** Returns the encoding; empty if the shards show none. */
    Optional<Original> original() {
      long greatest =
          samples().flatMap(sample -> sample.indices().stream()).max(Long::compare).orElse(-1L);
      OptionalInt count = count();
      if (greatest < 0 || count.isEmpty() || greatest >= EncodingParameters.MAX_CODED_BLOCKS) {
        return Optional.empty();
      }
      return count.getAsInt() > 0 ? ofCount(count.getAsInt()) : ofSingleBlocks((int) greatest);
    }

    /**
     * Returns the number of shards, which is the step of the indices in a shard.
     *
     * @return 0 if no shard has two blocks of a generation; empty if the shards contradict each
     *     other
     */
    private OptionalInt count() {
      long[] steps = samples().flatMapToLong(sample -> steps(sample.indices())).toArray();
      if (steps.length == 0) {
        return OptionalInt.of(0);
      }
      long common = LongStream.of(steps).reduce(0, Survey::divisor);
      boolean isStep =
          common == LongStream.of(steps).min().orElseThrow()
              && common <= EncodingParameters.MAX_SHARDS
              && encoded.stream().allMatch(shard -> isOne(shard, common));
      return isStep ? OptionalInt.of((int) common) : OptionalInt.empty();
    }

    private static LongStream steps(NavigableSet<Long> indices) {
      Long[] all = indices.toArray(Long[]::new);
      return IntStream.range(1, all.length).mapToLong(i -> all[i] - all[i - 1]);
    }

    private static long divisor(long a, long b) {
      return b == 0 ? a : divisor(b, a % b);
    }

    /** Returns true if the indices of a shard have the same remainder. */
    private static boolean isOne(List<Sample> shard, long count) {
      return shard.stream()
              .flatMap(sample -> sample.indices().stream())
              .map(index -> index % count)
              .distinct()
              .count()
          <= 1;
    }

    /** Each shard has one block of a generation, or none. */
    private Optional<Original> ofSingleBlocks(int greatest) {
      NavigableSet<Integer> present = present(EncodingParameters.MAX_CODED_BLOCKS);
      int shards = greatest + 2;
      int blocks = Math.clamp(object.sourceBlocks(), 1, object.shape().blocks());
      return shards > EncodingParameters.MAX_SHARDS || shards < blocks
          ? Optional.empty()
          : parameters(shards, (double) shards / blocks - 1)
              .map(found -> new Original(found, false, OptionalInt.empty(), present, recordId));
    }

    private Optional<Original> ofCount(int shards) {
      List<EncodingParameters> guaranteed =
          IntStream.rangeClosed(1, shards)
              .mapToObj(any -> anyOf(any, shards))
              .flatMap(Optional::stream)
              .toList();
      long fewest = guaranteed.stream().mapToLong(this::lacking).min().orElse(Long.MAX_VALUE);
      List<EncodingParameters> all = new ArrayList<>(guaranteed);
      if (fewest > 0) {
        all.addAll(unguaranteed(shards));
      }
      long least = all.stream().mapToLong(this::lacking).min().orElse(Long.MAX_VALUE);
      List<EncodingParameters> best =
          all.stream().filter(each -> least < Long.MAX_VALUE && lacking(each) == least).toList();
      int n = object.shape().blocks();
      return best.stream()
          .max(Comparator.comparingInt(each -> each.codedBlocks(n)))
          .map(found -> new Original(found, true, sufficient(best), present(shards), recordId));
    }

    /** Returns the number of shards that is sufficient for certain with every encoding. */
    private static OptionalInt sufficient(List<EncodingParameters> encodings) {
      return encodings.stream().allMatch(each -> each.sufficient().isPresent())
          ? encodings.stream().mapToInt(each -> each.sufficient().getAsInt()).max()
          : OptionalInt.empty();
    }

    private NavigableSet<Integer> present(int shards) {
      NavigableSet<Integer> present = new TreeSet<>();
      samples()
          .flatMap(sample -> sample.indices().stream())
          .forEach(index -> present.add((int) (index % shards)));
      return present;
    }

    private Optional<EncodingParameters> anyOf(int any, int shards) {
      GenerationShape shape = object.shape();
      return shape.code() instanceof Code.Cauchy
              && shape.blocks() <= EncodingParameters.maxBlocks(any, shards)
          ? Optional.of(
              EncodingParameters.anyOf(
                  shape.blocks(), shape.blockSize(), any, shards, seed.orElse(DEFAULT_SEED)))
          : Optional.empty();
    }

    /** Returns the encodings without a guarantee that may explain the greatest index. */
    private List<EncodingParameters> unguaranteed(int shards) {
      Sample greatest =
          samples()
              .filter(sample -> !sample.indices().isEmpty())
              .max(Comparator.comparingLong(sample -> sample.indices().last()))
              .orElseThrow();
      int blocks = object.blocksOf(greatest.generation());
      long least = Math.max(blocks, greatest.indices().last() + 1);
      return LongStream.range(least, least + shards)
          .mapToObj(coded -> parameters(shards, (double) coded / blocks - 1))
          .flatMap(Optional::stream)
          .toList();
    }

    private Optional<EncodingParameters> parameters(int shards, double redundancy) {
      try {
        return Optional.of(
            new EncodingParameters(object.shape(), shards, redundancy, seed.orElse(DEFAULT_SEED)));
      } catch (IllegalArgumentException _) {
        // No encoder makes so many blocks.
        return Optional.empty();
      }
    }

    /** Returns the records that an encoding lacks; the maximum long if shards have others. */
    private long lacking(EncodingParameters parameters) {
      long lacking = 0;
      for (List<Sample> shard : encoded) {
        OptionalLong any =
            shard.stream().flatMap(each -> each.indices().stream()).mapToLong(each -> each).max();
        for (Sample sample : shard) {
          if (any.isPresent()) {
            int number = (int) (any.getAsLong() % parameters.shards());
            int coded = parameters.codedBlocks(object.blocksOf(sample.generation()));
            int expected = parameters.recordsOf(number, coded);
            if (!sample.indices().isEmpty() && sample.indices().last() >= coded) {
              return Long.MAX_VALUE;
            }
            lacking += expected - sample.indices().size();
          }
        }
      }
      return lacking;
    }
  }
}
