package io.fieldstone.crc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CrcCatalogueTest {

  private static final byte[] DIGITS = "123456789".getBytes(StandardCharsets.US_ASCII);

  private static final Engine ENGINE = Engine.open("cpu");

  static List<CrcCatalogue.Entry> entries() {
    return CrcCatalogue.entries();
  }

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  @Test
  void isWhole() {
    Set<String> names = new HashSet<>();
    for (CrcCatalogue.Entry entry : entries()) {
      names.add(entry.model().name());
      names.addAll(entry.aliases());
    }
    assertThat(entries()).hasSize(113);
    assertThat(names).hasSize(113 + 74);
  }

  @ParameterizedTest
  @MethodSource("entries")
  void givesThePublishedCheckAndResidueByEveryMethod(CrcCatalogue.Entry entry) {
    CrcModel model = entry.model();
    assertThat(model.check()).isEqualTo(entry.check());
    assertThat(model.residue()).isEqualTo(entry.residue());
    assertThat(Crc.of(model).hash(DIGITS)).isEqualTo(entry.check());
    assertThat(Crc.of(model, ENGINE).hash(DIGITS)).isEqualTo(entry.check());
    for (String method : Crc.methods(model, ENGINE)) {
      Crc crc = Crc.of(model, ENGINE, method);
      assertThat(crc.method()).isEqualTo(method);
      assertThat(crc.hash(DIGITS)).as(method).isEqualTo(entry.check());
      crc.update(DIGITS, 0, 4);
      crc.update(DIGITS, 4, 5);
      assertThat(crc.value()).as(method).isEqualTo(entry.check());
    }
  }

  @ParameterizedTest
  @MethodSource("entries")
  void findsNamesAndAliasesInEitherCase(CrcCatalogue.Entry entry) {
    assertThat(CrcCatalogue.model(entry.model().name())).isEqualTo(entry.model());
    for (String alias : entry.aliases()) {
      assertThat(CrcCatalogue.model(alias.toLowerCase(Locale.ROOT))).isEqualTo(entry.model());
      assertThat(CrcCatalogue.find(alias.toUpperCase(Locale.ROOT))).contains(entry);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "crc32, CRC-32/ISO-HDLC",
    "CRC32C, CRC-32/ISCSI",
    "crc64xz, CRC-64/XZ",
    "crc_16-xmodem, CRC-16/XMODEM",
    "Crc 24 ble, CRC-24/BLE",
  })
  void findsNamesWithoutPunctuation(String name, String found) {
    assertThat(CrcCatalogue.model(name).name()).isEqualTo(found);
  }

  /** No two entries have names of the same letters and digits: each name leads to its own entry. */
  @Test
  void findsEachNameWithoutItsPunctuation() {
    for (CrcCatalogue.Entry entry : entries()) {
      for (String name : entry.aliases()) {
        assertThat(CrcCatalogue.model(name.replaceAll("[^A-Za-z0-9]", "")))
            .as(name)
            .isEqualTo(entry.model());
      }
      String bare = entry.model().name().replaceAll("[^A-Za-z0-9]", "");
      assertThat(CrcCatalogue.model(bare)).isEqualTo(entry.model());
    }
    assertThat(CrcCatalogue.find("-/ ")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "CRC-32/ISCSJ, CRC-32/ISCSI",
    "CRC-32/ISO-HDLX, CRC-32/ISO-HDLC",
    "kermitt, KERMIT",
    "CRC-64/XYZ, CRC-64/XZ"
  })
  void suggestsTheNearestName(String wrong, String near) {
    assertThat(CrcCatalogue.find(wrong)).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CrcCatalogue.model(wrong))
        .withMessageContaining("'" + wrong + "'")
        .withMessageContaining(near);
  }
}
