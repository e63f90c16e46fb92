package io.fieldstone.cli.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqliteTest {

  @Test
  void aMissingLibraryIsNamed() {
    assertThatThrownBy(() -> SqliteCalls.load(List.of("libabsent.so.0", "libabsent.so")))
        .isInstanceOf(SqliteException.class)
        .hasMessageStartingWith(
            "GeoPackage needs the library SQLite, and libabsent.so.0 or libabsent.so is not"
                + " installed");
  }

  /** A library that is not SQLite stands for one that is too old. */
  @Test
  void aLibraryWithoutAFunctionIsNamedUnlessAnotherHasAll() throws SqliteException {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "libc.so.6 is that of Linux");
    assertThatThrownBy(() -> SqliteCalls.load(List.of("libc.so.6", "libabsent.so")))
        .isInstanceOf(SqliteException.class)
        .hasMessageStartingWith(
            "GeoPackage needs SQLite 3.36 or later: that of this system has no sqlite3_open_v2 (");
    assumeTrue(isPresent(), "SQLite is not installed");
    assertThat(SqliteCalls.load(List.of("libc.so.6", "libsqlite3.so.0"))).isNotNull();
  }

  @ParameterizedTest
  @CsvSource({
    "Linux, libsqlite3.so.0",
    "Mac OS X, /usr/lib/libsqlite3.dylib",
    "Windows 11, winsqlite3.dll"
  })
  void eachSystemHasItsName(String system, String library) {
    assertThat(SqliteCalls.librariesOn(system)).startsWith(library);
  }

  @Test
  void valuesAreReadAsTheyWereBound() throws SqliteException {
    assumeTrue(isPresent(), "SQLite is not installed");
    byte[] bytes;
    try (Sqlite database = Sqlite.create()) {
      database.run("CREATE TABLE t (a, b, c, d, e)");
      try (Sqlite.Statement row = database.prepare("INSERT INTO t VALUES (?, ?, ?, ?, ?)")) {
        row.bind(1, "a\0ä€");
        row.bind(2, new byte[] {1, 0, 2});
        row.bind(3, 1L << 60);
        row.bind(4, 0.1);
        row.bind(5, Double.NaN);
        assertThat(row.step()).isFalse();
        row.reset();
        row.bind(2, new byte[0]);
        assertThat(row.step()).isFalse();
      }
      bytes = database.toBytes();
    }
    assertThat(Sqlite.isDatabase(bytes)).isTrue();
    assertThat(Sqlite.isDatabase(Arrays.copyOf(bytes, 15))).isFalse();
    try (Sqlite database = Sqlite.read(bytes);
        Sqlite.Statement row = database.prepare("SELECT * FROM t ORDER BY rowid")) {
      assertThat(row.step()).isTrue();
      assertThat(row.text(0)).isEqualTo("a\0ä€");
      assertThat(row.blob(1)).containsExactly(1, 0, 2);
      assertThat(row.text(2)).isEqualTo("1152921504606846976");
      assertThat(row.number(3)).isEqualTo(0.1);
      assertThat(row.isNull(4)).isTrue();
      assertThat(row.text(4)).isEmpty();
      assertThat(row.step()).isTrue();
      assertThat(row.blob(1)).isEmpty();
      assertThat(row.step()).isFalse();
      assertThatThrownBy(() -> database.run("INSERT INTO t VALUES (1, 2, 3, 4, 5)"))
          .isInstanceOf(SqliteException.class)
          .hasMessageContaining("readonly");
      assertThatThrownBy(() -> database.run("SELECT * FROM absent"))
          .hasMessageContaining("no such table: absent");
    }
  }

  private static boolean isPresent() {
    try (Sqlite database = Sqlite.create()) {
      database.run("SELECT 1");
      return true;
    } catch (SqliteException _) {
      return false;
    }
  }
}
