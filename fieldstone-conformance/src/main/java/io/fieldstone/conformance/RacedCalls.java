package io.fieldstone.conformance;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.BlockMemory;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.engine.coding.ProgressiveElimination;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Substitutions;
import io.fieldstone.engine.memory.ByteMemory;
import io.fieldstone.engine.memory.Extents;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.Sorting;
import io.fieldstone.engine.sorting.Sorts;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.engine.stars.StarSearch;
import io.fieldstone.engine.stars.Stars;
import io.fieldstone.engine.terrain.HeightGrid;
import io.fieldstone.engine.terrain.LinesOfSight;
import io.fieldstone.engine.terrain.SightPaths;
import io.fieldstone.engine.terrain.SightSurvey;
import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.engine.weights.InformationSetTrials;
import io.fieldstone.engine.weights.LabelledWords;
import io.fieldstone.engine.weights.LightSums;
import io.fieldstone.engine.weights.PairCounting;
import io.fieldstone.engine.weights.PairCounts;
import io.fieldstone.engine.weights.PairTable;
import io.fieldstone.engine.weights.Subsets;
import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.engine.weights.TripleProducts;
import io.fieldstone.engine.weights.TripleSums;
import io.fieldstone.engine.weights.WeightCounts;
import io.fieldstone.engine.weights.WeightTransforms;
import io.fieldstone.engine.weights.WordGroups;
import io.fieldstone.field.Gf256;
import io.fieldstone.field.Gf2Modulus;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Makes calls of each port on memory with random content. */
final class RacedCalls {

  private static final Gf256 FIELD = Gf256.DEFAULT;

  /**
   * The numbers of records: insertion sort, one run, one bucket per thread, several threads per
   * bucket.
   */
  private static final int[] RECORDS = {30, 3_000, 70_000, 200_000, 600_000};

  private static final String COMPARISON = "comparison";

  /** A call of a port. */
  interface Call {
    /**
     * Allocates memory and returns the call, during which another thread writes or closes the
     * memory.
     */
    Runnable prepare(RacedMemory memory);
  }

  private final Engine engine;
  private final SplittableRandom r;
  private final int maxRecords;

  /**
   * Makes the calls of an engine.
   *
   * @param maxRecords the approximate maximum number of records per sort
   */
  RacedCalls(Engine engine, SplittableRandom random, int maxRecords) {
    this.engine = engine;
    this.r = random;
    this.maxRecords = maxRecords;
  }

  /** Returns all calls of ports that the engine has. */
  List<Call> all() {
    return Stream.of(
            calls(
                List.of(Sorts.class),
                this::sortInPlace,
                this::sortArray,
                this::sortApart,
                this::order),
            calls(List.of(Sorts.class, ByteMemory.class), this::sortResident),
            calls(List.of(Checksums.class), this::message, this::messages),
            calls(List.of(Checksums.class, Products.class), this::hostMemory),
            calls(List.of(Products.class), this::product),
            calls(List.of(BlockMemory.class), this::residentProduct),
            calls(List.of(Eliminations.class), this::inversion, this::systems, this::basis),
            calls(List.of(Substitutions.class), this::triangles),
            calls(List.of(Substitutions.class, BlockMemory.class), this::orderedTriangles),
            calls(List.of(Eliminations.class, BlockMemory.class), this::elimination),
            calls(List.of(PairCounts.class), this::pairs),
            calls(List.of(WeightCounts.class), this::weights),
            calls(List.of(WeightTransforms.class), this::transforms),
            calls(List.of(LightSums.class), this::lightSums),
            calls(List.of(InformationSetTrials.class), this::trials),
            calls(List.of(Stars.class), this::stars),
            calls(List.of(LinesOfSight.class), this::sight))
        .flatMap(Function.identity())
        .toList();
  }

  private Stream<Call> calls(List<Class<?>> ports, Call... calls) {
    return ports.stream().allMatch(port -> engine.find(port).isPresent())
        ? Arrays.stream(calls)
        : Stream.empty();
  }

