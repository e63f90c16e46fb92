package io.fieldstone.net.fetch;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.fetch.FolderPlan.Item;
import io.fieldstone.net.session.ServerSession;
import io.fieldstone.net.shared.SharedCarrier;
import io.fieldstone.rlnc.object.ReceiverMemory;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One fetch of several files: as many at once as servers open for a client, within the memory of
 * the settings. The monitor guards the counts.
 */
final class FolderTransfer implements AutoCloseable {

  /** The memory of a fetch at least, and the unit of the memory. */
  private static final long MEMORY_UNIT = 1 << 18;

  /** The memory that is kept for the next files. */
  private static final long IDLE_BYTES = 16 << 20;

  /** A list of the servers' files shows for so long that they can be reached. */
  private static final long REACHED_NANOS = 2_000_000_000L;

  private final Engine engine;
  private final FetchSettings settings;
  private final int threads;
  private final Carrier carrier;
  private final Carrier shared;
  private final Peers peers;
  private final ExecutorService workers;
  private final FolderListener listener;
  private final ExecutorService fetches =
      Executors.newFixedThreadPool(
          ServerSession.MAX_OBJECTS,
          Thread.ofPlatform().daemon().name("fieldstone-file-", 0).factory());
  private final ReceiverMemory receiverMemory;
  private final int memoryUnits;
  private final Semaphore memory;
  private final Map<String, Source> sources = new LinkedHashMap<>();
  private final Map<Item, String> failures = new LinkedHashMap<>();
  private final List<String> changed = new ArrayList<>();
  private int running;
  private int files;
  private int unchanged;
  private long bytes;
  private long fetchedBytes;
  private int totalFiles;
  private long totalBytes;

  /** The bytes that were verified of files that are not complete. */
  private long openBytes;

  private @Nullable Throwable fatal;

  /** The last failure of a fetch that servers caused. */
  private @Nullable FetchFailedException unfetched;

  private long reachedNanos;

  /** The sum of what a server did in all fetches. */
  private static final class Source {
    private FetchResult.Source last;
    private long blocks;
    private long redundant;

    Source(FetchResult.Source first) {
      last = first;
    }

    void add(FetchResult.Source one) {
      last = last.isBanned() ? last : one;
      blocks += one.blocks();
      redundant += one.redundant();
    }

    FetchResult.Source sum() {
      return new FetchResult.Source(
          last.server(),
          last.fingerprint(),
          blocks,
          redundant,
          last.problem(),
          last.isBanned(),
          last.isReported());
    }
  }

  FolderTransfer(
      Engine engine,
      FetchSettings settings,
      int threads,
      Carrier carrier,
      ExecutorService workers,
      FolderListener listener) {
    this.engine = engine;
    this.settings = settings;
    this.threads = threads;
    this.carrier = carrier;
    this.shared = new SharedCarrier(carrier);
    this.peers = new Peers(settings, true);
    this.workers = workers;
    this.listener = listener;
    this.receiverMemory = new ReceiverMemory(engine, IDLE_BYTES);
    this.memoryUnits = (int) Math.max(1, settings.windowBytes() / MEMORY_UNIT);
    this.memory = new Semaphore(memoryUnits);
  }

  FolderResult run(List<String> names, Path folder, boolean mayReplace)
      throws IOException, FetchFailedException, InterruptedException {
    long start = System.nanoTime();
    List<Item> items = FolderPlan.of(names, list());
    FolderTargets targets = new FolderTargets(folder, items.stream().map(Item::path).toList());
    synchronized (this) {
      totalFiles = items.size();
      totalBytes = items.stream().mapToLong(Item::length).sum();
    }
    fetchAll(items, targets, mayReplace);
    Map<String, Set<Sha256>> now = new HashMap<>();
    List<String> added = new ArrayList<>();
    List<String> removed = new ArrayList<>();
    findChanges(names, items, now, added);
    retry(now, targets, mayReplace, removed);
    targets.force();
    synchronized (this) {
      return new FolderResult(
          files,
          unchanged,
          bytes,
          fetchedBytes,
          System.nanoTime() - start,
          failures.entrySet().stream()
              .map(each -> new FolderResult.Failure(each.getKey().name(), each.getValue()))
              .toList(),
          added,
          changed,
          removed,
          sources.values().stream().map(Source::sum).toList());
    }
  }

  private List<ListedObject> list() throws FetchFailedException, InterruptedException {
    List<ListedObject> listed = new CatalogueQuery(settings, carrier).run();
    synchronized (this) {
      reachedNanos = System.nanoTime();
    }
    return listed;
  }

  /**
   * Compares the files that servers have now with those at the start.
   *
   * @throws FetchFailedException if a file failed and no server answers: its failure
   */
  private void findChanges(
      List<String> names, List<Item> items, Map<String, Set<Sha256>> now, List<String> added)
      throws FetchFailedException, InterruptedException {
    List<ListedObject> listed;
    try {
      listed = list();
    } catch (FetchFailedException _) {
      synchronized (this) {
        if (unfetched != null) {
          throw unfetched;
        }
      }
      return; // the files are complete
    }
    Set<String> before = items.stream().map(Item::name).collect(Collectors.toSet());
    for (String name : names) {
      for (ListedObject each : FolderPlan.matching(name, listed)) {
        Set<Sha256> ids = now.computeIfAbsent(each.name(), _ -> new TreeSet<>());
        ids.add(each.id());
        if (ids.size() == 1 && name.endsWith(FolderPlan.FOLDER) && !before.contains(each.name())) {
          added.add(each.name());
        }
      }
    }
  }

