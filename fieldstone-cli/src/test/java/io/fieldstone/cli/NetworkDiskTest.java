package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.faults.Faults;
import io.fieldstone.faults.FaultyProvider;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.fetch.Fetch;
import io.fieldstone.net.fetch.FetchListener;
import io.fieldstone.net.fetch.FetchResult;
import io.fieldstone.net.fetch.FetchSettings;
import io.fieldstone.net.relay.Relay;
import io.fieldstone.net.relay.RelaySettings;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.net.trust.Identity;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Serves and fetches on disks that are slow or full. Only this class uses the faults of its JVM.
 */
@Timeout(120)
class NetworkDiskTest {

  private static final FileSystem FAULTY =
      new FaultyProvider(FileSystems.getDefault().provider()).getFileSystem(URI.create("file:///"));

  private final Faults faults = Faults.ofThisJvm();
  private final Engine engine = Engine.open("cpu");

  @TempDir Path directory;
  private Path faulty;

  @BeforeEach
  void open() {
    faulty = FAULTY.getPath(directory.toString());
  }

  @AfterEach
  void close() {
    faults.releaseReads();
    faults.empty();
    faults.allowOpens();
    engine.close();
  }

  private byte[] write(String name, int length) throws Exception {
    byte[] bytes = new byte[length];
    new SplittableRandom(length).nextBytes(bytes);
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
    return bytes;
  }

  private static EndpointSettings endpoint(Path state) {
    return EndpointSettings.of(state)
        .withListen(InetSocketAddress.createUnresolved("127.0.0.1", 0))
        .withThreads(2);
  }

  private Server serve(Path... paths) throws Exception {
    return Server.start(
        engine,
        ServerSettings.of(List.of(paths), endpoint(directory.resolve("server"))),
        ProgressListener.NONE);
  }

  private static InetSocketAddress local(InetSocketAddress address) {
    return InetSocketAddress.createUnresolved("127.0.0.1", address.getPort());
  }

  private Fetch fetch(String name, Server server) {
    return fetch(name, server.address(), FetchListener.NONE);
  }

  private Fetch fetch(String name, InetSocketAddress from, FetchListener listener) {
    return new Fetch(
        engine,
        FetchSettings.of(name, List.of(local(from)), directory.resolve("client")),
        2,
        listener);
  }

  /** A fetch of one file waits for its disk, while others of the same server go on. */
  @Test
  void aSlowDiskDelaysOnlyTheFilesOnIt() throws Exception {
    byte[] slow = write("slow/a", 300_000);
    byte[] fast = write("fast/b", 300_000 + 1);
    try (Server server = serve(faulty.resolve("slow/a"), faulty.resolve("fast/b"));
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      faults.holdReads(faulty.resolve("slow"));
      Future<?> waiting =
          other.submit(() -> fetch("a", server).toFile(directory.resolve("slowly")));
      faults.awaitHeldRead();

      fetch("b", server).toFile(directory.resolve("quickly"));

      assertThat(directory.resolve("quickly")).hasBinaryContent(fast);
      assertThat(waiting.isDone()).isFalse();
      faults.releaseReads();
      waiting.get();
      assertThat(directory.resolve("slowly")).hasBinaryContent(slow);
    }
  }

  /**
   * The process has no descriptor for a while: nothing vanishes, and the fetch goes on by itself.
   */
  @Test
  void aFullTableOfDescriptorsDelaysOnly() throws Exception {
    byte[] bytes = write("files/a", 3_000_000);
    write("files/inner/b", 1000);
    ServerSettings settings =
        ServerSettings.of(
                List.of(faulty.resolve("files")),
                endpoint(directory.resolve("server")).withMemoryBytes(200_000))
            .withRescanNanos(50_000_000)
            .withMaxAwayNanos(120_000_000_000L);
    try (Server server = Server.start(engine, settings, ProgressListener.NONE);
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      AtomicBoolean isRefused = new AtomicBoolean();
      CountDownLatch refused = new CountDownLatch(1);
      Fetch fetch =
          fetch(
              "a",
              server.address(),
              (done, total, sources) -> {
                if (done > 500_000 && isRefused.compareAndSet(false, true)) {
                  faults.refuseOpens(faulty.resolve("files"));
                  refused.countDown();
                }
              });
      Future<?> fetching = other.submit(() -> fetch.toFile(directory.resolve("copy")));
      refused.await();

      faults.awaitRefusedOpens(2, 2);
      assertThat(server.catalogue()).hasSize(2);
      assertThat(fetching.isDone()).isFalse();
      faults.allowOpens();

      fetching.get();
      assertThat(server.catalogue()).hasSize(2);
      assertThat(directory.resolve("copy")).hasBinaryContent(bytes);
    }
  }

