package io.fieldstone.natives;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fieldstone.engine.memory.NativeAccess;
import io.fieldstone.engine.memory.NativeCall;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The kernels of {@code fieldstone-native} in this process, or the reason why there are none.
 *
 * <p>{@link #get} loads the shared object of this platform from the class path, once, through
 * anonymous memory: no file is written. The system property {@value #PROPERTY} switches it {@code
 * off}, or lowers the level of instruction sets for measurements. Thread-safe.
 */
public final class NativeLibrary {

  /** The system property: {@code off}, or the {@link NativeLevel#suffix} of the highest level. */
  public static final String PROPERTY = "fieldstone.native";

  private static final String OFF = "off";

  /** The version of the declarations in fieldstone.h. */
  private static final int ABI = 4;

  // Constants of linux/memfd.h. Kernels before 6.3 do not know the last, and make it executable.
  private static final int MFD_CLOEXEC = 1;
  private static final int MFD_EXEC = 16;

  private final @Nullable SymbolLookup symbols;
  private final List<NativeLevel> levels;
  private final Optional<String> missing;

  private NativeLibrary(
      @Nullable SymbolLookup symbols, List<NativeLevel> levels, Optional<String> missing) {
    this.symbols = symbols;
    this.levels = levels;
    this.missing = missing;
  }

  /** The library of this process; null before the first call of {@link #get}. */
  private static volatile @Nullable NativeLibrary instance;

  /** Opens a resource by its name; null if there is none. */
  interface Resources {
    @Nullable InputStream open(String name);
  }

  /**
   * Returns the library, after loading it at the first call, which takes 60 to 100 ms.
   *
   * @throws IllegalArgumentException if {@value #PROPERTY} is neither {@code off} nor a level
   */
  public static NativeLibrary get() {
    NativeLibrary loaded = instance;
    return loaded != null ? loaded : loadOnce();
  }

  /**
   * Returns the library if it is loaded, or known to be missing without loading it; empty if only
   * {@link #get} can say.
   */
  public static Optional<NativeLibrary> ifLoaded() {
    if (instance == null
        && (System.getProperty(PROPERTY, "").equals(OFF) || !hasResource(resource(platform())))) {
      return Optional.of(get());
    }
    return Optional.ofNullable(instance);
  }

  private static boolean hasResource(String name) {
    return Optional.ofNullable(NativeLibrary.class.getClassLoader())
            .orElseGet(ClassLoader::getSystemClassLoader)
            .getResource(name)
        != null;
  }

  private static String platform() {
    return System.getProperty("os.name") + "-" + System.getProperty("os.arch");
  }

  private static String resource(String platform) {
    return "META-INF/fieldstone/" + normalize(platform) + "/libfieldstone.so";
  }

  private static synchronized NativeLibrary loadOnce() {
    NativeLibrary loaded = instance;
    if (loaded == null) {
      loaded = load(System.getProperty(PROPERTY, ""), platform(), NativeLibrary::open, ABI);
      instance = loaded;
    }
    return loaded;
  }

  /** Opens a resource of any module; one of a package would be visible in its own module only. */
  private static @Nullable InputStream open(String name) {
    return Optional.ofNullable(NativeLibrary.class.getClassLoader())
        .orElseGet(ClassLoader::getSystemClassLoader)
        .getResourceAsStream(name);
  }

  /** Returns why no kernel can be used; empty if they can. */
  public Optional<String> missing() {
    return missing;
  }

  /** Returns the levels whose kernels can be used, the highest first. */
  public List<NativeLevel> levels() {
    return levels;
  }

  /** Returns the levels that can be used and a kernel is written for, the highest first. */
  public List<NativeLevel> levels(String kernel) {
    return levels.stream().filter(level -> find(kernel, level).isPresent()).toList();
  }

  /**
   * Returns the address of the kernel {@code fs_NAME_LEVEL}. Callers pass it to a handle that is a
   * constant: {@code Linker.downcallHandle(type)} takes the address as its first argument.
   *
   * @param level one of {@link #levels()}
   * @throws IllegalArgumentException if the kernel is not written for the level
   */
  public MemorySegment function(String name, NativeLevel level) {
    return find(name, level)
        .orElseThrow(() -> new IllegalArgumentException("no native kernel " + symbol(name, level)));
  }

  /** Returns the address of a function that belongs to no level; empty if there is none. */
  public Optional<MemorySegment> symbol(String name) {
    return Optional.ofNullable(symbols).flatMap(library -> library.find(name));
  }

  private Optional<MemorySegment> find(String name, NativeLevel level) {
    return Optional.ofNullable(symbols)
        .filter(_ -> levels.contains(level))
        .flatMap(library -> library.find(symbol(name, level)));
  }

  private static String symbol(String name, NativeLevel level) {
    return "fs_" + name + "_" + level.suffix();
  }

  /** Returns the name of a platform in the names of resources: {@code linux-x86_64}. */
  private static String normalize(String platform) {
    return platform.toLowerCase(Locale.ROOT).replace("amd64", "x86_64").replace(' ', '_');
  }

  private static void requireKnown(String setting) {
    if (!setting.isEmpty() && !setting.equals(OFF) && levelOf(setting).isEmpty()) {
      throw new IllegalArgumentException(
          "%s=%s is neither %s nor %s"
              .formatted(
                  PROPERTY,
                  setting,
                  OFF,
                  Arrays.stream(NativeLevel.values())
                      .map(NativeLevel::suffix)
                      .collect(Collectors.joining(", "))));
    }
  }

  private static Optional<NativeLevel> levelOf(String setting) {
    return Arrays.stream(NativeLevel.values())
        .filter(level -> level.suffix().equals(setting))
        .findFirst();
  }

  /**
   * Loads the library of a platform.
   *
   * @param setting value of {@value #PROPERTY}, empty if it is not set
   * @param platform name of the operating system, a hyphen, and the architecture
   * @param abi expected version of the declarations
   */
  static NativeLibrary load(String setting, String platform, Resources resources, int abi) {
    requireKnown(setting);
    if (setting.equals(OFF)) {
      return absent("-D" + PROPERTY + "=" + OFF + " is set");
    }
    if (NativeAccess.isDenied()) {
      return absent(NativeAccess.reason());
    }
    String directory = normalize(platform);
    try (InputStream resource = resources.open(resource(platform))) {
      if (resource == null) {
        return absent("the class path has no native kernels for " + directory);
      }
      SymbolLookup symbols = map(resource.readAllBytes());
      int found = symbols.find("fs_abi").map(NativeLibrary::intAt).orElse(0);
      if (found != abi) {
        return absent(
            "the native kernels have version %d of their interface, expected %d"
                .formatted(found, abi));
      }
      String architecture = directory.substring(directory.indexOf('-') + 1);
      return usable(symbols, setting, NativeLevel.upTo(architecture, levelNumber(symbols)));
    } catch (IOException | IllegalCallerException | UnsupportedOperationException refused) {
      return absent("the native kernels cannot be loaded: " + refused.getMessage());
    }
  }

  /**
   * Returns the library at the levels that a setting admits.
   *
   * @param levels those of the processor, the highest first
   */
  static NativeLibrary usable(SymbolLookup symbols, String setting, List<NativeLevel> levels) {
    if (levels.isEmpty()) {
      return absent("the processor is too old for the native kernels");
    }
    NativeLevel highest = levelOf(setting).orElse(levels.getFirst());
    int from = levels.indexOf(highest);
    if (from < 0) {
      return absent("the processor has no %s, as -D%s asks".formatted(highest.title(), PROPERTY));
    }
    return new NativeLibrary(symbols, levels.subList(from, levels.size()), Optional.empty());
  }

  private static NativeLibrary absent(String reason) {
    return new NativeLibrary(null, List.of(), Optional.of(reason));
  }

  /**
   * Maps a shared object. Its file exists in memory only, has no name in any directory, and stays
   * open: another library that got its descriptor would have the name that it was loaded by.
   */
  private static SymbolLookup map(byte[] image) throws IOException {
    int descriptor = anonymousFile();
    String file = "/proc/self/fd/" + descriptor;
    Files.write(Path.of(file), image);
    try {
      return SymbolLookup.libraryLookup(file, Arena.global());
    } catch (IllegalArgumentException refused) {
      throw new IOException("the system does not map " + file + " (noexec?)", refused);
    }
  }

  private static int anonymousFile() throws IOException {
    MemorySegment create =
        Linker.nativeLinker()
            .defaultLookup()
            .find("memfd_create")
            .orElseThrow(() -> new IOException("the system has no memfd_create"));
    try (Arena arena = Arena.ofConfined()) {
      long name = arena.allocateFrom("fieldstone").address();
      int descriptor = (int) NativeCall.call(create, name, MFD_CLOEXEC | MFD_EXEC);
      if (descriptor < 0) {
        descriptor = (int) NativeCall.call(create, name, MFD_CLOEXEC);
      }
      if (descriptor < 0) {
        throw new IOException("the system makes no file in memory");
      }
      return descriptor;
    }
  }

  private static int intAt(MemorySegment address) {
    return address.reinterpret(JAVA_INT.byteSize()).get(JAVA_INT, 0);
  }

  private static int levelNumber(SymbolLookup symbols) throws IOException {
    MemorySegment address =
        symbols.find("fs_level").orElseThrow(() -> new IOException("they have no fs_level"));
    return (int) NativeCall.call(address);
  }
}
