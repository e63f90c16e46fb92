package io.fieldstone.net.catalogue;

import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.crypto.SigningKey;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.file.ListedNames;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files that a server offers. A file is known by its name; a file in a folder by its path below
 * the folder, with {@code /} between the parts. If two files have the same name, the first counts,
 * in the order of the arguments; a warning names the other. Temporary files of this project,
 * symbolic links in folders and everything that is not a regular file are left out. So are files
 * and folders in a folder whose names are not text in the encoding of the locale, with a warning.
 * The folder of the state and the secrets of the options are left out with a warning, too.
 *
 * <p>{@link #rescan} picks up new and changed files. An offer whose content has changed has ended,
 * and a new one with another id takes its place.
 *
 * <p>Reading is thread-safe; scans are for one thread.
 */
public final class Catalogue implements AutoCloseable {

  /** The minimum number of digits of an id by which an object is found. */
  public static final int MIN_ID_DIGITS = 8;

  private static final int ID_DIGITS = 2 * Sha256.BYTES;

  /** The maximum number of files. */
  public static final int MAX_FILES = 1_000_000;

  private static final Logger LOGGER = System.getLogger(Catalogue.class.getName());
  private static final Pattern OWN_FILES =
      Pattern.compile("\\.fieldstone-.*\\.(tmp|journal)|\\..*\\.fst-part");

  private record Found(Path file, FileStamp stamp) {}

  private record Snapshot(Map<String, Offer> byName, NavigableMap<Sha256, List<Offer>> byId) {

    static Snapshot of(Map<String, Offer> byName) {
      NavigableMap<Sha256, List<Offer>> byId = new TreeMap<>();
      for (Offer offer : byName.values()) {
        byId.merge(
            offer.entry().id(),
            List.of(offer),
            (before, one) -> Stream.concat(before.stream(), one.stream()).toList());
      }
      return new Snapshot(byName, byId);
    }
  }

  private final List<Path> paths;
  private final OfferOptions options;
  private final FileHasher hasher;
  private final Optional<KeptHashes> kept;
  private final List<Path> secrets;
  private final Set<String> warnings = new HashSet<>();
  private volatile Snapshot snapshot = Snapshot.of(Map.of());

  /**
   * Creates an empty catalogue; {@link #scan} fills it.
   *
   * @param paths files and folders
   * @param options how files become objects
   * @param threads the number of threads that hash
   * @param state the folder that keeps the hashes of files for the next start, if there is one
   */
  public Catalogue(List<Path> paths, OfferOptions options, int threads, Optional<Path> state) {
    this(paths, options, threads, state, Instant::now);
  }

  Catalogue(
      List<Path> paths,
      OfferOptions options,
      int threads,
      Optional<Path> state,
      Supplier<Instant> clock) {
    this.paths = List.copyOf(paths);
    this.options = options;
    this.secrets = Stream.concat(options.secrets().stream(), state.stream()).toList();
    this.hasher = new FileHasher(options.shape(), options.encryption(), threads);
    // The hashes of an encrypted file depend on a key, which is not kept.
    this.kept =
        options.encryption().isPresent()
            ? Optional.empty()
            : state.map(folder -> new KeptHashes(folder, clock));
  }

  /**
   * Reads and hashes everything for the first time.
   *
   * @param progress bytes read, of all bytes; those to be encrypted are read twice
   * @throws IOException if a path does not exist or cannot be read
   */
  public void scan(ProgressListener progress) throws IOException, InterruptedException {
    for (Path path : paths) {
      if (!Files.exists(path)) {
        throw new NoSuchFileException(path.toString());
      }
      if (!Files.isRegularFile(path) && !Files.isDirectory(path)) {
        throw new FileSystemException(path.toString(), null, "is neither a file nor a folder");
      }
      if (!Files.isReadable(path)) {
        throw new AccessDeniedException(path.toString());
      }
    }
    update(progress);
    kept.ifPresent(KeptHashes::save);
  }

  /**
   * Looks for changes.
   *
   * @return true if the catalogue has changed
   */
  public boolean rescan() throws InterruptedException {
    boolean isChanged = update((_, _) -> {});
    kept.ifPresent(KeptHashes::saveSometimes);
    return isChanged;
  }

  private boolean update(ProgressListener progress) throws InterruptedException {
    Map<String, Found> found = find();
    Snapshot before = snapshot;
    long total = 0;
    List<String> fresh = new ArrayList<>();
    for (Map.Entry<String, Found> entry : found.entrySet()) {
      if (!isSame(before.byName.get(entry.getKey()), entry.getValue())) {
        fresh.add(entry.getKey());
        total += hasher.passes() * entry.getValue().stamp.bytes();
      }
    }
    boolean isSmaller = !found.keySet().containsAll(before.byName.keySet());
    if (fresh.isEmpty() && !isSmaller) {
      return false;
    }
    Map<String, Offer> offers = new LinkedHashMap<>();
    AtomicLong done = new AtomicLong();
    long all = total;
    List<CatalogueEntry> entriesBefore = entries();
    for (Map.Entry<String, Found> entry : found.entrySet()) {
      Offer old = before.byName.get(entry.getKey());
      if (old != null && isSame(old, entry.getValue())) {
        offers.put(entry.getKey(), old);
      } else {
        hash(entry.getKey(), entry.getValue(), old, bytes -> report(progress, done, bytes, all))
            .ifPresent(offer -> offers.put(entry.getKey(), offer));
      }
    }
    if (offers.equals(before.byName) && entries().equals(entriesBefore)) {
      return false; // files that cannot be read are tried again each time
    }
    snapshot = Snapshot.of(offers);
    before.byName.forEach((name, offer) -> {
      if (offers.get(name) != offer) {
        offer.end();
      }
    });
    return true;
  }

  private synchronized void report(
      ProgressListener progress, AtomicLong done, long bytes, long all) {
    progress.progress(done.addAndGet(bytes), all);
  }

  private static boolean isSame(@Nullable Offer offer, Found found) {
    return offer != null
        && !offer.isEnded()
        && offer.file().equals(found.file)
        && offer.stamp().equals(found.stamp);
  }

  /** Returns true if the content of a file has changed although nothing else has. */
  private static boolean isDisproved(@Nullable Offer old, Found found) {
    return old != null && old.isEnded() && old.stamp().equals(found.stamp);
  }

  private Optional<Offer> hash(String name, Found found, @Nullable Offer old, LongConsumer hashed)
      throws InterruptedException {
    Path file = found.file;
    try {
      Offer offer =
          signed(
              kept.isEmpty()
                  ? hasher.hash(name, file, hashed)
                  : hash(name, file, kept.get(), isDisproved(old, found), hashed));
      return Optional.of(old != null && old.renew(offer) ? old : offer);
    } catch (FileChangedException e) {
      // It is being written or touched; the next scan looks again. Until then reads are hashed.
      return Optional.ofNullable(old)
          .filter(each -> !each.isEnded() && each.file().equals(file))
          .filter(each -> each.stamp().bytes() == found.stamp.bytes());
    } catch (IOException | IllegalArgumentException e) {
      warnOnce(file, "is not offered: " + reason(e));
      return Optional.empty();
    }
  }

  private Offer signed(Offer offer) {
    if (options.signing().isEmpty()) {
      return offer;
    }
    CatalogueEntry entry = offer.entry();
    SigningKey key = options.signing().get();
    try {
      return offer.signed(
          PublisherRecord.sign(key, entry.name(), entry.id(), offer.stamp().pastSeconds()));
    } catch (IllegalArgumentException e) {
      warnOnce(offer.file(), "is offered without a signature: " + e.getMessage());
      return offer;
    }
  }

  private Offer hash(
      String name, Path file, KeptHashes known, boolean isDisproved, LongConsumer hashed)
      throws IOException, InterruptedException {
    KeptHashes.Before before = known.before(file);
    Optional<Offer> found =
        isDisproved ? Optional.empty() : known.find(name, file, before, options.shape());
    if (found.isPresent()) {
      hashed.accept(before.stamp().bytes());
      return found.get();
    }
    Offer offer = hasher.hash(name, file, hashed);
    known.keep(before, offer);
    known.saveSometimes();
    return offer;
  }

  private Map<String, Found> find() {
    Map<String, Found> found = new LinkedHashMap<>();
    Set<Path> secret = new HashSet<>();
    for (Path path : secrets) {
      try {
        secret.add(path.toRealPath());
      } catch (IOException _) {
        // It is not there.
      }
    }
    for (Path path : paths) {
      try {
        if (Files.isDirectory(path)) {
          walk(path, secret, found);
        } else if (isOpen(path.toRealPath(), secret)) {
          BasicFileAttributes read = Files.readAttributes(path, BasicFileAttributes.class);
          if (read.isRegularFile()) {
            add(String.valueOf(path.getFileName()), path, read, found);
          }
        }
      } catch (IOException e) {
        warnOnce(path, "is not offered: " + reason(e));
      }
    }
    return found;
  }

  private boolean isOpen(Path real, Set<Path> secret) {
    boolean isSecret = secret.contains(real);
    if (isSecret) {
      warnOnce(real, "is not offered: it has secrets of this server");
    }
    return !isSecret;
  }

  private void walk(Path folder, Set<Path> secret, Map<String, Found> found) throws IOException {
    List<Path> files = new ArrayList<>();
    Map<Path, BasicFileAttributes> attributes = new LinkedHashMap<>();
    Path root = folder.toRealPath();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes read) {
            return hasTextName(root, directory) && isOpen(directory, secret)
                ? FileVisitResult.CONTINUE
                : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes read) {
            if (read.isRegularFile()
                && !OWN_FILES.matcher(String.valueOf(file.getFileName())).matches()
                && hasTextName(root, file)
                && isOpen(file, secret)) {
              files.add(file);
              attributes.put(file, read);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            warnOnce(file, "is not offered: " + reason(e));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) {
            if (e != null) {
              warnOnce(directory, "is not offered completely: " + e.getMessage());
            }
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(null);
    String separator = root.getFileSystem().getSeparator();
    for (Path file : files) {
      BasicFileAttributes read = attributes.get(file);
      if (read != null) {
        add(root.relativize(file).toString().replace(separator, "/"), file, read, found);
      }
    }
  }

  private boolean hasTextName(Path root, Path path) {
    try {
      ListedNames.requireText(root.relativize(path));
      return true;
    } catch (FileSystemException e) {
      warnOnce(root, "is not offered completely: " + e.getMessage());
      return false;
    }
  }

  private void add(String name, Path file, BasicFileAttributes read, Map<String, Found> found) {
    Found other = found.putIfAbsent(name, new Found(file, FileStamp.of(read)));
    if (other != null && !other.file.equals(file)) {
      warnOnce(file, "is not offered: %s has the same name, '%s'".formatted(other.file, name));
    }
    if (found.size() > MAX_FILES) {
      found.remove(name);
      warnOnce(file, "is not offered: there are more than " + MAX_FILES + " files");
    }
  }

  /** Some exceptions of the system have the name of the file alone. */
  private static String reason(Exception e) {
    return switch (e) {
      case NoSuchFileException _ -> "no such file";
      case AccessDeniedException _ -> "access denied";
      default -> String.valueOf(e.getMessage());
    };
  }

  private void warnOnce(Path file, String problem) {
    if (warnings.size() < MAX_FILES && warnings.add(file + " " + problem)) {
      LOGGER.log(Level.WARNING, "{0} {1}", file, problem);
    }
  }

  /** Returns all entries, in the order of the arguments, without files known to have changed. */
  public List<CatalogueEntry> entries() {
    return current(snapshot.byName.values()).map(Offer::entry).toList();
  }

  private static Stream<Offer> current(Collection<Offer> offers) {
    return offers.stream().filter(offer -> !offer.isEnded());
  }

  /**
   * Finds entries by a name; otherwise by the first digits of the id.
   *
   * @param query a name, or at least {@value #MIN_ID_DIGITS} hexadecimal digits
   */
  public List<CatalogueEntry> find(String query) {
    Snapshot now = snapshot;
    Offer named = now.byName.get(query);
    if (named != null) {
      return named.isEnded() ? List.of() : List.of(named.entry());
    }
    String digits = query.toLowerCase(Locale.ROOT);
    if (!digits.matches("[0-9a-f]{%d,%d}".formatted(MIN_ID_DIGITS, ID_DIGITS))) {
      return List.of();
    }
    int missing = ID_DIGITS - digits.length();
    Sha256 first = Sha256.parse(digits + "0".repeat(missing));
    Sha256 last = Sha256.parse(digits + "f".repeat(missing));
    return now.byId.subMap(first, true, last, true).values().stream()
        .flatMap(Catalogue::current)
        .map(Offer::entry)
        .toList();
  }

  /** Returns the offer of an object, if its file is unchanged as far as is known. */
  public Optional<Offer> offer(Sha256 id) {
    return current(snapshot.byId.getOrDefault(id, List.of())).findFirst();
  }

  /** Ends the threads, and keeps the hashes. */
  @Override
  public void close() {
    hasher.close();
    kept.ifPresent(KeptHashes::save);
  }
}
