package io.fieldstone.cuda.checksums;

import io.fieldstone.cuda.execution.ByteRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A method of the PCRC paper (De Marchi, Capogrosso, Sec. VII) with the numbers that its tables
 * vary: {@code pcrc}, {@code pcrc-reduction} or {@code pcrc-streams}, and behind an {@code @}
 * threads of a block and, for streams, how many there are and into how many segments they cut a
 * message: {@code pcrc@64}, {@code pcrc-streams@128,4,8}. What is left out is as in the paper's
 * Table B: blocks of 128, 4 streams, as many segments as streams.
 *
 * @param name with its numbers, as it was asked for
 * @param byReduction whether threads add pairwise, rather than the first one alone
 * @param threads of a block, a power of two from 32 to 1024
 * @param streams that uploads and kernels are shared between, 1 to 16
 * @param segments that a message is cut into, {@code streams} to 1024; 1 without streams
 */
record ChunkMethod(String name, boolean byReduction, int threads, int streams, int segments) {

  static final String PLAIN = "pcrc";
  static final String REDUCTION = "pcrc-reduction";
  static final String STREAMS = "pcrc-streams";

  /** All of them, with the numbers left out. */
  static final List<String> NAMES = List.of(PLAIN, REDUCTION, STREAMS);

  private static final int THREADS = 128;
  private static final int STREAM_COUNT = 4;
  private static final int MIN_THREADS = 32;
  private static final int MAX_THREADS = 1024;
  private static final int MAX_STREAMS = 16;
  private static final int MAX_SEGMENTS = 1024;

  /** The method of a name, if it is one of these and its numbers are in their ranges. */
  static Optional<ChunkMethod> of(String name) {
    int at = name.indexOf('@');
    String plain = at < 0 ? name : name.substring(0, at);
    if (!NAMES.contains(plain)) {
      return Optional.empty();
    }
    boolean hasStreams = plain.equals(STREAMS);
    List<Integer> numbers = new ArrayList<>();
    for (String number : at < 0 ? new String[0] : name.substring(at + 1).split(",", -1)) {
      OptionalInt parsed = number(number);
      if (parsed.isEmpty()) {
        return Optional.empty();
      }
      numbers.add(parsed.getAsInt());
    }
    if (numbers.size() > (hasStreams ? 3 : 1)) {
      return Optional.empty();
    }
    int threads = numbers.isEmpty() ? THREADS : numbers.getFirst();
    int streams = numbers.size() > 1 ? numbers.get(1) : hasStreams ? STREAM_COUNT : 1;
    int segments = numbers.size() > 2 ? numbers.get(2) : streams;
    boolean isInRange =
        threads >= MIN_THREADS
            && threads <= MAX_THREADS
            && Integer.bitCount(threads) == 1
            && streams >= 1
            && streams <= MAX_STREAMS
            && segments >= streams
            && segments <= MAX_SEGMENTS;
    return isInRange
        ? Optional.of(new ChunkMethod(name, !plain.equals(PLAIN), threads, streams, segments))
        : Optional.empty();
  }

  private static OptionalInt number(String text) {
    return text.matches("[1-9][0-9]{0,3}")
        ? OptionalInt.of(Integer.parseInt(text))
        : OptionalInt.empty();
  }

  /** Bytes of a segment of a message: no more than a lane has memory for. */
  long segmentBytes(long messageBytes) {
    return Math.clamp(Math.ceilDiv(messageBytes, segments), 1, ByteRange.TRANSFER_BYTES);
  }
}
