package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.VectorScan;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.stream.NativeMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds polluted shards: records with a valid CRC whose payload does not match its coding vector.
 *
 * <p>The blocks of a generation are consistent if the vectors, each extended by the image of its
 * payload ({@link PayloadImages}), have no higher rank than the vectors alone. If they are
 * inconsistent, shards are left out one by one, then in pairs. The search ends when the rest is
 * consistent and has a surplus block, which could reveal an inconsistency.
 *
 * <p>For one thread and a single use.
 */
final class PollutionSearch {

  /** The maximum bytes of vectors compared per generation, but at least 2n vectors. */
  private static final long VECTOR_BYTES = 16 << 20;

  /** The maximum bytes of payloads in memory. */
  private static final long PAYLOAD_BYTES = 8 << 20;

  /** The maximum number of sets of shards that are left out in turn, per generation and overall. */
  private static final int MAX_TRIALS = 256;

  private static final int MAX_TRIALS_IN_ALL = 4096;

  private static final int CONTRADICTORY = -1;

  private final CodedObject descriptor;
  private final int n;

  /** Vectors, each followed by the image of its payload. */
  private final ByteMatrices rows;

  private final MemorySegment payloads;
  private final int payloadCapacity;
  private final long stride;
  private final PayloadImages images;

  /** The shard of the block, by row. */
  private final ShardFile[] owners;

  /** The bases of vectors alone, and of vectors with their images. */
  private final Basis vectors;

  private final Basis extended;

  private int held;
  private int mapped;

  private final Map<ShardFile, Long> suspects = new LinkedHashMap<>();
  private List<ShardFile> candidates = List.of();
  private long contradiction = -1;
  private long checked;
  private long unchecked;
  private int trialsLeft = MAX_TRIALS_IN_ALL;

  PollutionSearch(Engine engine, CodedObject descriptor, NativeMemory memory) throws IOException {
    this.descriptor = descriptor;
    this.n = descriptor.shape().blocks();
    int width = n + PayloadImages.BYTES;
    int capacity = (int) Math.max(2L * n, VECTOR_BYTES / width);
    this.rows = ByteMatrices.of(memory.allocate((long) capacity * width), capacity, width);
    this.owners = new ShardFile[capacity];
    int k = descriptor.shape().blockSize();
    this.stride = PayloadImages.stride(k);
    this.payloadCapacity = Math.clamp(PAYLOAD_BYTES / stride, 1, capacity);
    this.payloads = memory.allocate(payloadCapacity * stride);
    this.images = new PayloadImages(engine, descriptor.shape().field(), k, payloadCapacity, memory);
    this.vectors = memory.basis(descriptor.shape().field(), n);
    this.extended = memory.basis(descriptor.shape().field(), width);
  }

  /**
   * Scans shards from the cursors' positions to their ends; interruptible.
   *
   * @param untilFirst true to stop at the first contradictory generation
   */
  Pollution search(ShardCursors cursors, boolean untilFirst)
      throws IOException, InterruptedException {
    while (contradiction < 0 || !untilFirst) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the comparison was interrupted");
      }
      long generation = cursors.nextGeneration(descriptor.generations());
      if (generation == descriptor.generations()) {
        break;
      }
      gather(generation, cursors);
      compare(generation);
    }
    return new Pollution(suspects, candidates, contradiction, checked, unchecked);
  }

  private void gather(long generation, ShardCursors cursors) throws IOException {
    held = 0;
    mapped = 0;
    cursors.drain(generation, this::add);
    map();
  }

  private void add(ShardFile shard, CodedBlock block) {
    if (held == owners.length) {
      return;
    }
    if (held - mapped == payloadCapacity) {
      map();
    }
    MemorySegment row = rows.row(0, held).fill((byte) 0);
    int own = descriptor.blocksOf(block.generation());
    block.vector().expand(descriptor.shape().code(), block.generation(), row.asSlice(0, own));
    payloads
        .asSlice((held - mapped) * stride, block.payload().byteSize())
        .copyFrom(block.payload());
    owners[held] = shard;
    held++;
  }

  /** Writes the images of the payloads in memory after their vectors. */
  private void map() {
    images.map(payloads, held - mapped);
    for (int i = mapped; i < held; i++) {
      images.write(i - mapped, rows.data(), rows.offset(0, i) + n);
    }
    mapped = held;
  }

  private void compare(long generation) {
    int spare = spareBlocks(suspects.keySet());
    if (spare != CONTRADICTORY) {
      checked += spare > 0 ? 1 : 0;
      unchecked += spare > 0 ? 0 : 1;
      return;
    }
    checked++;
    if (contradiction < 0) {
      contradiction = generation;
    }
    Trials trials = new Trials();
    trials.leaveOutOne();
    if (trials.possible.isEmpty()) {
      trials.leaveOutTwo();
    }
    if (trials.proven.size() == 1) {
      trials.proven.getFirst().forEach(shard -> suspects.put(shard, generation));
    } else if (candidates.isEmpty()) {
      candidates = trials.possible;
    }
  }

  /**
   * Returns the number of surplus blocks of all shards but {@code without}: blocks that depend on
   * others, without duplicates.
   *
   * @return {@link #CONTRADICTORY} if the blocks are inconsistent
   */
  private int spareBlocks(Set<ShardFile> without) {
    int spare = 0;
    vectors.clear();
    extended.clear();
    Set<Long> hashes = new HashSet<>();
    for (int i = 0; i < held; i++) {
      if (without.contains(owners[i])) {
        continue;
      }
      MemorySegment row = rows.row(0, i);
      boolean isNew = hashes.add(VectorScan.hash(row, 0, rows.columns()));
      if (extended.add(row) == Basis.NOT_INNOVATIVE) {
        spare += isNew ? 1 : 0;
      } else if (vectors.add(row.asSlice(0, n)) == Basis.NOT_INNOVATIVE) {
        return CONTRADICTORY;
      }
    }
    return spare;
  }

  /** Leaves shards out of the current generation, and checks if the rest is consistent. */
  private final class Trials {
    private final List<ShardFile> shards;

    /** Shards that each alone may be the cause. */
    private final List<ShardFile> possible = new ArrayList<>();

    /** Sets of shards without which the rest is consistent and has surplus blocks. */
    private final List<Set<ShardFile>> proven = new ArrayList<>();

    private int left = Math.min(MAX_TRIALS, trialsLeft);

    Trials() {
      Set<ShardFile> remaining = new LinkedHashSet<>(Arrays.asList(owners).subList(0, held));
      remaining.removeAll(suspects.keySet());
      shards = new ArrayList<>(remaining);
      // A shard with a damaged header may be of another version of the file.
      shards.sort((one, other) -> Boolean.compare(other.isHeaderDamaged(), one.isHeaderDamaged()));
    }

    void leaveOutOne() {
      for (ShardFile shard : shards) {
        int spare = without(Set.of(shard));
        if (spare != CONTRADICTORY) {
          possible.add(shard);
        }
      }
    }

    void leaveOutTwo() {
      for (int i = 0; i < shards.size(); i++) {
        for (int j = 0; j < i; j++) {
          without(Set.of(shards.get(i), shards.get(j)));
        }
      }
    }

    private int without(Set<ShardFile> some) {
      if (left == 0) {
        return CONTRADICTORY;
      }
      left--;
      trialsLeft--;
      Set<ShardFile> all = new HashSet<>(suspects.keySet());
      all.addAll(some);
      int spare = spareBlocks(all);
      if (spare > 0) {
        proven.add(some);
      }
      return spare;
    }
  }
}
