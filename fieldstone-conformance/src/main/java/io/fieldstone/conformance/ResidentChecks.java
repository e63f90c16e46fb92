package io.fieldstone.conformance;

import static io.fieldstone.conformance.CheckFailures.firstOf;
import static io.fieldstone.conformance.CheckFailures.rejected;
import static io.fieldstone.conformance.RandomMatrices.MAX_COLUMNS;
import static io.fieldstone.conformance.RandomMatrices.MAX_MATRICES;
import static io.fieldstone.conformance.RandomMatrices.MAX_ROWS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Checks storing, multiplying and solving blocks that are resident on an engine. */
final class ResidentChecks {

  private static final int THREADS = 4;

  private final Engine engine;
  private final SplittableRandom random;
  private final Gf256 field;

  ResidentChecks(Engine engine, SplittableRandom random) {
    this.engine = engine;
    this.random = random;
    this.field = random.nextBoolean() ? Gf256.DEFAULT : Gf256.RIJNDAEL;
  }

  /** Stores and reads resident blocks, by block and by matrix. */
  Optional<String> storage() {
    int count = count();
    int n = random.nextInt(1, MAX_ROWS);
    int k = random.nextInt(1, MAX_COLUMNS);
    try (Arena arena = Arena.ofConfined()) {
      RandomMatrices memory = new RandomMatrices(field, random, arena);
      ByteMatrices stored = memory.matrices(count, n, k);
      try (ResidentBlocks blocks = engine.load(field, stored)) {
        int matrix = random.nextInt(count);
        int row = random.nextInt(n);
        MemorySegment block = memory.matrices(1, 1, k).row(0, 0);
        blocks.store(matrix, row, block);
        stored.row(matrix, row).copyFrom(block);
        MemorySegment one = arena.allocate(k);
        blocks.read(matrix, row, one);
        if (one.mismatch(block) >= 0) {
          return Optional.of("a block of %d bytes does not read back".formatted(k));
        }
        int first = random.nextInt(count);
        ByteMatrices read = memory.matrices(count - first, random.nextInt(n + 1), k);
        byte[] expected = expected(read, stored, first);
        blocks.read(first, read);
        return memory.compare("blocks read", read, expected);
      }
    }
  }

  /**
   * Multiplies resident blocks into the caller's memory, sometimes with fewer coefficients than
   * blocks.
   */
  Optional<String> products() {
    int count = count();
    int n = random.nextInt(1, MAX_ROWS);
    int m = random.nextInt(MAX_ROWS);
    int k = random.nextInt(1, MAX_COLUMNS);
    try (Arena arena = Arena.ofConfined()) {
      RandomMatrices memory = new RandomMatrices(field, random, arena);
      ByteMatrices sources = memory.matrices(count, n, k);
      try (ResidentBlocks blocks = engine.load(field, sources)) {
        int first = random.nextInt(count);
        int used = random.nextInt(n + 1);
        Coefficients coefficients = coefficients(memory, count - first, m, used);
        ByteMatrices products = memory.matrices(count - first, m, k);
        byte[] expected = products.data().toArray(JAVA_BYTE);
        memory.multiply(
            ProductChecks.written(coefficients, arena), sources, first, products, expected);
        blocks.multiply(first, coefficients, products);
        return memory.compare(
            "%d×%d by resident %d×%d".formatted(m, used, n, k), products, expected);
      }
    }
  }

