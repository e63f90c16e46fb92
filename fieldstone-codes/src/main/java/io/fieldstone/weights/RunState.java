package io.fieldstone.weights;

import io.fieldstone.weights.codes.BinaryCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The state of a run between two steps, and its format in a {@link Checkpoint}. All numbers are
 * big-endian: the magic, 26 bytes; the method, its length in 1 byte and its letters; the identity,
 * 32 bytes; the completed units, 8 bytes; the count of numbers, 4 bytes; the numbers, 8 bytes each;
 * the SHA-256 of all preceding bytes.
 *
 * @param method the method of the plan
 * @param identity SHA-256 of method, code and amount of work, in hexadecimal
 * @param unitsDone the completed units of the run
 * @param numbers the {@link JointRun#state} of the run; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // Of this package alone, which only reads them.
record RunState(String method, String identity, long unitsDone, long[] numbers) {

  private static final byte[] MAGIC =
      "fieldstone joint weights 2".getBytes(StandardCharsets.US_ASCII);

  private static final int DIGEST_BYTES = 32;

  private static final String MALFORMED = "not a checkpoint, or damaged";

  /** Returns the state of a run. */
  static RunState of(BinaryCode code, String method, JointRun run) {
    long[] numbers = run.state();
    String name =
        String.format(
            Locale.ROOT, "%s\n%s\n%d\n%d", method, code.generator(), run.units(), numbers.length);
    byte[] identity = sha256(name.getBytes(StandardCharsets.UTF_8));
    return new RunState(method, HexFormat.of().formatHex(identity), run.unitsDone(), numbers);
  }

  /** Returns the length of {@link #toBytes}. */
  long byteLength() {
    return headerBytes(method) + Long.BYTES + Integer.BYTES + 8L * numbers.length + DIGEST_BYTES;
  }

  private static int headerBytes(String method) {
    return MAGIC.length + 1 + method.length() + DIGEST_BYTES;
  }

  /** Returns the content of the file. */
  byte[] toBytes() {
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(byteLength()));
    byte[] letters = method.getBytes(StandardCharsets.US_ASCII);
    bytes.put(MAGIC).put((byte) letters.length).put(letters);
    bytes.put(HexFormat.of().parseHex(identity)).putLong(unitsDone).putInt(numbers.length);
    bytes.asLongBuffer().put(numbers);
    bytes.position(bytes.limit() - DIGEST_BYTES);
    bytes.put(sha256(Arrays.copyOf(bytes.array(), bytes.position())));
    return bytes.array();
  }

  /**
   * Parses a state.
   *
   * @param source the file, for messages
   * @throws MalformedCheckpointException if the bytes are not a state, or damaged
   */
  static RunState parse(Path source, byte[] bytes) throws MalformedCheckpointException {
    int body = bytes.length - DIGEST_BYTES;
    if (body < 0
        || !Arrays.equals(
            sha256(Arrays.copyOf(bytes, body)), Arrays.copyOfRange(bytes, body, bytes.length))) {
      throw new MalformedCheckpointException(source, MALFORMED);
    }
    Header header = Header.parse(source, Arrays.copyOf(bytes, body));
    ByteBuffer rest = ByteBuffer.wrap(bytes, 0, body).position(headerBytes(header.method()));
    if (rest.remaining() < Long.BYTES + Integer.BYTES) {
      throw new MalformedCheckpointException(source, MALFORMED);
    }
    long unitsDone = rest.getLong();
    int count = rest.getInt();
    if (unitsDone < 0 || count < 0 || rest.remaining() != 8L * count) {
      throw new MalformedCheckpointException(source, MALFORMED);
    }
    long[] numbers = new long[count];
    rest.asLongBuffer().get(numbers);
    return new RunState(header.method(), header.identity(), unitsDone, numbers);
  }

  /**
   * Restores a new run of the same code and method.
   *
   * @param source the file, for messages
   * @param fresh the state of the new run
   * @throws MalformedCheckpointException if this is the state of another run
   */
  void restore(Path source, BinaryCode code, RunState fresh, JointRun run)
      throws MalformedCheckpointException {
    fresh.requireIdentity(source, identity, code);
    if (numbers.length != fresh.numbers.length || unitsDone > run.units()) {
      throw damaged(source);
    }
    run.restore(unitsDone, numbers);
  }

  /** Checks that the identity of a saved state is that of this one. */
  void requireIdentity(Path source, String saved, BinaryCode code)
      throws MalformedCheckpointException {
    if (!saved.equals(identity)) {
      throw new MalformedCheckpointException(
          source,
          "the checkpoint of another run, not of code %s and method '%s'".formatted(code, method));
    }
  }

  static MalformedCheckpointException damaged(Path source) {
    return new MalformedCheckpointException(source, "the checkpoint is damaged");
  }

  /**
   * The start of a file.
   *
   * @param method as in {@link RunState}
   * @param identity as in {@link RunState}
   */
  record Header(String method, String identity) {

    /** The maximum bytes of a header. */
    static final int MAX_BYTES = MAGIC.length + 1 + Byte.MAX_VALUE + DIGEST_BYTES;

    /**
     * Parses the header of a file.
     *
     * @param bytes the first {@link #MAX_BYTES} bytes, or all of a shorter file
     * @throws MalformedCheckpointException if they are not a header
     */
    static Header parse(Path source, byte[] bytes) throws MalformedCheckpointException {
      boolean isMagic =
          bytes.length > MAGIC.length
              && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
      int letters = isMagic ? bytes[MAGIC.length] : -1;
      if (letters < 0 || bytes.length < MAGIC.length + 1 + letters + DIGEST_BYTES) {
        throw new MalformedCheckpointException(source, MALFORMED);
      }
      int first = MAGIC.length + 1;
      for (int at = first; at < first + letters; at++) {
        if (bytes[at] <= ' ' || bytes[at] > '~') {
          throw new MalformedCheckpointException(source, MALFORMED);
        }
      }
      return new Header(
          new String(bytes, first, letters, StandardCharsets.US_ASCII),
          HexFormat.of().formatHex(bytes, first + letters, first + letters + DIGEST_BYTES));
    }
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
