package io.fieldstone.net.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.stream.ProgressListener;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogueTest {

  private static final GenerationShape SHAPE =
      new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 4, 10);

  @TempDir Path folder;

  private Catalogue scanned(Path... paths) throws Exception {
    Catalogue catalogue = new Catalogue(List.of(paths), SHAPE, 3, Optional.empty());
    catalogue.scan(ProgressListener.NONE);
    return catalogue;
  }

  @Test
  void hashesByGenerations() throws Exception {
    byte[] bytes = new byte[95];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    Path file = Files.write(folder.resolve("a"), bytes);
    List<Long> progress = new ArrayList<>();
    try (Catalogue catalogue = new Catalogue(List.of(file), SHAPE, 3, Optional.empty())) {
      catalogue.scan((done, total) -> progress.add(total - done));

      Offer offer = catalogue.offer(catalogue.entries().getFirst().id()).orElseThrow();
      assertThat(offer.manifest().generations()).isEqualTo(3);
      byte[] last = new byte[20];
      System.arraycopy(bytes, 80, last, 0, 15);
      assertThat(offer.hashes().get(2))
          .isEqualTo(new HashTree().generation(MemorySegment.ofArray(last), 10));
      assertThat(new HashTree().object(offer.hashes())).isEqualTo(offer.manifest().root());
      MemorySegment read = MemorySegment.ofArray(new byte[20]);
      read.fill((byte) 9);
      offer.read(2, read);
      assertThat(read.mismatch(MemorySegment.ofArray(last))).isEqualTo(-1);
      assertThat(progress).isSortedAccordingTo((x, y) -> Long.compare(y, x)).endsWith(0L);
    }
  }

  @Test
  void theFirstOfTwoEqualNamesCounts() throws Exception {
    Path one = Files.write(Files.createDirectory(folder.resolve("one")).resolve("a"), new byte[1]);
    Path two = Files.write(Files.createDirectory(folder.resolve("two")).resolve("a"), new byte[2]);
    try (Catalogue catalogue = scanned(one.getParent(), two.getParent());
        Catalogue reversed = scanned(two, one)) {
      assertThat(catalogue.entries()).extracting(CatalogueEntry::length).containsExactly(1L);
      assertThat(reversed.entries()).extracting(CatalogueEntry::length).containsExactly(2L);
    }
  }

  @Test
  void noticesChanges() throws Exception {
    Path file = Files.write(folder.resolve("a"), new byte[50]);
    try (Catalogue catalogue = scanned(folder)) {
      Offer before = catalogue.offer(catalogue.entries().getFirst().id()).orElseThrow();
      assertThat(catalogue.rescan()).isFalse();

      Files.write(file, new byte[51]);
      assertThatThrownBy(() -> before.read(0, MemorySegment.ofArray(new byte[40])))
          .isInstanceOf(FileChangedException.class)
          .hasMessage(file + " has changed since it was hashed");
      assertThat(before.isEnded()).isTrue();
      assertThat(catalogue.rescan()).isTrue();
      assertThat(catalogue.entries()).extracting(CatalogueEntry::length).containsExactly(51L);
      assertThat(catalogue.offer(before.entry().id())).isEmpty();

      Files.delete(file);
      assertThat(catalogue.rescan()).isTrue();
      assertThat(catalogue.entries()).isEmpty();
    }
  }

  @Test
  void findsNamesBeforeIds() throws Exception {
    Path file = Files.write(folder.resolve("deadbeef"), new byte[50]);
    try (Catalogue catalogue = scanned(file)) {
      CatalogueEntry entry = catalogue.entries().getFirst();
      String id = entry.id().toString();
      assertThat(catalogue.find("deadbeef")).containsExactly(entry);
      assertThat(catalogue.find(id.toUpperCase(java.util.Locale.ROOT))).containsExactly(entry);
      assertThat(catalogue.find(id.substring(0, 8))).containsExactly(entry);
      assertThat(catalogue.find(id.substring(0, 7))).isEmpty();
      assertThat(catalogue.find("other")).isEmpty();
    }
  }

  @Test
  void aMissingPathIsAnError() {
    assertThatThrownBy(() -> scanned(folder.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
  }
}
