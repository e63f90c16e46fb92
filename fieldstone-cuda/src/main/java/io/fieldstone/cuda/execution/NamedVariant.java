package io.fieldstone.cuda.execution;

/** A variant of an engine that users select by name. */
public interface NamedVariant {

  /** Returns the name after {@code cuda:N:}. */
  String spec();

  /** Returns a description for users. */
  String description();
}
