package io.fieldstone.net.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.Listener;
import io.fieldstone.net.carrier.QuietHandler;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.carrier.quic.QuicOptions;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.endpoint.OfferOptions;
import io.fieldstone.net.impairment.ImpairedLink;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Loss;
import io.fieldstone.net.peers.KnownServers;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.net.session.CloseCode;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.MessageCodec;
import io.fieldstone.net.session.PeerRole;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.net.trust.Identity;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.object.GenerationCache;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.object.MemoryObject;
import io.fieldstone.rlnc.object.ObjectSender;
import io.fieldstone.rlnc.object.SourceObject;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongFunction;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Serves and fetches over QUIC on loopback. */
@Timeout(180)
class FetchTest {

  private static final int BLOCK = ServerSettings.DEFAULT_BLOCK_SIZE;
  private static final int GENERATION = 64 * BLOCK;

  @TempDir Path folder;
  @AutoClose private Loopback net;

  @BeforeEach
  void open() {
    net = new Loopback(folder);
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "1151", "1152", "73728", "73729", "1000000"})
  void fetchesFilesOfAnyLength(int length) throws Exception {
    Path file = net.write("files/a.bin", length);
    Server server = net.serve("server", file);

    FetchResult result = net.fetched(net.settings("a.bin", server), file);

    assertThat(result.manifest().length()).isEqualTo(length);
    assertThat(result.name()).isEqualTo("a.bin");
    assertThat(result.blocksNeeded()).isEqualTo(Math.ceilDiv(length, BLOCK));
    assertThat(result.sources()).hasSize(1);
    assertThat(result.sources().getFirst().fingerprint()).contains(server.fingerprint());
    assertThat(result.sources().getFirst().problem()).isEmpty();
  }

  @Test
  void findsFilesInFoldersByTheirPathsOrIds() throws Exception {
    Path plain = net.write("files/a", 3000);
    Path odd = net.write("files/sub/ü \u4e16 'x' .bin", 4000);
    net.write("files/sub/deep/b", 5000);
    Files.createSymbolicLink(folder.resolve("files/link"), plain);
    Files.write(folder.resolve("files/.x.fst-part"), new byte[1]);
    Server server = net.serve("server", folder.resolve("files"));

    assertThat(server.catalogue())
        .extracting(entry -> entry.name())
        .containsExactly("a", "sub/deep/b", "sub/ü \u4e16 'x' .bin");
    net.fetched(net.settings("sub/ü \u4e16 'x' .bin", server), odd);
    String id = server.catalogue().getFirst().id().toString();
    assertThat(net.fetched(net.settings(id, server), plain).name()).isEqualTo(id);
    assertThat(net.fetched(net.settings(id.substring(0, 8), server), plain).name()).isEqualTo("a");
  }

  /** Each block is one packet, which is larger than those of Ethernet. */
  @Test
  void fetchesBlocksThatNeedLargePackets() throws Exception {
    Path file = net.write("files/a.bin", 20 * GENERATION);
    OfferOptions large = OfferOptions.of(ServerSettings.DEFAULT_SHAPE.withBlockSize(4200));
    Server server = net.serve("s1", each -> each.withOffers(large), file);

    FetchResult result = net.fetched(net.settings("a.bin", server), file);

    assertThat(result.manifest().shape().blockSize()).isEqualTo(4200);
  }

  @Test
  void fetchesFromThreeServersAtOnce() throws Exception {
    Path file = net.write("files/a.bin", 100 * GENERATION + 5);
    Server first = net.serve("s1", file);
    Server second = net.serve("s2", file);
    Server third = net.serve("s3", file);

    FetchResult result = net.fetchedFromAll(net.settings("a.bin", first, second, third), file);

    assertThat(result.sources()).hasSize(3).allMatch(source -> source.blocks() > 0);
    // A hundredth is usual; a source that stands still on a busy host costs some generations.
    assertThat(result.overhead()).isLessThan(0.3);
  }

  @Test
  void oneOfTwoServersMayBeAbsent() throws Exception {
    Path file = net.write("files/a.bin", 2 * GENERATION);
    Server server = net.serve("s1", file);
    Server gone = net.serve("s2", file);
    FetchSettings settings = net.settings("a.bin", gone, server);
    gone.close();

    FetchResult result = net.fetched(settings, file);

    assertThat(result.sources().get(0).problem()).contains("no answer");
    assertThat(result.sources().get(1).blocks()).isEqualTo(128);
  }

  @Test
  void resumesAfterAnInterruption() throws Exception {
    Path file = net.write("files/a.bin", 60 * GENERATION + 77);
    Server server = net.serve("server", file);
    Path output = net.output(file);
    AtomicReference<Throwable> end = new AtomicReference<>();
    Thread fetching = new Thread(() -> {});
    CountDownLatch third = new CountDownLatch(1);
    FetchListener listener =
        (done, total, sources) -> {
          if (done > total / 3) {
            third.countDown();
          }
        };
    // A low rate, so that the fetch does not end before it is interrupted.
    FetchSettings slow = net.settings("a.bin", server).withPacing(4_000_000, false);
    fetching =
        new Thread(() -> {
          try {
            net.fetch(slow, listener).toFile(output);
          } catch (Throwable e) {
            end.set(e);
          }
        });
    fetching.start();
    third.await();
    fetching.interrupt();
    fetching.join();
    assertThat(end.get()).isInstanceOf(InterruptedException.class);
    assertThat(output).doesNotExist();
    assertThat(PartFile.partOf(output)).exists();

    FetchResult result = net.fetched(net.settings("a.bin", server), file);

    assertThat(result.resumedBytes()).isGreaterThan(Files.size(file) / 4);
    assertThat(result.blocksNeeded())
        .isEqualTo(Math.ceilDiv(Files.size(file) - result.resumedBytes(), BLOCK));
  }

  @Test
  void trustsNothingInThePartFile() throws Exception {
    Path file = net.write("files/a.bin", 10 * GENERATION);
    Server server = net.serve("server", file);
    byte[] kept = Files.readAllBytes(file);
    kept[3 * GENERATION + 17] ^= 1;
    Path output = net.output(file);
    Files.write(PartFile.partOf(output), java.util.Arrays.copyOf(kept, 20 * GENERATION));

    FetchResult result = net.fetched(net.settings("a.bin", server), file);

    assertThat(result.resumedBytes()).isEqualTo(9 * GENERATION);
    assertThat(result.blocksNeeded()).isEqualTo(64);
  }

  @Test
  void continuesWhenTheServerIsBack() throws Exception {
    Path file = net.write("files/a.bin", 60 * GENERATION);
    Server server = net.serve("server", file);
    int port = server.address().getPort();
    FetchSettings settings = net.settings("a.bin", server).withPacing(8_000_000, false);
    AtomicLong before = new AtomicLong();
    CountDownLatch half = new CountDownLatch(1);
    Thread restart =
        Thread.ofPlatform()
            .start(() -> {
              try {
                half.await();
                server.close();
                net.serve(
                    "server",
                    each -> each.withEndpoint(own -> own.withListen(Loopback.at(port))),
                    file);
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });

    FetchResult result =
        net.fetch(
                settings,
                (done, total, sources) -> {
                  if (done > total / 4 && half.getCount() > 0) {
                    before.set(done);
                    half.countDown();
                  }
                })
            .toFile(net.output(file));
    restart.join();

    assertThat(net.output(file)).hasSameBinaryContentAs(file);
    // Only blocks of generations that were open may have been lost.
    assertThat(result.blocksReceived())
        .isLessThan(result.blocksNeeded() + before.get() / BLOCK + 1);
  }

  @Test
  void aServerThatStopsSaysSo() throws Exception {
    Path file = net.write("files/a.bin", 60 * GENERATION);
    Server server = net.serve("server", file);
    AtomicBoolean isStopped = new AtomicBoolean();
    FetchListener stopping =
        (done, _, _) -> {
          if (done > 0 && isStopped.compareAndSet(false, true)) {
            server.close();
          }
        };

    // The server needs a part of the patience to stop.
    assertStandsStill(
        patience ->
            net.settings("a.bin", server)
                .withPacing(2_000_000, false)
                .withPatience(300 * Loopback.SECOND, patience),
        4 * Loopback.SECOND,
        stopping,
        isStopped::get,
        ": the server stops");
  }

  /**
   * Checks how a fetch fails that makes no progress. It is tried again with twice the patience, if
   * it did not come to what makes it fail: a busy machine may be slower.
   *
   * @param firstPatience the patience of the first attempt, in nanoseconds
   * @param hasCome whether it came that far
   */
  private void assertStandsStill(
      LongFunction<FetchSettings> settings,
      long firstPatience,
      FetchListener listener,
      BooleanSupplier hasCome,
      String problem) {
    for (long patience = firstPatience; ; patience *= 2) {
      FetchSettings each = settings.apply(patience);
      Throwable failure =
          catchThrowable(() -> net.fetch(each, listener).toFile(folder.resolve("never")));
      if (hasCome.getAsBoolean() || patience > 20 * Loopback.SECOND) {
        assertThat(failure)
            .isInstanceOf(FetchFailedException.class)
            .hasMessageContaining("no progress on a.bin for %.1f s: ".formatted(patience / 1e9))
            .hasMessageContaining(problem);
        return;
      }
    }
  }

  @Test
  void refusesAWrongToken() throws Exception {
    Path file = net.write("files/a.bin", 1000);
    Server server =
        net.serve("server", each -> each.withEndpoint(own -> own.withToken("secret")), file);

    assertFails(net.settings("a.bin", server), "the server needs a token (--token-file)");
    assertFails(
        net.settings("a.bin", server).withToken("Secret"), "the token is not that of the server");
    net.fetched(net.settings("a.bin", server).withToken("secret"), file);
  }

  private void assertFails(FetchSettings settings, String message) {
    Path output = folder.resolve("never");
    assertThatThrownBy(() -> net.fetch(settings, FetchListener.NONE).toFile(output))
        .isInstanceOf(FetchFailedException.class)
        .hasMessageContaining(message);
    assertThat(output).doesNotExist();
  }

  @Test
  void namesServersThatHaveNotAnsweredYet() throws Exception {
    try (DatagramSocket silent =
        new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      assertFails(
          net.settings("a.bin", List.of(Loopback.at(silent.getLocalPort())))
              .withPatience(Loopback.SECOND / 10, Loopback.SECOND / 10),
          "no progress on a.bin for 0.1 s: 127.0.0.1:%d: no answer"
              .formatted(silent.getLocalPort()));
    }
  }

  /** It is connected, and its silence is shorter than that of a server that is dropped. */
  @Test
  void namesAServerThatSendsNothing() throws Exception {
    Path file = net.write("files/a.bin", GENERATION);
    MemoryObject object =
        MemoryObject.of(
            ServerSettings.DEFAULT_SHAPE, MemorySegment.ofArray(Files.readAllBytes(file)));
    AtomicBoolean isAsked = new AtomicBoolean();
    try (QuicCarrier carrier =
            QuicCarrier.open(
                Loopback.PATIENT, Identity.open(folder.resolve("mute"), Instant.now()));
        Listener listener =
            carrier.listen(
                new InetSocketAddress("127.0.0.1", 0),
                connection ->
                    new MuteServer(connection, object.hashes()) {
                      @Override
                      public void datagram(MemorySegment report) {
                        isAsked.set(true);
                      }
                    })) {
      int port = listener.localAddress().getPort();
      assertStandsStill(
          patience ->
              net.settings("a.bin", List.of(Loopback.at(port)))
                  .withPatience(300 * Loopback.SECOND, patience),
          Loopback.SECOND / 2,
          FetchListener.NONE,
          isAsked::get,
          "127.0.0.1:%d: it sends no blocks that are needed".formatted(port));
    }
  }

  /** Nothing is waited for: the system says at once that it sends nothing there. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void namesAnAddressWithoutARoute() {
    assertFails(
        net.settings("a.bin", List.of(InetSocketAddress.createUnresolved("255.255.255.255", 4433))),
        "cannot fetch a.bin: 255.255.255.255:4433: cannot be reached: ");
  }

  @Test
  void aProblemThatWasLoggedIsMarked() throws Exception {
    Path file = net.write("one/a.bin", 2000);
    Server without = net.serve("s1", net.write("two/b.bin", 1000));
    Server with = net.serve("s2", file);

    FetchResult result = net.fetched(net.settings("a.bin", without, with), file);

    assertThat(result.sources().get(0).problem()).isEqualTo("has no such object");
    assertThat(result.sources()).first().extracting(FetchResult.Source::isReported).isEqualTo(true);
  }

  @Test
  void refusesAChangedFingerprint() throws Exception {
    Path file = net.write("files/a.bin", 1000);
    Server server = net.serve("server", file);
    net.fetched(net.settings("a.bin", server), file);
    int port = server.address().getPort();
    server.close();
    Server other =
        net.serve(
            "other", each -> each.withEndpoint(own -> own.withListen(Loopback.at(port))), file);

    assertFails(
        net.settings("a.bin", other),
        "127.0.0.1:%d: its fingerprint has changed from %s to %s"
            .formatted(port, server.fingerprint(), other.fingerprint()));
    assertFails(
        net.settings("a.bin", other).withTrusted(List.of(server.fingerprint())),
        "its fingerprint " + other.fingerprint() + " is not trusted (--trust)");
    net.fetched(net.settings("a.bin", other).withTrusted(List.of(other.fingerprint())), file);
    // Fingerprints that were named are not remembered.
    assertThat(new KnownServers(folder.resolve("client")).find("127.0.0.1:" + port))
        .contains(new Fingerprint(server.fingerprint().hex()));
  }

  @Test
  void namesAnUnknownObject() throws Exception {
    Path file = net.write("files/a.bin", 1000);
    Server server = net.serve("server", file);

    assertFails(net.settings("b.bin", server), "no server has b.bin: 127.0.0.1:");
    assertFails(net.settings("0".repeat(64), server), "no object 0000");
  }

  @Test
  void listsIdsThatDisagree() throws Exception {
    Path first = net.write("one/a.bin", 1000);
    Path second = net.write("two/a.bin", 2000);
    Server one = net.serve("s1", first);
    Server two = net.serve("s2", second);
    String firstId = one.catalogue().getFirst().id().toString();
    String secondId = two.catalogue().getFirst().id().toString();

    assertFails(net.settings("a.bin", one, two), "a.bin is ambiguous; fetch one of 2 ids: ");
    assertFails(net.settings("a.bin", one, two), firstId + " (1000 bytes) from 127.0.0.1:");
    assertFails(net.settings("a.bin", one, two), secondId + " (2000 bytes) from 127.0.0.1:");
    FetchResult result = net.fetched(net.settings(secondId, one, two), second);
    // The file may be complete before the other server has answered.
    assertThat(result.sources().get(0).problem())
        .containsAnyOf("no object " + secondId, "no answer");
  }

  /** The transfer begins before all servers have answered, but a late answer must agree. */
  @Test
  void aLateAnswerThatDisagreesEndsTheFetch() throws Exception {
    Server one = net.serve("s1", net.write("one/a.bin", 1000));
    Server two = net.serve("s2", net.write("two/a.bin", 2000));
    Impairment slow = Impairment.NONE.withDelay(150_000_000, 0);
    try (ImpairedLink link = ImpairedLink.open(two.address(), slow, slow, 1)) {
      assertFails(
          net.settings("a.bin", List.of(Loopback.at(one), link.address())),
          "a.bin is ambiguous; fetch one of 2 ids: ");
    }
  }

  /** The part file of an earlier fetch is not overwritten before it is clear what is meant. */
  @Test
  void aLateAnswerThatDisagreesSparesThePartFile() throws Exception {
    Path second = net.write("two/a.bin", 2000);
    Server one = net.serve("s1", net.write("one/a.bin", 1000));
    Server two = net.serve("s2", second);
    Path part = PartFile.partOf(folder.resolve("never"));
    Files.copy(second, part);
    Impairment slow = Impairment.NONE.withDelay(150_000_000, 0);
    try (ImpairedLink link = ImpairedLink.open(two.address(), slow, slow, 1)) {
      assertFails(
          net.settings("a.bin", List.of(Loopback.at(one), link.address())),
          "a.bin is ambiguous; fetch one of 2 ids: ");
    }
    assertThat(part).hasSameBinaryContentAs(second);
  }

  /** A path of QUIC carries UDP packets of 1200 bytes; one of IPv6 carries 1232. */
  @Test
  void blocksOfTheDefaultSizeFitEveryPath() throws Exception {
    Path file = net.write("files/a.bin", 3 * GENERATION);
    Server server = net.serve("server", file);
    Impairment narrow = Impairment.NONE.withMaxBytes(1200);
    try (ImpairedLink link = ImpairedLink.open(server.address(), narrow, narrow, 1)) {
      FetchResult result = net.fetched(net.settings("a.bin", List.of(link.address())), file);
      assertThat(result.sources().getFirst().problem()).isEmpty();
    }
  }

  /** The server says so before a client leaves it for its silence. */
  @Test
  void blocksThatDoNotFitThePathAreNamed() throws Exception {
    GenerationShape large = ServerSettings.DEFAULT_SHAPE.withBlockSize(4000);
    try (CraftedServer server =
        new CraftedServer(
            folder.resolve("server"),
            net.engine,
            large,
            Files.readAllBytes(net.write("files/a.bin", GENERATION)),
            Optional.empty(),
            id -> List.of(new CatalogueEntry("a.bin", GENERATION, id)))) {
      assertFails(
          net.settings("a.bin", List.of(server.address()))
              .withPatience(300 * Loopback.SECOND, 60 * Loopback.SECOND),
          "bytes do not fit the path, which carries ");
    }
  }

  /** A file that is complete waits until all servers have answered. */
  @Test
  void aLateAnswerThatAgreesEndsTheFetch() throws Exception {
    Path file = net.write("one/a.bin", 1000);
    Server one = net.serve("s1", file);
    Server two = net.serve("s2", file);
    Impairment slow = Impairment.NONE.withDelay(150_000_000, 0);
    try (ImpairedLink link = ImpairedLink.open(two.address(), slow, slow, 1)) {
      FetchResult result =
          net.fetched(net.settings("a.bin", List.of(Loopback.at(one), link.address())), file);
      assertThat(result.sources().get(1).problem()).isEmpty();
    }
  }

  @Test
  void endsWhenTheFileChanges() throws Exception {
    Path file = net.write("files/a.bin", 60 * GENERATION);
    Server server =
        net.serve(
            "server", each -> each.withEndpoint(own -> own.withMemoryBytes(2 * GENERATION)), file);
    FetchSettings settings = net.settings("a.bin", server).withPacing(8_000_000, false);
    AtomicBoolean isWritten = new AtomicBoolean();

    assertThatThrownBy(() ->
            net.fetch(
                    settings,
                    (done, total, sources) -> {
                      if (done > total / 4 && isWritten.compareAndSet(false, true)) {
                        try {
                          Files.write(file, new byte[2000]);
                        } catch (IOException e) {
                          throw new AssertionError(e);
                        }
                      }
                    })
                .toFile(net.output(file)))
        .isInstanceOf(FetchFailedException.class)
        .hasMessageContaining("the file 'a.bin' has changed while it was served");
    assertThat(net.output(file)).doesNotExist();
    Loopback.await(() -> isOffered(server, 2000));
    net.fetched(net.settings("a.bin", server), file);
  }

  @Test
  void aFileThatIsTouchedIsFetchedOn() throws Exception {
    Path file = net.write("files/a.bin", 60 * GENERATION);
    Server server =
        net.serve(
            "server", each -> each.withEndpoint(own -> own.withMemoryBytes(2 * GENERATION)), file);
    FetchSettings settings = net.settings("a.bin", server).withPacing(8_000_000, false);
    AtomicInteger touched = new AtomicInteger();

    net.fetch(
            settings,
            (done, total, sources) -> {
              if (done > touched.get() * total / 8) {
                try {
                  Files.setLastModifiedTime(
                      file, FileTime.fromMillis(1000L * touched.incrementAndGet()));
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              }
            })
        .toFile(net.output(file));

    assertThat(touched.get()).isPositive();
    assertThat(net.output(file)).hasSameBinaryContentAs(file);
  }

  private static boolean isOffered(Server server, int length) {
    return server.catalogue().stream().anyMatch(entry -> entry.length() == length);
  }

  @Test
  void newFilesAreOffered() throws Exception {
    net.write("files/a.bin", 1000);
    Server server = net.serve("server", folder.resolve("files"));
    Path later = net.write("files/b.bin", 2000);
    Loopback.await(() -> isOffered(server, 2000));
    assertThat(server.catalogue()).hasSize(2);

    net.fetched(net.settings("b.bin", server), later);
  }

  /** The server sends the second half of the generation once the first is in the output. */
  @Test
  void writesBlocksOfAGenerationThatIsNotComplete() throws Exception {
    Path file = net.write("files/a.bin", GENERATION);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (HaltingServer server =
        new HaltingServer(file, () -> out.size() < GENERATION / 2 ? 32 : 90)) {
      FetchSettings settings = net.settings("a.bin", List.of(server.address()));

      net.fetch(settings, FetchListener.NONE).toStream(out, "stream");

      assertThat(out.toByteArray()).isEqualTo(Files.readAllBytes(file));
    }
  }

  /** One server sends no hashes of blocks; the other half of its generation once these came. */
  @Test
  void asksAnotherServerForHashesOfBlocksThatDoNotCome() throws Exception {
    Path file = net.write("files/a.bin", GENERATION);
    MemoryObject object =
        MemoryObject.of(
            ServerSettings.DEFAULT_SHAPE, MemorySegment.ofArray(Files.readAllBytes(file)));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Identity identity = Identity.open(folder.resolve("mute"), Instant.now());
    try (QuicCarrier carrier = QuicCarrier.open(Loopback.PATIENT, identity);
        Listener mute =
            carrier.listen(
                new InetSocketAddress("127.0.0.1", 0),
                connection -> new MuteServer(connection, object.hashes()));
        HaltingServer server =
            new HaltingServer(file, () -> out.size() < GENERATION / 2 ? 32 : 128)) {
      FetchSettings settings =
          net.settings(
                  "a.bin", List.of(Loopback.at(mute.localAddress().getPort()), server.address()))
              .withPatience(300 * Loopback.SECOND, 20 * Loopback.SECOND);

      net.fetch(settings, FetchListener.NONE).toStream(out, "stream");

      assertThat(out.toByteArray()).isEqualTo(Files.readAllBytes(file));
    }
  }

  @Test
  void writesAStreamInOrder() throws Exception {
    Path file = net.write("files/a.bin", 40 * GENERATION + 1001);
    Server first = net.serve("s1", file);
    Server second = net.serve("s2", file);
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    FetchResult result =
        net.fetch(
                net.settings("a.bin", first, second).withWindowBytes(6L * GENERATION),
                FetchListener.NONE)
            .toStream(out, "stream");

    assertThat(out.toByteArray()).isEqualTo(Files.readAllBytes(file));
    assertThat(result.blocksReceived()).isGreaterThanOrEqualTo(result.blocksNeeded());
  }

  @Test
  void writesToDevicesAndFifos() throws Exception {
    Path file = net.write("files/a.bin", 3 * GENERATION);
    Server server = net.serve("server", file);
    FetchSettings settings = net.settings("a.bin", server);
    Path fifo = folder.resolve("fifo");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    try (ExecutorService reader = Executors.newSingleThreadExecutor()) {
      Future<byte[]> read = reader.submit(() -> Files.readAllBytes(fifo));
      assertThat(net.fetch(settings, FetchListener.NONE).toFile(fifo).bytes())
          .isEqualTo(3L * GENERATION);
      assertThat(read.get()).isEqualTo(Files.readAllBytes(file));
    }
    Path device = Path.of("/dev/null");
    assertThat(net.fetch(settings, FetchListener.NONE).toFile(device).bytes())
        .isEqualTo(3L * GENERATION);
    assertThat(Files.isRegularFile(device)).isFalse();
  }

  /** As when a player is paused: nothing can arrive, and no server is to blame. */
  @Test
  void aReaderMayPauseForLongerThanThePatience() throws Exception {
    Path file = net.write("files/a.bin", 10 * GENERATION);
    Server server = net.serve("s1", file);
    long patienceNanos = 2 * Loopback.SECOND;
    ByteArrayOutputStream out =
        new ByteArrayOutputStream() {
          @Override
          public synchronized void write(byte[] bytes, int offset, int length) {
            long start = System.nanoTime();
            while (size() == 0 && System.nanoTime() - start < 2 * patienceNanos) {
              LockSupport.parkNanos(patienceNanos);
            }
            super.write(bytes, offset, length);
          }
        };

    net.fetch(
            net.settings("a.bin", server)
                .withWindowBytes(2L * GENERATION)
                .withPatience(patienceNanos, patienceNanos),
            FetchListener.NONE)
        .toStream(out, "stream");

    assertThat(out.toByteArray()).isEqualTo(Files.readAllBytes(file));
  }

  /** A server that sends leaves that nobody asked it for does no harm to one that was asked. */
  @Test
  void leavesFromAnotherServerAreIgnored() throws Exception {
    Path file = net.write("files/a.bin", 20 * GENERATION);
    Server server = net.serve("s1", file);
    GenerationHashes object = hashes(file, net.fetched(net.settings("a.bin", server), file));
    Identity identity = Identity.open(folder.resolve("mute"), Instant.now());
    try (QuicCarrier carrier = QuicCarrier.open(Loopback.PATIENT, identity);
        Listener hostile =
            carrier.listen(
                new InetSocketAddress("127.0.0.1", 0),
                connection ->
                    new MuteServer(connection, object) {
                      @Override
                      public void datagram(MemorySegment report) {
                        for (int g = 0; g < object.manifest().generations(); g++) {
                          send(new Message.Leaves(0, g, 0, List.of(object.of(g))));
                        }
                      }
                    })) {
      FetchSettings settings =
          net.settings(
                  "a.bin",
                  List.of(Loopback.at(server), Loopback.at(hostile.localAddress().getPort())))
              .withWindowBytes(4L * GENERATION)
              .withPatience(300 * Loopback.SECOND, 60 * Loopback.SECOND);
      ByteArrayOutputStream out = new ByteArrayOutputStream();

      FetchResult result = net.fetch(settings, FetchListener.NONE).toStream(out, "stream");

      assertThat(out.toByteArray()).isEqualTo(Files.readAllBytes(file));
      assertThat(result.sources().getFirst().problem()).isEmpty();
    }
  }

  @Test
  void reportsAStreamThatCannotBeWritten() throws Exception {
    Path file = net.write("files/a.bin", 40 * GENERATION);
    Server server = net.serve("s1", file);
    OutputStream full =
        new OutputStream() {
          private int left = 5 * GENERATION;

          @Override
          public void write(int value) throws IOException {
            if (left-- == 0) {
              throw new IOException("no space");
            }
          }
        };

    assertThatThrownBy(() ->
            net.fetch(net.settings("a.bin", server), FetchListener.NONE).toStream(full, "stream"))
        .isInstanceOf(IOException.class)
        .hasMessage("stream: no space");
  }

  /** As a failed GPU does. */
  @Test
  void aFailureOfAThreadThatDecodesEndsTheFetch() throws Exception {
    Path file = net.write("files/a.bin", 10 * GENERATION);
    Server server = net.serve("server", file);
    IllegalStateException failure = new IllegalStateException("the engine has failed");

    assertThatThrownBy(() ->
            net.fetch(
                    net.settings("a.bin", server),
                    (done, total, sources) -> {
                      throw failure;
                    })
                .toFile(net.output(file)))
        .isSameAs(failure);
  }

  @Test
  void twoFetchesOfOneOutputDoNotMix() throws Exception {
    Path file = net.write("files/a.bin", 10 * GENERATION);
    Server server = net.serve("server", file);
    Path output = net.output(file);
    AtomicReference<Throwable> second = new AtomicReference<>();

    net.fetch(
            net.settings("a.bin", server),
            (done, total, sources) -> {
              if (second.get() == null) {
                try {
                  net.fetch(net.settings("a.bin", server), FetchListener.NONE).toFile(output);
                } catch (Exception e) {
                  second.set(e);
                }
              }
            })
        .toFile(output);

    assertThat(second.get()).hasMessageContaining("is in use by another process");
    assertThat(output).hasSameBinaryContentAs(file);
  }

  /** The handshake of the first attempt gets no answer, and that of another does. */
  @Test
  void connectsAgainIfTheHandshakeIsLost() throws Exception {
    Path file = net.write("files/a.bin", GENERATION);
    Server server = net.serve("server", file);
    QuicOptions quick =
        QuicOptions.DEFAULT.withTimeouts(Duration.ofSeconds(10), Duration.ofMillis(1500));
    Impairment dead = Impairment.NONE.withLoss(Loss.random(1));
    try (ImpairedLink link = ImpairedLink.open(server.address(), dead, dead, 1)) {
      FetchSettings settings = net.settings("a.bin", List.of(link.address()));
      Thread repair =
          Thread.ofPlatform()
              .start(() -> {
                while (link.up().arrived() == 0) {
                  LockSupport.parkNanos(1_000_000);
                }
                LockSupport.parkNanos(1_800_000_000);
                link.impair(Impairment.NONE, Impairment.NONE);
              });

      FetchResult result =
          new Fetch(net.engine, settings, 1, FetchListener.NONE, quick).toFile(net.output(file));
      repair.join();

      assertThat(result.sources().getFirst().problem()).isEmpty();
      assertThat(net.output(file)).hasSameBinaryContentAs(file);
    }
  }

  /** The client's control stream is lost each time. */
  @Test
  void connectsAgainIfItsGreetingIsLost() throws Exception {
    Identity identity = Identity.open(folder.resolve("deaf"), Instant.now());
    AtomicInteger connections = new AtomicInteger();
    try (QuicCarrier carrier = QuicCarrier.open(Loopback.PATIENT, identity);
        Listener deaf =
            carrier.listen(
                new InetSocketAddress("127.0.0.1", 0),
                connection -> {
                  connections.incrementAndGet();
                  connection.close(CloseReason.NO_STREAM_CODE, "no control stream");
                  return new Greeting(
                      new Message.Hello(Message.VERSION, PeerRole.ORIGIN, ""),
                      new CompletableFuture<>());
                })) {
      assertFails(
          net.settings("a.bin", List.of(Loopback.at(deaf.localAddress().getPort()))),
          "no control stream");
    }
    assertThat(connections).hasValue(3);
  }

  /** The rate is divided among the servers, which {@code SenderPacingTest} holds to it. */
  @Test
  void theRateIsBounded() throws Exception {
    Path file = net.write("files/a.bin", 2 * GENERATION);
    Server server = net.serve("server", file);
    GenerationHashes object = hashes(file, net.fetched(net.settings("a.bin", server), file));
    List<Message> messages = new CopyOnWriteArrayList<>();
    try (QuicCarrier carrier =
            QuicCarrier.open(
                Loopback.PATIENT, Identity.open(folder.resolve("mute"), Instant.now()));
        Listener one =
            carrier.listen(
                new InetSocketAddress("127.0.0.1", 0),
                connection -> mute(connection, object, messages::add));
        Listener other =
            carrier.listen(
                new InetSocketAddress("127.0.0.1", 0),
                connection -> mute(connection, object, messages::add))) {
      List<InetSocketAddress> both =
          List.of(
              Loopback.at(one.localAddress().getPort()),
              Loopback.at(other.localAddress().getPort()));
      assertStandsStill(
          patience ->
              net.settings("a.bin", both)
                  .withPacing(2_000_000, true)
                  .withPatience(300 * Loopback.SECOND, patience),
          Loopback.SECOND / 2,
          FetchListener.NONE,
          () -> messages.contains(new Message.Pacing(1_000_000, true)),
          "it sends no blocks that are needed");
    }
    assertThat(messages.stream().takeWhile(each -> !(each instanceof Message.Open)))
        .as("the answer to the name opens the object")
        .hasAtLeastOneElementOfType(Message.Pacing.class);
    assertThat(messages)
        .as("the answer to the name has its hashes")
        .noneMatch(Message.HashesRequest.class::isInstance)
        .contains(new Message.Pacing(1_000_000, true))
        .noneMatch(
            each -> each instanceof Message.Pacing pacing && pacing.bytesPerSecond() > 2_000_000);
  }

  @Test
  void aSlowReceiverSendsFewerReportsThanItGetsPackets() throws Exception {
    Path file = net.write("files/a.bin", 2 * GENERATION);
    Server server = net.serve("server", file);

    net.fetched(net.settings("a.bin", server).withPacing(120_000, false), file);

    // At any rate, a report each 5 ms would be two for each packet.
    assertThat(server.status().reports()).isPositive().isLessThan(2 * 64);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 16})
  void manyFetchesShareACarrierAndThreads(int threadsOfServer) throws Exception {
    Path file = net.write("files/a.bin", 3 * GENERATION + 5);
    Server server =
        net.serve(
            "server", each -> each.withEndpoint(own -> own.withThreads(threadsOfServer)), file);
    try (ExecutorService workers = Executors.newFixedThreadPool(2);
        QuicCarrier carrier = QuicCarrier.openClient(Loopback.PATIENT);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<byte[]>> fetched = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        fetched.add(
            threads.submit(() -> {
              ByteArrayOutputStream out = new ByteArrayOutputStream();
              new Fetch(
                      net.engine,
                      net.settings("a.bin", server),
                      1,
                      FetchListener.NONE,
                      carrier,
                      workers)
                  .toStream(out, "stream");
              return out.toByteArray();
            }));
      }
      for (Future<byte[]> each : fetched) {
        assertThat(each.get()).isEqualTo(Files.readAllBytes(file));
      }
      // Each has closed its connection, although the carrier is open.
      Loopback.await(() -> server.status().clients() == 0);
      // A fetch whose connection is silent on a busy machine attempts a second one.
      assertThat(server.status().sessions()).isBetween(12L, 24L);
      assertThat(server.status().objects()).isBetween(12L, 24L);
      Loopback.await(() -> server.status().generationBytes() == 0);
    }
  }

  @Test
  void endsWhenTheFileIsRemoved() throws Exception {
    Path file = net.write("files/a.bin", 60 * GENERATION);
    Server server =
        net.serve(
            "server", each -> each.withEndpoint(own -> own.withMemoryBytes(2 * GENERATION)), file);
    FetchSettings settings = net.settings("a.bin", server).withPacing(8_000_000, false);

    assertThatThrownBy(() ->
            net.fetch(
                    settings,
                    (done, total, sources) -> {
                      if (done > total / 4) {
                        try {
                          Files.deleteIfExists(file);
                        } catch (IOException e) {
                          throw new AssertionError(e);
                        }
                      }
                    })
                .toFile(net.output(file)))
        .isInstanceOf(FetchFailedException.class)
        .hasMessageContaining("the file 'a.bin' is not there any more");
    assertThat(net.output(file)).doesNotExist();
    // The file may come back, and the next fetch continues.
    assertThat(server.catalogue()).isEmpty();
    net.write("files/a.bin", 60 * GENERATION);
    Loopback.await(() -> isOffered(server, 60 * GENERATION));
    FetchResult result = net.fetched(net.settings("a.bin", server), file);
    assertThat(result.resumedBytes()).isGreaterThanOrEqualTo(10 * GENERATION);
  }

  /** Neither side goes on with a peer of another version. */
  @Test
  void anotherVersionOfTheProtocolIsNamedOnBothSides() throws Exception {
    Path file = net.write("files/a.bin", 1000);
    Server server = net.serve("server", file);
    CompletableFuture<CloseReason> closed = new CompletableFuture<>();
    Identity identity = Identity.open(folder.resolve("mute"), Instant.now());
    try (QuicCarrier carrier = QuicCarrier.open(Loopback.PATIENT, identity)) {
      carrier.connect(
          new InetSocketAddress("127.0.0.1", server.address().getPort()),
          any -> true,
          new Greeting(new Message.Hello(Message.VERSION + 1, PeerRole.RECEIVER, ""), closed));
      CloseReason reason = closed.get(60, TimeUnit.SECONDS);
      assertThat(reason.code()).isEqualTo(CloseCode.VERSION);
      assertThat(reason.text()).contains("protocol version 3, not 2");
      try (Listener newer =
          carrier.listen(
              new InetSocketAddress("127.0.0.1", 0),
              connection ->
                  new Greeting(
                      new Message.Hello(Message.VERSION + 1, PeerRole.ORIGIN, ""),
                      new CompletableFuture<>()))) {
        assertFails(
            net.settings("a.bin", List.of(Loopback.at(newer.localAddress().getPort()))),
            "protocol version 3, not 2");
      }
    }
  }

  /** Greets, and says nothing more. */
  private static final class Greeting extends QuietHandler {
    private final Message.Hello hello;
    private final CompletableFuture<CloseReason> closed;

    Greeting(Message.Hello hello, CompletableFuture<CloseReason> closed) {
      this.hello = hello;
      this.closed = closed;
    }

    @Override
    public void opened(Connection opened) {
      assertThat(opened.sendControl(MessageCodec.write(hello))).isTrue();
    }

    @Override
    public void closed(CloseReason reason) {
      closed.complete(reason);
    }
  }

  /** A server that opens an object, and sends nothing but its hashes. */
  private static ConnectionHandler mute(
      Connection connection, GenerationHashes object, Consumer<Message> messages) {
    return new MuteServer(connection, object) {
      @Override
      protected void received(Message message) {
        messages.accept(message);
      }
    };
  }

  private static GenerationHashes hashes(Path file, FetchResult fetched) throws IOException {
    MemorySegment content = MemorySegment.ofArray(Files.readAllBytes(file));
    GenerationHashes hashes = MemoryObject.of(fetched.manifest().shape(), content).hashes();
    assertThat(hashes.manifest()).isEqualTo(fetched.manifest());
    return hashes;
  }

  @Test
  void leavesAServerThatStalls() throws Exception {
    Path file = net.write("files/a.bin", 30 * GENERATION);
    Server server = net.serve("server", file);
    GenerationHashes object = hashes(file, net.fetched(net.settings("a.bin", server), file));
    try (QuicCarrier carrier =
            QuicCarrier.open(
                Loopback.PATIENT, Identity.open(folder.resolve("mute"), Instant.now()));
        Listener listener =
            carrier.listen(
                new InetSocketAddress("127.0.0.1", 0),
                connection -> mute(connection, object, message -> {}))) {
      FetchSettings settings =
          net.settings(
                  "a.bin",
                  List.of(
                      Loopback.at(listener.localAddress().getPort()),
                      Loopback.at(server.address().getPort())))
              .withPatience(2 * Loopback.SECOND, 60 * Loopback.SECOND);
      FetchSettings alone =
          net.settings("a.bin", List.of(Loopback.at(listener.localAddress().getPort())))
              .withPatience(Loopback.SECOND / 4, Loopback.SECOND);

      FetchResult result = net.fetched(settings, file);
      assertThat(result.sources().get(0).blocks()).isZero();
      assertThat(result.sources().get(1).blocks()).isEqualTo(30 * 64);
      assertFails(alone, "no progress on a.bin for 1.0 s: 127.0.0.1:");
    }
  }

  /** Over days, a server may be restarted or moved more often than it may stall in a row. */
  @Test
  void aServerMayStallOftenIfItSendsInBetween() throws Exception {
    Path file = net.write("files/a.bin", 6 * GENERATION);
    try (HaltingServer server = new HaltingServer(file, () -> 90)) {
      FetchSettings settings =
          net.settings("a.bin", List.of(server.address()))
              .withPatience(Loopback.SECOND / 4, 60 * Loopback.SECOND);

      net.fetched(settings, file);
    }
  }

  /**
   * It may be slow, as on a busy host. Of several servers, one that stalls three times is dropped.
   */
  @Test
  void theOnlyServerIsTriedAgainUntilItSends() throws Exception {
    Path file = net.write("files/a.bin", GENERATION);
    AtomicInteger connections = new AtomicInteger();
    IntSupplier maxPackets = () -> connections.get() > 3 ? 90 : 0;
    try (HaltingServer server = new HaltingServer(file, connections, maxPackets)) {
      FetchSettings settings =
          net.settings("a.bin", List.of(server.address()))
              .withPatience(Loopback.SECOND / 4, 60 * Loopback.SECOND);

      net.fetched(settings, file);

      assertThat(connections.get()).isGreaterThan(3);
    }
  }

  /** Serves a file. On each connection it stops sending after a number of packets. */
  private final class HaltingServer implements AutoCloseable {
    private final GenerationCache cache = new GenerationCache(net.engine, 1 << 20);
    private final SourceObject source;
    private final QuicCarrier carrier;
    private final Listener listener;

    HaltingServer(Path file, IntSupplier maxPackets) throws Exception {
      this(file, new AtomicInteger(), maxPackets);
    }

    HaltingServer(Path file, AtomicInteger connections, IntSupplier maxPackets) throws Exception {
      MemoryObject object =
          MemoryObject.of(
              ServerSettings.DEFAULT_SHAPE, MemorySegment.ofArray(Files.readAllBytes(file)));
      source = cache.open(object.manifest(), 1, object);
      Identity identity = Identity.open(folder.resolve("halting"), Instant.now());
      carrier = QuicCarrier.open(Loopback.PATIENT, identity);
      listener =
          carrier.listen(
              new InetSocketAddress("127.0.0.1", 0),
              connection -> {
                connections.incrementAndGet();
                return halting(connection, object, source, maxPackets);
              });
    }

    InetSocketAddress address() {
      return Loopback.at(listener.localAddress().getPort());
    }

    @Override
    public void close() {
      listener.close();
      carrier.close();
      source.close();
      cache.close();
    }
  }

  private static ConnectionHandler halting(
      Connection connection, MemoryObject object, SourceObject source, IntSupplier maxPackets) {
    return new MuteServer(connection, object.hashes()) {
      private final ObjectSender sender = new ObjectSender(source, 0);
      private final MemorySegment packet = MemorySegment.ofArray(new byte[sender.maxPacketBytes()]);
      private int sent;

      @Override
      protected void received(Message message) {
        if (message instanceof Message.Open) {
          send(new Message.Opened(0, object.manifest(), 1));
        } else if (message instanceof Message.LeavesRequest(int alias, int generation)) {
          send(new Message.Leaves(alias, generation, 0, leaves(object, generation)));
        }
      }

      @Override
      public void datagram(MemorySegment report) {
        try {
          if (!sender.onReport(report)) {
            return;
          }
          for (; sent < maxPackets.getAsInt() && sender.hasNext(); sent++) {
            int bytes = sender.next(packet);
            boolean _ = bytes > 0 && connection.sendDatagram(packet.asSlice(0, bytes));
          }
          connection.flush();
        } catch (IOException | MalformedDataException e) {
          throw new AssertionError(e);
        }
      }

      @Override
      public void closed(CloseReason reason) {
        sender.close();
      }
    };
  }

  private static List<Sha256> leaves(MemoryObject object, int generation) {
    GenerationShape shape = object.manifest().shapeOf(generation);
    MemorySegment bytes = MemorySegment.ofArray(new byte[(int) shape.bytes()]);
    object.read(generation, bytes);
    return bytes
        .elements(MemoryLayout.sequenceLayout(shape.blockSize(), ValueLayout.JAVA_BYTE))
        .map(new HashTree()::leaf)
        .toList();
  }
}
