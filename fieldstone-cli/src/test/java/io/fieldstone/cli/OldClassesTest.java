package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class OldClassesTest {

  @TempDir Path directory;

  @Test
  void classesOfPicocliPassTheNewVerifier() throws Exception {
    Path original = picocli();
    Path jar = Files.copy(original, directory.resolve("picocli.jar"));
    assertThat(versions(jar)).contains(ClassFile.JAVA_5_VERSION);

    OldClasses.main(new String[] {jar.toString()});

    assertThat(versions(jar)).allMatch(version -> version > ClassFile.JAVA_5_VERSION);
    assertThat(names(jar)).isEqualTo(names(original));
    assertThat(directory.toFile().list()).containsExactly("picocli.jar");
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

  @Test
  void aJarWithoutOldClassesStays() throws Exception {
    Path jar = Files.copy(picocli(), directory.resolve("picocli.jar"));
    OldClasses.renew(jar);
    Object file = Files.getAttribute(jar, "unix:ino");

    OldClasses.renew(jar);

    assertThat(Files.getAttribute(jar, "unix:ino")).isEqualTo(file);
  }

  /** The cache records the time of the jar, and another process may have made it already. */
  @Test
  void theTimeStays() throws Exception {
    Path jar = Files.copy(picocli(), directory.resolve("picocli.jar"));
    Object time = Files.getLastModifiedTime(jar);

    OldClasses.renew(jar);

    assertThat(Files.getLastModifiedTime(jar)).isEqualTo(time);
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
