package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.rlnc.BatchDecoder;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.NativeMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decodes a generation some of whose blocks have wrong payloads, and finds the shards with such
 * blocks. Its hash decides: shards are left out, first one by one, then two and more at a time,
 * until the rest decodes to it. Then every block is computed again, and each shard whose payload
 * differs is convicted. A shard with right payloads never is.
 *
 * <p>For one generation at a time. The memory is that of a few times n blocks.
 */
final class GenerationRecovery implements AutoCloseable {

  /** The maximum number of sets of shards that are left out in turn. */
  private static final int MAX_TRIALS = 512;

  /** The maximum number of blocks, in multiples of n; but at least {@link #MIN_ROW_BYTES}. */
  private static final int MAX_ROWS = 4;

  private static final long MIN_ROW_BYTES = 16 << 20;

  private static final int MAX_NAMED = 8;

  /** A block of the generation, and the shard that it is from. */
  private record Row(ShardFile shard, CodedBlock block) {}

  private final Engine engine;
  private final ShardSet set;
  private final NativeMemory memory;
  private final GenerationShape shape;
  private final long generation;
  private final Sha256 hash;
  private final List<Row> rows = new ArrayList<>();
  private final long maxRows;
  private int trials;

  /**
   * Creates a recovery without blocks.
   *
   * @param hash the hash of the generation
   */
  GenerationRecovery(Engine engine, ShardSet set, long generation, Sha256 hash) {
    this.engine = engine;
    this.set = set;
    this.memory = new NativeMemory(engine);
    CodedObject object = set.descriptor();
    this.shape = object.shape().withBlocks(object.blocksOf(generation));
    this.generation = generation;
    this.hash = hash;
    this.maxRows =
        Math.max(
            (long) MAX_ROWS * shape.blocks(), MIN_ROW_BYTES / (shape.blocks() + shape.blockSize()));
  }

  /** Adds a copy of a block. */
  void add(ShardFile shard, CodedBlock block) throws IOException {
    if (rows.size() < maxRows) {
      CodingVector vector =
          block.vector() instanceof CodingVector.Explicit(MemorySegment coefficients)
              ? new CodingVector.Explicit(copy(coefficients))
              : block.vector();
      rows.add(new Row(shard, new CodedBlock(generation, vector, copy(block.payload()))));
    }
  }

  private MemorySegment copy(MemorySegment bytes) throws IOException {
    return memory.allocate(bytes.byteSize()).copyFrom(bytes);
  }

  /**
   * Decodes the generation and convicts the shards with wrong payloads.
   *
   * @param destination receives n·k bytes; undefined if the result is false
   * @return false if no set of shards decodes to the hash
   */
  boolean recover(MemorySegment destination) throws IOException {
    List<ShardFile> shards = new ArrayList<>(rows.stream().map(Row::shard).distinct().toList());
    // Probable causes first: known ones, and shards that may be of another version of the file.
    shards.sort((one, other) -> Integer.compare(suspicion(other), suspicion(one)));
    Set<ShardFile> convicted = shards.stream().filter(set::isConvicted).collect(Collectors.toSet());
    ByteMatrices matrix = ByteMatrices.packed(destination, 1, shape.blocks(), shape.blockSize());
    try (BatchDecoder decoder =
        NativeMemory.reserve(() -> new BatchDecoder(engine, shape, matrix))) {
      boolean isFound = isRight(decoder, convicted, destination);
      for (int count = 1; count < shards.size() && !isFound && trials < MAX_TRIALS; count++) {
        isFound = leaveOut(decoder, shards, 0, count, new LinkedHashSet<>(), destination);
      }
      if (isFound) {
        convict(matrix);
      }
      return isFound;
    }
  }

  private int suspicion(ShardFile shard) {
    return set.isConvicted(shard) ? 2 : shard.isHeaderDamaged() ? 1 : 0;
  }

  /** Leaves out every set of {@code count} more shards from {@code from} on. */
  private boolean leaveOut(
      BatchDecoder decoder,
      List<ShardFile> shards,
      int from,
      int count,
      Set<ShardFile> without,
      MemorySegment destination) {
    if (count == 0) {
      return isRight(decoder, without, destination);
    }
    for (int i = from; i <= shards.size() - count && trials < MAX_TRIALS; i++) {
      without.add(shards.get(i));
      if (leaveOut(decoder, shards, i + 1, count - 1, without, destination)) {
        return true;
      }
      without.remove(shards.get(i));
    }
    return false;
  }

  /** Returns true if the blocks of all other shards decode to the hash. */
  private boolean isRight(BatchDecoder decoder, Set<ShardFile> without, MemorySegment destination) {
    trials++;
    List<CodedBlock> blocks =
        rows.stream().filter(row -> !without.contains(row.shard)).map(Row::block).toList();
    if (blocks.size() < shape.blocks()) {
      return false;
    }
    decoder.reset(generation, 1);
    int enough = shape.blocks() + DecodingBatch.EXTRA_BLOCKS;
    blocks.stream().limit(enough).forEach(decoder::add);
    if (decoder.decode()[0] < shape.blocks()) {
      blocks.stream().skip(enough).forEach(decoder::add);
      if (decoder.decode()[0] < shape.blocks()) {
        return false;
      }
    }
    return new HashTree().generation(destination, shape.blockSize()).equals(hash);
  }

  /** Computes every block from the source, and convicts the shards of those that differ. */
  private void convict(ByteMatrices source) throws IOException {
    int n = shape.blocks();
    int k = shape.blockSize();
    Set<ShardFile> convicted = new LinkedHashSet<>();
    MemorySegment vectors = memory.allocate((long) n * n);
    MemorySegment products = memory.allocate((long) n * k);
    for (int from = 0; from < rows.size(); from += n) {
      List<Row> some = rows.subList(from, Math.min(rows.size(), from + n));
      for (int i = 0; i < some.size(); i++) {
        some.get(i)
            .block
            .vector()
            .expand(shape.code(), generation, vectors.asSlice((long) i * n, n));
      }
      engine
          .products()
          .multiply(
              shape.field(),
              ByteMatrices.packed(vectors, 1, some.size(), n),
              source,
              ByteMatrices.packed(products, 1, some.size(), k));
      for (int i = 0; i < some.size(); i++) {
        if (some.get(i).block.payload().mismatch(products.asSlice((long) i * k, k)) >= 0) {
          convicted.add(some.get(i).shard);
        }
      }
    }
    convicted.forEach(shard -> set.convict(shard, generation));
  }

  /** Describes a failed recovery in a clause. */
  String describe() {
    List<String> names = rows.stream().map(row -> row.shard.path().toString()).distinct().toList();
    String named = names.stream().limit(MAX_NAMED).collect(Collectors.joining(", "));
    return "wrong blocks are in %s%s"
        .formatted(
            names.size() == 1 ? named : "one or more of " + named,
            names.size() > MAX_NAMED ? ", …" : "");
  }

  @Override
  public void close() {
    memory.close();
  }
}
