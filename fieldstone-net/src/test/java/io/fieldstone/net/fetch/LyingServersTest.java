package io.fieldstone.net.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.field.Gf256;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.Listener;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.net.session.MalformedMessageException;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.MessageCodec;
import io.fieldstone.net.trust.Identity;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.object.MemoryObject;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers that announce what they cannot have, or send wrong hashes of blocks. */
@Timeout(180)
class LyingServersTest {

  private static final int GENERATION = 64 * ServerSettings.DEFAULT_BLOCK_SIZE;

  @TempDir Path folder;
  @AutoClose private Loopback net;
  @AutoClose private QuicCarrier carrier;
  private GenerationHashes object;

  @BeforeEach
  void open() throws Exception {
    net = new Loopback(folder);
    carrier =
        QuicCarrier.open(Loopback.PATIENT, Identity.open(folder.resolve("liar"), Instant.now()));
    Path file = net.write("files/a.bin", 20 * GENERATION);
    object =
        MemoryObject.of(
                ServerSettings.DEFAULT_SHAPE, MemorySegment.ofArray(Files.readAllBytes(file)))
            .hashes();
  }

  private InetSocketAddress listen(Function<Connection, ConnectionHandler> handler)
      throws IOException {
    Listener listener = carrier.listen(new InetSocketAddress("127.0.0.1", 0), handler::apply);
    return Loopback.at(listener.localAddress().getPort());
  }

  /** A server that announces an object, and counts the requests for its hashes. */
  private static class Announcing extends MuteServer {
    private final ObjectManifest announced;
    private final AtomicInteger requests;

    Announcing(
        Connection connection,
        GenerationHashes object,
        ObjectManifest announced,
        AtomicInteger requests) {
      super(connection, object);
      this.announced = announced;
      this.requests = requests;
    }

    @Override
    public void control(MemorySegment bytes) {
      try {
        Message message = MessageCodec.parse(bytes);
        switch (message) {
          case Message.Find find -> {
            send(
                new Message.Found(
                    List.of(new CatalogueEntry(find.query(), announced.length(), announced.id()))));
            send(new Message.Opened(0, announced, 1));
            received(message);
          }
          case Message.HashesRequest _ -> {
            requests.incrementAndGet();
            received(message);
          }
          default -> super.control(bytes);
        }
      } catch (MalformedMessageException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static ObjectManifest announced(int blocks, int blockSize, long generations) {
    GenerationShape shape =
        new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), blocks, blockSize);
    return new ObjectManifest(
        shape, generations * shape.bytes(), Optional.empty(), new Sha256(1, 2, 3, 4));
  }

  @Test
  void hashesThatDoNotFitInMemoryAreNotAskedFor() throws Exception {
    AtomicInteger requests = new AtomicInteger();
    ObjectManifest huge = announced(1, 1, ObjectManifest.MAX_GENERATIONS);
    InetSocketAddress server =
        listen(connection -> new Announcing(connection, object, huge, requests));

    assertThatThrownBy(() ->
            net.fetch(net.settings("a.bin", List.of(server)), FetchListener.NONE)
                .toFile(folder.resolve("never")))
        .isInstanceOf(FetchFailedException.class)
        .hasMessage(
            "'a.bin' has 16777216 generations, whose hashes need 536870912 bytes; --memory is"
                + " 67108864");
    assertThat(requests).hasValue(0);
  }