  /** Multiplies into resident blocks; only the destination matrices may change. */
  Optional<String> residentProducts() {
    int count = count();
    int n = random.nextInt(1, MAX_ROWS);
    int m = random.nextInt(1, MAX_ROWS);
    int k = random.nextInt(1, MAX_COLUMNS);
    try (Arena arena = Arena.ofConfined()) {
      RandomMatrices memory = new RandomMatrices(field, random, arena);
      ByteMatrices sources = memory.matrices(count, n, k);
      ByteMatrices before = memory.matrices(count + 1, m, k);
      try (ResidentBlocks blocks = engine.load(field, sources);
          ResidentBlocks products = engine.load(field, before)) {
        int first = random.nextInt(count);
        int made = random.nextInt(count - first + 1);
        int firstProduct = random.nextInt(count + 1 - made + 1);
        int used = random.nextInt(n + 1);
        Coefficients coefficients = coefficients(memory, made, m, used);
        blocks.multiply(first, coefficients, products, firstProduct);
        ByteMatrices target = before.matrices(firstProduct, made);
        ByteMatrices given = ProductChecks.written(coefficients, arena);
        writeProducts(memory, given, sources, first, target);
        ByteMatrices read = memory.matrices(count + 1, m, k);
        byte[] expected = expected(read, before, 0);
        products.read(0, read);
        return memory.compare(
            "%d×%d by resident %d×%d into resident blocks".formatted(m, used, n, k),
            read,
            expected);
      }
    }
  }

  /** Multiplies some matrices into others of the same resident blocks. */
  Optional<String> productsAmongThemselves() {
    int count = count();
    int n = random.nextInt(1, MAX_ROWS);
    int k = random.nextInt(1, MAX_COLUMNS);
    try (Arena arena = Arena.ofConfined()) {
      RandomMatrices memory = new RandomMatrices(field, random, arena);
      ByteMatrices stored = memory.matrices(2 * count, n, k);
      try (ResidentBlocks blocks = engine.load(field, stored)) {
        boolean upwards = random.nextBoolean();
        int from = upwards ? 0 : count;
        int to = upwards ? count : 0;
        Coefficients coefficients = coefficients(memory, count, n, n);
        blocks.multiply(from, coefficients, blocks, to);
        ByteMatrices given = ProductChecks.written(coefficients, arena);
        writeProducts(memory, given, stored, from, stored.matrices(to, count));
        ByteMatrices read = memory.matrices(2 * count, n, k);
        byte[] expected = expected(read, stored, 0);
        blocks.read(0, read);
        return memory.compare("%d×%d of the same blocks".formatted(n, k), read, expected);
      }
    }
  }

  /** Solves systems, some of them singular, into the caller's memory or resident blocks. */
  Optional<String> solutions() {
    int count = count();
    int n = random.nextInt(1, MAX_ROWS);
    int k = random.nextInt(1, MAX_COLUMNS);
    int spare = random.nextInt(3);
    try (Arena arena = Arena.ofConfined()) {
      RandomMatrices memory = new RandomMatrices(field, random, arena);
      ByteMatrices rights = memory.matrices(count, n + spare, k);
      int first = random.nextInt(count);
      int made = count - first;
      Coefficients coefficients =
          random.nextInt(3) == 0 ? ProductChecks.draws(random, made, n, n) : memory.square(made, n);
      ByteMatrices solutions = memory.matrices(made, n, k);
      byte[] before = solutions.data().toArray(JAVA_BYTE);
      int[] ranks;
      try (ResidentBlocks blocks = engine.load(field, rights)) {
        ranks =
            random.nextBoolean()
                ? blocks.solve(first, coefficients, solutions)
                : solveToResident(blocks, first, coefficients, solutions);
      }
      return memory.checkSolutions(
          ProductChecks.written(coefficients, arena),
          rights.matrices(first, made).rows(0, n),
          solutions,
          before,
          ranks);
    }
  }

  /** Solves three systems of which the second is singular; its solution must not be written. */
  Optional<String> singularAmongRegular() {
    int n = random.nextInt(1, MAX_ROWS);
    int k = random.nextInt(1, MAX_COLUMNS);
    try (Arena arena = Arena.ofConfined()) {
      RandomMatrices memory = new RandomMatrices(field, random, arena);
      ByteMatrices matrices = memory.secondOfThreeSingular(n);
      ByteMatrices rights = memory.matrices(3, n, k);
      ByteMatrices solutions = memory.matrices(3, n, k);
      byte[] before = solutions.data().toArray(JAVA_BYTE);
      try (ResidentBlocks blocks = engine.load(field, rights)) {
        int[] ranks = blocks.solve(0, matrices, solutions);
        return ranks[0] == n && ranks[1] == n - 1 && ranks[2] == n
            ? memory.checkSolutions(matrices, rights, solutions, before, ranks)
            : Optional.of("ranks %d, %d, %d of %d".formatted(ranks[0], ranks[1], ranks[2], n));
      }
    }
  }

