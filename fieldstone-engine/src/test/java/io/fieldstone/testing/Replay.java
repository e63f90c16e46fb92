package io.fieldstone.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Runs a fuzz target without a fuzzer: on its corpus, the resources {@code fuzz/NAME}, and on
 * mutations of it, always the same ones. CONTRIBUTING.md says how a fuzzer runs it.
 */
public final class Replay {

  private static final int MUTATIONS = 20_000 / TestLength.oneIn(4);
  private static final int MAX_CHANGES = 5;
  private static final int MAX_INSERTED = 64;
  private static final byte[] LIKELY = "0123456789abcdefxX.,;:+-eE#\\\"(){}[]=@* \t\r\n".getBytes();

  private Replay() {}

  /** Fails with the input in hexadecimal if the target throws. */
  public static void run(Class<?> test, Consumer<byte[]> target) throws Exception {
    List<byte[]> corpus = corpus(test);
    corpus.forEach(seed -> feed(target, seed));
    SplittableRandom random = new SplittableRandom(test.getSimpleName().hashCode());
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] seed = corpus.get(random.nextInt(corpus.size()));
      feed(target, mutated(random, seed, corpus.get(random.nextInt(corpus.size()))));
    }
  }

  private static List<byte[]> corpus(Class<?> test) throws Exception {
    String name = "/fuzz/" + test.getSimpleName();
    Path folder = Path.of(Objects.requireNonNull(test.getResource(name), name).toURI());
    List<byte[]> corpus = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        corpus.add(Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new AssertionError(folder.toString(), e);
    }
    return corpus;
  }

  private static void feed(Consumer<byte[]> target, byte[] input) {
    try {
      target.accept(input);
    } catch (Throwable e) {
      throw new AssertionError("input " + HexFormat.of().formatHex(input), e);
    }
  }

  private static byte[] mutated(SplittableRandom random, byte[] seed, byte[] other) {
    byte[] bytes = seed.clone();
    for (int n = random.nextInt(1, MAX_CHANGES); n > 0 && bytes.length > 0; n--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(6)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] = LIKELY[random.nextInt(LIKELY.length)];
        case 2 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 3 -> bytes = Arrays.copyOf(bytes, at + 1);
        case 4 -> bytes = spliced(bytes, at, other, random);
        default -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 8), extreme(random));
      }
    }
    return bytes;
  }

  private static byte extreme(SplittableRandom random) {
    return (byte) new int[] {0, 0x7F, 0x80, 0xFF}[random.nextInt(4)];
  }

  /** With a piece of another input in between. */
  private static byte[] spliced(byte[] bytes, int at, byte[] other, SplittableRandom random) {
    if (other.length == 0) {
      return bytes;
    }
    int from = random.nextInt(other.length);
    int length = Math.min(random.nextInt(1, MAX_INSERTED), other.length - from);
    byte[] longer = Arrays.copyOf(bytes, bytes.length + length);
    System.arraycopy(other, from, longer, at, length);
    System.arraycopy(bytes, at, longer, at + length, bytes.length - at);
    return longer;
  }
}
