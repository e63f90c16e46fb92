package io.fieldstone.cuda;

/** What an engine can be asked for by name. */
sealed interface NamedKind permits KernelKind, DecodingKind {

  /** Its name behind {@code cuda:N:}. */
  String spec();

  /** For people. */
  String description();
}
