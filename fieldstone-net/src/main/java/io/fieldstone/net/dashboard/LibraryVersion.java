package io.fieldstone.net.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this library, which Maven writes into the jar. */
final class LibraryVersion {

  private static final String DESCRIPTOR =
      "/META-INF/maven/io.fieldstone/fieldstone-net/pom.properties";

  /** The version; says so if the library was built without Maven. */
  static final String TEXT = read();

  private LibraryVersion() {}

  private static String read() {
    Properties properties = new Properties();
    try (InputStream descriptor = LibraryVersion.class.getResourceAsStream(DESCRIPTOR)) {
      if (descriptor != null) {
        properties.load(descriptor);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version", "(built outside Maven)");
  }
}
