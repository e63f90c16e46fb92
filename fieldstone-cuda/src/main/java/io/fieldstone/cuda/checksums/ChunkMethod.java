package io.fieldstone.cuda.checksums;

import io.fieldstone.cuda.execution.ByteRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A method of the PCRC paper (De Marchi, Capogrosso, Sec. VII) with its parameters: {@code pcrc},
 * {@code pcrc-reduction} or {@code pcrc-streams}. After an {@code @} follow the threads per block
 * and, for streams, the number of streams and of message segments: {@code pcrc@64}, {@code
 * pcrc-streams@128,4,8}. The defaults are those of the paper's Table B: 128 threads, 4 streams, as
 * many segments as streams.
 *
 * @param name the requested name with its parameters
 * @param byReduction whether the threads of a block add pairwise, rather than the first one adding
 *     all
 * @param threads the threads per block, a power of two from 32 to 1024
 * @param streams the number of streams for uploads and kernels, 1 to 16
 * @param segments the segments of a message, {@code streams} to 1024; 1 without streams
 */
record ChunkMethod(String name, boolean byReduction, int threads, int streams, int segments) {

  static final String PLAIN = "pcrc";
  static final String REDUCTION = "pcrc-reduction";
  static final String STREAMS = "pcrc-streams";

  /** The names without parameters. */
  static final List<String> NAMES = List.of(PLAIN, REDUCTION, STREAMS);

  private static final int THREADS = 128;
  private static final int STREAM_COUNT = 4;
  private static final int MIN_THREADS = 32;
  private static final int MAX_THREADS = 1024;
  private static final int MAX_STREAMS = 16;
  private static final int MAX_SEGMENTS = 1024;

  /**
   * Returns the method of a name, or empty if the name is unknown or a parameter is out of range.
   */
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

  /** Returns the size of a segment, at most {@link ByteRange#TRANSFER_BYTES}. */
  long segmentBytes(long messageBytes) {
    return Math.clamp(Math.ceilDiv(messageBytes, segments), 1, ByteRange.TRANSFER_BYTES);
  }
}