  /**
   * Fetches files again that changed while they were fetched; those that are gone are no failures.
   */
  private void retry(
      Map<String, Set<Sha256>> now, FolderTargets targets, boolean mayReplace, List<String> removed)
      throws IOException, FetchFailedException, InterruptedException {
    List<Item> again = new ArrayList<>();
    synchronized (this) {
      if (now.isEmpty()) {
        return;
      }
      for (Item each : List.copyOf(failures.keySet())) {
        Set<Sha256> ids = now.get(each.name());
        if (ids == null) {
          failures.remove(each);
          removed.add(each.name());
        } else if (!each.ids().containsAll(ids)) {
          failures.remove(each);
          again.add(each);
        }
      }
    }
    fetchAll(again, targets, mayReplace);
  }

  /**
   * Fetches files. Those of one object are fetched one after the other, so that an answer of a
   * server is for one of them.
   */
  private void fetchAll(List<Item> items, FolderTargets targets, boolean mayReplace)
      throws IOException, FetchFailedException, InterruptedException {
    Collection<List<Item>> groups =
        items.stream()
            .collect(
                Collectors.groupingBy(
                    each -> each.ids().getFirst(), LinkedHashMap::new, Collectors.toList()))
            .values();
    for (List<Item> group : groups) {
      int units = units(group);
      memory.acquire(units);
      synchronized (this) {
        if (fatal != null) {
          break;
        }
        running++;
      }
      fetches.execute(() -> fetchGroup(group, units, targets, mayReplace));
    }
    synchronized (this) {
      while (running > 0 && fatal == null) {
        wait();
      }
      throwFatal();
    }
  }

  private void throwFatal() throws IOException, FetchFailedException {
    switch (fatal) {
      case null -> {}
      case IOException e -> throw e;
      case FetchFailedException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError(fatal);
    }
  }

  /** Returns the memory of a file: twice its bytes, so that whole generations are open. */
  private int units(List<Item> group) {
    long wanted = 1 + 2 * group.getFirst().length() / MEMORY_UNIT;
    return (int) Math.min(memoryUnits, wanted);
  }

  private void fetchGroup(List<Item> group, int units, FolderTargets targets, boolean mayReplace) {
    try {
      for (Item item : group) {
        synchronized (this) {
          if (fatal != null) {
            return;
          }
        }
        fetch(item, units * MEMORY_UNIT, targets, mayReplace);
      }
    } catch (InterruptedException _) {
      // The call was interrupted, and ends.
    } catch (IOException | FetchFailedException | RuntimeException | Error e) {
      end(e);
    } finally {
      memory.release(units);
      synchronized (this) {
        running--;
        notifyAll();
      }
    }
  }

  private synchronized void end(Throwable e) {
    if (fatal == null) {
      fatal = e;
    }
    memory.release(memoryUnits); // Threads that wait for memory end.
    notifyAll();
  }

  private void fetch(Item item, long windowBytes, FolderTargets targets, boolean mayReplace)
      throws IOException, FetchFailedException, InterruptedException {
    Shown shown = new Shown();
    try {
      Path target = targets.place(item.path());
      Fetch fetch =
          new Fetch(
              engine,
              settings.withQuery(item.query()).withWindowBytes(windowBytes),
              threads,
              shown,
              shared,
              peers,
              workers,
              receiverMemory);
      FetchResult result;
      try (Destination destination =
          SmallFile.isFor(target, item.length())
              ? new SmallFile(target)
              : new PartFile(target, mayReplace)) {
        result = fetch.to(destination);
      }
      fetched(item, result, shown);
    } catch (FolderTargets.RefusedNameException e) {
      failed(item, String.valueOf(e.getMessage()), shown);
    } catch (FileAlreadyExistsException e) {
      failed(item, "another file is there: " + e.getFile(), shown);
    } catch (FetchFailedException e) {
      requireReachable(e);
      synchronized (this) {
        unfetched = e;
      }
      failed(item, String.valueOf(e.getMessage()), shown);
    }
  }

  private synchronized void fetched(Item item, FetchResult result, Shown shown) {
    openBytes -= shown.bytes;
    files++;
    bytes += result.bytes();
    if (result.wasThere()) {
      unchanged++;
    } else {
      fetchedBytes += result.fetchedBytes();
    }
    if (!item.ids().contains(result.id())) {
      changed.add(item.name());
    }
    for (FetchResult.Source each : result.sources()) {
      sources.computeIfAbsent(each.server(), _ -> new Source(each)).add(each);
    }
    report();
  }

  private synchronized void failed(Item item, String problem, Shown shown) {
    openBytes -= shown.bytes;
    failures.put(item, problem);
  }

  private void report() {
    listener.progress(files, totalFiles, bytes + openBytes, totalBytes);
  }

  /** Ends all if no server can be reached: a file may fail alone, as if it was removed. */
  private void requireReachable(FetchFailedException failure)
      throws FetchFailedException, InterruptedException {
    synchronized (this) {
      if (System.nanoTime() - reachedNanos < REACHED_NANOS) {
        return;
      }
    }
    try {
      List<ListedObject> _ = list();
    } catch (FetchFailedException _) {
      throw failure;
    }
  }

  /** Adds the progress of one file to that of all. */
  private final class Shown implements FetchListener {
    private long bytes;

    @Override
    public void progress(long doneBytes, long fileBytes, int servers) {
      synchronized (FolderTransfer.this) {
        openBytes += doneBytes - bytes;
        bytes = doneBytes;
        report();
      }
    }
  }

  /** Ends the fetches that run; what they have of large files stays for the next call. */
  @Override
  public void close() {
    fetches.shutdownNow();
    boolean isInterrupted = Thread.interrupted();
    while (true) {
      try {
        if (fetches.awaitTermination(1, TimeUnit.SECONDS)) {
          break;
        }
      } catch (InterruptedException _) {
        isInterrupted = true;
      }
    }
    receiverMemory.close();
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
