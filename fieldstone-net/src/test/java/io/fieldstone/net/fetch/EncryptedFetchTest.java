package io.fieldstone.net.fetch;

import static io.fieldstone.net.fetch.Loopback.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.relay.Relay;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.rlnc.crypto.GenerationCipher;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Encrypted objects over QUIC on loopback. */
@Timeout(180)
class EncryptedFetchTest {

  /** The bytes of the file in a full generation. */
  private static final int PLAIN =
      64 * ServerSettings.DEFAULT_BLOCK_SIZE - GenerationCipher.TAG_BYTES;

  private final MasterKey key = MasterKey.generate();

  @TempDir Path folder;
  @AutoClose private Loopback net;

  @BeforeEach
  void open() {
    net = new Loopback(folder);
  }

  private Server encrypting(String state, Path... files) throws Exception {
    return net.serve(state, this::encrypted, files);
  }

  private ServerSettings encrypted(ServerSettings settings) {
    return settings.withOffers(settings.offers().withEncryption(Optional.of(key)));
  }

  private FetchSettings settings(String name, InetSocketAddress... from) {
    return net.settings(name, List.of(from)).withKey(Optional.of(key));
  }

  private byte[] streamed(FetchSettings settings) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    net.fetch(settings, FetchListener.NONE).toStream(out, "stream");
    return out.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, PLAIN, PLAIN + 1, 20 * PLAIN + 7})
  void aFileComesBackFromAServer(int length) throws Exception {
    Path file = net.write("files/a.bin", length);
    Server server = encrypting("server", file);

    FetchResult result = net.fetched(settings("a.bin", at(server)), file);

    assertThat(result.bytes()).isEqualTo(length);
    assertThat(result.manifest().encryption().orElseThrow().keyId()).isEqualTo(key.keyId());
    assertThat(streamed(settings("a.bin", at(server)))).isEqualTo(Files.readAllBytes(file));
  }

  /** Servers that encrypt for themselves have the same object, so they can be used together. */
  @Test
  void twoServersOfOneFile() throws Exception {
    Path file = net.write("files/a.bin", 40 * PLAIN + 7);
    Server one = encrypting("one", file);
    Server two = encrypting("two", file);

    FetchResult result = net.fetchedFromAll(settings("a.bin", at(one), at(two)), file);

    assertThat(result.sources()).allMatch(source -> source.blocks() > 0);
  }

  /** Relays have no key, and their caches have none of the bytes. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void relaysPassOnWhatTheyCannotRead(boolean isImmediate) throws Exception {
    byte[] bytes = "a secret that no relay reads; ".repeat(20_000).getBytes(StandardCharsets.UTF_8);
    Path file = Files.createDirectories(folder.resolve("files")).resolve("a.bin");
    Files.write(file, bytes);
    Server server = encrypting("server", file);
    Relay near = net.relay("near", each -> each.withImmediate(isImmediate), at(server));
    Relay far = net.relay("far", each -> each.withImmediate(isImmediate), at(near));
    String id = server.catalogue().getFirst().id().toString();

    net.fetched(settings("a.bin", at(far)), file);

    assertThat(far.catalogue()).extracting(each -> each.id().toString()).containsExactly(id);
    for (String state : List.of("near", "far")) {
      try (Stream<Path> cached = Files.list(folder.resolve(state).resolve("relayed"))) {
        assertThat(cached.filter(each -> each.toString().endsWith(".blocks")))
            .singleElement()
            .satisfies(each ->
                assertThat(Files.readString(each, StandardCharsets.ISO_8859_1))
                    .hasSizeGreaterThan(bytes.length)
                    .doesNotContain("secret"));
      }
    }
  }

  private void assertRefused(FetchSettings settings, String message) {
    Path output = folder.resolve("never");
    assertThatThrownBy(() -> net.fetch(settings, FetchListener.NONE).toFile(output))
        .isInstanceOf(FetchFailedException.class)
        .hasMessage(message);
    assertThat(output).doesNotExist();
    assertThat(PartFile.partOf(output)).doesNotExist();
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    assertThatThrownBy(() -> net.fetch(settings, FetchListener.NONE).toStream(stream, "stream"))
        .isInstanceOf(FetchFailedException.class)
        .hasMessage(message);
    assertThat(stream.size()).isZero();
  }

  @Test
  void keysThatDoNotFitAreNamedBeforeAnythingIsWritten() throws Exception {
    Path file = net.write("files/a.bin", 3 * PLAIN);
    Server server = encrypting("server", file);
    Server plain = net.serve("plain", file);
    MasterKey other = MasterKey.generate();
    FetchSettings settings = settings("a.bin", at(server));

    assertRefused(
        settings.withKey(Optional.empty()),
        "'a.bin' is encrypted: key %016x is needed".formatted(key.keyId()));
    assertRefused(
        settings.withKey(Optional.of(other)),
        "'a.bin' is encrypted with key %016x, not with key %016x"
            .formatted(key.keyId(), other.keyId()));
    assertRefused(settings("a.bin", at(plain)), "'a.bin' is not encrypted, but a key is given");
  }

  /** The part file has the bytes of the file, so it is not more secret than the output. */
  @Test
  void continuesAfterAnInterruption() throws Exception {
    Path file = net.write("files/a.bin", 60 * PLAIN + 77);
    Server server = encrypting("server", file);
    Path output = net.output(file);
    CountDownLatch third = new CountDownLatch(1);
    FetchListener listener =
        (done, total, sources) -> {
          if (done > total / 3) {
            third.countDown();
          }
        };
    // A low rate, so that the fetch does not end before it is interrupted.
    FetchSettings slow = settings("a.bin", at(server)).withPacing(4_000_000, false);
    Thread fetching =
        Thread.ofPlatform()
            .start(() ->
                assertThatThrownBy(() -> net.fetch(slow, listener).toFile(output))
                    .isInstanceOf(InterruptedException.class));
    third.await();
    fetching.interrupt();
    fetching.join();
    assertThat(output).doesNotExist();
    byte[] part = Files.readAllBytes(PartFile.partOf(output));
    assertThat(Arrays.copyOf(part, PLAIN))
        .isEqualTo(Arrays.copyOf(Files.readAllBytes(file), PLAIN));

    FetchResult result = net.fetched(settings("a.bin", at(server)), file);

    assertThat(result.resumedBytes()).isGreaterThan(Files.size(file) / 4);
    assertThat(result.resumedBytes() % PLAIN).isZero();
    assertThat(result.blocksNeeded()).isLessThan(45 * 64);
  }

  @Test
  void trustsNothingInThePartFile() throws Exception {
    Path file = net.write("files/a.bin", 10 * PLAIN + 9);
    Server server = encrypting("server", file);
    byte[] kept = Files.readAllBytes(file);
    kept[3 * PLAIN + 17] ^= 1;
    Path output = net.output(file);
    Files.write(PartFile.partOf(output), Arrays.copyOf(kept, 20 * PLAIN));

    FetchResult result = net.fetched(settings("a.bin", at(server)), file);

    assertThat(result.resumedBytes()).isEqualTo(9 * PLAIN + 9);
    assertThat(result.blocksNeeded()).isEqualTo(64);
  }

  /** The tree of an object may be right although nothing in it was encrypted with the key. */
  @Test
  void anObjectThatDoesNotAuthenticateIsRefused() throws Exception {
    byte[] coded =
        Files.readAllBytes(net.write("forged", 3 * 64 * ServerSettings.DEFAULT_BLOCK_SIZE));
    try (CraftedServer forger =
        new CraftedServer(
            folder.resolve("forger"),
            net.engine,
            ServerSettings.DEFAULT_SHAPE,
            coded,
            Optional.of(new ObjectManifest.Encryption(new Sha256(1, 2, 3, 4), key.keyId())),
            id -> List.of(new CatalogueEntry("a.bin", coded.length, id)))) {
      Path output = folder.resolve("never");
      ByteArrayOutputStream stream = new ByteArrayOutputStream();

      assertThatThrownBy(() ->
              net.fetch(settings("a.bin", forger.address()), FetchListener.NONE).toFile(output))
          .isInstanceOf(FetchFailedException.class)
          .hasMessageMatching(
              "'a.bin': generation \\d does not authenticate: it was not encrypted with this key,"
                  + " or was changed");
      assertThatThrownBy(() ->
              net.fetch(settings("a.bin", forger.address()), FetchListener.NONE)
                  .toStream(stream, "stream"))
          .isInstanceOf(FetchFailedException.class)
          .hasMessageContaining("does not authenticate");
      assertThat(output).doesNotExist();
      assertThat(stream.size()).isZero();
    }
  }

  /** 64 blocks of the default size and 10 more cannot be the ciphertext of anything. */
  @Test
  void anObjectOfAnImpossibleLengthIsRefused() throws Exception {
    byte[] coded = new byte[64 * ServerSettings.DEFAULT_BLOCK_SIZE + 10];
    try (CraftedServer forger =
        new CraftedServer(
            folder.resolve("forger"),
            net.engine,
            ServerSettings.DEFAULT_SHAPE,
            coded,
            Optional.of(new ObjectManifest.Encryption(new Sha256(1, 2, 3, 4), key.keyId())),
            id -> List.of(new CatalogueEntry("a.bin", coded.length, id)))) {
      assertRefused(
          settings("a.bin", forger.address()),
          "'a.bin': no plaintext has a ciphertext of %d bytes".formatted(coded.length));
    }
  }
}
