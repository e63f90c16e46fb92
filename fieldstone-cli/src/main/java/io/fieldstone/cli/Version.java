package io.fieldstone.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Reads the version of this build, which Maven writes into the jar. */
final class Version implements IVersionProvider {

  private static final String DESCRIPTOR =
      "/META-INF/maven/io.fieldstone/fieldstone-cli/pom.properties";

  @Override
  public String[] getVersion() throws IOException {
    return new String[] {
      "fieldstone " + number() + " (Java " + Runtime.version() + ")",
    };
  }

  /** Returns the version number. */
  static String number() throws IOException {
    Properties properties = new Properties();
    try (InputStream descriptor = Version.class.getResourceAsStream(DESCRIPTOR)) {
      if (descriptor != null) {
        properties.load(descriptor);
      }
    }
    return properties.getProperty("version", "(built outside Maven)");
  }
}