  /** Sorts 32-bit integers. */
  static void sort(Engine engine, MemorySegment keys) {
    engine.sorts().sorting(RecordFormat.of(KeyType.I32)).sort(keys);
  }

  /** Returns a random number of records, which is small for the comparison sort. */
  private int records(Sorting sorting) {
    boolean isOracle = sorting.method().equals(COMPARISON);
    int records = RECORDS[r.nextInt(isOracle ? 2 : RECORDS.length)];
    return Math.min(records, maxRecords) + r.nextInt(9);
  }

  private RecordFormat format() {
    List<KeyType> types = List.of(KeyType.values());
    KeyType key = types.get(r.nextInt(types.size()));
    List<Integer> payloads = List.of(0, 0, key.bytes(), key.bytes(), 3);
    RecordFormat format =
        RecordFormat.of(key).withPayload(payloads.get(r.nextInt(payloads.size())));
    return r.nextBoolean() ? format : format.descending();
  }

  private Sorting sorting(RecordFormat format) {
    List<String> methods = engine.sorts().methods(format);
    return r.nextBoolean() && methods.size() > 1
        ? engine.sorts().sorting(format)
        : engine.sorts().sorting(format, methods.get(r.nextInt(methods.size())));
  }

  private Runnable sortInPlace(RacedMemory memory) {
    RecordFormat format = format();
    Sorting sorting = sorting(format);
    MemorySegment records = memory.allocate((long) records(sorting) * format.bytes(), r);
    return () -> sorting.sort(records);
  }

  private Runnable sortArray(RacedMemory memory) {
    boolean isLong = r.nextBoolean();
    Sorting sorting = sorting(RecordFormat.of(isLong ? KeyType.I64 : KeyType.U32));
    int count = records(sorting);
    MemorySegment keys =
        isLong ? memory.allocate(new long[count], r) : memory.allocate(new int[count], r);
    MemorySegment order = MemorySegment.ofArray(new int[count]);
    return r.nextBoolean() ? () -> sorting.sort(keys) : () -> sorting.argsort(keys, order);
  }

  private Runnable sortApart(RacedMemory memory) {
    RecordFormat format = format();
    Sorting sorting = sorting(format);
    long bytes = (long) records(sorting) * format.bytes();
    MemorySegment records = memory.allocate(bytes, r);
    MemorySegment sorted = memory.allocate(bytes, r);
    return () -> sorting.sort(records, sorted);
  }

  private Runnable order(RacedMemory memory) {
    RecordFormat format = format();
    Sorting sorting = sorting(format);
    int count = records(sorting);
    MemorySegment records = memory.allocate((long) count * format.bytes(), r);
    MemorySegment order = memory.allocate(count * (r.nextBoolean() ? 4L : 8L), r);
    return () -> sorting.argsort(records, order);
  }

  /** Sorts resident records while another thread stores or closes them. */
  private Runnable sortResident(RacedMemory memory) {
    RecordFormat format = format();
    Sorting sorting = sorting(format);
    MemorySegment records = memory.allocate((long) records(sorting) * format.bytes(), r);
    boolean closes = r.nextInt(4) == 0;
    return () -> {
      try (ResidentBytes resident = engine.loadBytes(records)) {
        runBoth(
            () -> sorting.sort(resident, 0, resident.byteSize()),
            closes ? resident::close : () -> resident.store(0, records));
      }
    };
  }

  /** Runs another task on a second thread and waits for both. */
  private static void runBoth(Runnable work, Runnable other) {
    Thread thread = Thread.ofPlatform().unstarted(() -> attempt(other));
    thread.start();
    try {
      attempt(work);
    } finally {
      MemoryRaces.join(thread);
    }
  }

