package io.fieldstone.cli.sqlite;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The functions of the system's SQLite by their names without {@code sqlite3_}, as <a
 * href="https://sqlite.org/c3ref/funclist.html">its documentation</a> has them. Immutable and
 * thread-safe.
 */
final class SqliteCalls {

  private static final String REMEDY =
      "Debian, Ubuntu: apt install libsqlite3-0; macOS: brew install sqlite; Windows: sqlite3.dll"
          + " of sqlite.org in a folder of the PATH";

  private final MethodHandle open;
  private final MethodHandle close;
  private final MethodHandle deserialize;
  private final MethodHandle serialize;
  private final MethodHandle free;
  private final MethodHandle limit;
  private final MethodHandle prepare;
  private final MethodHandle step;
  private final MethodHandle reset;
  private final MethodHandle finish;
  private final MethodHandle bindText;
  private final MethodHandle bindBlob;
  private final MethodHandle bindLong;
  private final MethodHandle bindDouble;
  private final MethodHandle bindNull;
  private final MethodHandle columnType;
  private final MethodHandle columnDouble;
  private final MethodHandle columnText;
  private final MethodHandle columnBlob;
  private final MethodHandle columnBytes;
  private final MethodHandle message;

  private SqliteCalls(SymbolLookup library) throws SqliteException {
    this.open = function(library, "open_v2", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, ADDRESS);
    this.close = function(library, "close_v2", JAVA_INT, ADDRESS);
    this.deserialize =
        function(
            library,
            "deserialize",
            JAVA_INT,
            ADDRESS,
            ADDRESS,
            ADDRESS,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_INT);
    this.serialize = function(library, "serialize", ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_INT);
    this.free = procedure(library, "free", ADDRESS);
    this.limit = function(library, "limit", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    this.prepare =
        function(library, "prepare_v2", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS);
    this.step = function(library, "step", JAVA_INT, ADDRESS);
    this.reset = function(library, "reset", JAVA_INT, ADDRESS);
    this.finish = function(library, "finalize", JAVA_INT, ADDRESS);
    this.bindText =
        function(library, "bind_text", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
    this.bindBlob =
        function(library, "bind_blob", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
    this.bindLong = function(library, "bind_int64", JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG);
    this.bindDouble = function(library, "bind_double", JAVA_INT, ADDRESS, JAVA_INT, JAVA_DOUBLE);
    this.bindNull = function(library, "bind_null", JAVA_INT, ADDRESS, JAVA_INT);
    this.columnType = function(library, "column_type", JAVA_INT, ADDRESS, JAVA_INT);
    this.columnDouble = function(library, "column_double", JAVA_DOUBLE, ADDRESS, JAVA_INT);
    this.columnText = function(library, "column_text", ADDRESS, ADDRESS, JAVA_INT);
    this.columnBlob = function(library, "column_blob", ADDRESS, ADDRESS, JAVA_INT);
    this.columnBytes = function(library, "column_bytes", JAVA_INT, ADDRESS, JAVA_INT);
    this.message = function(library, "errmsg", ADDRESS, ADDRESS);
  }

  /** Loads the library of this system. */
  static SqliteCalls load() throws SqliteException {
    return load(librariesOn(System.getProperty("os.name", "")));
  }

  /** Loads the first of some libraries that is there and has all functions. */
  static SqliteCalls load(List<String> names) throws SqliteException {
    Optional<SqliteException> tooOld = Optional.empty();
    for (String name : names) {
      try {
        return new SqliteCalls(SymbolLookup.libraryLookup(name, Arena.global()));
      } catch (IllegalArgumentException _) {
        // The next one may be there.
      } catch (SqliteException thrown) {
        tooOld = tooOld.or(() -> Optional.of(thrown));
      } catch (IllegalCallerException _) {
        throw new SqliteException(
            "this JVM forbids native access (--enable-native-access=ALL-UNNAMED allows it)");
      }
    }
    throw tooOld.orElseGet(() ->
        new SqliteException(
            "GeoPackage needs the library SQLite, and %s is not installed (%s)"
                .formatted(String.join(" or ", names), REMEDY)));
  }

  /**
   * Returns the names of SQLite on an operating system. Windows and macOS come with the first of
   * them, which may be too old; the others are what a user installs.
   */
  static List<String> librariesOn(String operatingSystem) {
    String system = operatingSystem.toLowerCase(Locale.ROOT);
    if (system.startsWith("windows")) {
      return List.of("winsqlite3.dll", "sqlite3.dll");
    }
    return system.startsWith("mac")
        ? List.of(
            "/usr/lib/libsqlite3.dylib",
            "/opt/homebrew/opt/sqlite/lib/libsqlite3.dylib",
            "/usr/local/opt/sqlite/lib/libsqlite3.dylib")
        : List.of("libsqlite3.so.0", "libsqlite3.so");
  }

  private static MethodHandle function(
      SymbolLookup library, String name, MemoryLayout result, MemoryLayout... parameters)
      throws SqliteException {
    return Linker.nativeLinker()
        .downcallHandle(address(library, name), FunctionDescriptor.of(result, parameters));
  }

  private static MethodHandle procedure(
      SymbolLookup library, String name, MemoryLayout... parameters) throws SqliteException {
    return Linker.nativeLinker()
        .downcallHandle(address(library, name), FunctionDescriptor.ofVoid(parameters));
  }

  private static MemorySegment address(SymbolLookup library, String name) throws SqliteException {
    String symbol = "sqlite3_" + name;
    return library
        .find(symbol)
        .orElseThrow(() ->
            new SqliteException(
                "GeoPackage needs SQLite 3.36 or later: that of this system has no %s (%s)"
                    .formatted(symbol, REMEDY)));
  }

  int open(MemorySegment file, MemorySegment database, int flags) {
    try {
      return (int) open.invokeExact(file, database, flags, MemorySegment.NULL);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int close(MemorySegment database) {
    return code(close, database);
  }

  int deserialize(
      MemorySegment database, MemorySegment schema, MemorySegment bytes, long length, int flags) {
    try {
      return (int) deserialize.invokeExact(database, schema, bytes, length, length, flags);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  MemorySegment serialize(MemorySegment database, MemorySegment schema, MemorySegment length) {
    try {
      return (MemorySegment) serialize.invokeExact(database, schema, length, 0);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  void free(MemorySegment memory) {
    try {
      free.invokeExact(memory);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int limit(MemorySegment database, int kind, int value) {
    try {
      return (int) limit.invokeExact(database, kind, value);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int prepare(MemorySegment database, MemorySegment sql, MemorySegment statement) {
    try {
      return (int) prepare.invokeExact(database, sql, -1, statement, MemorySegment.NULL);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int step(MemorySegment statement) {
    return code(step, statement);
  }

  int reset(MemorySegment statement) {
    return code(reset, statement);
  }

  int finish(MemorySegment statement) {
    return code(finish, statement);
  }

  int bindText(MemorySegment statement, int parameter, MemorySegment text) {
    return bind(bindText, statement, parameter, text);
  }

  int bindBlob(MemorySegment statement, int parameter, MemorySegment bytes) {
    return bind(bindBlob, statement, parameter, bytes);
  }

  private static int bind(
      MethodHandle function, MemorySegment statement, int parameter, MemorySegment bytes) {
    // SQLITE_TRANSIENT: SQLite copies the bytes.
    MemorySegment copies = MemorySegment.ofAddress(-1);
    try {
      return (int)
          function.invokeExact(statement, parameter, bytes, (int) bytes.byteSize(), copies);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int bindLong(MemorySegment statement, int parameter, long value) {
    try {
      return (int) bindLong.invokeExact(statement, parameter, value);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int bindDouble(MemorySegment statement, int parameter, double value) {
    try {
      return (int) bindDouble.invokeExact(statement, parameter, value);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int bindNull(MemorySegment statement, int parameter) {
    return code(bindNull, statement, parameter);
  }

  int columnType(MemorySegment statement, int column) {
    return code(columnType, statement, column);
  }

  double columnDouble(MemorySegment statement, int column) {
    try {
      return (double) columnDouble.invokeExact(statement, column);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  MemorySegment columnText(MemorySegment statement, int column) {
    return pointer(columnText, statement, column);
  }

  MemorySegment columnBlob(MemorySegment statement, int column) {
    return pointer(columnBlob, statement, column);
  }

  int columnBytes(MemorySegment statement, int column) {
    return code(columnBytes, statement, column);
  }

  MemorySegment message(MemorySegment database) {
    try {
      return (MemorySegment) message.invokeExact(database);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  private static int code(MethodHandle function, MemorySegment object) {
    try {
      return (int) function.invokeExact(object);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  private static int code(MethodHandle function, MemorySegment object, int number) {
    try {
      return (int) function.invokeExact(object, number);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  private static MemorySegment pointer(MethodHandle function, MemorySegment object, int number) {
    try {
      return (MemorySegment) function.invokeExact(object, number);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  private static IllegalStateException unexpected(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(thrown);
  }
}
