package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The layouts of the structs that {@code src/main/cuda} of fieldstone-cuda and of the tested module
 * declares, by the rules of C. Pointers are longs; members named {@code unused} are padding.
 */
public final class CudaStructs {

  private static final Pattern MEMBER =
      Pattern.compile("(?:const )?(.+?)\\s*(\\*?)\\s*\\b(\\w+)(?:\\[(\\d+)])?");
  private static final Pattern SIZE =
      Pattern.compile("static_assert\\(sizeof\\((\\w+)\\) == (\\d+)");

  private static final String SOURCES = sources();
  private static final Map<String, StructLayout> LAYOUTS = new ConcurrentHashMap<>();

  private CudaStructs() {}

  private static String sources() {
    SortedSet<Path> directories = new TreeSet<>();
    for (String module : List.of("", "../fieldstone-cuda")) {
      directories.add(Path.of(module, "src/main/cuda").toAbsolutePath().normalize());
    }
    return directories.stream().flatMap(CudaStructs::files).collect(joining("\n"));
  }

  private static Stream<String> files(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().matches(".*\\.cuh?"))
          .map(CudaStructs::withoutComments)
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String withoutComments(Path file) {
    try {
      return Files.readString(file).replaceAll("(?s)/\\*.*?\\*/|//[^\n]*", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the sizes that the sources assert, by the name of the struct. */
  public static Map<String, Long> assertedSizes() {
    Map<String, Long> sizes = new TreeMap<>();
    for (Matcher found = SIZE.matcher(SOURCES); found.find(); ) {
      sizes.put(found.group(1), Long.valueOf(found.group(2)));
    }
    return sizes;
  }

  /** Returns the size of a struct. */
  public static int bytes(String name) {
    return Math.toIntExact(layout(name).byteSize());
  }

  /** Returns the layout of a struct, with the names of its members. */
  public static StructLayout layout(String name) {
    StructLayout known = LAYOUTS.get(name);
    if (known == null) {
      known = parse(name);
      LAYOUTS.put(name, known);
    }
    return known;
  }

  private static StructLayout parse(String name) {
    Matcher found =
        Pattern.compile("\nstruct %s \\{(.*?)\n\\};".formatted(name), Pattern.DOTALL)
            .matcher(SOURCES);
    if (!found.find()) {
      throw new AssertionError("no struct %s".formatted(name));
    }
    String members = found.group(1).replaceAll("__device__[^{]*\\{[^}]*}", "");
    if (found.find()) {
      throw new AssertionError("two structs %s".formatted(name));
    }
    List<MemoryLayout> parts = new ArrayList<>();
    long end = 0;
    long alignment = 1;
    for (String member : members.split(";")) {
      if (!member.isBlank()) {
        MemoryLayout part = member(member.strip());
        long offset = aligned(end, part.byteAlignment());
        if (offset > end) {
          parts.add(MemoryLayout.paddingLayout(offset - end));
        }
        parts.add(part);
        end = offset + part.byteSize();
        alignment = Math.max(alignment, part.byteAlignment());
      }
    }
    if (aligned(end, alignment) > end) {
      parts.add(MemoryLayout.paddingLayout(aligned(end, alignment) - end));
    }
    return MemoryLayout.structLayout(parts.toArray(MemoryLayout[]::new));
  }

  private static long aligned(long offset, long alignment) {
    return (offset + alignment - 1) / alignment * alignment;
  }

  private static MemoryLayout member(String declaration) {
    Matcher parts = MEMBER.matcher(declaration);
    if (!parts.matches()) {
      throw new AssertionError("no member: " + declaration);
    }
    MemoryLayout type = parts.group(2).isEmpty() ? type(parts.group(1)) : JAVA_LONG;
    if (parts.group(4) != null) {
      type = MemoryLayout.sequenceLayout(Integer.parseInt(parts.group(4)), type);
    }
    return parts.group(3).equals("unused")
        ? MemoryLayout.paddingLayout(type.byteSize())
        : type.withName(parts.group(3));
  }

  private static MemoryLayout type(String name) {
    return switch (name) {
      case "int64_t", "uint64_t" -> JAVA_LONG;
      case "int32_t", "uint32_t" -> JAVA_INT;
      case "uint16_t" -> JAVA_SHORT;
      case "uint8_t" -> JAVA_BYTE;
      case "double" -> JAVA_DOUBLE;
      case "float" -> JAVA_FLOAT;
      default -> layout(name);
    };
  }
}
