package io.fieldstone.net.fetch;

import static io.fieldstone.net.fetch.Loopback.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.peers.SeenRecords;
import io.fieldstone.net.relay.Relay;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.crypto.SigningKey;
import io.fieldstone.rlnc.wire.Sha256;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects that publishers have signed, over QUIC on loopback. */
@Timeout(180)
class PublisherFetchTest {

  private static final String OLD = "2026-01-01T00:00:00Z";
  private static final String NEW = "2026-01-01T00:00:01Z";

  private final SigningKey signing = SigningKey.generate();
  private final PublisherKey publisher = signing.publisher();

  @TempDir Path folder;
  @AutoClose private Loopback net;

  @BeforeEach
  void open() {
    net = new Loopback(folder);
  }

  private Server signed(SigningKey by, String state, Path... files) throws Exception {
    return net.serve(state, each -> signed(by, each), files);
  }

  private static ServerSettings signed(SigningKey by, ServerSettings settings) {
    return settings.withOffers(settings.offers().withSigning(Optional.of(by)));
  }

  private FetchSettings settings(String name, InetSocketAddress... from) {
    return net.settings(name, List.of(from)).withPublishers(List.of(publisher));
  }

  private void assertRefused(FetchSettings settings, String... parts) {
    Path output = folder.resolve("never");
    assertThatThrownBy(() -> net.fetch(settings, FetchListener.NONE).toFile(output))
        .isInstanceOf(FetchFailedException.class)
        .hasMessageContainingAll(parts);
    assertThat(output).doesNotExist();
    assertThat(PartFile.partOf(output)).doesNotExist();
  }

  private static String id(Server server) {
    return server.catalogue().getFirst().id().toString();
  }

  @Test
  void aSignedFileIsFoundByNameAndById() throws Exception {
    Path file = net.write("files/sub/a.bin", 100_000);
    Server server = signed(signing, "server", folder.resolve("files"));
    String id = id(server);

    for (String query : List.of("sub/a.bin", id, id.toUpperCase(java.util.Locale.ROOT))) {
      FetchResult result = net.fetched(settings(query, at(server)), file);
      assertThat(result.publisher()).contains(publisher);
      assertThat(result.name()).isEqualTo("sub/a.bin");
    }
    assertThat(net.fetched(settings(id.substring(0, 8), at(server)), file).publisher())
        .contains(publisher);
    assertThat(net.fetched(net.settings("sub/a.bin", server), file).publisher()).isEmpty();
  }

  @Test
  void aFileThatNoneOfThemSignedIsRefused() throws Exception {
    Path file = net.write("files/a.bin", 1000);
    Server plain = net.serve("plain", file);
    SigningKey stranger = SigningKey.generate();
    Server strange = signed(stranger, "strange", file);

    assertRefused(
        settings("a.bin", at(plain), at(strange)),
        "no server has a.bin signed by " + publisher + ": 127.0.0.1:",
        ": its object " + id(plain) + " is not signed; 127.0.0.1:",
        ": its object " + id(plain) + " is signed by " + stranger.publisher());
    net.fetched(
        settings("a.bin", at(plain), at(strange))
            .withPublishers(List.of(publisher, stranger.publisher())),
        file);
    assertRefused(settings(id(plain), at(plain)), "its object " + id(plain) + " is not signed");
    assertRefused(settings("b.bin", at(plain)), "127.0.0.1:", ": has no such object");
    // Servers that did not answer are named, too.
    InetSocketAddress gone = at(strange);
    strange.close();
    assertRefused(settings("a.bin", gone, at(plain)), gone.getPort() + ": ", " is not signed");
  }

  /** An unsigned copy of the same object is used, too, because its id is the signed one. */
  @Test
  void theSignatureDecidesBetweenServersThatDisagree() throws Exception {
    Path right = net.write("right/a.bin", 2_000_000);
    Path wrong = net.write("wrong/a.bin", 2000);
    Server first = signed(SigningKey.generate(), "s1", wrong);
    Server second = signed(signing, "s2", right);
    Server third = net.serve("s3", right);

    // At this rate neither of two can be left out before the other has sent everything.
    FetchResult result =
        net.fetched(
            settings("a.bin", at(first), at(second), at(third)).withPacing(1_000_000, false),
            right);

    assertThat(result.sources().get(0).problem())
        .isEqualTo("has another object of this name: " + id(first));
    assertThat(result.sources().get(1).blocks()).isPositive();
    assertThat(result.sources().get(2).blocks()).isPositive();
    assertRefused(
        settings("a.bin", at(first), at(second)).withPublishers(List.of()),
        "a.bin is ambiguous; fetch one of 2 ids: ");
  }

