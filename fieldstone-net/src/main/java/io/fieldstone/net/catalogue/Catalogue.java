package io.fieldstone.net.catalogue;

import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.endpoint.OfferOptions;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.crypto.SigningKey;
import io.fieldstone.rlnc.wire.Names;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.file.FileProblem;
import io.fieldstone.stream.file.ListedNames;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files that a server offers. A file is known by its name; a file in a folder by its path below
 * the folder, with {@code /} between the parts. If two files have the same name, the first counts,
 * in the order of the arguments; a warning names the other. Temporary files of this project,
 * symbolic links in folders and everything that is not a regular file are skipped. So are files and
 * folders in a folder whose names are not text in the encoding of the locale, and files whose names
 * may not be on offer ({@link Names#requireOffered}), with a warning. The folder of the state and
 * the secrets of the options are skipped with a warning, too.
 *
 * <p>{@link #rescan} picks up new and changed files. An offer whose content has changed has ended,
 * and a new one with another id takes its place. A missing file stays on offer for a limited time,
 * as on a file system that is mounted again. So do files in a folder that cannot be read for a
 * reason of the system, such as too many open files.
 *
 * <p>Reading is thread-safe; scans are for one thread.
 */
public final class Catalogue implements AutoCloseable {

  /** The minimum number of digits of an id by which an object is found. */
  public static final int MIN_ID_DIGITS = IdPrefix.MIN_DIGITS;

  /** The maximum number of entries that {@link #find} returns: more than a message has. */
  public static final int MAX_FOUND = 2048;

  /** The maximum number of files. */
  public static final int MAX_FILES = 1_000_000;

  /** The maximum number of folders whose times are read between two scans. */
  private static final int MAX_WATCHED_FOLDERS = 1_000;

  private static final Logger LOGGER = System.getLogger(Catalogue.class.getName());
  private static final String UNREAD =
      "cannot be read now; files that were found in it stay on offer: ";
  private static final Pattern OWN_FILES =
      Pattern.compile("\\.fieldstone-.*\\.(tmp|journal)|\\..*\\.fst-part");

  /**
   * A file that a scan has found.
   *
   * @param place the number of the path to which it belongs
   */
  private record Found(Path file, FileStamp stamp, int place) {}

  record Snapshot(Map<String, Offer> byName, NavigableMap<Sha256, List<Offer>> byId) {

    static Snapshot of(Map<String, Offer> byName) {
      NavigableMap<Sha256, List<Offer>> byId = new TreeMap<>();
      for (Offer offer : byName.values()) {
        byId.merge(offer.entry().id(), List.of(offer), Snapshot::joined);
      }
      return new Snapshot(byName, byId);
    }

    /** Most ids have one offer; an id with several has a list that grows. */
    private static List<Offer> joined(List<Offer> before, List<Offer> one) {
      List<Offer> all = before instanceof ArrayList ? before : new ArrayList<>(before);
      all.addAll(one);
      return all;
    }
  }

  /** The entries as long as the count of changes is the same. */
  private record Listing(long changes, List<CatalogueEntry> entries) {}

  private final List<Path> paths;
  private final OfferOptions options;
  private final FileHasher hasher;
  private final Optional<KeptHashes> kept;
  private final List<Path> secrets;
  private final Set<String> warnings = new HashSet<>();
  private final OfferWatch watch;
  private volatile Snapshot snapshot = Snapshot.of(Map.of());
  private volatile Listing listing = new Listing(0, List.of());

  /** The number of the last scan. */
  private long scans;

  /** The folders of the last scan, with the times at which names in them have changed. */
  private Map<Path, FileTime> folders = Map.of();

  /**
   * Creates an empty catalogue; {@link #scan} fills it.
   *
   * @param paths files and folders
   * @param options how files become objects
   * @param threads the number of threads that hash
   * @param state the folder that keeps the hashes of files for the next start, if there is one
   */
  public Catalogue(List<Path> paths, OfferOptions options, int threads, Optional<Path> state) {
    this(paths, options, threads, state, Duration.ZERO);
  }

  /**
   * Creates an empty catalogue that keeps files for a while that are away.
   *
   * @param paths files and folders
   * @param options how files become objects
   * @param threads the number of threads that hash
   * @param state the folder that keeps the hashes of files for the next start, if there is one
   * @param maxAway the time after which a file that is away counts as removed
   */
  public Catalogue(
      List<Path> paths, OfferOptions options, int threads, Optional<Path> state, Duration maxAway) {
    this(paths, options, threads, state, maxAway, Instant::now, System::nanoTime);
  }

  Catalogue(
      List<Path> paths,
      OfferOptions options,
      int threads,
      Optional<Path> state,
      Duration maxAway,
      Supplier<Instant> clock,
      LongSupplier nanoTime) {
    this.watch = new OfferWatch(new AtomicLong(), maxAway.toNanos(), nanoTime);
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
   * Scans the folders for changes.
   *
   * @return true if the catalogue has changed
   */
  public boolean rescan() throws InterruptedException {
    boolean isChanged = update((_, _) -> {});
    kept.ifPresent(KeptHashes::saveSometimes);
    return isChanged;
  }

  /**
   * Returns true if a name has appeared or gone in a folder since the last scan, as far as the
   * times of {@value #MAX_WATCHED_FOLDERS} folders show it. For the thread that scans.
   */
  public boolean hasNewNames() {
    for (Map.Entry<Path, FileTime> folder : folders.entrySet()) {
      try {
        if (!Files.getLastModifiedTime(folder.getKey()).equals(folder.getValue())) {
          return true;
        }
      } catch (IOException _) {
        return true;
      }
    }
    return false;
  }

  private boolean update(ProgressListener progress) throws InterruptedException {
    Scan scan = new Scan();
    scan.run();
    folders = scan.folders;
    Snapshot before = snapshot;
    if (scan.fresh.isEmpty() && scan.unchanged == before.byName.size()) {
      return false;
    }
    scan.keepThoseAway();
    List<Map.Entry<String, Found>> fresh = scan.sorted();
    long all = 0;
    for (Map.Entry<String, Found> entry : fresh) {
      all += hasher.passes() * entry.getValue().stamp.bytes();
    }
    Update update = new Update(scan.number, progress, all);
    for (Map.Entry<String, Found> entry : fresh) {
      update.hash(entry.getKey(), entry.getValue(), before.byName.get(entry.getKey()));
    }
    return update.finish(before);
  }

  /** The offers that follow from a scan. */
  private final class Update {
    private final long number;
    private final ProgressListener progress;
    private final long allBytes;
    private final AtomicLong done = new AtomicLong();
    private final Map<String, Offer> added = new LinkedHashMap<>();
    private boolean isChanged;

    Update(long number, ProgressListener progress, long allBytes) {
      this.number = number;
      this.progress = progress;
      this.allBytes = allBytes;
    }

    void hash(String name, Found found, @Nullable Offer old) throws InterruptedException {
      Optional<CatalogueEntry> entryBefore = Optional.ofNullable(old).map(Offer::entry);
      Optional<Offer> hashed =
          Catalogue.this.hash(name, found, old, bytes -> report(progress, done, bytes, allBytes));
      if (hashed.isPresent()) {
        Offer offer = hashed.get();
        offer.found(number, found.place);
        offer.back();
        if (offer != old) {
          offer.join(watch);
          added.put(name, offer);
          isChanged = true;
        } else if (entryBefore.isPresent() && !offer.entry().equals(entryBefore.get())) {
          isChanged = true;
        }
      }
    }

    /** Replaces the offers; returns true if anything has changed. */
    boolean finish(Snapshot before) {
      List<Map.Entry<String, Offer>> all = new ArrayList<>(added.entrySet());
      List<Offer> ended = new ArrayList<>();
      for (Map.Entry<String, Offer> entry : before.byName.entrySet()) {
        if (entry.getValue().scan() == number && !entry.getValue().isEnded()) {
          all.add(entry);
        } else {
          ended.add(entry.getValue());
        }
      }
      if (!isChanged && ended.isEmpty()) {
        return false; // files that cannot be read are tried again each time
      }
      all.sort(
          Comparator.comparingInt((Map.Entry<String, Offer> entry) -> entry.getValue().place())
              .thenComparing(entry -> entry.getValue().file()));
      Map<String, Offer> offers = LinkedHashMap.newLinkedHashMap(all.size());
      all.forEach(entry -> offers.put(entry.getKey(), entry.getValue()));
      snapshot = Snapshot.of(offers);
      long _ = watch.changes().incrementAndGet(); // after the snapshot
      ended.forEach(Offer::end);
      return true;
    }
  }

  private synchronized void report(
      ProgressListener progress, AtomicLong done, long bytes, long all) {
    progress.progress(done.addAndGet(bytes), all);
  }

  /** Returns true if the content of a file has changed, but its size and time have not. */
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
      // It is being written or touched; the next scan reads it again. Until then reads are hashed.
      return kept(old, found);
    } catch (IOException | IllegalArgumentException e) {
      Optional<Offer> kept = isTransient(e) ? kept(old, found) : Optional.empty();
      if (kept.isEmpty()) {
        warnOnce(file, "is not offered: " + FileProblem.reason(e));
      }
      return kept;
    }
  }

  /** Returns an offer of a file that cannot be hashed now, if it may still be right. */
  private static Optional<Offer> kept(@Nullable Offer old, Found found) {
    return Optional.ofNullable(old)
        .filter(each -> !each.isEnded() && each.file().equals(found.file))
        .filter(each -> each.stamp().bytes() == found.stamp.bytes());
  }

  /**
   * Returns true if a failure says nothing about a file, such as too many open files, or a server
   * of files that does not answer.
   */
  private static boolean isTransient(Exception e) {
    return e instanceof IOException
        && !(e instanceof NoSuchFileException)
        && !(e instanceof NotDirectoryException)
        && !(e instanceof AccessDeniedException);
  }

  private Offer signed(Offer offer) {
    if (options.signing().isEmpty()) {
      return offer;
    }
    CatalogueEntry entry = offer.entry();
    SigningKey key = options.signing().get();
    return offer.signed(
        PublisherRecord.sign(key, entry.name(), entry.id(), offer.stamp().pastSeconds()));
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

  private boolean isOpen(Path real, Set<Path> secret) {
    boolean isSecret = !secret.isEmpty() && secret.contains(real);
    if (isSecret) {
      warnOnce(real, "is not offered: it has secrets of this server");
    }
    return !isSecret;
  }

  /**
   * A scan of all files. It keeps nothing of a file that has not changed, so that repeated scans
   * create no long-lived garbage.
   */
  private final class Scan {
    final long number = ++scans;
    final Map<String, Found> fresh = new LinkedHashMap<>();
    final Map<Path, FileTime> folders = new HashMap<>();
    private final Snapshot before = snapshot;
    private final Set<Path> secret = new HashSet<>();

    /** The folders and paths that could not be read for a reason that says nothing about files. */
    private final List<Path> unreadFolders = new ArrayList<>();

    private final Set<Integer> unreadPlaces = new HashSet<>();

    /** The number of offers that stay as they are. */
    int unchanged;

    private int files;

    void run() {
      for (Path path : secrets) {
        try {
          secret.add(path.toRealPath());
        } catch (IOException _) {
          // It is not there.
        }
      }
      for (int place = 0; place < paths.size(); place++) {
        Path path = paths.get(place);
        try {
          if (Files.isDirectory(path)) {
            walk(path.toRealPath(), place);
          } else if (isOpen(path.toRealPath(), secret)) {
            BasicFileAttributes read = Files.readAttributes(path, BasicFileAttributes.class);
            if (read.isRegularFile()) {
              add(String.valueOf(path.getFileName()), path, read, place);
            }
          }
        } catch (IOException e) {
          if (isTransient(e)) {
            unreadPlaces.add(place);
            warnOnce(path, UNREAD + FileProblem.reason(e));
          } else {
            warnOnce(path, "is not offered: " + FileProblem.reason(e));
          }
        }
      }
    }

    private void walk(Path root, int place) throws IOException {
      String separator = root.getFileSystem().getSeparator();
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes read) {
              if (!hasTextName(root, directory) || !isOpen(directory, secret)) {
                return FileVisitResult.SKIP_SUBTREE;
              }
              if (folders.size() < MAX_WATCHED_FOLDERS) {
                folders.put(directory, read.lastModifiedTime());
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes read) {
              if (read.isRegularFile()
                  && !isOwn(file)
                  && hasTextName(root, file)
                  && isOpen(file, secret)) {
                String name = root.relativize(file).toString();
                add(separator.equals("/") ? name : name.replace(separator, "/"), file, read, place);
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              unread(file, e, "is not offered: ");
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) {
              if (e != null) {
                unread(directory, e, "is not offered completely: ");
              }
              return FileVisitResult.CONTINUE;
            }
          });
    }

    private void unread(Path path, IOException e, String problem) {
      if (isTransient(e)) {
        unreadFolders.add(path);
        warnOnce(path, UNREAD + FileProblem.reason(e));
      } else {
        warnOnce(path, problem + FileProblem.reason(e));
      }
    }

    private void add(String name, Path file, BasicFileAttributes read, int place) {
      Offer old = before.byName.get(name);
      Found other = fresh.get(name);
      if (old != null && old.scan() == number) {
        warnOfEqualNames(name, file, old.file());
      } else if (other != null) {
        warnOfEqualNames(name, file, other.file);
      } else if (files == MAX_FILES) {
        warnOnce(file, "is not offered: there are more than " + MAX_FILES + " files");
      } else {
        files++;
        FileStamp stamp = FileStamp.of(read);
        if (old != null && !old.isEnded() && old.stamp().equals(stamp) && old.file().equals(file)) {
          old.found(number, place);
          old.back();
          unchanged++;
        } else if (old != null || mayBeOffered(name, file)) {
          fresh.put(name, new Found(file, stamp, place));
        }
      }
    }

    private void warnOfEqualNames(String name, Path file, Path other) {
      if (!other.equals(file)) {
        warnOnce(file, "is not offered: %s has the same name, '%s'".formatted(other, name));
      }
    }

    /** Keeps the offers of files of which nothing is known, or that are away for a short time. */
    void keepThoseAway() {
      before.byName.forEach((name, offer) -> {
        if (offer.scan() != number
            && !offer.isEnded()
            && !fresh.containsKey(name)
            && (isUnread(offer) || isAway(offer))) {
          offer.found(number, offer.place());
        }
      });
    }

    private boolean isUnread(Offer offer) {
      return unreadPlaces.contains(offer.place())
          || unreadFolders.stream().anyMatch(offer.file()::startsWith);
    }

    private boolean isAway(Offer offer) {
      return Files.notExists(offer.file()) && !offer.isAwayTooLong();
    }

    /** Returns what is new, in the order of the paths, and in a folder by the path of the file. */
    List<Map.Entry<String, Found>> sorted() {
      List<Map.Entry<String, Found>> sorted = new ArrayList<>(fresh.entrySet());
      sorted.sort(
          Comparator.comparingInt((Map.Entry<String, Found> entry) -> entry.getValue().place)
              .thenComparing(entry -> entry.getValue().file));
      return sorted;
    }
  }

  /** Other machines print the names on offer. */
  private boolean mayBeOffered(String name, Path file) {
    try {
      Names.requireOffered(name);
      return true;
    } catch (IllegalArgumentException e) {
      warnOnce(file, "is not offered, rename it: " + e.getMessage());
      return false;
    }
  }

  private static boolean isOwn(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith(".") && OWN_FILES.matcher(name).matches();
  }

  /** The folders before the last name have been checked before. */
  private boolean hasTextName(Path root, Path path) {
    Path last = path.getFileName();
    try {
      if (last != null && !path.equals(root)) {
        ListedNames.requireText(last);
      }
      return true;
    } catch (FileSystemException _) {
      try {
        ListedNames.requireText(root.relativize(path));
        return true;
      } catch (FileSystemException e) {
        warnOnce(root, "is not offered completely: " + e.getMessage());
        return false;
      }
    }
  }

  private void warnOnce(Path file, String problem) {
    if (warnings.size() < MAX_FILES && warnings.add(file + " " + problem)) {
      LOGGER.log(Level.WARNING, "{0} {1}", file, problem);
    }
  }

  /**
   * Returns all entries, in the order of the arguments, without files known to have changed. The
   * list is the same until something changes.
   */
  public List<CatalogueEntry> entries() {
    Listing known = listing;
    long changes = watch.changes().get();
    if (known.changes != changes) {
      known = new Listing(changes, current(snapshot.byName.values()).map(Offer::entry).toList());
      listing = known;
    }
    return known.entries;
  }

  private static Stream<Offer> current(Collection<Offer> offers) {
    return offers.stream().filter(offer -> !offer.isEnded());
  }

  /**
   * Finds entries by a name; otherwise by the first digits of the id, at most {@value #MAX_FOUND}.
   *
   * @param query a name, or at least {@value #MIN_ID_DIGITS} hexadecimal digits
   */
  public List<CatalogueEntry> find(String query) {
    Snapshot now = snapshot;
    Offer named = now.byName.get(query);
    if (named != null) {
      return named.isEnded() ? List.of() : List.of(named.entry());
    }
    return IdPrefix.values(now.byId, query).stream()
        .flatMap(Catalogue::current)
        .map(Offer::entry)
        .limit(MAX_FOUND)
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
