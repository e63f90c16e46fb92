package io.fieldstone.net.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.field.Gf256;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.Listener;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.session.MalformedMessageException;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.MessageCodec;
import io.fieldstone.net.trust.Identity;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.object.MemoryObject;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Fetches from two servers, one of which sends no hashes or wrong ones. */
@Timeout(180)
class HashesOfSeveralServersTest {

  private static final GenerationShape SHAPE =
      new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 4, 16);
  private static final int GENERATIONS = Message.FIRST_HASHES + 100;

  @TempDir Path folder;
  @AutoClose private Loopback net;

  private final byte[] content = new byte[(int) SHAPE.bytes() * GENERATIONS];

  @BeforeEach
  void open() {
    net = new Loopback(folder);
    new SplittableRandom(1).nextBytes(content);
  }

  /** Opens the object, and sends the hashes that a function makes of the right ones. */
  private static final class Hashes extends MuteServer {
    private final GenerationHashes object;
    private final UnaryOperator<List<Sha256>> change;

    Hashes(Connection connection, GenerationHashes object, UnaryOperator<List<Sha256>> change) {
      super(connection, object);
      this.object = object;
      this.change = change;
    }

    private void send(int first, int count) {
      List<Sha256> sent = change.apply(object.all().subList(first, first + count));
      if (!sent.isEmpty()) {
        send(new Message.Hashes(0, first, sent));
      }
    }

    @Override
    public void control(MemorySegment bytes) {
      try {
        switch (MessageCodec.parse(bytes)) {
          case Message.Find find -> {
            send(
                new Message.Found(
                    List.of(
                        new CatalogueEntry(
                            find.query(), object.manifest().length(), object.manifest().id()))));
            send(new Message.Opened(0, object.manifest(), 1));
            send(0, Message.FIRST_HASHES);
          }
          case Message.HashesRequest request -> send(request.first(), request.count());
          case Message.Hello _ -> super.control(bytes);
          default -> {}
        }
      } catch (MalformedMessageException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** Fetches from an honest server, and from one that comes before it. */
  private FetchResult fetch(UnaryOperator<List<Sha256>> change) throws Exception {
    GenerationHashes object = MemoryObject.of(SHAPE, MemorySegment.ofArray(content)).hashes();
    Function<Sha256, List<CatalogueEntry>> entries =
        id -> List.of(new CatalogueEntry("a.bin", content.length, id));
    Identity identity = Identity.open(folder.resolve("other"), Instant.now());
    try (CraftedServer honest =
            new CraftedServer(
                folder.resolve("honest"), net.engine, SHAPE, content, Optional.empty(), entries);
        QuicCarrier carrier = QuicCarrier.open(Loopback.PATIENT, identity);
        Listener other =
            carrier.listen(
                new InetSocketAddress("127.0.0.1", 0),
                connection -> new Hashes(connection, object, change))) {
      List<InetSocketAddress> addresses =
          List.of(Loopback.at(other.localAddress().getPort()), honest.address());
      // It is not the time without answers that ends the wait.
      FetchSettings settings =
          net.settings("a.bin", addresses)
              .withPatience(300 * Loopback.SECOND, 20 * Loopback.SECOND);
      Path output = folder.resolve("a.bin");
      FetchResult result = net.fetch(settings, FetchListener.NONE).toFile(output);
      assertThat(Files.readAllBytes(output)).isEqualTo(content);
      return result;
    }
  }

  @Test
  void aServerThatSendsNoHashesDelaysNobody() throws Exception {
    assertThat(fetch(_ -> List.of()).sources().getFirst().problem()).isEmpty();
  }

  @Test
  void aServerOfWrongHashesIsLeft() throws Exception {
    FetchResult result = fetch(right -> right.stream().map(_ -> new Sha256(1, 2, 3, 4)).toList());
    assertThat(result.sources().getFirst().blocks()).isZero();
    assertThat(result.sources().getLast().problem()).isEmpty();
  }
}
