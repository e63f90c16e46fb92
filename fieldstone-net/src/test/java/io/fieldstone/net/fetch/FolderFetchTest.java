package io.fieldstone.net.fetch;

import static io.fieldstone.net.fetch.Loopback.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.net.relay.Relay;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class FolderFetchTest {

  /** So little memory that one file is fetched after another. */
  private static final long ONE_BY_ONE = 1 << 18;

  @TempDir private Path folder;
  private Loopback net;

  @BeforeEach
  void open() {
    net = new Loopback(folder);
  }

  @AfterEach
  void close() {
    net.close();
  }

  private FolderFetch fetch(long memory, InetSocketAddress... from) {
    FetchSettings settings = net.settings("", List.of(from)).withWindowBytes(memory);
    return new FolderFetch(net.engine, settings, 2, Loopback.PATIENT);
  }

  private FolderFetch fetch(InetSocketAddress... from) {
    return fetch(16 << 20, from);
  }

  /** Writes 90 files in three folders, of which some are empty, equal or large. */
  private Path files() throws Exception {
    for (int i = 0; i < 90; i++) {
      net.write("files/photos/d" + i % 3 + "/f" + i, i < 80 ? 700 * (i % 50) : 3_000);
    }
    net.write("files/photos/large", 1_500_000);
    net.write("files/other", 5_000);
    return folder.resolve("files");
  }

  private void assertSame(Path copy, Path original) throws Exception {
    try (var all = Files.walk(original)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        assertThat(copy.resolve(original.relativize(each).toString())).hasSameBinaryContentAs(each);
      }
    }
    assertThat(count(copy)).isEqualTo(count(original));
  }

  private static long count(Path root) throws Exception {
    try (var all = Files.walk(root)) {
      return all.filter(Files::isRegularFile).count();
    }
  }

  @Test
  void aServerThatStartsSaysHowFarItIs() throws Exception {
    net.write("files/a", 100);
    net.write("files/b", 900);
    InetSocketAddress address;
    try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      address = at(free.getLocalPort());
    }
    List<String> warnings = new ArrayList<>();
    ServerSettings settings =
        ServerSettings.of(
            List.of(folder.resolve("files")), net.endpoint("server").withListen(address));
    try (Server _ = Server.start(net.engine, settings, (_, _) -> warnings.add(problem(address)))) {
      assertThat(warnings.getFirst())
          .isEqualTo(
              "no server lists its files: 127.0.0.1:%d: the server starts: it has hashed 10 %% of"
                  + " its bytes",
              address.getPort());
      assertThat(fetch(address).list()).extracting(ListedObject::name).containsExactly("a", "b");
    }
  }

  private String problem(InetSocketAddress address) {
    try {
      return "listed " + fetch(address).list();
    } catch (FetchFailedException e) {
      return String.valueOf(e.getMessage());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void fetchesAFolderAndNothingTwice() throws Exception {
    Path files = files();
    Server server = net.serve("server", files);
    Path copy = folder.resolve("copy");
    FolderResult first =
        fetch(at(server)).fetch(List.of("photos/"), copy, false, FolderListener.NONE);
    assertThat(first.failures()).isEmpty();
    assertThat(first.files()).isEqualTo(91);
    assertThat(first.unchanged()).isZero();
    assertThat(first.hasChanged()).isFalse();
    assertSame(copy, files.resolve("photos"));

    Files.delete(copy.resolve("d1/f4"));
    FolderResult second =
        fetch(at(server)).fetch(List.of("photos/"), copy, false, FolderListener.NONE);
    assertThat(second.files()).isEqualTo(91);
    assertThat(second.unchanged()).isEqualTo(90);
    assertThat(second.fetchedBytes()).isEqualTo(700 * 4);
  }

  @Test
  void fetchesFromServersAndRelaysAtOnce() throws Exception {
    Path files = files();
    Server one = net.serve("one", files);
    Server two = net.serve("two", files);
    Relay relay = net.relay("relay", at(two));
    Path copy = folder.resolve("copy");
    FolderResult result =
        fetch(at(one), at(relay)).fetch(List.of("/"), copy, false, FolderListener.NONE);
    assertThat(result.failures()).isEmpty();
    assertSame(copy, files);
    assertThat(result.sources()).hasSize(2);
  }

  @Test
  void anotherFileStaysWithoutForce() throws Exception {
    Server server = net.serve("server", files());
    Path copy = folder.resolve("copy");
    Files.createDirectories(copy);
    Files.writeString(copy.resolve("other"), "mine");
    List<String> names = List.of("other", "photos/d0/f3");
    FolderResult kept = fetch(at(server)).fetch(names, copy, false, FolderListener.NONE);
    assertThat(kept.failures())
        .containsExactly(
            new FolderResult.Failure("other", "another file is there: " + copy.resolve("other")));
    assertThat(copy.resolve("other")).hasContent("mine");
    assertThat(copy.resolve("f3")).exists();
    FolderResult replaced = fetch(at(server)).fetch(names, copy, true, FolderListener.NONE);
    assertThat(replaced.failures()).isEmpty();
    assertThat(copy.resolve("other")).hasSameBinaryContentAs(folder.resolve("files/other"));
  }

  @Test
  void aFileIsNotReplacedByFetchWithoutReplacing() throws Exception {
    Path file = net.write("a.bin", 300_000);
    Server server = net.serve("server", file);
    Path copy = folder.resolve("copy");
    Fetch fetch = new Fetch(net.engine, net.settings("a.bin", server), 2, FetchListener.NONE);
    assertThat(fetch.toNewFile(copy).wasThere()).isFalse();
    FetchResult again = fetch.toNewFile(copy);
    assertThat(again.wasThere()).isTrue();
    assertThat(again.blocksReceived()).isZero();
    Files.writeString(copy, "mine");
    assertThatThrownBy(() -> fetch.toNewFile(copy))
        .isInstanceOf(java.nio.file.FileAlreadyExistsException.class);
    assertThat(copy).hasContent("mine");
  }

  @Test
  void namesFilesThatChangeMeanwhile() throws Exception {
    for (String name : List.of("a", "m", "x", "z")) {
      net.write("files/" + name, 2_000 + name.charAt(0));
    }
    Server server = net.serve("server", folder.resolve("files"));
    AtomicBoolean isChanged = new AtomicBoolean();
    FolderListener change =
        (_, _, _, _) -> {
          if (isChanged.compareAndSet(false, true)) {
            try {
              Files.delete(folder.resolve("files/z"));
              Files.writeString(folder.resolve("files/y"), "new");
              Files.writeString(folder.resolve("files/x"), "changed");
            } catch (java.io.IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
            Loopback.await(() ->
                server.catalogue().stream().noneMatch(each -> each.name().equals("z"))
                    && server.catalogue().stream()
                        .anyMatch(each -> each.name().equals("x") && each.length() == 7)
                    && server.catalogue().stream().anyMatch(each -> each.name().equals("y")));
          }
        };
    Path copy = folder.resolve("copy");
    FolderResult result = fetch(ONE_BY_ONE, at(server)).fetch(List.of("/"), copy, false, change);
    assertThat(result.failures()).isEmpty();
    assertThat(result.removed()).containsExactly("z");
    assertThat(result.added()).containsExactly("y");
    assertThat(result.changed()).containsExactly("x");
    assertThat(copy.resolve("x")).hasContent("changed");
    assertThat(copy.resolve("m")).hasSameBinaryContentAs(folder.resolve("files/m"));
  }

  @Test
  void endsWithTheReasonIfTheServerGoesAway() throws Exception {
    net.write("files/a", 2_000);
    net.write("files/b", 2_000_000); // half a minute at this rate
    Server server =
        net.serve(
            "server",
            each -> each.withEndpoint(own -> own.withPacing(80_000, false)),
            folder.resolve("files"));
    FolderListener stop = (_, _, _, _) -> server.close();
    FetchSettings settings =
        net.settings("", List.of(at(server)))
            .withWindowBytes(ONE_BY_ONE)
            .withPatience(Loopback.SECOND, 10 * Loopback.SECOND);
    FolderFetch fetch = new FolderFetch(net.engine, settings, 2, Loopback.PATIENT);
    Path copy = folder.resolve("copy");
    assertThatThrownBy(() -> fetch.fetch(List.of("/"), copy, false, stop))
        .isInstanceOf(FetchFailedException.class)
        .hasMessageContaining("b");
    assertThat(copy.resolve("a")).exists();
    assertThat(count(copy)).isEqualTo(1);
  }

  /** The list at the end, which would tell a file that is gone from a failure, is not there. */
  @Test
  void aFileThatFailedIsTheReasonIfNoServerAnswersAtTheEnd() throws Exception {
    for (String name : List.of("a", "b", "c")) {
      net.write("files/" + name, 2_000 + name.charAt(0));
    }
    Server server = net.serve("server", folder.resolve("files"));
    AtomicBoolean isRemoved = new AtomicBoolean();
    FolderListener stop =
        (doneFiles, _, _, _) -> {
          if (isRemoved.compareAndSet(false, true)) {
            try {
              Files.delete(folder.resolve("files/b"));
            } catch (java.io.IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
            Loopback.await(() -> server.catalogue().size() == 2);
          }
          if (doneFiles == 2) {
            server.close();
          }
        };
    FetchSettings settings =
        net.settings("", List.of(at(server)))
            .withWindowBytes(ONE_BY_ONE)
            .withPatience(10 * Loopback.SECOND, 10 * Loopback.SECOND);
    FolderFetch fetch = new FolderFetch(net.engine, settings, 2, Loopback.PATIENT);
    Path copy = folder.resolve("copy");
    assertThatThrownBy(() -> fetch.fetch(List.of("/"), copy, false, stop))
        .isInstanceOf(FetchFailedException.class)
        .hasMessageContaining("b");
    assertThat(count(copy)).isEqualTo(2);
  }

  @Test
  void listsWhatServersHave() throws Exception {
    Path files = files();
    Server one = net.serve("one", files);
    Server two = net.serve("two", files.resolve("other"));
    List<ListedObject> all = fetch(at(one), at(two)).list();
    assertThat(all).hasSize(92);
    assertThat(all.getFirst().name()).isEqualTo("other");
    assertThat(all.getFirst().length()).isEqualTo(5_000);
    assertThat(all.getFirst().servers()).hasSize(2);
    assertThat(fetch(at(one)).list(List.of("photos/d1/"))).hasSize(30);
  }

  @Test
  void saysWhatNoServerHas() throws Exception {
    Server server = net.serve("server", files());
    Path copy = folder.resolve("copy");
    assertThatThrownBy(
            () -> fetch(at(server)).fetch(List.of("film/"), copy, false, FolderListener.NONE))
        .isInstanceOf(FetchFailedException.class)
        .hasMessage("no server has files in 'film/'");
    net.write("files/large", 10);
    Loopback.await(() -> server.catalogue().size() == 93);
    assertThatThrownBy(() ->
            fetch(at(server)).fetch(List.of("large", "photos/"), copy, false, FolderListener.NONE))
        .isInstanceOf(FetchFailedException.class)
        .hasMessageContaining("would both become");
    assertThat(copy).doesNotExist();
  }
}
