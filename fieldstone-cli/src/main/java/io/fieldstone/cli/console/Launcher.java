package io.fieldstone.cli.console;

import java.nio.file.Path;
import java.util.Optional;

/** The script that started this JVM. */
public final class Launcher {

  /** The system property in which a script passes its own path. */
  private static final String PROPERTY = "fieldstone.launcher";

  private Launcher() {}

  /** Returns the path of the script; empty if none started this JVM. */
  public static Optional<Path> path() {
    return Optional.ofNullable(System.getProperty(PROPERTY)).map(Path::of);
  }
}