  /** What was received is kept, and the next fetch continues with it. */
  @Test
  void aFetchToAFullDiskFailsAndGoesOnLater() throws Exception {
    byte[] bytes = write("files/a", 3_000_000);
    Path output = faulty.resolve("out/a");
    Files.createDirectory(directory.resolve("out"));
    try (Server server = serve(directory.resolve("files/a"))) {
      AtomicBoolean isFull = new AtomicBoolean();
      Fetch filling =
          fetch(
              "a",
              server.address(),
              (done, total, sources) -> {
                if (done > 500_000 && isFull.compareAndSet(false, true)) {
                  faults.fill(directory.resolve("out"));
                }
              });

      assertThatThrownBy(() -> filling.toFile(output))
          .isInstanceOf(IOException.class)
          .hasMessage(directory.resolve("out/.a.fst-part") + ": No space left on device");
      assertThat(output).doesNotExist();
      faults.empty();
      FetchResult result = fetch("a", server).toFile(output);

      assertThat(result.resumedBytes()).isGreaterThan(400_000);
      assertThat(directory.resolve("out/a")).hasBinaryContent(bytes);
    }
  }

  /** Also an object that it has in part, and one that it could not begin to keep. */
  @Test
  void aRelayWithAFullDiskPassesOnWhatItCannotKeep() throws Exception {
    byte[] bytes = write("files/a", 3_000_000);
    Files.createDirectory(directory.resolve("relay"));
    try (Server server = serve(directory.resolve("files/a"));
        Relay relay =
            Relay.start(
                engine,
                RelaySettings.of(
                    List.of(local(server.address())), endpoint(faulty.resolve("relay"))))) {
      AtomicBoolean isFull = new AtomicBoolean();
      FetchListener filling =
          (done, total, sources) -> {
            if (done > 500_000 && isFull.compareAndSet(false, true)) {
              faults.fill(directory.resolve("relay"));
            }
          };
      for (FetchListener listener : List.of(filling, FetchListener.NONE)) {
        fetch("a", relay.address(), listener).toFile(directory.resolve("copy"));
        assertThat(directory.resolve("copy")).hasBinaryContent(bytes);
        Files.delete(directory.resolve("copy"));
      }
      faults.empty();
      fetch("a", relay.address(), FetchListener.NONE).toFile(directory.resolve("copy"));
      assertThat(directory.resolve("copy")).hasBinaryContent(bytes);
    }
  }

  @Test
  void aFirstStartOnAFullDiskNamesTheIdentityAndLeavesNothing() throws Exception {
    write("files/a", 1000);
    Files.createDirectory(directory.resolve("state"));
    faults.fill(directory.resolve("state"));
    ServerSettings settings =
        ServerSettings.of(List.of(directory.resolve("files/a")), endpoint(faulty.resolve("state")));

    assertThatThrownBy(() -> Server.start(engine, settings, ProgressListener.NONE).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining(directory.resolve("state/identity.pem").toString())
        .hasMessageContaining("No space left on device");
    assertThat(directory.resolve("state")).isEmptyDirectory();
    faults.empty();
    Server.start(engine, settings, ProgressListener.NONE).close();
  }

  /** A disk that fills up later costs the hashes, and no file. */
  @Test
  void hashesThatCannotBeKeptAreNoReasonToFail() throws Exception {
    byte[] bytes = write("files/a", 1000);
    Files.setLastModifiedTime(directory.resolve("files/a"), FileTime.fromMillis(1_000_000));
    Path state = faulty.resolve("state");
    Identity.open(state, Instant.now());
    faults.fill(directory.resolve("state"));
    ServerSettings settings =
        ServerSettings.of(List.of(directory.resolve("files/a")), endpoint(state));
    try (Server server = Server.start(engine, settings, ProgressListener.NONE)) {
      fetch("a", server).toFile(directory.resolve("copy"));
    }
    assertThat(directory.resolve("copy")).hasBinaryContent(bytes);
    try (Stream<Path> files = Files.list(directory.resolve("state"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactly(Identity.FILE_NAME);
    }
  }
}
