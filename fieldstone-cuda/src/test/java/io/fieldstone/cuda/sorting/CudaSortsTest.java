package io.fieldstone.cuda.sorting;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fieldstone.cuda.FakeGpu;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineMemoryError;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.engine.memory.Phase;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.Sorting;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests sorting on a GPU beyond the conformance suite. */
class CudaSortsTest {

  private static final RecordFormat INTS = RecordFormat.of(KeyType.I32);
  private static final RecordFormat PAIRS = RecordFormat.of(KeyType.U32).withPayload(4);

  private final SplittableRandom random = new SplittableRandom(1);
  private final FakeGpu gpu = FakeGpu.lazy();

  private boolean isLost;

  @AfterEach
  void noMemoryIsLeft() {
    if (!isLost) {
      assertThat(gpu.driver().leaks()).isEmpty();
    }
    gpu.close();
  }

  @Test
  void methodsAreThoseOfThePaperAndPacked() {
    try (Engine engine = gpu.open("cuda:0")) {
      assertThat(engine.sorts().methods(INTS))
          .containsExactly("serial", "lsd", "msd-lsd", "streamed", "packed");
      assertThat(engine.sorts().sorting(INTS).method()).isEqualTo("auto");
      assertThat(engine.sorts().sorting(INTS, "auto").method()).isEqualTo("auto");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> engine.sorts().sorting(PAIRS, "quick"))
          .withMessage(
              "no method 'quick' for u32, 4 bytes of payload on cuda:0; there are:"
                  + " serial, lsd, msd-lsd, streamed, packed");
    }
  }

  /** Sorts skewed keys, so that buckets are merged, split, and cut where keys are equal. */
  @ParameterizedTest
  @MethodSource("io.fieldstone.cuda.sorting.CudaSortMethod#own")
  void unevenKeysAreSortedByEveryMethod(CudaSortMethod method) {
    int[] keys = random.ints(900_000).map(key -> random.nextInt(4) == 0 ? key : 77).toArray();
    for (int i = 0; i < keys.length / 3; i++) {
      keys[i] &= 0xFFF;
    }
    try (Engine engine = gpu.open("cuda:0");
        HostMemory pinned = engine.allocateHost(4L * keys.length)) {
      Sorting sorting = engine.sorts().sorting(INTS, method.spec());
      pinned.segment().copyFrom(MemorySegment.ofArray(keys));
      int[] elsewhere = new int[keys.length];
      sorting.sort(pinned.segment(), MemorySegment.ofArray(elsewhere));
      sorting.sort(pinned.segment());
      int[] inPlace = pinned.segment().toArray(JAVA_INT);
      Arrays.sort(keys);
      assertThat(elsewhere).isEqualTo(keys);
      assertThat(inPlace).isEqualTo(keys);
    }
  }

  /** Sorts enough records to partition them during the upload, if the buckets are balanced. */
  @ParameterizedTest
  @EnumSource(Spread.class)
  void manyRecordsArePartitionedAsTheyArrive(Spread spread) {
    long[] keys = IntStream.range(0, 2_200_000).mapToLong(i -> spread.key(random, i)).toArray();
    Queue<Phase> phases = new ConcurrentLinkedQueue<>();
    try (Engine engine = gpu.provider().open("cuda:0", new EngineOptions(2, phases::add));
        HostMemory pinned = engine.allocateHost((long) Long.BYTES * keys.length)) {
      pinned.segment().copyFrom(MemorySegment.ofArray(keys));
      engine.sorts().sorting(RecordFormat.of(KeyType.I64), "packed").sort(pinned.segment());
      Arrays.sort(keys);
      assertThat(pinned.segment().toArray(JAVA_LONG)).isEqualTo(keys);
    }
    boolean isCollected = phases.stream().anyMatch(phase -> phase.name().equals("collect"));
    assertThat(isCollected).isEqualTo(spread.isPartitioned);
  }

  /** The distribution of keys. */
  private enum Spread {
    EVEN(true),
    /** Large buckets beside small ones. */
    UNEVEN(true),
    /** Keys that differ in one digit, which the partition sorts. */
    OF_ONE_DIGIT(true),
    /** The first keys agree in a digit in which later ones differ. */
    ASCENDING(false),
    MOSTLY_ONE(false);

    private final boolean isPartitioned;

    Spread(boolean isPartitioned) {
      this.isPartitioned = isPartitioned;
    }

    long key(SplittableRandom random, int i) {
      return switch (this) {
        case EVEN -> random.nextLong();
        case UNEVEN -> uneven(random, random.nextInt(10));
        case OF_ONE_DIGIT -> random.nextInt(200);
        case ASCENDING -> (long) i << 5;
        case MOSTLY_ONE -> random.nextInt(8) == 0 ? random.nextLong() : 5;
      };
    }

    private static long uneven(SplittableRandom random, int kind) {
      long most = random.nextLong() >>> 8 | 0x55L << 56;
      return kind < 3 ? most : random.nextLong() & ~(1L << 56);
    }
  }

  /** Sorts items of every kind by segments: keys, records, keys with indices. */
  @ParameterizedTest
  @ValueSource(
      strings = {"u32", "f32 descending", "i32 4", "f32 8", "u64 4 descending", "f64 8", "i32 7"})
  void allLayoutsAreCollectedInSegments(String layout) {
    String[] words = layout.split(" ");
    RecordFormat format = RecordFormat.of(KeyType.valueOf(words[0].toUpperCase(Locale.ROOT)));
    for (int i = 1; i < words.length; i++) {
      format =
          words[i].equals("descending")
              ? format.descending()
              : format.withPayload(Integer.parseInt(words[i]));
    }
    byte[] records = new byte[(17 << 20) / format.bytes() * format.bytes()];
    random.nextBytes(records);
    Queue<Phase> phases = new ConcurrentLinkedQueue<>();
    byte[] expected = records.clone();
    try (Engine cores = Engine.open("cpu")) {
      cores.sorts().sorting(format).sort(MemorySegment.ofArray(expected));
    }
    try (Engine engine = gpu.provider().open("cuda:0", new EngineOptions(2, phases::add))) {
      engine.sorts().sorting(format, "packed").sort(MemorySegment.ofArray(records));
    }
    assertThat(records).isEqualTo(expected);
    assertThat(phases).extracting(Phase::name).contains("collect");
  }

  /** Checks that all phases of the sort run and are traced. */
  @Test
  void keysComeDownPackedAndAreUnpackedByTheCores() {
    Queue<Phase> phases = new ConcurrentLinkedQueue<>();
    int[] keys = random.ints(600_000).map(key -> key & 0xFF_FFFF).toArray();
    try (Engine engine = gpu.provider().open("cuda:0", new EngineOptions(2, phases::add))) {
      engine.sorts().sorting(INTS, "packed").sort(segment(keys));
    }
    assertThat(keys).isSorted();
    assertThat(phases)
        .extracting(Phase::name)
        .contains("upload", "histogram", "partition", "sort", "pack", "download", "decode");
    long down =
        phases.stream()
            .filter(phase -> phase.name().equals("download"))
            .mapToLong(Phase::bytes)
            .sum();
    assertThat(down).isLessThan(4L * keys.length);
  }

  /** Decodes to unaligned targets: whole lines by non-temporal stores, others by ordinary ones. */
  @ParameterizedTest
  @ValueSource(ints = {0, 4, 64, 4092, 1001, 2})
  void packedKeysMayBelongAnywhere(int offset) {
    int[] keys = random.ints(300_000).map(key -> key >> 9).toArray();
    long bytes = 4L * keys.length;
    try (Engine engine = gpu.open("cuda:0");
        HostMemory from = engine.allocateHost(bytes);
        HostMemory memory = engine.allocateHost(bytes + 8192)) {
      from.segment().copyFrom(MemorySegment.ofArray(keys));
      memory.segment().fill((byte) 0x55);
      MemorySegment to = memory.segment().asSlice(4096 + offset, bytes);
      engine.sorts().sorting(INTS, "packed").sort(from.segment().asSlice(0, bytes), to);
      Arrays.sort(keys);
      assertThat(to.toArray(JAVA_INT_UNALIGNED)).isEqualTo(keys);
      assertThat(memory.segment().get(JAVA_BYTE, 4095 + offset)).isEqualTo((byte) 0x55);
      assertThat(memory.segment().get(JAVA_BYTE, 4096 + offset + bytes)).isEqualTo((byte) 0x55);
    }
  }

  /** Checks that NaNs keep their bits: blocks that have any are not compressed. */
  @ParameterizedTest
  @ValueSource(strings = {"f32", "f64"})
  void nansKeepTheirBits(String type) {
    RecordFormat format = RecordFormat.of(KeyType.of(type)).descending();
    int bytes = format.bytes();
    MemorySegment records = MemorySegment.ofArray(new byte[400_000 * bytes]);
    for (long at = 0; at < records.byteSize(); at += bytes) {
      boolean isNan = random.nextInt(3) == 0;
      if (bytes == 4) {
        int bits =
            isNan ? 0x7F80_0001 | random.nextInt() : Float.floatToIntBits(random.nextInt(5000));
        records.set(JAVA_INT_UNALIGNED, at, bits);
      } else {
        long bits =
            isNan
                ? 0x7FF0_0000_0000_0001L | random.nextLong()
                : Double.doubleToLongBits(random.nextInt(5000));
        records.set(JAVA_LONG_UNALIGNED, at, bits);
      }
    }
    byte[] expected = records.toArray(JAVA_BYTE);
    try (Engine cores = Engine.open("cpu:scalar")) {
      cores.sorts().sorting(format).sort(MemorySegment.ofArray(expected));
    }
    try (Engine engine = gpu.open("cuda:0")) {
      engine.sorts().sorting(format, "packed").sort(records);
    }
    assertThat(records.toArray(JAVA_BYTE)).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("io.fieldstone.cuda.sorting.CudaSortMethod#own")
  void moreThanTheGpuHasRoomForIsSortedInRuns(CudaSortMethod method) {
    gpu.driver().withMemory(7 << 20);
    int count = 500_000;
    long[] keys = random.longs(count).map(key -> key % 1000).toArray();
    RecordFormat format = RecordFormat.of(KeyType.I64).withPayload(8).descending();
    long[] records = new long[2 * count];
    for (int i = 0; i < count; i++) {
      records[2 * i] = keys[i];
      records[2 * i + 1] = i;
    }
    try (Engine engine = gpu.open("cuda:0")) {
      engine.sorts().sorting(format, method.spec()).sort(MemorySegment.ofArray(records));
    }
    int[] order =
        IntStream.range(0, count)
            .boxed()
            .sorted((a, b) -> Long.compare(keys[b], keys[a]))
            .mapToInt(Integer::intValue)
            .toArray();
    for (int i = 0; i < count; i++) {
      assertThat(records[2 * i + 1]).isEqualTo(order[i]);
      assertThat(records[2 * i]).isEqualTo(keys[order[i]]);
    }
  }

  /** Runs are merged over the records, so the merge cannot be restarted. */
  @Test
  void memoryMayBecomeShortWhileRunsAreMerged() {
    gpu.driver().withMemory(7 << 20);
    long[] keys = random.longs(1_000_000).toArray();
    long bytes = (long) Long.BYTES * keys.length;
    AtomicLong uploaded = new AtomicLong();
    PhaseListener takesMemory =
        phase -> {
          boolean isUpload = phase.name().equals("upload");
          if (isUpload && uploaded.addAndGet(phase.bytes()) > bytes) {
            gpu.driver().withMemory(4 << 20);
          }
        };
    long[] sorted = keys.clone();
    try (Engine engine = gpu.provider().open("cuda:0", new EngineOptions(2, takesMemory))) {
      engine
          .sorts()
          .sorting(RecordFormat.of(KeyType.I64), "lsd")
          .sort(MemorySegment.ofArray(sorted));
    }
    Arrays.sort(keys);
    assertThat(sorted).isEqualTo(keys);
    assertThat(uploaded.get()).isGreaterThan(bytes);
  }

  @Test
  void anOrderOfMoreThanThereIsRoomForIsTheCores() {
    gpu.driver().withMemory(2 << 20);
    try (Engine engine = gpu.open("cuda:0")) {
      Sorting sorting = engine.sorts().sorting(INTS, "lsd");
      int[] keys = new int[400_000];
      assertThatExceptionOfType(EngineMemoryError.class)
          .isThrownBy(() -> sorting.argsort(segment(keys), segment(new int[keys.length])))
          .withMessageContaining("find the order of 400000 records of i32 with lsd")
          .withMessageContaining("of the GPU's 2097152 bytes are free");
      int[] order = new int[keys.length];
      engine.sorts().sorting(INTS).argsort(segment(keys), segment(order));
      assertThat(order).isEqualTo(IntStream.range(0, keys.length).toArray());
      try (ResidentBytes resident = engine.allocateBytes(1 << 20)) {
        assertThatExceptionOfType(EngineMemoryError.class)
            .isThrownBy(() -> sorting.sort(resident, 0, 1 << 20))
            .withMessageContaining("sort 262144 resident records of i32 with lsd");
      }
      sorting.sort(segment(new int[1000]));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7})
  void anAllocationThatFailsDoesNotMatter(int nth) {
    int[] keys = random.ints(300_000).toArray();
    try (Engine engine = gpu.open("cuda:0")) {
      Sorting sorting = engine.sorts().sorting(INTS, "packed");
      gpu.driver().fail("cuMemAlloc_v2", nth, 2);
      int[] sorted = keys.clone();
      sorting.sort(segment(sorted));
      Arrays.sort(keys);
      assertThat(sorted).isEqualTo(keys);
    }
  }

  @Test
  void aFailingKernelIsNamedAndTheRecordsStay() {
    gpu.driver()
        .kernel(
            "sort_plan",
            40,
            (shape, struct) -> {
              throw new AssertionError("astray");
            });
    isLost = true;
    int[] keys = random.ints(200_000).toArray();
    int[] before = keys.clone();
    Engine engine = gpu.open("cuda:0");
    assertThatIllegalStateException()
        .isThrownBy(() -> engine.sorts().sorting(INTS, "serial").sort(segment(keys)))
        .withMessageContaining("engine cuda:0 was closed after")
        .withMessageContaining("sort 200000 records of i32 with serial")
        .withMessageContaining("CUDA_ERROR_LAUNCH_FAILED");
    assertThat(keys).isEqualTo(before);
    engine.close();
  }

  @Test
  void aClosedEngineRejectsSorts() {
    Engine engine = gpu.open("cuda:0");
    List<Sorting> sortings =
        List.of(engine.sorts().sorting(PAIRS), engine.sorts().sorting(PAIRS, "packed"));
    engine.close();
    for (Sorting sorting : sortings) {
      for (int bytes : new int[] {0, 8, 800}) {
        assertThatIllegalStateException()
            .isThrownBy(() -> sorting.sort(MemorySegment.ofArray(new byte[bytes])))
            .withMessageContaining("cuda:0 is closed");
      }
    }
  }

  @Test
  void largeIndicesAreTakenAsTheyAre() {
    // Only the layout is made for more than 2^32 records.
    RecordFormat format = RecordFormat.of(KeyType.F64).withPayload(3);
    SortLayout layout = SortLayout.ofRecords(format, (1L << 32) + 1);
    assertThat(layout.indexWords()).isEqualTo(2);
    assertThat(layout.words()).isEqualTo(4);
    assertThat(SortLayout.ofRecords(format, 1L << 32).words()).isEqualTo(3);
    assertThat(SortLayout.ofRecords(PAIRS, 1L << 40).isWholeRecord()).isTrue();
    assertThat(SortLayout.ofRecords(RecordFormat.of(KeyType.U32).withPayload(12), 5).indexWords())
        .isEqualTo(1);
  }

  @Test
  void anOrderOfResidentRecordsMayBeOfLongs() {
    float[] keys = {3, Float.NaN, -0f, 0, -5, Float.NaN, 3};
    try (Engine engine = gpu.open("cuda:0");
        ResidentBytes records = engine.loadBytes(MemorySegment.ofArray(keys));
        ResidentBytes order = engine.allocateBytes(8L * keys.length)) {
      engine
          .sorts()
          .sorting(RecordFormat.of(KeyType.F32).descending(), "msd-lsd")
          .argsort(records, 0, 4L * keys.length, order);
      MemorySegment read = MemorySegment.ofArray(new long[keys.length]);
      order.read(0, read);
      assertThat(read.toArray(JAVA_LONG)).containsExactly(1, 5, 0, 6, 3, 2, 4);
    }
  }

  private static MemorySegment segment(int[] keys) {
    return MemorySegment.ofArray(keys);
  }
}
