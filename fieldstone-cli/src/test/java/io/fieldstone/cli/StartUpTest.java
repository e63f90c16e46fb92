package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.console.StartUp;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The table that the launchers read has what the commands declare. */
class StartUpTest {

  /** Below the folder of the module, in which tests run. */
  private static final Path LIB = Path.of("src/dist/lib").toAbsolutePath();

  /** The declaration of a command. */
  private record Declared(String profile, List<String> options) {}

  @Test
  void theTableHasTheDeclarations() throws Exception {
    List<String> lines = new ArrayList<>();
    for (Map.Entry<String, Class<?>> command : commands().entrySet()) {
      declared(command.getValue())
          .ifPresent(declared -> {
            List<String> words = new ArrayList<>(List.of(command.getKey(), declared.profile));
            words.addAll(declared.options);
            lines.add(String.join(" ", words));
          });
    }

    assertThat(Files.readAllLines(LIB.resolve("jvm.commands"))).isEqualTo(lines);
  }

  @Test
  void theOptionsAreThoseOfTheCommand() throws Exception {
    for (Class<?> command : commands().values()) {
      Optional<Declared> declared = declared(command);
      if (declared.isPresent() && !declared.get().options.isEmpty()) {
        CommandLine parser = new CommandLine(command);
        assertThat(parser.getCommandSpec().optionsMap()).containsKeys(options(declared.get()));
      }
    }
  }

  /** Without a declaration, of a file command, and with an option that excludes it. */
  @ParameterizedTest
  @CsvSource({
    "--version, files, true",
    "crc file, files, true",
    "crc file--method, files, true",
    "crc file --method=bitwise, files, false",
    "crc file --engine cpu:words, files, false",
    "sort file, files, false",
    "relays file --range 5, files, false",
    "relays file --range 5 --no-count, files, true",
    "relays file --no-count --range 5, files, true",
    "relays file --no-count --dem tiles, files, false",
    "serve file, network, false",
    "peer 1 fetch, network, false",
    "'', files, false",
  })
  void theScriptReadsTheTable(String line, String cache, boolean isC1) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                // The function stands for a processor with the instructions of the native kernels.
                "set -eu; lib=$1; shift; grep() { :; }; . \"$lib/jvm.sh\";"
                    + " echo \"$cached $compilation\"",
                "sh",
                LIB.toString()));
    if (!line.isEmpty()) {
      command.addAll(List.of(line.split(" ")));
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes());

    assertThat(process.waitFor()).as(out).isZero();
    assertThat(out).startsWith(cache + " -XX:");
    if (!line.startsWith("peer")) { // which depends on the number of processors
      assertThat(out.contains("-XX:TieredStopAtLevel=1")).as(out).isEqualTo(isC1);
    }
  }

  private static Map<String, Class<?>> commands() {
    Map<String, Class<?>> commands = new LinkedHashMap<>();
    commands.put("fieldstone", Main.class);
    commands.putAll(Commands.all());
    return commands;
  }

  private static String[] options(Declared declared) {
    return declared.options.stream()
        .map(option -> option.startsWith("!") ? option.substring(1) : option)
        .toArray(String[]::new);
  }

  private static Optional<Declared> declared(Class<?> command) throws IOException {
    byte[] bytes;
    String file = "/" + command.getName().replace('.', '/') + ".class";
    try (InputStream in = command.getResourceAsStream(file)) {
      bytes = in.readAllBytes();
    }
    return ClassFile.of()
        .parse(bytes)
        .findAttribute(Attributes.runtimeInvisibleAnnotations())
        .stream()
        .flatMap(all -> all.annotations().stream())
        .filter(each -> each.classSymbol().equals(StartUp.class.describeConstable().orElseThrow()))
        .map(StartUpTest::read)
        .findAny();
  }

  private static Declared read(Annotation annotation) {
    String profile = "";
    List<String> options = new ArrayList<>();
    for (AnnotationElement element : annotation.elements()) {
      switch (element.value()) {
        case AnnotationValue.OfEnum value ->
            profile = value.constantName().stringValue().toLowerCase(Locale.ROOT);
        case AnnotationValue.OfArray array ->
            array
                .values()
                .forEach(each -> options.add(((AnnotationValue.OfString) each).stringValue()));
        default -> throw new AssertionError(element);
      }
    }
    return new Declared(profile, options);
  }
}
