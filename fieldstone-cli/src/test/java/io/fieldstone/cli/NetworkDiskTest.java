package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.faults.Faults;
import io.fieldstone.faults.FaultyProvider;
import io.fieldstone.net.fetch.Fetch;
import io.fieldstone.net.fetch.FetchListener;
import io.fieldstone.net.fetch.FetchSettings;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.stream.ProgressListener;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

  private Server serve(Path... paths) throws Exception {
    return Server.start(
        engine,
        ServerSettings.of(List.of(paths), directory.resolve("server"))
            .withListen(InetSocketAddress.createUnresolved("127.0.0.1", 0))
            .withThreads(2),
        ProgressListener.NONE);
  }

  private Fetch fetch(String name, Server server) {
    InetSocketAddress address =
        InetSocketAddress.createUnresolved("127.0.0.1", server.address().getPort());
    return new Fetch(
        engine,
        FetchSettings.of(name, List.of(address), directory.resolve("client")),
        2,
        FetchListener.NONE);
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
}
