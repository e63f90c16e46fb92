package io.fieldstone.weights.distance;

import io.fieldstone.weights.codes.Permutation;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How far a proof is. Immutable.
 *
 * <p>As bytes: a magic number, the SHA-256 of space and symmetries, the numbers, the lightest word,
 * and the SHA-256 of all before.
 *
 * @param levels the rows of sums that are all tried, of each set
 * @param set the set of the pass that was begun
 * @param pass the rows of its sums; 0 if no pass was begun
 * @param next the number of the next sum of that pass
 * @param sums the sums tried in all
 * @param lightest the lightest word that is known
 */
@SuppressWarnings("ArrayRecordComponent") // Of this package alone, which only reads it.
record ProofState(
    int[] levels, int set, int pass, long next, double sums, Optional<LightWord> lightest) {

  private static final byte[] MAGIC = "FSdist02".getBytes(StandardCharsets.US_ASCII);
  private static final int DIGEST_BYTES = 32;

  static ProofState start(int sets) {
    return new ProofState(new int[sets], 0, 0, 0, 0, Optional.empty());
  }

  /** Returns this state with a word, if it is lighter than the one that is known. */
  ProofState with(LightWord word) {
    return lightest.filter(known -> known.weight() <= word.weight()).isPresent()
        ? this
        : new ProofState(levels, set, pass, next, sums, Optional.of(word));
  }

  /** Returns the state after more sums of a pass. */
  ProofState after(int newSet, int newPass, long more) {
    return new ProofState(levels, newSet, newPass, next + more, sums + more, lightest);
  }

  /** Returns the state after the last sum of the pass. */
  ProofState afterPass() {
    int[] done = levels.clone();
    done[set] = pass;
    return new ProofState(done, 0, 0, 0, sums, lightest);
  }

  byte[] toBytes(WordSpace space, Symmetries symmetries) {
    List<Integer> word = lightest.map(LightWord::positions).orElse(List.of());
    ByteBuffer bytes =
        ByteBuffer.allocate(
            MAGIC.length
                + 2 * DIGEST_BYTES
                + Integer.BYTES * (4 + levels.length + word.size())
                + 2 * Long.BYTES);
    bytes.put(MAGIC).put(identity(space, symmetries));
    bytes.putInt(set).putInt(pass).putLong(next).putDouble(sums);
    putAll(bytes, Arrays.stream(levels).boxed().toList());
    putAll(bytes, word);
    return bytes.put(sha256(Arrays.copyOf(bytes.array(), bytes.position()))).array();
  }

  private static void putAll(ByteBuffer bytes, List<Integer> numbers) {
    bytes.putInt(numbers.size());
    numbers.forEach(bytes::putInt);
  }

  /**
   * Parses a state of a proof of the same space.
   *
   * @param start the state that such a proof starts with
   */
  static ProofState parse(
      String source, byte[] bytes, WordSpace space, Symmetries symmetries, ProofState start) {
    int end = bytes.length - DIGEST_BYTES;
    if (end < MAGIC.length + DIGEST_BYTES
        || !Arrays.equals(Arrays.copyOf(bytes, MAGIC.length), MAGIC)) {
      throw new IllegalArgumentException(source + ": not a checkpoint of a distance");
    }
    if (!Arrays.equals(
        sha256(Arrays.copyOf(bytes, end)), Arrays.copyOfRange(bytes, end, bytes.length))) {
      throw new IllegalArgumentException(source + ": a damaged checkpoint");
    }
    ByteBuffer content = ByteBuffer.wrap(bytes, 0, end).position(MAGIC.length);
    byte[] identity = new byte[DIGEST_BYTES];
    content.get(identity);
    if (!Arrays.equals(identity, identity(space, symmetries))) {
      throw new IllegalArgumentException(
          source + ": a checkpoint of another code, or with other permutations");
    }
    try {
      return parse(content, space, start);
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException(source + ": a damaged checkpoint", e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(source + ": " + e.getMessage(), e);
    }
  }

  private static ProofState parse(ByteBuffer content, WordSpace space, ProofState start) {
    int set = content.getInt();
    int pass = content.getInt();
    long next = content.getLong();
    double sums = content.getDouble();
    int[] levels = new int[start.levels().length];
    int k = space.dimension();
    boolean isValid = content.getInt() == levels.length;
    for (int i = 0; i < levels.length && isValid; i++) {
      levels[i] = content.getInt();
      isValid = levels[i] >= 0 && levels[i] <= k;
    }
    isValid &= set >= 0 && set < levels.length && pass >= 0 && pass <= k && next >= 0;
    isValid &= pass > 0 || next == 0;
    if (!isValid) {
      throw new IllegalArgumentException("a damaged checkpoint");
    }
    int ones = content.getInt();
    if (ones != content.remaining() / Integer.BYTES || content.remaining() % Integer.BYTES != 0) {
      throw new IllegalArgumentException("a damaged checkpoint");
    }
    List<Integer> positions = new ArrayList<>();
    while (content.hasRemaining()) {
      positions.add(content.getInt());
    }
    Optional<LightWord> word =
        positions.isEmpty() ? Optional.empty() : Optional.of(new LightWord(positions));
    if (word.isPresent() && !space.contains(word.get())) {
      throw new IllegalArgumentException("its word is not one of the code");
    }
    return new ProofState(levels, set, pass, next, sums, word);
  }

  private static byte[] identity(WordSpace space, Symmetries symmetries) {
    MessageDigest digest = newSha256();
    digest.update(space.identity());
    for (Permutation generator : symmetries.generators()) {
      digest.update(generator.images().toString().getBytes(StandardCharsets.US_ASCII));
    }
    return digest.digest();
  }

  private static byte[] sha256(byte[] bytes) {
    return newSha256().digest(bytes);
  }

  private static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
