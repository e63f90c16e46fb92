package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The build has given the classes of picocli stack maps ({@code build/OldClasses.java}). */
class OldClassesIT {

  @Test
  void classesOfPicocliPassTheNewVerifier() throws Exception {
    Path jar =
        Path.of(System.getProperty("fieldstone.home"), "fieldstone-cli/target/app/lib")
            .resolve(picocli().getFileName());

    assertThat(versions(jar)).isNotEmpty().allMatch(version -> version > ClassFile.JAVA_5_VERSION);
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
      for (String name : names(jar)) {
        if (name.startsWith("picocli/CommandLine") && name.endsWith(".class")) {
          String type = name.substring(0, name.length() - ".class".length()).replace('/', '.');
          Class.forName(type, true, loader); // verifies it
        }
      }
    }
  }

  private static Path picocli() throws URISyntaxException {
    return Path.of(CommandLine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static List<String> names(Path jar) throws IOException {
    try (ZipFile file = new ZipFile(jar.toFile())) {
      return file.stream().map(ZipEntry::getName).toList();
    }
  }

  private static List<Integer> versions(Path jar) throws IOException {
    try (ZipFile file = new ZipFile(jar.toFile())) {
      return file.stream()
          .filter(entry -> entry.getName().startsWith("picocli/"))
          .filter(entry -> entry.getName().endsWith(".class"))
          .map(entry -> version(file, entry))
          .toList();
    }
  }

  private static int version(ZipFile file, ZipEntry entry) {
    try (InputStream in = file.getInputStream(entry)) {
      return ClassFile.of().parse(in.readAllBytes()).majorVersion();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
