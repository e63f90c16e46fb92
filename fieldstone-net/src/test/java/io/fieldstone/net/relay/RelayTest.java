package io.fieldstone.net.relay;

import static io.fieldstone.net.fetch.Loopback.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.field.Gf256;
import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.Listener;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.endpoint.OfferOptions;
import io.fieldstone.net.fetch.FetchFailedException;
import io.fieldstone.net.fetch.FetchListener;
import io.fieldstone.net.fetch.FetchResult;
import io.fieldstone.net.fetch.FetchSettings;
import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.fetch.MuteServer;
import io.fieldstone.net.impairment.ImpairedLink;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Loss;
import io.fieldstone.net.impairment.PollutingServer;
import io.fieldstone.net.peers.BannedPeers;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.net.session.ClientListener;
import io.fieldstone.net.session.ClientSession;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.PeerRole;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.net.trust.Identity;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.object.MemoryObject;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Relays over QUIC on loopback. */
@Timeout(180)
class RelayTest {

  private static final int GENERATION = 64 * ServerSettings.DEFAULT_BLOCK_SIZE;
  private static final int LARGE_BLOCK = 4200;

  @TempDir Path folder;
  @AutoClose private Loopback net;

  @BeforeEach
  void open() {
    net = new Loopback(folder);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, GENERATION, 20 * GENERATION + 7})
  void aChainOfTwoRelays(int length) throws Exception {
    Path file = net.write("files/a.bin", length);
    Server server = net.serve("server", file);
    Relay near = net.relay("near", at(server));
    Relay far = net.relay("far", at(near));

    FetchResult result = net.fetched(net.settings("a.bin", List.of(at(far))), file);

    assertThat(far.catalogue()).extracting(entry -> entry.name()).containsExactly("a.bin");
    assertThat(result.sources().getFirst().fingerprint()).contains(far.fingerprint());
    assertThat(result.sources().getFirst().blocks()).isEqualTo(result.blocksNeeded());
    // A few blocks more are asked for at the end.
    assertThat(result.overhead() * result.blocksNeeded())
        .isLessThan(0.1 * result.blocksNeeded() + 3);
  }

  @Test
  void aMeshWithALoop() throws Exception {
    Path file = net.write("files/a.bin", 20 * GENERATION + 7);
    Server server = net.serve("server", file);
    int port = Loopback.ownAddress().getPort();
    Relay one = net.relay("one", at(server), Loopback.at(port));
    Relay two =
        net.relay(
            "two",
            each -> each.withEndpoint(own -> own.withListen(Loopback.at(port))),
            at(server),
            at(one));

    FetchResult result = net.fetchedFromAll(net.settings("a.bin", List.of(at(one), at(two))), file);

    assertThat(result.sources()).allMatch(source -> source.blocks() > 0);
    // Each is one hop away, so neither fetches from the other.
    assertThat(one.catalogue().getFirst().hops()).isLessThanOrEqualTo(1);
    assertThat(two.catalogue().getFirst().hops()).isLessThanOrEqualTo(1);
  }

  /** Relays that only know each other, and one that knows only itself, offer nothing and end. */
  @Test
  void aLoopWithoutSource() throws Exception {
    int port = Loopback.ownAddress().getPort();
    Relay one = net.relay("one", Loopback.at(port));
    Relay two =
        net.relay(
            "two", each -> each.withEndpoint(own -> own.withListen(Loopback.at(port))), at(one));
    int own = Loopback.ownAddress().getPort();
    Relay self =
        net.relay(
            "self",
            each -> each.withEndpoint(endpoint -> endpoint.withListen(Loopback.at(own))),
            Loopback.at(own));

    for (Relay relay : List.of(one, two, self)) {
      assertThatThrownBy(() ->
              net.fetch(net.settings("a.bin", List.of(at(relay))), FetchListener.NONE)
                  .toFile(folder.resolve("never")))
          .isInstanceOf(FetchFailedException.class)
          .hasMessageContaining("has no such object");
    }
  }

  @Test
  void aRelayStartsAgainWithItsCache() throws Exception {
    Path file = net.write("files/a.bin", 20 * GENERATION + 7);
    Server server = net.serve("server", file);
    InetSocketAddress from = at(server);
    Relay before = net.relay("relay", from);
    int port = before.address().getPort();
    net.fetched(net.settings("a.bin", List.of(at(before))), file);
    before.close();
    server.close();

    Relay after =
        net.relay(
            "relay", each -> each.withEndpoint(own -> own.withListen(Loopback.at(port))), from);

    assertThat(after.fingerprint()).isEqualTo(before.fingerprint());
    assertThat(after.catalogue()).extracting(entry -> entry.hops()).containsExactly(0);
    net.fetched(net.settings("a.bin", List.of(at(after))), file);
  }

  /** Two files with the same content are one object; both names are kept with it. */
  @Test
  void aRelayKeepsAllNamesOfAnObject() throws Exception {
    Path file = net.write("files/a.bin", 3 * GENERATION);
    Path other = Files.copy(file, file.resolveSibling("b.bin"));
    Server server = net.serve("server", file, other);
    Relay before = net.relay("relay", at(server));
    InetSocketAddress from = at(server);
    net.fetched(net.settings("b.bin", List.of(at(before))), other);
    server.close();
    before.close();

    Relay after = net.relay("relay", from);

    assertThat(after.catalogue())
        .extracting(entry -> entry.name())
        .containsExactly("a.bin", "b.bin");
    net.fetched(net.settings("a.bin", List.of(at(after))), file);
    net.fetched(net.settings("b.bin", List.of(at(after))), file);
  }

  /** Also if the server is asked as well, and after a restart of the relay. */
  @Test
  void aFileThatChangesIsNotAmbiguous() throws Exception {
    Path file = net.write("files/a.bin", 3 * GENERATION);
    Server server = net.serve("server", file);
    Relay before = net.relay("relay", at(server));
    Relay far = net.relay("far", at(before));
    net.fetched(net.settings("a.bin", List.of(at(far))), file);
    Sha256 old = far.catalogue().getFirst().id();
    Files.copy(net.write("other", 2 * GENERATION), file, StandardCopyOption.REPLACE_EXISTING);
    for (Relay relay : List.of(before, far)) {
      Loopback.await(
          () -> relay.catalogue().size() == 1 && !relay.catalogue().getFirst().id().equals(old));
      net.fetched(net.settings("a.bin", List.of(at(relay), at(server))), file);
    }
    before.close();

    Relay after = net.relay("relay", at(server));

    assertThat(after.catalogue()).hasSize(1);
    net.fetched(net.settings("a.bin", List.of(at(after), at(server))), file);
  }

  /** Two relays that list each other forget it, too. */
  @Test
  void aFileThatIsRemovedGoes() throws Exception {
    Path file = net.write("files/a.bin", 3 * GENERATION);
    Server server = net.serve("server", net.folder.resolve("files"));
    int port = Loopback.ownAddress().getPort();
    Relay one = net.relay("one", at(server), Loopback.at(port));
    Relay two =
        net.relay(
            "two",
            each -> each.withEndpoint(own -> own.withListen(Loopback.at(port))),
            at(server),
            at(one));
    net.fetched(net.settings("a.bin", List.of(at(one))), file);
    net.fetched(net.settings("a.bin", List.of(at(two))), file);

    Files.delete(file);

    Loopback.await(() -> one.catalogue().isEmpty() && two.catalogue().isEmpty());
  }

  @Test
  void nothingInTheCacheIsTrusted() throws Exception {
    Path file = net.write("files/a.bin", 20 * GENERATION + 7);
    Server server = net.serve("server", file);
    Relay before = net.relay("relay", at(server));
    int port = before.address().getPort();
    net.fetched(net.settings("a.bin", List.of(at(before))), file);
    before.close();
    long sentBefore = server.status().packetsSent();
    Path blocks = cached("relay", ".blocks");
    byte[] bytes = Files.readAllBytes(blocks);
    bytes[3 * (GENERATION + 4) + 1000] ^= 1;
    Files.write(blocks, bytes);

    Relay after =
        net.relay(
            "relay",
            each -> each.withEndpoint(own -> own.withListen(Loopback.at(port))),
            at(server));
    net.fetched(net.settings("a.bin", List.of(at(after))), file);

    assertThat(server.status().packetsSent() - sentBefore).isBetween(64L, 100L);
  }

  /** The relay was nearest to it until then. It does not wait for as long as a client does. */
  @Test
  void anObjectWithADamagedHeadIsFetchedAgain() throws Exception {
    Path file = net.write("files/a.bin", 3 * GENERATION);
    Server server = net.serve("server", file);
    Relay relay = net.relay("relay", at(server));
    net.fetched(net.settings("a.bin", List.of(at(relay))), file);
    Loopback.await(() -> relay.catalogue().getFirst().hops() == 0);
    Path head = cached("relay", ".head");
    byte[] bytes = Files.readAllBytes(head);
    bytes[bytes.length - 1] ^= 1;
    Files.write(head, bytes);

    net.fetched(
        net.settings("a.bin", List.of(at(relay)))
            .withPatience(300 * Loopback.SECOND, 40 * Loopback.SECOND),
        file);
  }

  private Path cached(String state, String suffix) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve(state).resolve("relayed"))) {
      return files.filter(each -> each.toString().endsWith(suffix)).findAny().orElseThrow();
    }
  }

  @Test
  void theCacheIsBounded() throws Exception {
    Path file = net.write("files/a.bin", 60 * GENERATION);
    Server server = net.serve("server", file);
    Relay relay =
        net.relay(
            "relay",
            each ->
                each.withEndpoint(own -> own.withMemoryBytes(8 << 20))
                    .withCacheBytes(20L * GENERATION),
            at(server));

    net.fetched(net.settings("a.bin", List.of(at(relay))), file);

    assertThat(Files.size(cached("relay", ".blocks"))).isLessThanOrEqualTo(20L * GENERATION);
    net.fetched(net.settings("a.bin", List.of(at(relay))), file);
  }

  @Test
  void immediateRelays() throws Exception {
    Path file = net.write("files/a.bin", 20 * GENERATION + 7);
    Server server = net.serve("server", file);
    Relay near = net.relay("near", each -> each.withImmediate(true), at(server));
    Relay far = net.relay("far", each -> each.withImmediate(true), at(near));

    FetchResult result = net.fetched(net.settings("a.bin", List.of(at(far))), file);

    assertThat(result.sources().getFirst().blocks()).isEqualTo(result.blocksNeeded());
  }

  @Test
  void aMeshOfImmediateRelays() throws Exception {
    Path file = net.write("files/a.bin", 20 * GENERATION + 7);
    UnaryOperator<RelaySettings> immediate = each -> each.withImmediate(true);
    Relay left = net.relay("left", immediate, at(net.serve("one", file)));
    Relay right = net.relay("right", immediate, at(net.serve("two", file)));
    Relay far = net.relay("far", immediate, at(left), at(right));

    // At this rate none has sent everything before the others are connected.
    net.fetched(
        net.settings("a.bin", List.of(at(far), at(left))).withPacing(4_000_000, false), file);

    assertThat(left.status().packetsSent()).isPositive();
    assertThat(right.status().packetsSent()).isPositive();
    assertThat(far.status().packetsSent()).isPositive();
  }

  @Test
  void relaysBlocksThatNeedLargePackets() throws Exception {
    Path file = net.write("files/a.bin", 20 * GENERATION);
    GenerationShape shape = ServerSettings.DEFAULT_SHAPE.withBlockSize(LARGE_BLOCK);
    OfferOptions large = OfferOptions.of(shape);
    Server server = net.serve("server", each -> each.withOffers(large), file);
    Relay verified = net.relay("verified", each -> each.withMaxBlockSize(LARGE_BLOCK), at(server));
    Relay immediate =
        net.relay(
            "immediate",
            each -> each.withImmediate(true).withMaxBlockSize(LARGE_BLOCK + shape.blocks()),
            at(verified));
    Relay usualRelay = net.relay("usual", at(server));

    net.fetched(net.settings("a.bin", List.of(at(immediate))), file);

    assertThatThrownBy(() ->
            net.fetch(net.settings("a.bin", List.of(at(usualRelay))), FetchListener.NONE)
                .toFile(folder.resolve("never")))
        .isInstanceOf(FetchFailedException.class)
        .hasMessageContaining(
            "the blocks of 'a.bin' have 4200 bytes; --max-block-size of the relay is 1376");
  }

  /** It says nothing: the last that it sends is lost. */
  @Test
  void continuesWhenARelayIsKilled() throws Exception {
    Path file = net.write("files/a.bin", 120 * GENERATION);
    Server server = net.serve("server", file);
    Relay relay = net.relay("relay", at(server));
    Impairment dead = Impairment.NONE.withLoss(Loss.random(1));
    try (ImpairedLink link =
        ImpairedLink.open(relay.address(), Impairment.NONE, Impairment.NONE, 1)) {
      FetchSettings settings =
          net.settings("a.bin", List.of(at(server), link.address())).withPacing(4_000_000, false);
      AtomicBoolean isDone = new AtomicBoolean();
      Thread killer =
          Thread.ofPlatform()
              .start(() -> {
                while (relay.status().packetsSent() < 1000 && !isDone.get()) {
                  LockSupport.parkNanos(1_000_000);
                }
                link.impair(dead, dead);
                relay.close();
              });

      FetchResult result = net.fetched(settings, file);
      isDone.set(true);
      killer.join();

      assertThat(result.sources().get(1).blocks()).isBetween(1L, 3000L);
      assertThat(result.sources().get(1).isBanned()).isFalse();
    }
  }

  @Test
  void anEvilRelayAmongFourIsBanned() throws Exception {
    Path file = net.write("files/a.bin", 40 * GENERATION + 7);
    Server server = net.serve("server", file);
    List<InetSocketAddress> from = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      from.add(at(net.relay("relay" + i, at(server))));
    }
    try (PollutingServer evil = evil(file, 1)) {
      from.add(1, Loopback.at(evil.address().getPort()));

      // At this rate no source can be left out before the others have sent everything.
      FetchSettings settings = net.settings("a.bin", from).withPacing(4_000_000, false);
      FetchResult result = net.fetched(settings, file);

      assertThat(result.sources())
          .extracting(FetchResult.Source::isBanned)
          .containsExactly(false, true, false, false);
      assertThat(result.sources().get(1).problem())
          .matches("sent wrong bytes of generation \\d+ of object " + result.id());
      // One identity wastes at most two generations.
      assertThat(result.blocksReceived() - result.blocksNeeded()).isLessThan(6 * 64);
      assertThat(new BannedPeers(folder.resolve("client")).find(evil.fingerprint()))
          .hasValueSatisfying(
              reason -> assertThat(reason).contains("sent wrong bytes").contains("banned_peers"));

      FetchResult second = net.fetched(net.settings("a.bin", from), file);

      assertThat(second.sources().get(1).blocks()).isZero();
      assertThat(second.sources().get(1).problem()).contains("is banned since");
      assertThat(second.sources()).filteredOn(source -> source.problem().isEmpty()).hasSize(3);
    }
  }

  /** It opens as many objects as a relay has places, and asks for nothing. */
  @Test
  void anIdleClientKeepsNoPlaces() throws Exception {
    for (int i = 0; i <= RelayShelf.MAX_OBJECTS; i++) {
      net.write("files/" + i, GENERATION + i);
    }
    Server server = net.serve("server", net.folder.resolve("files"));
    Relay relay = net.relay("relay", at(server));
    String last = String.valueOf(RelayShelf.MAX_OBJECTS);
    List<Message> opens = new ArrayList<>();
    for (CatalogueEntry entry : relay.catalogue()) {
      if (!entry.name().equals(last)) {
        opens.add(new Message.Open(entry.id()));
      }
    }
    OpeningClient idle = new OpeningClient();
    try (QuicCarrier carrier = QuicCarrier.openClient(Loopback.PATIENT)) {
      var _ = carrier.connect(relay.address(), _ -> true, new ClientSession("", opens, idle));
      Loopback.await(() -> idle.opened.get() == RelayShelf.MAX_OBJECTS);

      net.fetched(net.settings(last, List.of(at(relay))), net.folder.resolve("files/" + last));

      Loopback.await(() -> !idle.ends.isEmpty());
      assertThat(idle.ends).allMatch(each -> each.code() == Message.RefusalCode.LIMIT);
    }
  }

  private static final class OpeningClient implements ClientListener {
    final AtomicInteger opened = new AtomicInteger();
    final Queue<Message.Ended> ends = new ConcurrentLinkedQueue<>();

    @Override
    public void accepted(ClientSession session, PeerRole role) {}

    @Override
    public void message(ClientSession session, Message message) {
      if (message instanceof Message.Opened) {
        opened.incrementAndGet();
      } else if (message instanceof Message.Ended ended) {
        ends.add(ended);
      }
    }

    @Override
    public void packet(ClientSession session, MemorySegment packet) {}

    @Override
    public void closed(ClientSession session, CloseReason reason) {}
  }

  /** An evil server sends a part of a generation, and an honest one at its address the rest. */
  @Test
  void theIdentityThatSentWrongBlocksIsBanned() throws Exception {
    Path file = net.write("files/a.bin", 4 * GENERATION);
    PollutingServer evil = evil(file, 1);
    InetSocketAddress address = Loopback.at(evil.address().getPort());
    UnaryOperator<ServerSettings> sameAddress =
        each -> each.withEndpoint(own -> own.withListen(address));
    Fingerprint honest = Identity.open(folder.resolve("server"), Instant.now()).fingerprint();
    CountDownLatch begun = new CountDownLatch(1);
    ImpairedLink link =
        ImpairedLink.open(
            new InetSocketAddress("127.0.0.1", address.getPort()),
            Impairment.NONE,
            Impairment.NONE,
            1);
    Thread replacing =
        Thread.ofPlatform()
            .start(() -> {
              try {
                begun.await();
                long before = link.down().forwarded();
                // Some of the 64 wrong blocks: those after them take more than a second.
                Loopback.await(() -> link.down().forwarded() > before + 20);
                evil.close();
                net.serve("server", sameAddress, file);
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    FetchSettings settings =
        net.settings("a.bin", List.of(link.address()))
            .withPacing(30_000, false)
            .withTrusted(List.of(evil.fingerprint(), honest));

    FetchResult result =
        net.fetch(settings, (done, _, _) -> release(begun, done)).toFile(net.output(file));
    replacing.join();
    link.close();

    assertThat(net.output(file)).hasSameBinaryContentAs(file);
    assertThat(result.sources().getFirst().isBanned()).isFalse();
    BannedPeers banned = new BannedPeers(folder.resolve("client"));
    assertThat(banned.find(evil.fingerprint())).isPresent();
    assertThat(banned.find(honest)).isEmpty();
  }

  private static void release(CountDownLatch latch, long verifiedBytes) {
    if (verifiedBytes > 0) {
      latch.countDown();
    }
  }

  @Test
  void aRelayBansAnEvilSource() throws Exception {
    Path file = net.write("files/a.bin", 40 * GENERATION + 7);
    // So slow that the relay needs the evil source, too.
    Server server =
        net.serve(
            "server", each -> each.withEndpoint(own -> own.withPacing(2_000_000, false)), file);
    try (PollutingServer evil = evil(file, 1)) {
      Relay relay = net.relay("relay", Loopback.at(evil.address().getPort()), at(server));

      FetchResult result =
          net.fetched(net.settings("a.bin", List.of(at(relay))).withPacing(4_000_000, false), file);

      assertThat(result.sources().getFirst().isBanned()).isFalse();
      assertThat(new BannedPeers(folder.resolve("relay")).find(evil.fingerprint())).isPresent();
      assertThat(new BannedPeers(folder.resolve("client")).find(relay.fingerprint())).isEmpty();
    }
  }

  /**
   * An immediate relay passes wrong blocks on before it can know. It finds the cause, and a client
   * that leaves it does not ban it for good.
   */
  @Test
  void anImmediateRelayFindsAnEvilSource() throws Exception {
    Path file = net.write("files/a.bin", 60 * GENERATION + 7);
    // So slow that the relay needs the evil source, too.
    Server server =
        net.serve(
            "server", each -> each.withEndpoint(own -> own.withPacing(2_000_000, false)), file);
    try (PollutingServer evil = evil(file, 0)) {
      Relay relay =
          net.relay(
              "relay",
              each -> each.withImmediate(true),
              Loopback.at(evil.address().getPort()),
              at(server));
      // The rate is divided, so the relay is needed.
      FetchSettings settings =
          net.settings("a.bin", List.of(at(relay), at(server))).withPacing(4_000_000, false);

      net.fetched(settings, file);

      assertThat(new BannedPeers(folder.resolve("relay")).find(evil.fingerprint())).isPresent();
      assertThat(new BannedPeers(folder.resolve("client")).find(relay.fingerprint())).isEmpty();
    }
  }

  /** One source opens objects and sends no hashes. */
  @Test
  void aSourceThatSendsNoHashesIsLeft() throws Exception {
    Path file = net.write("files/a.bin", 3 * GENERATION);
    GenerationHashes object =
        MemoryObject.of(
                ServerSettings.DEFAULT_SHAPE, MemorySegment.ofArray(Files.readAllBytes(file)))
            .hashes();
    int port = Loopback.ownAddress().getPort();
    Identity identity = Identity.open(folder.resolve("mute"), Instant.now());
    try (QuicCarrier carrier = QuicCarrier.open(Loopback.PATIENT, identity);
        Listener mute =
            carrier.listen(
                new InetSocketAddress("127.0.0.1", 0),
                connection -> withoutHashes(connection, object));
        Relay relay =
            Relay.start(
                net.engine,
                RelaySettings.of(
                    List.of(Loopback.at(mute.localAddress().getPort()), Loopback.at(port)),
                    net.endpoint("relay")),
                Loopback.SECOND / 4)) {
      assertThatThrownBy(() ->
              net.fetch(net.settings("a.bin", List.of(at(relay))), FetchListener.NONE)
                  .toFile(folder.resolve("never")))
          .isInstanceOf(FetchFailedException.class)
          .hasMessageContaining("no source of this relay sends the hashes of 'a.bin'");
      net.serve(
          "server", each -> each.withEndpoint(own -> own.withListen(Loopback.at(port))), file);
      Loopback.await(() -> relay.catalogue().size() == 1);

      Loopback.await(() -> isFetched(net.settings("a.bin", List.of(at(relay))), file));
    }
  }

  /** On a busy machine, an honest source may be silent for as long, too. */
  private boolean isFetched(FetchSettings settings, Path file) {
    try {
      net.fetched(settings, file);
      return true;
    } catch (FetchFailedException e) {
      assertThat(e).hasMessageContaining("no source of this relay sends the hashes of 'a.bin'");
      return false;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** The entries have 320,000 bytes, and an eighth of the memory is 131,072. */
  @Test
  void theBytesOfACatalogueAreBounded() throws Exception {
    GenerationHashes object =
        MemoryObject.of(ServerSettings.DEFAULT_SHAPE, MemorySegment.ofArray(new byte[1])).hashes();
    Identity identity = Identity.open(folder.resolve("mute"), Instant.now());
    try (QuicCarrier carrier = QuicCarrier.open(Loopback.PATIENT, identity);
        Listener large =
            carrier.listen(
                new InetSocketAddress("127.0.0.1", 0), connection -> listing(connection, object))) {
      Relay relay =
          net.relay(
              "relay",
              each ->
                  each.withEndpoint(own -> own.withMemoryBytes(1 << 20)).withCacheBytes(1 << 20),
              Loopback.at(large.localAddress().getPort()));

      Loopback.await(() -> !relay.catalogue().isEmpty());
      assertThat(relay.catalogue()).hasSizeBetween(30, 32);
    }
  }

  /** One source sends no hashes, or wrong ones, and the relay waits long for those of a source. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void hashesComeFromAllSources(boolean lies) throws Exception {
    GenerationShape small = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 4, 16);
    Path file = net.write("files/a.bin", (int) small.bytes() * (Message.FIRST_HASHES + 100));
    GenerationHashes object =
        MemoryObject.of(small, MemorySegment.ofArray(Files.readAllBytes(file))).hashes();
    Server server = net.serve("server", each -> each.withOffers(OfferOptions.of(small)), file);
    UnaryOperator<List<Sha256>> change =
        hashes -> lies ? Collections.nCopies(hashes.size(), hashes.getLast()) : List.of();
    Identity identity = Identity.open(folder.resolve("other"), Instant.now());
    try (QuicCarrier carrier = QuicCarrier.open(Loopback.PATIENT, identity);
        Listener other =
            carrier.listen(
                new InetSocketAddress("127.0.0.1", 0),
                connection -> withHashes(connection, object, change));
        Relay relay =
            Relay.start(
                net.engine,
                RelaySettings.of(
                    List.of(Loopback.at(other.localAddress().getPort()), at(server)),
                    net.endpoint("relay")),
                300 * Loopback.SECOND)) {
      Loopback.await(() -> relay.catalogue().size() == 2);
      net.fetched(net.settings("a.bin", List.of(at(relay))), file);
    }
  }

  /** Its table and hashes have 36,000 bytes, and a quarter of the cache is 32,768. */
  @Test
  void anObjectTooLongForTheCacheIsRefusedBeforeItsHashesAreAskedFor() throws Exception {
    GenerationShape small = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 4, 16);
    GenerationHashes object =
        MemoryObject.of(small, MemorySegment.ofArray(new byte[1000 * (int) small.bytes()]))
            .hashes();
    AtomicInteger asked = new AtomicInteger();
    Identity identity = Identity.open(folder.resolve("long"), Instant.now());
    try (QuicCarrier carrier = QuicCarrier.open(Loopback.PATIENT, identity);
        Listener server =
            carrier.listen(
                new InetSocketAddress("127.0.0.1", 0),
                connection ->
                    withHashes(
                        connection,
                        object,
                        hashes -> {
                          asked.incrementAndGet();
                          return hashes;
                        }))) {
      Relay relay =
          net.relay(
              "relay",
              each -> each.withCacheBytes(1 << 17),
              Loopback.at(server.localAddress().getPort()));
      Loopback.await(() -> relay.catalogue().size() == 1);
      assertThatThrownBy(() ->
              net.fetch(net.settings("b.bin", List.of(at(relay))), FetchListener.NONE)
                  .toFile(folder.resolve("never")))
          .isInstanceOf(FetchFailedException.class)
          .hasMessageContaining("the cache needs 36000 bytes for 'b.bin'")
          .hasMessageContaining("--cache of the relay is 131072 bytes");
      assertThat(asked).hasValue(0);
    }
  }

  /** Offers the object by another name, and sends what becomes of its hashes. */
  private static MuteServer withHashes(
      Connection connection, GenerationHashes object, UnaryOperator<List<Sha256>> change) {
    ObjectManifest manifest = object.manifest();
    CatalogueEntry entry = new CatalogueEntry("b.bin", manifest.length(), manifest.id());
    return new MuteServer(connection, object) {
      @Override
      protected void received(Message message) {
        switch (message) {
          case Message.ListRequest _ -> send(new Message.CataloguePage(true, true, List.of(entry)));
          case Message.Open _ -> send(new Message.Opened(0, manifest, 1));
          case Message.HashesRequest asked -> {
            int end = asked.first() + asked.count();
            List<Sha256> hashes = change.apply(object.all().subList(asked.first(), end));
            if (!hashes.isEmpty()) {
              send(new Message.Hashes(0, asked.first(), hashes));
            }
          }
          default -> {}
        }
      }
    };
  }

  /** A server with 80 names of 4000 bytes, ten in each message. */
  private static MuteServer listing(Connection connection, GenerationHashes object) {
    return new MuteServer(connection, object) {
      @Override
      protected void received(Message message) {
        if (message instanceof Message.ListRequest) {
          for (int page = 0; page < 8; page++) {
            List<CatalogueEntry> entries = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
              String name = "a/".repeat(1995) + page + i;
              entries.add(new CatalogueEntry(name, 1, object.manifest().id()));
            }
            send(new Message.CataloguePage(page == 0, page == 7, entries));
          }
        }
      }
    };
  }

  private static MuteServer withoutHashes(Connection connection, GenerationHashes object) {
    ObjectManifest manifest = object.manifest();
    CatalogueEntry entry = new CatalogueEntry("a.bin", manifest.length(), manifest.id());
    return new MuteServer(connection, object) {
      @Override
      protected void received(Message message) {
        if (message instanceof Message.ListRequest) {
          send(new Message.CataloguePage(true, true, List.of(entry)));
        } else if (message instanceof Message.Open) {
          send(new Message.Opened(0, manifest, 1));
        }
      }
    };
  }

  private PollutingServer evil(Path file, int cleanGenerations) throws Exception {
    return PollutingServer.start(
        net.engine, ServerSettings.of(List.of(file), net.endpoint("evil")), cleanGenerations);
  }
}
