package io.fieldstone.net.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.net.catalogue.Catalogue;
import io.fieldstone.net.endpoint.OfferOptions;
import io.fieldstone.net.peers.AccessToken;
import io.fieldstone.net.session.OpenObject;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.object.GenerationCache;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.ProgressListener;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class FileShelfTest {

  private static final InetSocketAddress CLIENT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

  private static final OfferOptions OPTIONS =
      OfferOptions.of(new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 4, 10));

  @TempDir Path folder;

  @Test
  void clientsShareTheLeavesOfAGeneration() throws Exception {
    Path file = Files.write(folder.resolve("a"), new byte[120]);
    try (Engine engine = Engine.open("cpu");
        ExecutorService loop = Executors.newSingleThreadExecutor();
        FileReaders readers = new FileReaders();
        GenerationCache cache = new GenerationCache(engine, 1 << 20);
        Catalogue catalogue = new Catalogue(List.of(file), OPTIONS, 1, Optional.empty())) {
      catalogue.scan(ProgressListener.NONE);
      FileShelf shelf =
          new FileShelf(
              new StartProgress(),
              catalogue,
              cache,
              new AccessToken(""),
              new Random(1),
              readers,
              loop);
      loop.submit(
              () -> {
                Sha256 id = catalogue.entries().getFirst().id();
                OpenObject one = shelf.open(id, CLIENT).getNow(null);
                OpenObject other = shelf.open(id, CLIENT).getNow(null);
                CompletableFuture<List<Sha256>> first = one.leaves(0);
                assertThat(other.leaves(0)).isSameAs(first);
                assertThat(one.leaves(1)).isNotSameAs(first);
                return List.of(first, one.leaves(1));
              })
          .get()
          .forEach(leaves ->
              assertThat(new HashTree().generation(leaves.orTimeout(60, TimeUnit.SECONDS).join()))
                  .isEqualTo(hashOfAGeneration(catalogue)));
    }
  }

  /** All generations of the file are equal. */
  private static Sha256 hashOfAGeneration(Catalogue catalogue) {
    return catalogue.offer(catalogue.entries().getFirst().id()).orElseThrow().hashes().getFirst();
  }

  @Test
  void leavesThatCannotBeReadAreReadAgain() throws Exception {
    Path file = Files.write(folder.resolve("a"), new byte[120]);
    try (Engine engine = Engine.open("cpu");
        ExecutorService loop = Executors.newSingleThreadExecutor();
        FileReaders readers = new FileReaders();
        GenerationCache cache = new GenerationCache(engine, 1 << 20);
        Catalogue catalogue = new Catalogue(List.of(file), OPTIONS, 1, Optional.empty())) {
      catalogue.scan(ProgressListener.NONE);
      FileShelf shelf =
          new FileShelf(
              new StartProgress(),
              catalogue,
              cache,
              new AccessToken(""),
              new Random(1),
              readers,
              loop);
      OpenObject object =
          loop.submit(() -> shelf.open(catalogue.entries().getFirst().id(), CLIENT).getNow(null))
              .get();
      Files.delete(file);
      CompletableFuture<List<Sha256>> failed = loop.submit(() -> object.leaves(0)).get();
      assertThat(failed).failsWithin(30, TimeUnit.SECONDS);
      assertThat(loop.submit(() -> object.leaves(0)).get()).isNotSameAs(failed);
    }
  }
}
