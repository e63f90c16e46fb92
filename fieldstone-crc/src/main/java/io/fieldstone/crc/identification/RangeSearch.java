package io.fieldstone.crc.identification;

import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcValue;
import io.fieldstone.field.Gf2Modulus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the range of bytes that a CRC of the catalogue covers in long samples, all ranges of which
 * are compared at once.
 *
 * <p>The remainder of the bytes from a to b is that of all bytes before b, plus that of those
 * before a, each times a power of x. So a range fits if the value of its begin, from the initial
 * register and the bytes before it, equals that of its end, from the checksum and the bytes before
 * it. A filter of the begins leaves few ends, and a filter of these few begins.
 */
final class RangeSearch {

  private static final int FILTER_BITS = 23;
  private static final int FILTER_WORDS = 1 << FILTER_BITS - 6;
  private static final int MAX_RANGES = 8;
  private static final int CERTAIN = 16;
  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  private final List<Sample> samples;
  private final int shortest;

  RangeSearch(List<Sample> samples) {
    this.samples = samples;
    this.shortest = samples.stream().mapToInt(Sample::length).min().orElse(0);
  }

  /** A range of a model. */
  private record Range(CrcModel model, Orientation orientation, Placement placement) {}

  /** Returns the models and ranges that explain all samples; empty if there are none. */
  Optional<Finding> find() {
    int written = samples.getFirst().checksum().map(CrcValue::width).orElse(0);
    List<CrcModel> models =
        CrcCatalogue.entries().stream()
            .map(CrcCatalogue.Entry::model)
            .filter(model -> model.width() <= Gf2Modulus.MAX_DEGREE)
            .filter(model ->
                written == 0
                    ? model.width() % Byte.SIZE == 0 && model.width() / Byte.SIZE < shortest
                    : model.width() == written)
            .filter(model -> evidence(model.width()) > 0)
            .toList();
    List<FoundModel> found =
        models.parallelStream()
            .flatMap(this::ranges)
            .map(this::model)
            .sorted(
                Comparator.comparingInt((FoundModel model) -> -model.evidenceBits())
                    .thenComparingInt(model -> model.from() + model.behind()))
            .limit(MAX_RANGES)
            .toList();
    return found.isEmpty() ? Optional.empty() : Optional.of(new Finding.Found(found, List.of()));
  }

  /** All ranges of all models are tried in both orders of bytes. */
  private int evidence(int width) {
    int ranges = 2 * (Integer.SIZE - Integer.numberOfLeadingZeros(shortest));
    return samples.size() * width - 8 - ranges;
  }

  private FoundModel model(Range range) {
    int evidence = evidence(range.model().width());
    Placement placement = range.placement();
    return new FoundModel(
        range.model(),
        true,
        List.of(),
        List.of(range.model().name()),
        0,
        0,
        Optional.empty(),
        range.orientation().isLittleEndian(),
        0,
        placement.from(),
        placement.behind(),
        placement.field() == Placement.NONE ? Optional.empty() : Optional.of(placement.field()),
        evidence,
        evidence >= CERTAIN ? 0 : Math.ceilDiv(CERTAIN - evidence, range.model().width()));
  }

  private Stream<Range> ranges(CrcModel model) {
    List<Range> ranges = new ArrayList<>();
    int width = model.width();
    boolean isApart = samples.getFirst().checksum().isPresent();
    int field = isApart ? 0 : width / Byte.SIZE;
    Placement whole = isApart ? Placement.whole(width) : Placement.atEnd(width);
    for (Orientation orientation : Orientation.of(width)) {
      if (orientation.refin() == model.refin() && orientation.refout() == model.refout()) {
        ranges.addAll(ranges(model, orientation, whole, field));
      }
    }
    return ranges.stream();
  }

  private List<Range> ranges(CrcModel model, Orientation orientation, Placement whole, int field) {
    long[] begin = new long[shortest + 1];
    long[] end = new long[shortest + 1];
    for (Sample each : samples) {
      addKeys(model, orientation.register(whole.checksum(each)), each.shared(), begin, end);
    }
    long[] begins = new long[FILTER_WORDS];
    for (long key : begin) {
      add(begins, key);
    }
    long[] ends = new long[FILTER_WORDS];
    Map<Long, List<Integer>> possible = new HashMap<>();
    for (int behind = field; behind < end.length; behind++) {
      if (has(begins, end[behind])) {
        add(ends, end[behind]);
        possible.computeIfAbsent(end[behind], _ -> new ArrayList<>()).add(behind);
      }
    }
    List<Range> ranges = new ArrayList<>();
    for (int from = 0; from < shortest && ranges.size() < MAX_RANGES; from++) {
      if (has(ends, begin[from])) {
        for (int behind : possible.getOrDefault(begin[from], List.of())) {
          if (from + behind < shortest && ranges.size() < MAX_RANGES) {
            ranges.add(
                new Range(
                    model, orientation, new Placement(from, behind, whole.field(), whole.width())));
          }
        }
      }
    }
    return ranges;
  }

  private static void add(long[] filter, long key) {
    int bit = (int) (key * MIX >>> Long.SIZE - FILTER_BITS);
    filter[bit >>> 6] |= 1L << bit;
  }

  private static boolean has(long[] filter, long key) {
    int bit = (int) (key * MIX >>> Long.SIZE - FILTER_BITS);
    return (filter[bit >>> 6] >>> bit & 1) != 0;
  }

  /**
   * Mixes the values of a sample at each offset into the keys of begins and of ends, which count
   * from the end. All are divided by x^(8 · offset), as the register of the bytes before the offset
   * is.
   */
  private static void addKeys(
      CrcModel model, CrcValue register, byte[] bytes, long[] begin, long[] end) {
    int width = model.width();
    Gf2Modulus modulus = Gf2Modulus.of(width, model.poly().toLong());
    long xorout = (model.refout() ? model.xorout().reflected() : model.xorout()).toLong();
    long init = model.init().toLong();
    long last = register.toLong() ^ xorout;
    long inverse = modulus.inverseOfX();
    long byX = modulus.xToThe(width); // x^(width − 8 · offset)
    long before = 0;
    for (int offset = 0; offset <= bytes.length; offset++) {
      if (offset < begin.length) {
        begin[offset] = mixed(begin[offset], before ^ init);
      }
      int behind = bytes.length - offset;
      if (behind < end.length) {
        end[behind] = mixed(end[behind], before ^ last);
      }
      if (behind > 0) {
        int bits = model.refin() ? Integer.reverse(bytes[offset]) >>> 24 : bytes[offset] & 0xFF;
        long factor = byX;
        for (int bit = 7; bit >= 0; bit--) {
          factor = overX(factor, inverse);
          before ^= -(bits >>> bit & 1) & factor;
        }
        byX = factor;
        for (int bit = 0; bit < Byte.SIZE; bit++) {
          init = overX(init, inverse);
          last = overX(last, inverse);
        }
      }
    }
  }

  /** Returns a / x. */
  private static long overX(long a, long inverseOfX) {
    return a >>> 1 ^ -(a & 1) & inverseOfX;
  }

  private static long mixed(long key, long value) {
    return Long.rotateLeft(key * MIX, 29) ^ value * 0xD6E8_FEB8_6659_FD93L;
  }
}
