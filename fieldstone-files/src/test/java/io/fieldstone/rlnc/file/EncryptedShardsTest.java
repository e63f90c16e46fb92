package io.fieldstone.rlnc.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.DecryptionException;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.stream.ProgressListener;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EncryptedShardsTest {

  private static final MasterKey KEY = MasterKey.of(new byte[32]);
  private static final int N = 6;
  private static final int K = 40;
  private static final int PLAIN = N * K - 16;

  private static Engine engine;

  @TempDir private Path directory;

  @BeforeAll
  static void open() {
    engine = Engine.open("auto");
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  private static FileEncoder encoder(int n, int k) {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), n, k);
    return new FileEncoder(engine, new EncodingParameters(shape, 3, 1, 7)).encrypting(KEY);
  }

  private EncodingResult encode(byte[] content, int n, int k) throws Exception {
    Path source = Files.write(directory.resolve("data"), content);
    Path folder = Files.createTempDirectory(directory, "shards");
    return encoder(n, k).encode(source, folder, ProgressListener.NONE);
  }

  private EncodingResult encodeStream(byte[] content) throws Exception {
    Path folder = Files.createTempDirectory(directory, "shards");
    return encoder(N, K)
        .encode(new ByteArrayInputStream(content), "data", folder, ProgressListener.NONE);
  }

  private byte[] decode(MasterKey key, List<Path> shards) throws Exception {
    Path target = Files.createTempDirectory(directory, "decoded").resolve("file");
    DecodingResult result =
        new FileDecoder(engine).decrypting(key).decode(shards, target, ProgressListener.NONE);
    assertThat(result.length()).isEqualTo(Files.size(target));
    return Files.readAllBytes(target);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {0, 1, 15, 16, 17, K, PLAIN - 1, PLAIN, PLAIN + 1, 3 * PLAIN, 3 * PLAIN + 5, 900_000})
  void anyLengthComesBack(int length) throws Exception {
    byte[] content = ShardFiles.content(length);
    for (EncodingResult encoded : List.of(encode(content, N, K), encodeStream(content))) {
      assertThat(encoded.length()).isEqualTo(length);
      assertThat(encoded.descriptor().length())
          .isEqualTo(length + 16L * ((length + PLAIN - 1) / PLAIN));
      assertThat(decode(KEY, encoded.shards().subList(0, 2))).isEqualTo(content);
    }
  }

  @Test
  void tinyBlocksHaveRoomForATag() throws Exception {
    for (int length : new int[] {0, 1, 2, 30}) {
      byte[] content = ShardFiles.content(length);
      assertThat(decode(KEY, encode(content, 17, 1).shards())).isEqualTo(content);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> encoder(16, 1))
        .withMessageContaining("generations of 16 bytes cannot be encrypted");
  }

  /** So that two servers of the same file can be used together; a stream cannot be read twice. */
  @Test
  void theSameFileKeyAndGenerationGiveTheSameObject() throws Exception {
    byte[] content = ShardFiles.content(3000);
    String id = encode(content, N, K).descriptor().idText();
    assertThat(encode(content, N, K).descriptor().idText()).isEqualTo(id);
    byte[] other = content.clone();
    other[2999] ^= 1;
    assertThat(encode(other, N, K).descriptor().idText()).isNotEqualTo(id);
    assertThat(encodeStream(content).descriptor().idText())
        .isNotEqualTo(encodeStream(content).descriptor().idText())
        .isNotEqualTo(id);
  }

  @Test
  void shardsDoNotShowThePlaintext() throws Exception {
    byte[] content = "the same words again and again, ".repeat(200).getBytes();
    for (Path shard : encode(content, N, K).shards()) {
      assertThat(new String(Files.readAllBytes(shard), StandardCharsets.ISO_8859_1))
          .doesNotContain("same", "words");
    }
  }

  @Test
  void ciphertextIsRecodedWithoutTheKey() throws Exception {
    byte[] content = ShardFiles.content(3000);
    List<Path> shards = encode(content, N, K).shards();
    Path recoded = directory.resolve("recoded");
    new ShardRecoder(engine).recode(shards, recoded, N + 2, 1, ProgressListener.NONE);
    assertThat(decode(KEY, List.of(recoded))).isEqualTo(content);
  }

  @Test
  void theKeyMustBeTheRightOne() throws Exception {
    List<Path> shards = encode(ShardFiles.content(3000), N, K).shards();
    MasterKey other = MasterKey.generate();
    assertThatExceptionOfType(DecryptionException.class)
        .isThrownBy(() -> decode(other, shards))
        .withMessage(
            "'data' is encrypted with key %016x, not with key %016x"
                .formatted(KEY.keyId(), other.keyId()));
    Path target = directory.resolve("target");
    assertThatExceptionOfType(DecryptionException.class)
        .isThrownBy(() -> new FileDecoder(engine).decode(shards, target, ProgressListener.NONE))
        .withMessage("'data' is encrypted: key %016x is needed".formatted(KEY.keyId()));
    assertThat(target).doesNotExist();
    List<Path> plain =
        new ShardFiles(engine, directory).encode(new byte[9], new Code.Dense(), 2, 1);
    assertThatExceptionOfType(DecryptionException.class)
        .isThrownBy(() -> decode(KEY, plain))
        .withMessage("'data' is not encrypted, but a key is given");
  }

  /** A tree over other bytes, with the id of the key: what an attacker without the key can make. */
  @Test
  void aForgedObjectDoesNotAuthenticate() throws Exception {
    byte[] content = ShardFiles.content(3 * PLAIN);
    List<Path> shards = encode(content, N, K).shards();
    List<Path> forged =
        Forgery.reencode(
            engine,
            directory,
            shards,
            bytes -> {
              bytes[300] ^= 1;
              return bytes;
            });
    assertThatExceptionOfType(DecryptionException.class)
        .isThrownBy(() -> decode(KEY, forged))
        .withMessageContaining("generation 1 does not authenticate");
    List<Path> cut =
        Forgery.reencode(engine, directory, shards, bytes -> Arrays.copyOf(bytes, 2 * N * K));
    assertThatExceptionOfType(DecryptionException.class)
        .isThrownBy(() -> decode(KEY, cut))
        .withMessageContaining("generation 1 does not authenticate");
  }

  /** Without any hashes, a wrong generation is noticed only because it does not authenticate. */
  @Test
  void withoutHashesAPollutedShardIsFound() throws Exception {
    byte[] content = ShardFiles.content(3 * PLAIN);
    List<Path> shards = withoutHashes(encode(content, N, K).shards());
    shards.set(0, files().polluted(shards.getFirst(), 4));
    Path target = directory.resolve("target");
    DecodingResult result =
        new FileDecoder(engine).decrypting(KEY).decode(shards, target, ProgressListener.NONE);
    assertThat(target).hasBinaryContent(content);
    assertThat(result.report().leftOut())
        .extracting(ShardReport.LeftOut::path)
        .containsExactly(shards.getFirst());
  }

  /** The first generation has too few blocks, so that shards cannot be left out. */
  @Test
  void withoutHashesAPollutedGenerationIsMissing() throws Exception {
    List<Path> shards = withoutHashes(encode(ShardFiles.content(3 * PLAIN), N, K).shards());
    Path polluted = files().polluted(shards.getFirst(), 4);
    byte[] second = Files.readAllBytes(shards.get(1));
    ShardHeader header = ShardInspector.header(shards.get(1));
    Arrays.fill(second, header.byteSize(), header.byteSize() + 4 * header.recordBytes(), (byte) 0);
    List<Path> given = List.of(polluted, files().write(shards.get(1), second));
    Path target = directory.resolve("target");
    DecodingResult result =
        new FileDecoder(engine)
            .decrypting(KEY)
            .withPartialOutput()
            .decode(given, target, ProgressListener.NONE);
    assertThat(result.missing().ranges()).containsExactly(new MissingBlocks.Range(0, 2 * PLAIN));
    assertThat(result.missing().blocks()).isEqualTo(2 * N);
  }

  private ShardFiles files() {
    return new ShardFiles(engine, directory);
  }

  private List<Path> withoutHashes(List<Path> shards) throws Exception {
    List<Path> cut = new ArrayList<>();
    for (Path shard : shards) {
      byte[] bytes = Files.readAllBytes(shard);
      cut.add(files().write(shard, Arrays.copyOf(bytes, bytes.length - 40)));
    }
    return cut;
  }

  @Test
  void aFileThatChangesBetweenTheTwoPassesIsRefused() throws Exception {
    Path source = Files.write(directory.resolve("data"), ShardFiles.content(1_000_000));
    Path folder = directory.resolve("changed");
    byte[] other = ShardFiles.content(1_000_000);
    other[999_999] ^= 1;
    ProgressListener change =
        (done, _) -> {
          if (done == 500_000) { // the end of the first pass
            write(source, other);
          }
        };
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> encoder(2, 20).encode(source, folder, change))
        .withMessage("data: was changed while it was read");
    assertThat(folder).doesNotExist();
  }

  /** Half of the progress is the first pass. */
  @Test
  void bothPassesAreProgress() throws Exception {
    Path source = Files.write(directory.resolve("data"), new byte[3_000_001]);
    List<Long> done = new ArrayList<>();

    encoder(N, K)
        .encode(
            source,
            directory.resolve("shards"),
            (bytes, total) -> {
              assertThat(total).isEqualTo(3_000_001);
              done.add(bytes);
            });

    assertThat(done).isSorted().contains(1_500_000L);
    assertThat(done.getFirst()).isLessThan(1_500_000L);
    assertThat(done.getLast()).isEqualTo(3_000_001);
  }

  private static void write(Path path, byte[] content) {
    try {
      Files.write(path, content, StandardOpenOption.WRITE); // keeps the length at all times
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
