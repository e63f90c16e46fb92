package io.fieldstone.cli.console;

/**
 * Adds a command from another module. {@link java.util.ServiceLoader} finds the providers of the
 * class path.
 */
public interface CommandProvider {

  /** Returns the name of the command. */
  String name();

  /** Returns a class with picocli's annotations and a constructor without parameters. */
  Class<?> command();
}
