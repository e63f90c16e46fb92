package io.fieldstone.cli.sqlite;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A database in memory, by the SQLite of the system. For one thread, which closes it.
 *
 * <p>A database from elsewhere is read-only, and its schema is not trusted, as <a
 * href="https://sqlite.org/security.html">SQLite</a> advises.
 */
public final class Sqlite implements AutoCloseable {

  private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);

  /** The bytes of the header with the version of writing and of reading: 2 is with a log. */
  private static final int WRITE_VERSION = 18;

  private static final int READ_VERSION = 19;

  private static final int OK = 0;
  private static final int ROW = 100;
  private static final int DONE = 101;
  private static final int READ_WRITE_CREATE_MEMORY = 0x2 | 0x4 | 0x80;
  private static final int DESERIALIZE_READ_ONLY = 4;

  /** SQLITE_LIMIT_LENGTH: the longest text or blob. */
  private static final int LENGTH = 0;

  private static final int MAX_LENGTH = 1 << 24;

  private final SqliteCalls calls;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment schema = arena.allocateFrom("main");
  private final MemorySegment database;

  private Sqlite(SqliteCalls calls) throws SqliteException {
    this.calls = calls;
    MemorySegment pointer = arena.allocate(ADDRESS);
    int code = calls.open(arena.allocateFrom(":memory:"), pointer, READ_WRITE_CREATE_MEMORY);
    this.database = pointer.get(ADDRESS, 0);
    if (code != OK) {
      calls.close(database);
      arena.close();
      throw new SqliteException("SQLite does not open a database: error " + code);
    }
    calls.limit(database, LENGTH, MAX_LENGTH);
  }

  /** Returns whether bytes begin as a database. */
  public static boolean isDatabase(byte[] bytes) {
    return bytes.length >= MAGIC.length
        && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  /** Makes an empty database. */
  public static Sqlite create() throws SqliteException {
    return new Sqlite(SqliteCalls.load());
  }

  /**
   * Opens the bytes of a database to read it.
   *
   * @throws SqliteException if SQLite is missing; what is wrong with the bytes is found later
   */
  public static Sqlite read(byte[] bytes) throws SqliteException {
    Sqlite sqlite = create();
    try {
      MemorySegment copy = sqlite.arena.allocate(Math.max(1, bytes.length), Long.BYTES);
      MemorySegment.copy(bytes, 0, copy, JAVA_BYTE, 0, bytes.length);
      if (bytes.length > READ_VERSION) {
        // A log beside the file is not there: the file alone is the database.
        copy.set(JAVA_BYTE, WRITE_VERSION, (byte) 1);
        copy.set(JAVA_BYTE, READ_VERSION, (byte) 1);
      }
      sqlite.require(
          sqlite.calls.deserialize(
              sqlite.database, sqlite.schema, copy, bytes.length, DESERIALIZE_READ_ONLY));
      sqlite.run("PRAGMA trusted_schema=OFF");
      sqlite.run("PRAGMA cell_size_check=ON");
      return sqlite;
    } catch (SqliteException e) {
      sqlite.close();
      throw e;
    }
  }

  /** Returns the bytes of the database, which are those of its file. */
  public byte[] toBytes() throws SqliteException {
    MemorySegment length = arena.allocate(JAVA_LONG);
    MemorySegment bytes = calls.serialize(database, schema, length);
    if (bytes.address() == 0) {
      throw new SqliteException("not enough memory for the database");
    }
    try {
      return bytes.reinterpret(length.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
    } finally {
      calls.free(bytes);
    }
  }

  /** Runs a statement without results. */
  public void run(String sql) throws SqliteException {
    try (Statement statement = prepare(sql)) {
      while (statement.step()) {
        // A pragma may return its value.
      }
    }
  }

  /** Prepares a statement; it is closed before the database. */
  public Statement prepare(String sql) throws SqliteException {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment pointer = local.allocate(ADDRESS);
      require(calls.prepare(database, local.allocateFrom(sql), pointer));
      return new Statement(pointer.get(ADDRESS, 0));
    }
  }

  private void require(int code) throws SqliteException {
    if (code != OK && code != ROW && code != DONE) {
      MemorySegment text = calls.message(database);
      throw new SqliteException(
          text.address() == 0
              ? "error " + code
              : text.reinterpret(Long.MAX_VALUE).getString(0, StandardCharsets.UTF_8));
    }
  }

  /** Closes the database and frees its memory. */
  @Override
  public void close() {
    calls.close(database);
    arena.close();
  }

  /** A prepared statement. Parameters are numbered from 1, and columns from 0. */
  public final class Statement implements AutoCloseable {
    private static final int NULL = 5;

    private final MemorySegment statement;

    private Statement(MemorySegment statement) {
      this.statement = statement;
    }

    /** Sets a parameter to a text. */
    public void bind(int parameter, String text) throws SqliteException {
      bytes(parameter, text.getBytes(StandardCharsets.UTF_8), true);
    }

    /** Sets a parameter to a blob. */
    public void bind(int parameter, byte[] blob) throws SqliteException {
      bytes(parameter, blob, false);
    }

    private void bytes(int parameter, byte[] bytes, boolean isText) throws SqliteException {
      try (Arena local = Arena.ofConfined()) {
        MemorySegment copy = local.allocateFrom(JAVA_BYTE, bytes);
        require(
            isText
                ? calls.bindText(statement, parameter, copy)
                : calls.bindBlob(statement, parameter, copy));
      }
    }

    /** Sets a parameter to an integer. */
    public void bind(int parameter, long value) throws SqliteException {
      require(calls.bindLong(statement, parameter, value));
    }

    /** Sets a parameter to a number; NaN is NULL. */
    public void bind(int parameter, double value) throws SqliteException {
      require(
          Double.isNaN(value)
              ? calls.bindNull(statement, parameter)
              : calls.bindDouble(statement, parameter, value));
    }

    /** Goes to the next row; returns false if there is none. */
    public boolean step() throws SqliteException {
      int code = calls.step(statement);
      require(code);
      return code == ROW;
    }

    /** Makes the statement ready to run again, with the same parameters. */
    public void reset() throws SqliteException {
      require(calls.reset(statement));
    }

    /** Returns whether a column of the row is NULL. */
    public boolean isNull(int column) {
      return calls.columnType(statement, column) == NULL;
    }

    /** Returns a column of the row as a number, 0 if it is none. */
    public double number(int column) {
      return calls.columnDouble(statement, column);
    }

    /** Returns a column of the row as text, empty for NULL. */
    public String text(int column) {
      return new String(bytes(calls.columnText(statement, column), column), StandardCharsets.UTF_8);
    }

    /** Returns a column of the row as bytes, none for NULL. */
    public byte[] blob(int column) {
      return bytes(calls.columnBlob(statement, column), column);
    }

    private byte[] bytes(MemorySegment pointer, int column) {
      // The length is that of the representation which the pointer was asked for.
      int length = calls.columnBytes(statement, column);
      return pointer.address() == 0 ? new byte[0] : pointer.reinterpret(length).toArray(JAVA_BYTE);
    }

    /** Frees the statement. */
    @Override
    public void close() {
      // Its code repeats an error that a step has thrown.
      calls.finish(statement);
    }
  }
}
