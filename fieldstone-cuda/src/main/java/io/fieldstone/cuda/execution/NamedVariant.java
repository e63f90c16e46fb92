package io.fieldstone.cuda.execution;

/** What an engine can be asked for by name. */
public interface NamedVariant {

  /** Its name behind {@code cuda:N:}. */
  String spec();

  /** For people. */
  String description();
}
