package io.fieldstone.relays.terrain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HgtFileTest {

  private static byte[] bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(2 * 1201 * 1201);
    bytes.putShort(0, (short) 258);
    bytes.putShort(2, Short.MIN_VALUE);
    bytes.putShort(2 * 1201 * 1201 - 2, (short) -7);
    return bytes.array();
  }

  @Test
  void packedOrNotTilesAreTheSame() throws Exception {
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(gzip)) {
      out.write(bytes());
    }
    ByteArrayOutputStream archive = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(archive, StandardCharsets.UTF_8)) {
      zip.putNextEntry(new ZipEntry("readme.txt"));
      zip.putNextEntry(new ZipEntry("S03W070.hgt"));
      zip.write(bytes());
    }
    for (Tile tile :
        new Tile[] {
          HgtFile.parse(Path.of("S03W070.hgt"), bytes()),
          HgtFile.parse(Path.of("s03w070.hgt.gz"), gzip.toByteArray()),
          HgtFile.parse(Path.of("S03W070.SRTMGL3.hgt.zip"), archive.toByteArray())
        }) {
      assertThat(tile.north()).isEqualTo(-2);
      assertThat(tile.west()).isEqualTo(-70);
      assertThat(tile.rows()).isEqualTo(1201);
      assertThat(tile.south()).isEqualTo(-3);
      assertThat(tile.heights()[0]).isEqualTo(258);
      assertThat(tile.heights()[1]).isNaN();
      assertThat(tile.heights()[1201 * 1201 - 1]).isEqualTo(-7);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hills.hgt | the name has no corner such as N50E007.hgt: hills.hgt",
        "N95E007.hgt | the corner in the name is not on the earth: N95E007.hgt",
        "N50E007.hgt | 12 bytes are no heights of 1201×1201 (2,884,802 bytes)",
        "N50E007.hgt.gz | damaged archive: ",
        "N50E007.hgt.zip | damaged archive: no .hgt in the archive: N50E007.hgt.zip"
      })
  void malformedFilesAreNamed(String name, String message) {
    assertThatThrownBy(() -> HgtFile.parse(Path.of(name), new byte[12]))
        .isInstanceOf(MalformedTerrainException.class)
        .hasMessageStartingWith(message);
  }
}
