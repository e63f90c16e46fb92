package io.fieldstone.cli;

import static io.fieldstone.cli.TestFolder.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.impairment.ImpairedLink;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Loss;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Streams from one command to another, through lossy links, and the lines of their failures. */
@Timeout(120)
class StreamCommandTest {

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final long MILLI = 1_000_000;
  private static final Impairment LOSSY =
      Impairment.NONE.withDelay(5 * MILLI, 0).withLoss(Loss.random(0.05));

  /** A file that fits the window whole, so that all of its packets can be repaired. */
  private static final int FILE_BYTES = 600_001;

  private static final String[] PATIENT = {"--deadline", "20s"};
  private static final int PACKETS = 300;
  private static final int MAX_PACKET_BYTES = 1472;

  @TempDir private Path directory;
  private TestFolder folder;

  @BeforeEach
  void openFolder() {
    folder = new TestFolder(directory);
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  private String[] sender(String source, String... options) {
    String[] words = {
      "stream", "send", source, "--listen", "127.0.0.1:0", "--state", path("sender")
    };
    return join(words, options);
  }

  private String[] receiver(Object from, String sink, String... options) {
    String[] words = {
      "stream", "receive", "--from", name(from), "-o", sink, "--state", path("receiver")
    };
    return join(words, options);
  }

  private static String name(Object address) {
    return address instanceof InetSocketAddress socket
        ? "127.0.0.1:" + socket.getPort()
        : address.toString();
  }

  private static InetSocketAddress listening(JsonNode ready) {
    String address = ready.get("listen").asString();
    int colon = address.lastIndexOf(':');
    return new InetSocketAddress(LOOPBACK, Integer.parseInt(address.substring(colon + 1)));
  }

  @Test
  void aFileArrivesOverALossyPath() throws Exception {
    byte[] file = folder.write("film", FILE_BYTES);
    String[] pages = {"--http", "127.0.0.1:0", "--browsers", "127.0.0.1:0"};
    String[] options = join(join(PATIENT, "--json"), pages);
    try (BackgroundRun sender = BackgroundRun.start(sender(path("film"), options));
        ImpairedLink link = ImpairedLink.open(listening(sender.ready()), LOSSY, LOSSY, 7)) {
      RunOf received = RunOf.fieldstone(receiver(link.address(), path("copy"), "--json"));

      assertThat(received.err()).isEmpty();
      assertThat(received.status()).isZero();
      assertThat(folder.read("copy")).isEqualTo(file);
      assertThat(sender.awaitEnd()).as(sender.err()).isZero();
      assertThat(sender.err()).isEmpty();

      List<JsonNode> lines =
          received.out().lines().map(line -> JsonMapper.shared().readTree(line)).toList();
      JsonDocument.assertDocumented("stream receive", lines);
      JsonNode last = lines.getLast();
      assertThat(last.get("deliveredBytes").asLong()).isEqualTo(FILE_BYTES);
      assertThat(last.get("lost").asLong()).isPositive();
      assertThat(last.get("repaired").asLong()).isPositive();
      assertThat(last.get("residual").asLong()).isZero();
      JsonDocument.assertDocumented("stream send", sender.objects());
      assertThat(sender.objects().getFirst().get("source").asString()).isEqualTo(path("film"));
      JsonNode sent = sender.objects().getLast();
      assertThat(sent.get("repairs").asLong())
          .isGreaterThanOrEqualTo(last.get("repairs").asLong())
          .isPositive();
      assertThat(sent.get("packets").asLong()).isEqualTo(last.get("packets").asLong());
      assertThat(last.get("packets").asLong()).isEqualTo(Math.ceilDiv(FILE_BYTES, 1316));
      assertThat(last.get("parts").asLong()).isGreaterThanOrEqualTo(last.get("packets").asLong());
    }
  }

  @Test
  void aRelayPassesStandardInputOnOverTwoLossyPaths() throws Exception {
    byte[] film = folder.write("film", FILE_BYTES);
    PipedOutputStream pipe = new PipedOutputStream();
    try (BackgroundRun sender =
            BackgroundRun.reading(
                new PipedInputStream(pipe), sender("-", join(PATIENT, "--json")));
        ImpairedLink first = ImpairedLink.open(listening(sender.ready()), LOSSY, LOSSY, 8);
        BackgroundRun relay = BackgroundRun.start(relay(first));
        ImpairedLink second = ImpairedLink.open(listening(relay.ready()), LOSSY, LOSSY, 9);
        BackgroundRun receiver =
            BackgroundRun.start(receiver(second.address(), path("copy"), "--json"))) {
      relay.awaitLine(line -> line.contains("\"receivers\":1"));
      pipe.write(film);
      pipe.close();

      assertThat(receiver.awaitEnd()).as(receiver.err()).isZero();
      assertThat(relay.awaitEnd()).as(relay.err()).isZero();
      assertThat(sender.awaitEnd()).as(sender.err()).isZero();
      // On a host that stands still, loss looks like that of a queue, which is not repaired.
      JsonNode last = receiver.objects().getLast();
      byte[] copy = folder.read("copy");
      assertThat(copy.length).isEqualTo(last.get("deliveredBytes").asInt());
      assertThat(copy.length).isGreaterThan(FILE_BYTES / 2);
      if (last.get("residual").asLong() == 0) {
        assertThat(copy).isEqualTo(film);
      }
      JsonDocument.assertDocumented("relay --stream", relay.objects());
    }
  }

  private String[] relay(ImpairedLink from) {
    String[] words = {"relay", "--stream", "--from", name(from.address()), "--json"};
    String[] listen = {"--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"};
    String[] browsers = {"--browsers", "127.0.0.1:0", "--state", path("relay")};
    return join(join(words, listen), browsers);
  }

  /** A packet whose length and bytes follow from its number. */
  private static byte[] packet(int number) {
    byte[] packet = new byte[1 + number * 131 % MAX_PACKET_BYTES];
    for (int i = 0; i < packet.length; i++) {
      packet[i] = (byte) (number * 31 + i);
    }
    return packet;
  }

  @Test
  void packetsOfUdpArriveAsTheyWere() throws Exception {
    Queue<byte[]> played = new ConcurrentLinkedQueue<>();
    DatagramSocket player = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0));
    try (DatagramSocket camera = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0));
        BackgroundRun sender =
            BackgroundRun.start(
                sender("udp://127.0.0.1:0", join(PATIENT, "--http", "127.0.0.1:0")))) {
      Thread playing = Thread.ofPlatform().start(() -> play(player, played));
      String ready = sender.awaitLine(line -> line.startsWith("sending udp://127.0.0.1:"));
      String[] words = ready.split(" ");
      assertThat(ready)
          .matches(
              "sending udp://127.0.0.1:\\d+ on 127.0.0.1:\\d+ and http://127.0.0.1:\\d+,"
                  + " fingerprint sha256:[0-9a-f]{64}");
      URI status = URI.create(words[5].replace(",", "/status"));
      String trusted = words[7];
      String sink = "udp://127.0.0.1:" + player.getLocalPort();
      try (BackgroundRun receiver =
          BackgroundRun.start(receiver(words[3], sink, "--json", "--trust", trusted))) {
        awaitReceiver(status);
        InetSocketAddress input = new InetSocketAddress(LOOPBACK, URI.create(words[1]).getPort());
        for (int number = 0; number < PACKETS; number++) {
          byte[] packet = packet(number);
          camera.send(new DatagramPacket(packet, packet.length, input));
          LockSupport.parkNanos(MILLI); // the sockets of the kernel hold few packets
        }
        BackgroundRun.await(() -> played.size() == PACKETS);
        int number = 0;
        for (byte[] packet : played) {
          assertThat(packet).as("packet %d", number).isEqualTo(packet(number++));
        }
        long bytes = played.stream().mapToLong(packet -> packet.length).sum();
        receiver.awaitLine(line -> line.contains("\"deliveredBytes\":%d,".formatted(bytes)));
        JsonNode line = receiver.objects().getLast();
        assertThat(line.get("dropped").asLong()).isZero();
        assertThat(line.get("late").asLong()).isZero();
      }
      sender.awaitLine(line ->
          line.matches("1 receiver, 300 packets( in \\d+ parts)?, \\d+ repairs, 0 skipped; .*"));
    } finally {
      player.close(); // ends the thread of the player
    }
  }

  private static void play(DatagramSocket player, Queue<byte[]> played) {
    DatagramPacket packet = new DatagramPacket(new byte[65_536], 65_536);
    try {
      while (true) {
        player.receive(packet);
        played.add(Arrays.copyOf(packet.getData(), packet.getLength()));
        packet.setLength(65_536);
      }
    } catch (SocketException e) {
      assertThat(player.isClosed()).isTrue();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void awaitReceiver(URI status) {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(status).build();
      BackgroundRun.await(() -> {
        try {
          String body = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
          return JsonMapper.shared().readTree(body).get("receivers").asInt() == 1;
        } catch (IOException | InterruptedException e) {
          throw new AssertionError(e);
        }
      });
    }
  }

  @Test
  void anEncryptedStreamNeedsItsKeyAndItsToken() throws Exception {
    byte[] file = folder.write("film", 30_000);
    folder.succeed("key", "encryption", "-o", "./key", "-q");
    Files.writeString(directory.resolve("token"), "secret\n");
    Files.writeString(directory.resolve("wrong"), "guess\n");
    String[] options = {"--encrypt", path("key"), "--token-file", path("token"), "--json"};
    try (BackgroundRun sender = BackgroundRun.start(sender(path("film"), join(PATIENT, options)))) {
      InetSocketAddress address = listening(sender.ready());
      String from = name(address);
      assertThat(failure(receiver(from, path("copy"), "--key", path("key"))))
          .isEqualTo("fieldstone: %s: the server needs a token (--token-file)\n".formatted(from));
      String[] wrong = {"--key", path("key"), "--token-file", path("wrong")};
      assertThat(failure(receiver(from, path("copy"), wrong)))
          .isEqualTo("fieldstone: %s: the token is not that of the server\n".formatted(from));
      try (BackgroundRun receiver =
          BackgroundRun.start(
              receiver(from, path("copy"), "--key", path("key"), "--token-file", path("token")))) {
        assertThat(receiver.awaitEnd()).as(receiver.err()).isZero();
      }
      assertThat(folder.read("copy")).isEqualTo(file);
      assertThat(sender.awaitEnd()).as(sender.err()).isZero();
    }
  }

  @Test
  void aWrongKeyIsNamed() throws Exception {
    folder.succeed("key", "encryption", "-o", "./key", "-q");
    folder.succeed("key", "encryption", "-o", "./other", "-q");
    String[] encrypt = {"--encrypt", path("key"), "--json"};
    try (BackgroundRun sender = BackgroundRun.start(sender("udp://127.0.0.1:0", encrypt))) {
      JsonNode ready = sender.ready();
      assertThat(ready.get("source").asString()).matches("udp://127\\.0\\.0\\.1:[1-9]\\d*");
      InetSocketAddress from = listening(ready);
      assertThat(failure(receiver(from, path("copy"))))
          .matches("fieldstone: the stream is encrypted: key [0-9a-f]{16} is needed\n");
      assertThat(failure(receiver(from, path("copy"), "--key", path("other"))))
          .matches(
              "fieldstone: the stream is encrypted with key [0-9a-f]{16}, not with key"
                  + " [0-9a-f]{16}\n");
    }
    try (BackgroundRun sender = BackgroundRun.start(sender("udp://127.0.0.1:0", "--json"))) {
      assertThat(failure(receiver(listening(sender.ready()), path("copy"), "--key", path("key"))))
          .isEqualTo("fieldstone: the stream is not encrypted, but a key is given\n");
    }
  }

  /** Runs a command that must fail, and returns its line. */
  private static String failure(String... words) {
    RunOf run = RunOf.fieldstone(words);
    assertThat(run.err()).startsWith("fieldstone: ").endsWith("\n").hasLineCount(1);
    assertThat(run.status()).isEqualTo(1);
    return run.err();
  }

  @Test
  void aPortInUseIsNamed() throws Exception {
    try (DatagramSocket other = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0));
        ServerSocket web = new ServerSocket(0, 1, LOOPBACK)) {
      String used = "127.0.0.1:" + other.getLocalPort();
      String[] listen = {"stream", "send", "-", "--listen", used, "--state", path("sender")};
      assertThat(failure(listen))
          .isEqualToIgnoringCase("fieldstone: address already in use: " + used + "\n");
      assertThat(failure(sender("udp://" + used)))
          .isEqualToIgnoringCase("fieldstone: address already in use: udp://" + used + "\n");
      String http = "127.0.0.1:" + web.getLocalPort();
      assertThat(failure(sender("-", "--http", http)))
          .isEqualToIgnoringCase("fieldstone: address already in use: " + http + " for HTTP\n");
      String[] relay = {"relay", "--stream", "--from", "127.0.0.1:9", "--state", path("relay")};
      assertThat(failure(join(relay, "--listen", used)))
          .isEqualToIgnoringCase("fieldstone: address already in use: " + used + "\n");
    }
  }

  @Test
  void filesThatCannotBeUsedAreNamed() throws Exception {
    assertThat(failure(sender(path("none"))))
        .isEqualTo("fieldstone: no such file or directory: " + path("none") + "\n");
    assertThat(failure(sender(directory.toString()))).contains(directory.toString());
    assertThat(failure(receiver("127.0.0.1:9", path("none/copy")))).contains(path("none"));
    assertThat(failure(receiver("127.0.0.1:9", path("copy"), "--key", path("none"))))
        .isEqualTo("fieldstone: no such file or directory: " + path("none") + "\n");
    assertThat(failure(sender("-", "--encrypt", path("none"))))
        .isEqualTo("fieldstone: no such file or directory: " + path("none") + "\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "stream | no command given; there are: send, receive",
        "stream play | no command 'play'; there are: send, receive",
        "stream send | 'SOURCE'",
        "stream send srt://a:1 | 'srt://a:1' has the scheme 'srt'; there is udp://HOST:PORT",
        "stream send udp://host | 'host' is not HOST:PORT with a port in 0…65535",
        "stream send - --deadline 0ms | time '0ms' is not in 1ms…60s",
        "stream send - --deadline 61s | time '61s' is not in 1ms…60s",
        "stream send - --deadline soon | 'soon' is not a time, such as 100ms or 1.5s",
        "stream send - --listen host:x | 'host:x' is not HOST:PORT",
        "stream receive -o - | '--from=HOST[:PORT]'",
        "stream receive --from a:1 | '--output=SINK'",
        "stream receive --from a:1 -o rtp://b:1 | 'rtp://b:1' has the scheme 'rtp'",
        "stream receive --from a:1 -o - --json | both write to standard output",
        "stream receive --from a:1 -o - --deadline 100 | '100' is not a time",
        "stream receive --from a:1 -o - --trust md5:0 | --trust: fingerprint 'md5:0'",
        "relay --stream --from a:1 --immediate | --immediate is for files; a stream never waits",
      })
  void aUsageErrorNamesTheValueAndItsBound(String line, String message) {
    RunOf run = RunOf.fieldstone(line.split(" "));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("fieldstone: ").contains(message).hasLineCount(2);
    assertThat(run.err().lines().toList().getLast()).matches("see 'fieldstone.* --help'");
  }
}