  /** It has 2^45 bytes, none of them in generations of zeros by the hashes that it sends. */
  @Test
  void aFileThatDoesNotFitTheDiskIsNotBegun() throws Exception {
    List<Sha256> hashes = Collections.nCopies(1 << 20, new Sha256(1, 2, 3, 4));
    ObjectManifest huge =
        new ObjectManifest(
            new GenerationShape(
                Gf256.DEFAULT, new Code.Systematic(), GenerationShape.MAX_BLOCKS, 8192),
            1L << 45,
            Optional.empty(),
            new HashTree().object(hashes));
    AtomicInteger requests = new AtomicInteger();
    AtomicInteger reports = new AtomicInteger();
    InetSocketAddress server =
        listen(connection ->
            new Announcing(connection, object, huge, requests) {
              @Override
              protected void received(Message message) {
                switch (message) {
                  case Message.Find _ -> send(new Message.Hashes(0, 0, hashes.subList(0, 512)));
                  case Message.HashesRequest(int alias, int first, int count) ->
                      send(new Message.Hashes(alias, first, hashes.subList(first, first + count)));
                  default -> {}
                }
              }

              @Override
              public void datagram(MemorySegment report) {
                reports.incrementAndGet();
              }
            });
    Path output = folder.resolve("never");

    assertThatThrownBy(() ->
            net.fetch(net.settings("a.bin", List.of(server)), FetchListener.NONE).toFile(output))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(folder + ": " + huge.length() + " bytes are needed, ");
    assertThat(requests).hasPositiveValue();
    assertThat(reports).hasValue(0);
    assertThat(PartFile.partOf(output)).doesNotExist();
  }

  private ConnectionHandler withWrongLeaves(Connection connection) {
    return new MuteServer(connection, object) {
      @Override
      protected void received(Message message) {
        if (message instanceof Message.LeavesRequest(int alias, int generation)) {
          send(
              new Message.Leaves(
                  alias, generation, 0, Collections.nCopies(64, new Sha256(1, 2, 3, 4))));
        }
      }
    };
  }

  @Test
  void aServerWithWrongHashesOfBlocksIsNamedAndLeft() throws Exception {
    InetSocketAddress liar = listen(this::withWrongLeaves);

    assertThatThrownBy(() ->
            net.fetch(net.settings("a.bin", List.of(liar)), FetchListener.NONE)
                .toStream(new ByteArrayOutputStream(), "stream"))
        .isInstanceOf(FetchFailedException.class)
        .hasMessageMatching(
            "cannot fetch a.bin: 127.0.0.1:%d: it sent hashes that are not those of the blocks of"
                    .formatted(liar.getPort())
                + " generation \\d+");
  }

  @Test
  void anotherServerIsAskedForThem() throws Exception {
    InetSocketAddress liar = listen(this::withWrongLeaves);
    Path file = folder.resolve("files/a.bin");
    Server server = net.serve("server", file);
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    net.fetch(
            net.settings("a.bin", List.of(liar, Loopback.at(server)))
                .withPatience(300 * Loopback.SECOND, 50 * Loopback.SECOND),
            FetchListener.NONE)
        .toStream(out, "stream");

    assertThat(out.toByteArray()).isEqualTo(Files.readAllBytes(file));
  }

  /** It was late, so that it was asked twice. The receiver does not take the first answer yet. */
  @Test
  void aServerMayAnswerTwice() throws Exception {
    byte[] content = Files.readAllBytes(folder.resolve("files/a.bin"));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    InetSocketAddress twice =
        listen(connection ->
            new MuteServer(connection, object) {
              @Override
              protected void received(Message message) {
                if (message instanceof Message.LeavesRequest(int alias, int generation)) {
                  for (int i = 0; i < 2; i++) {
                    send(new Message.Leaves(alias, generation, 0, leaves(content, generation)));
                  }
                }
              }
            });
    Server server = net.serve("server", folder.resolve("files/a.bin"));
    FetchSettings settings =
        net.settings("a.bin", List.of(twice, Loopback.at(server)))
            .withPatience(300 * Loopback.SECOND, 50 * Loopback.SECOND);

    FetchResult result = net.fetch(settings, FetchListener.NONE).toStream(out, "stream");

    assertThat(out.toByteArray()).isEqualTo(content);
    assertThat(result.sources().getFirst().problem()).isEmpty();
  }

  private static List<Sha256> leaves(byte[] content, int generation) {
    GenerationShape shape = ServerSettings.DEFAULT_SHAPE;
    MemorySegment bytes =
        MemorySegment.ofArray(content).asSlice(generation * shape.bytes(), shape.bytes());
    return bytes
        .elements(MemoryLayout.sequenceLayout(shape.blockSize(), ValueLayout.JAVA_BYTE))
        .map(new HashTree()::leaf)
        .toList();
  }
}