  private Path writeAt(String name, int bytes, String time) throws Exception {
    Path file = net.write(name, bytes);
    return Files.setLastModifiedTime(file, FileTime.from(Instant.parse(time)));
  }

  @Test
  void twoSignedObjectsOfOneNameAndTimeAreAmbiguous() throws Exception {
    Server first = signed(signing, "s1", writeAt("one/a.bin", 1000, OLD));
    Server second = signed(signing, "s2", writeAt("two/a.bin", 2000, OLD));

    assertRefused(
        settings("a.bin", at(first), at(second)),
        "a.bin is ambiguous; fetch one of 2 ids: ",
        id(first) + " (1000 bytes) from 127.0.0.1:",
        id(second) + " (2000 bytes) from 127.0.0.1:");
    net.fetched(settings(id(second), at(first), at(second)), folder.resolve("two/a.bin"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theNewestObjectOfAPublisherIsChosen(boolean isStaleFirst) throws Exception {
    Path fresh = writeAt("fresh/a.bin", 2_000_000, NEW);
    Server stale = signed(signing, "stale", writeAt("stale/a.bin", 1000, OLD));
    Server current = signed(signing, "fresh", fresh);
    InetSocketAddress[] from =
        isStaleFirst
            ? new InetSocketAddress[] {at(stale), at(current)}
            : new InetSocketAddress[] {at(current), at(stale)};

    FetchResult result = net.fetched(settings("a.bin", from), fresh);

    assertThat(result.publisher()).contains(publisher);
    assertThat(result.sources().get(isStaleFirst ? 0 : 1).problem())
        .isEqualTo("has another object of this name: " + id(stale) + ", signed with " + OLD);
  }

  /** The name is another's, so the times of two publishers are not compared. */
  @Test
  void objectsOfTwoPublishersAreAmbiguousWhateverTheirTimes() throws Exception {
    SigningKey other = SigningKey.generate();
    Server first = signed(signing, "s1", writeAt("one/a.bin", 1000, OLD));
    Server second = signed(other, "s2", writeAt("two/a.bin", 2000, NEW));

    assertRefused(
        settings("a.bin", at(first), at(second))
            .withPublishers(List.of(publisher, other.publisher())),
        "a.bin is ambiguous; fetch one of 2 ids: ");
  }

  @Test
  void aRecordOlderThanOneThatWasUsedIsRefused() throws Exception {
    Path old = writeAt("stale/a.bin", 1000, OLD);
    Path fresh = writeAt("fresh/a.bin", 2000, NEW);
    Server stale = signed(signing, "stale", old);
    Server current = signed(signing, "fresh", fresh);
    Relay relay = net.relay("relay", at(stale));

    net.fetched(settings("a.bin", at(relay)), old);
    net.fetched(settings("a.bin", at(current)), fresh);
    net.fetched(settings("a.bin", at(current)), fresh);

    for (InetSocketAddress each : List.of(at(stale), at(relay))) {
      assertRefused(
          settings("a.bin", each),
          "the record of a.bin by " + publisher + " is older than one that was used: it has ",
          OLD + ", and the newer one " + NEW,
          "remove the line of the newer one in ",
          SeenRecords.FILE);
    }
    try (CraftedServer timeless =
        crafted(id -> List.of(entry("a.bin", id, PublisherRecord.sign(signing, "a.bin", id))))) {
      assertRefused(
          settings("a.bin", timeless.address()), "it has no time, and the newer one " + NEW);
    }
    // A fetch by an id accepts the object, although its name has a newer record.
    net.fetched(settings(id(stale), at(stale)), old);
    net.fetched(net.settings("a.bin", stale), old);
  }

  private CraftedServer crafted(Function<Sha256, List<CatalogueEntry>> entries) throws Exception {
    return new CraftedServer(
        folder.resolve("crafted"),
        net.engine,
        ServerSettings.DEFAULT_SHAPE,
        new byte[1000],
        Optional.empty(),
        entries);
  }

  private static CatalogueEntry entry(String name, Sha256 id, PublisherRecord... records) {
    return new CatalogueEntry(name, 1000, id, 0, List.of(records));
  }

  @Test
  void forgedRecordsAreRefused() throws Exception {
    PublisherRecord other = PublisherRecord.sign(signing, "a.bin", new Sha256(1, 2, 3, 4));
    // The signature of another object.
    try (CraftedServer forger =
        crafted(id ->
            List.of(
                entry(
                    "a.bin",
                    id,
                    PublisherRecord.of("a.bin", id, publisher, 0, other.signature()))))) {
      assertRefused(
          settings("a.bin", forger.address()), "the signature of its object ", " is not valid");
    }
    // A right record, of another name than that asked for.
    try (CraftedServer forger =
        crafted(id -> List.of(entry("b.bin", id, PublisherRecord.sign(signing, "b.bin", id))))) {
      assertRefused(settings("a.bin", forger.address()), "no server has a.bin signed by ");
    }
    // The same, asked for by an id, which the record names.
    try (CraftedServer honest =
        crafted(id -> List.of(entry("b.bin", id, PublisherRecord.sign(signing, "b.bin", id))))) {
      String id = honest.entries().getFirst().id().toString();
      Path output = folder.resolve("b.bin");
      net.fetch(settings(id, honest.address()), FetchListener.NONE).toFile(output);
      assertThat(output).hasBinaryContent(new byte[1000]);
    }
  }

  /** A right record of an object does not help to pass another one off under its id. */
  @Test
  void aRecordOfAnotherObjectIsNoUse() throws Exception {
    Sha256 signedId = new Sha256(1, 2, 3, 4);
    try (CraftedServer forger =
        crafted(id ->
            List.of(entry("a.bin", signedId, PublisherRecord.sign(signing, "a.bin", signedId))))) {
      assertRefused(settings("a.bin", forger.address()), "no object " + signedId + " is offered");
    }
  }

  /** Each name has a record of its own, however many names one object has. */
  @Test
  void manyNamesOfOneObject() throws Exception {
    Path last = folder;
    for (int i = 0; i < 20; i++) {
      last = net.write("files/%02d.bin".formatted(i), 1000);
    }
    Server server = signed(signing, "server", folder.resolve("files"));
    Relay relay = net.relay("relay", at(server));

    net.fetched(settings("19.bin", at(server)), last);
    net.fetched(settings("19.bin", at(relay)), last);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void relaysPassRecordsOnAndKeepThem(boolean isImmediate) throws Exception {
    Path file = net.write("files/a.bin", 300_000);
    Server server = signed(signing, "server", file);
    Relay near = net.relay("near", each -> each.withImmediate(isImmediate), at(server));
    Relay far = net.relay("far", each -> each.withImmediate(isImmediate), at(near));
    List<PublisherRecord> records = server.catalogue().getFirst().records();
    assertThat(records).hasSize(1).allMatch(PublisherRecord::isValid);

    net.fetched(settings("a.bin", at(far)), file);

    assertThat(far.catalogue().getFirst().records()).isEqualTo(records);
    InetSocketAddress gone = at(near);
    int port = far.address().getPort();
    far.close();
    near.close();
    server.close();
    Relay again =
        net.relay("far", each -> each.withEndpoint(own -> own.withListen(Loopback.at(port))), gone);
    assertThat(again.catalogue().getFirst().records()).isEqualTo(records);
    assertThat(net.fetched(settings("a.bin", at(again)), file).publisher()).contains(publisher);
  }

  /** The file was signed after a relay had cached it, which a slow client may still use. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRelayKeepsARecordThatComesLater(boolean isInUse) throws Exception {
    Path file = net.write("files/a.bin", 300_000);
    Server plain = net.serve("server", file);
    int port = plain.address().getPort();
    Relay relay = net.relay("relay", at(plain));
    int relayPort = relay.address().getPort();
    net.fetched(net.settings("a.bin", List.of(at(relay))), file);
    ExecutorService client = Executors.newSingleThreadExecutor();
    if (isInUse) {
      fetchSlowly(client, at(relay));
    }
    plain.close();
    Server server =
        net.serve(
            "server",
            each -> signed(signing, each).withEndpoint(own -> own.withListen(Loopback.at(port))),
            file);
    while (relay.catalogue().getFirst().records().isEmpty()) {
      Thread.sleep(1); // until the timeout interrupts
    }

    net.fetched(settings("a.bin", at(relay)), file);
    client.shutdownNow();
    client.close();
    relay.close();
    server.close();

    Relay again =
        net.relay(
            "relay",
            each -> each.withEndpoint(own -> own.withListen(Loopback.at(relayPort))),
            Loopback.at(port));
    net.fetched(settings("a.bin", at(again)), file);
  }

  /** Begins a fetch that takes 6 s; returns after its first generation. */
  private void fetchSlowly(ExecutorService client, InetSocketAddress from)
      throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    FetchSettings slow = net.settings("a.bin", List.of(from)).withPacing(50_000, false);
    client.submit(
        () -> net.fetch(slow, (_, _, _) -> begun.countDown()).toFile(folder.resolve("slow")));
    begun.await();
  }
}