  private static void attempt(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException expected) {
      // Expected for closed memory.
    }
  }

  private Division division() {
    Divisor[] divisors = {
      new Divisor(Gf2Modulus.of(32, 0x04C11DB7), true),
      new Divisor(Gf2Modulus.of(16, 0x1021), false),
      new Divisor(Gf2Modulus.of(64, 0x42F0E1EBA9EA3693L), true)
    };
    Divisor divisor = divisors[r.nextInt(divisors.length)];
    List<String> methods = engine.checksums().methods(divisor);
    return r.nextBoolean()
        ? engine.checksums().division(divisor)
        : engine.checksums().division(divisor, methods.get(r.nextInt(methods.size())));
  }

  private Runnable message(RacedMemory memory) {
    Division division = division();
    MemorySegment message = memory.allocate(r.nextInt(1, 1 << r.nextInt(4, 22)), r);
    return () -> division.append(0, message);
  }

  private Runnable messages(RacedMemory memory) {
    Division division = division();
    int bytes = 1 << 18;
    int count = r.nextInt(1, 1000);
    MemorySegment data = memory.allocate(bytes, r);
    MemorySegment registers = memory.allocate((long) count * Long.BYTES, r);
    long[] offsets = r.longs(count, 0, bytes / 2).toArray();
    long[] lengths = r.longs(count, 0, Math.min(bytes / 2, 2L * bytes / count)).toArray();
    memory.add(MemorySegment.ofArray(offsets));
    memory.add(MemorySegment.ofArray(lengths));
    return () -> division.append(0, data, Extents.listed(offsets, lengths), registers);
  }

  private ByteMatrices matrices(RacedMemory memory, int count, int rows, int columns) {
    return ByteMatrices.packed(
        memory.allocate((long) count * rows * columns, r), count, rows, columns);
  }

  private Runnable product(RacedMemory memory) {
    int n = r.nextInt(1, 64);
    int k = r.nextInt(1, 5000);
    int count = r.nextInt(1, 4);
    ByteMatrices coefficients = matrices(memory, count, n, n);
    ByteMatrices sources = matrices(memory, count, n, k);
    ByteMatrices products = matrices(memory, count, n, k);
    return () -> engine.products().multiply(FIELD, coefficients, sources, products);
  }

  /** Multiplies resident blocks, which another thread sometimes closes. */
  private Runnable residentProduct(RacedMemory memory) {
    int n = r.nextInt(1, 64);
    int k = r.nextInt(1, 5000);
    ByteMatrices coefficients = matrices(memory, 1, n, n);
    ByteMatrices sources = matrices(memory, 1, n, k);
    ByteMatrices products = matrices(memory, 1, n, k);
    boolean closes = r.nextInt(4) == 0;
    return () -> {
      try (ResidentBlocks blocks = engine.load(FIELD, sources)) {
        runBoth(
            () -> blocks.multiply(0, coefficients, products),
            closes ? blocks::close : () -> blocks.read(0, 0, sources.row(0, 0)));
      }
    };
  }

  private Runnable inversion(RacedMemory memory) {
    int n = r.nextInt(1, 64);
    ByteMatrices matrices = matrices(memory, 3, n, n);
    ByteMatrices inverses = matrices(memory, 3, n, n);
    return () -> engine.eliminations().invert(FIELD, matrices, inverses);
  }

  private Runnable systems(RacedMemory memory) {
    int n = r.nextInt(1, 48);
    int k = r.nextInt(1, 3000);
    ByteMatrices coefficients = matrices(memory, 2, n, n);
    ByteMatrices rights = matrices(memory, 2, n, k);
    ByteMatrices solutions = matrices(memory, 2, n, k);
    return () -> engine.eliminations().solve(FIELD, coefficients, rights, solutions);
  }

  /** Returns triangular matrices with nonzero diagonals, which another thread may change. */
  private ByteMatrices lower(RacedMemory memory, int n) {
    ByteMatrices lower = matrices(memory, 2, n, n);
    for (int matrix = 0; matrix < 2; matrix++) {
      for (int row = 0; row < n; row++) {
        lower.row(matrix, row).asSlice(row, 1).fill((byte) 1);
      }
    }
    return lower;
  }

  private Runnable triangles(RacedMemory memory) {
    int n = r.nextInt(1, 64);
    int k = r.nextInt(1, 3000);
    ByteMatrices lower = lower(memory, n);
    ByteMatrices rights = matrices(memory, 2, n, k);
    ByteMatrices solutions = matrices(memory, 2, n, k);
    return () -> engine.substitutions().solve(FIELD, lower, rights, solutions);
  }

  private Runnable orderedTriangles(RacedMemory memory) {
    int n = r.nextInt(1, 64);
    int k = r.nextInt(1, 3000);
    ByteMatrices lower = lower(memory, n);
    ByteMatrices rights = matrices(memory, 2, n, k);
    ByteMatrices solutions = matrices(memory, 2, n, k);
    int[] order = IntStream.range(0, 2 * n).map(row -> row % n).toArray();
    memory.add(MemorySegment.ofArray(order));
    return () -> {
      try (ResidentBlocks blocks = engine.load(FIELD, rights)) {
        engine.substitutions().solve(lower, blocks, 0, order, solutions);
      }
    };
  }

  private Runnable elimination(RacedMemory memory) {
    int n = r.nextInt(1, 32);
    int k = r.nextInt(1, 500);
    ByteMatrices vectors = matrices(memory, 1, 2 * n, n);
    ByteMatrices payloads = matrices(memory, 1, 2 * n, k);
    return () -> {
      try (ProgressiveElimination system = engine.progressive(FIELD, n, k)) {
        for (int i = 0; i < 2 * n; i++) {
          system.add(vectors.row(0, i), payloads.row(0, i));
        }
        system.read(0, ByteMatrices.of(payloads.data(), n, k));
      }
    };
  }

  /** Two threads use and close a basis concurrently. */
  private Runnable basis(RacedMemory memory) {
    int n = r.nextInt(1, 80);
    ByteMatrices vectors = matrices(memory, 1, 2 * n, n);
    return () -> {
      try (Basis basis = engine.eliminations().basis(FIELD, n)) {
        Runnable closing = basis::close;
        Runnable adding =
            () -> {
              for (int i = 0; i < 2 * n; i++) {
                basis.add(vectors.row(0, i));
              }
              closing.run();
            };
        runBoth(adding, adding);
      }
    };
  }

  /** Counts pairs of words with wrong weights and bits beyond their length. */
  private Runnable pairs(RacedMemory memory) {
    WordGroups left = groups(memory);
    WordGroups right = groups(memory, left.words().length());
    List<String> methods = engine.pairCounts().methods();
    String method = methods.get(r.nextInt(methods.size()));
    return () -> {
      try (PairCounting counting = engine.pairCounts().open(left, right, method)) {
        counting.count(
            0, left.words().count(), 0, right.words().count(), PairTable.of(left, right));
      }
    };
  }

  private WordGroups groups(RacedMemory memory) {
    return groups(memory, r.nextInt(1, BinaryWords.MAX_BITS + 1));
  }

  private WordGroups groups(RacedMemory memory, int length) {
    int count = r.nextInt(1, 200);
    MemorySegment words =
        memory.allocate((long) count * BinaryWords.longsFor(length) * Long.BYTES, r);
    int weight = r.nextInt(length + 1);
    return new WordGroups(
        new BinaryWords(words, count, length), List.of(new WordGroups.Group(weight, count)));
  }

  /** Tries sums of rows that have bits beyond their length. */
  private Runnable lightSums(RacedMemory memory) {
    LabelledWords rows = labelled(memory, 4 + r.nextInt(10));
    int size = 1 + r.nextInt(4);
    long sums = Subsets.exact(rows.count(), size);
    return () -> {
      Optional<LightSums.Sum> _ =
          engine.lightSums().lightest(rows, size, 0, sums, rows.length() / 2);
      Optional<long[]> _ = engine.lightSums().light(rows, size, 0, sums, rows.length() / 3, 9);
    };
  }

  private Runnable trials(RacedMemory memory) {
    LabelledWords rows = labelled(memory, 4 + r.nextInt(20));
    return () -> {
      Optional<InformationSetTrials.Trial> _ =
          engine.informationSetTrials().lightest(rows, 2, 1, 0, 2, rows.length());
    };
  }

  private LabelledWords labelled(RacedMemory memory, int count) {
    int length = 1 + r.nextInt(200);
    int labelBits = r.nextInt(70);
    int longs = Math.ceilDiv(length, Long.SIZE) + Math.ceilDiv(labelBits, Long.SIZE);
    return new LabelledWords(
        memory.allocate((long) count * longs * Long.BYTES, r), count, length, labelBits);
  }

  private Runnable weights(RacedMemory memory) {
    int length = r.nextInt(1, BinaryWords.MAX_BITS + 1);
    long wordBytes = (long) BinaryWords.longsFor(length) * Long.BYTES;
    int rows = r.nextInt(9);
    int offsets = r.nextInt(1, 50);
    BinaryWords basis = new BinaryWords(memory.allocate(rows * wordBytes, r), rows, length);
    BinaryWords words = new BinaryWords(memory.allocate(offsets * wordBytes, r), offsets, length);
    return () -> engine.weightCounts().count(basis, words, new long[offsets], new long[length + 1]);
  }

  private Runnable transforms(RacedMemory memory) {
    int length = r.nextInt(8, 64);
    int rows = r.nextInt(2, 9);
    MemorySegment words = memory.allocate((long) rows * BinaryWords.longsFor(length) * 8, r);
    int high = r.nextInt(rows);
    TransformSlices.Symmetry none = new TransformSlices.Symmetry(bits(high), bits(rows - high));
    TransformSlices slices =
        new TransformSlices(
            new BinaryWords(words, rows, length),
            high,
            List.of(new TransformSlices.Slice(0, 1)),
            List.of(1, length / 2),
            List.of(none));
    return () -> {
      try (TripleProducts products = engine.weightTransforms().open(slices)) {
        Runnable closing = products::close;
        Runnable adding =
            () -> {
              products.add(0, 1, new TripleSums(2));
              closing.run();
            };
        runBoth(adding, adding);
      }
    };
  }

  private static List<Integer> bits(int count) {
    return IntStream.range(0, count).mapToObj(bit -> 1 << bit).toList();
  }

  /** Searches a field whose coordinates change during and after construction. */
  private Runnable stars(RacedMemory memory) {
    int points = 300;
    StarField field =
        RandomStarFields.inOrder(
            r.ints(points, 0, 200).asDoubleStream().toArray(),
            r.ints(points, 0, 200).asDoubleStream().toArray(),
            r.nextBoolean() ? 20 : 20.5,
            StarRule.CIRCUMCIRCLE);
    double[] xs = field.xs().clone();
    double[] ys = field.ys().clone();
    List<String> methods = engine.stars().methods(field);
    String method = methods.get(r.nextInt(methods.size()));
    memory.add(MemorySegment.ofArray(xs));
    memory.add(MemorySegment.ofArray(ys));
    return () -> {
      StarField changing = new StarField(xs, ys, field.range(), field.rule());
      try (StarSearch search = engine.stars().search(changing, method)) {
        search.count();
        search.enumerate(batch -> batch.stars());
      }
    };
  }

  /** Surveys terrain whose heights change. */
  private Runnable sight(RacedMemory memory) {
    int side = 64;
    float[] heights = new float[side * side];
    HeightGrid grid = new HeightGrid(side, side, heights);
    SightPaths paths = new SightPaths(0, 0);
    for (int i = 0; i < side; i++) {
      paths.add(new float[] {i, 0, 1}, new float[] {side - 1f - i, side - 1f, 1}, 0, 0, 1000);
    }
    memory.add(MemorySegment.ofArray(heights));
    return () -> {
      try (SightSurvey survey = engine.linesOfSight().survey(grid)) {
        survey.margins(paths);
      }
    };
  }

  /** Closes host memory of the engine during a call. */
  private Runnable hostMemory(RacedMemory memory) {
    int bytes = 1 << r.nextInt(10, 20);
    MemorySegment content = memory.allocate(bytes, r);
    Division division = division();
    return () -> {
      try (HostMemory host = engine.allocateHost(bytes)) {
        MemorySegment message = host.segment();
        message.copyFrom(content);
        runBoth(() -> division.append(0, message), host::close);
      }
    };
  }
}