  /** Multiplies one resident matrix on several threads. */
  Optional<String> sharedByThreads() {
    int n = random.nextInt(1, MAX_ROWS);
    int k = random.nextInt(1, MAX_COLUMNS);
    try (Arena arena = Arena.ofShared()) {
      RandomMatrices memory = new RandomMatrices(field, random, arena);
      ByteMatrices sources = memory.matrices(1, n, k);
      try (ResidentBlocks blocks = engine.load(field, sources)) {
        List<Coefficients> coefficients = new ArrayList<>();
        List<ByteMatrices> products = new ArrayList<>();
        List<byte[]> expected = new ArrayList<>();
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
          int m = random.nextInt(1, MAX_ROWS);
          coefficients.add(coefficients(memory, 1, m, n));
          products.add(memory.matrices(1, m, k));
          expected.add(products.get(thread).data().toArray(JAVA_BYTE));
          memory.multiply(
              ProductChecks.written(coefficients.get(thread), arena),
              sources,
              0,
              products.get(thread),
              expected.get(thread));
        }
        for (int thread = 0; thread < THREADS; thread++) {
          Coefficients own = coefficients.get(thread);
          ByteMatrices target = products.get(thread);
          running.add(CompletableFuture.runAsync(() -> blocks.multiply(0, own, target)));
        }
        running.forEach(CompletableFuture::join);
        for (int thread = 0; thread < THREADS; thread++) {
          Optional<String> failure =
              memory.compare("one of several threads", products.get(thread), expected.get(thread));
          if (failure.isPresent()) {
            return failure;
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Checks that invalid arguments are rejected before anything is written. */
  Optional<String> misuse() {
    try (Arena arena = Arena.ofConfined();
        Engine other = Engine.open("auto");
        ResidentBlocks foreign = other.allocate(field, 4, 2, 5);
        ResidentBlocks blocks = engine.allocate(field, 4, 2, 5);
        ResidentBlocks otherField = engine.allocate(otherField(field), 4, 2, 5)) {
      ByteMatrices square = new RandomMatrices(field, random, arena).matrices(2, 2, 2);
      ByteMatrices three = new RandomMatrices(field, random, arena).matrices(2, 3, 3);
      ByteMatrices one = new RandomMatrices(field, random, arena).matrices(2, 1, 2);
      ByteMatrices blocksOut = new RandomMatrices(field, random, arena).matrices(2, 2, 5);
      return firstOf(
          Stream.of(
              rejected(
                  "an overlapping product",
                  IllegalArgumentException.class,
                  () -> blocks.multiply(0, square, blocks, 1)),
              rejected(
                  "a product onto itself",
                  IllegalArgumentException.class,
                  () -> blocks.multiply(1, square, blocks, 1)),
              rejected(
                  "an overlapping solution",
                  IllegalArgumentException.class,
                  () -> blocks.solve(1, square, blocks, 0)),
              rejected(
                  "a product on another engine",
                  IllegalArgumentException.class,
                  () -> blocks.multiply(0, square, foreign, 0)),
              rejected(
                  "a solution on another engine",
                  IllegalArgumentException.class,
                  () -> blocks.solve(0, square, foreign, 0)),
              rejected(
                  "a product over another field",
                  IllegalArgumentException.class,
                  () -> blocks.multiply(0, square, otherField, 0)),
              rejected(
                  "products of other rows",
                  IllegalArgumentException.class,
                  () -> blocks.multiply(0, one, blocks, 2)),
              rejected(
                  "more coefficients than blocks",
                  IllegalArgumentException.class,
                  () -> blocks.multiply(0, three, blocksOut)),
              rejected(
                  "a system of more rows than blocks",
                  IllegalArgumentException.class,
                  () -> blocks.solve(0, three, blocksOut)),
              rejected(
                  "a system that is not square",
                  IllegalArgumentException.class,
                  () -> blocks.solve(0, one, blocksOut)),
              rejected(
                  "a matrix beyond the last",
                  IndexOutOfBoundsException.class,
                  () -> blocks.multiply(3, square, blocksOut)),
              rejected(
                  "a result beyond the last",
                  IndexOutOfBoundsException.class,
                  () -> blocks.multiply(0, square, blocks, 3))));
    }
  }

  /** Checks that host memory is aligned, zeroed and usable in products. */
  Optional<String> hostMemory() {
    int n = random.nextInt(1, MAX_ROWS);
    int k = random.nextInt(1, MAX_COLUMNS);
    long bytes = 2L * n * k;
    try (Arena arena = Arena.ofConfined();
        HostMemory empty = engine.allocateHost(0);
        HostMemory host = engine.allocateHost(bytes)) {
      MemorySegment segment = host.segment();
      if (empty.segment().byteSize() != 0 || segment.byteSize() != bytes) {
        return Optional.of("%d bytes instead of %d".formatted(segment.byteSize(), bytes));
      }
      if (!segment.isNative() || segment.address() % 64 != 0) {
        return Optional.of("host memory that is not native, or not aligned");
      }
      if (segment.mismatch(MemorySegment.ofArray(new byte[Math.toIntExact(bytes)])) >= 0) {
        return Optional.of("host memory that is not zero");
      }
      RandomMatrices memory = new RandomMatrices(field, random, arena);
      ByteMatrices sources = ByteMatrices.of(segment, n, k);
      for (int row = 0; row < n; row++) {
        sources.row(0, row).copyFrom(memory.matrices(1, 1, k).row(0, 0));
      }
      ByteMatrices products = ByteMatrices.of(segment.asSlice((long) n * k), n, k);
      Coefficients coefficients = coefficients(memory, 1, n, n);
      byte[] expected = products.data().toArray(JAVA_BYTE);
      memory.multiply(ProductChecks.written(coefficients, arena), sources, 0, products, expected);
      engine.products().multiply(field, coefficients, sources, products);
      return memory.compare("products in host memory", products, expected);
    }
  }

  private int[] solveToResident(
      ResidentBlocks blocks, int first, Coefficients coefficients, ByteMatrices solutions) {
    int at = random.nextInt(3);
    long count = solutions.count();
    try (ResidentBlocks resident =
        engine.allocate(field, count + at, solutions.rows(), solutions.columns())) {
      for (long g = 0; g < count; g++) {
        for (int row = 0; row < solutions.rows(); row++) {
          resident.store(at + g, row, solutions.row(g, row));
        }
      }
      int[] ranks = blocks.solve(first, coefficients, resident, at);
      resident.read(at, solutions);
      return ranks;
    }
  }

  private Coefficients coefficients(RandomMatrices memory, long count, int rows, int columns) {
    return random.nextInt(3) == 0
        ? ProductChecks.draws(random, count, rows, columns)
        : memory.matrices(count, rows, columns);
  }

  /** Overwrites {@code target} with products by the definition. */
  private static void writeProducts(
      RandomMatrices memory,
      ByteMatrices coefficients,
      ByteMatrices sources,
      long first,
      ByteMatrices target) {
    byte[] products = target.data().toArray(JAVA_BYTE);
    memory.multiply(coefficients, sources, first, target, products);
    target.data().copyFrom(MemorySegment.ofArray(products));
  }

  /** Returns the expected memory of {@code read} after reading blocks of {@code stored}. */
  private static byte[] expected(ByteMatrices read, ByteMatrices stored, int first) {
    byte[] expected = read.data().toArray(JAVA_BYTE);
    for (int g = 0; g < read.count(); g++) {
      for (int row = 0; row < read.rows(); row++) {
        int at = (int) read.offset(g, row);
        MemorySegment.copy(stored.row(first + g, row), JAVA_BYTE, 0, expected, at, read.columns());
      }
    }
    return expected;
  }

  private int count() {
    return random.nextInt(1, MAX_MATRICES + 1);
  }

  private static Gf256 otherField(Gf256 field) {
    return field.equals(Gf256.DEFAULT) ? Gf256.RIJNDAEL : Gf256.DEFAULT;
  }
}
