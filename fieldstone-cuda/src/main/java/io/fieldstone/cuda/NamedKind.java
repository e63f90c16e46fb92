package io.fieldstone.cuda;

/** What an engine can be asked for by name. */
interface NamedKind {

  /** Its name behind {@code cuda:N:}. */
  String spec();

  /** For people. */
  String description();
}
