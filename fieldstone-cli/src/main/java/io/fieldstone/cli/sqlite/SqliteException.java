package io.fieldstone.cli.sqlite;

/** Thrown when SQLite is missing, or rejects a database or a statement. */
public final class SqliteException extends Exception {
  private static final long serialVersionUID = 1L;

  SqliteException(String message) {
    super(message);
  }
}
