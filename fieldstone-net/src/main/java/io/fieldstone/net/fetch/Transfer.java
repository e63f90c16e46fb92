package io.fieldstone.net.fetch;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.fetch.ServerLink.State;
import io.fieldstone.net.fetch.TransferState.Phase;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.net.session.ClientSession;
import io.fieldstone.net.session.Message;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.object.ObjectReceiver;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One fetch: takes its parts through the phases of a {@link TransferState}, whose monitor is the
 * lock of them all. {@link ServerLinks} connects to the servers, {@link ObjectQuery} finds the
 * object, {@link HashDownload} downloads its hashes, and {@link BlockDownload} the object.
 */
final class Transfer implements AutoCloseable {

  /** The intervals at which servers are polled: those that answer or wait, and those that send. */
  private static final long TICK_MILLIS = 50;

  private static final long RECEIVING_TICK_MILLIS = 200;

  /** The heap divided by the maximum bytes of the hashes, of which there are two copies. */
  private static final int HEAP_SHARE = 4;

  private final FetchContext context;
  private final TransferState state = new TransferState();
  private final ServerLinks links;
  private final ObjectQuery query;
  private final HashDownload hashDownload;
  private final long startNanos = System.nanoTime();
  private @Nullable Decryption decryption;
  private @Nullable BlockDownload blockDownload;

  Transfer(FetchContext context) {
    this.context = context;
    this.links =
        new ServerLinks(
            context.carrier(), context.settings(), context.peers(), state, new LinkEvents());
    this.query =
        new ObjectQuery(context.settings(), state, links, context.destination(), this::opened);
    this.hashDownload = new HashDownload(context.settings(), state, links);
  }

  /** Fetches the object; returns when it is in its place. */
  FetchResult run() throws IOException, FetchFailedException, InterruptedException {
    await(Phase.KEPT_BYTES);
    GenerationHashes hashes;
    Decryption decrypting;
    synchronized (state) {
      hashes = hashDownload.hashes();
      decrypting = Objects.requireNonNull(decryption);
    }
    BitSet kept = context.destination().begin(hashes, decrypting.content(), context.threads());
    BlockDownload blocks = begin(decrypting, hashes, kept);
    await(Phase.ENDED);
    blocks.awaitTasks();
    context.destination().commit();
    synchronized (state) {
      return result(hashes.manifest(), decrypting, blocks);
    }
  }

  private BlockDownload begin(Decryption decrypting, GenerationHashes hashes, BitSet kept)
      throws IOException, FetchFailedException {
    synchronized (state) {
      state.throwFailure();
      BlockDownload blocks =
          new BlockDownload(
              context,
              state,
              links,
              decrypting,
              hashes,
              kept,
              () -> query.isAgreed(System.nanoTime()));
      blockDownload = blocks;
      state.enter(Phase.BLOCKS);
      state.progressed(System.nanoTime());
      blocks.begin();
      return blocks;
    }
  }

  /** Waits for a phase, and polls the servers meanwhile. */
  private void await(Phase wanted) throws IOException, FetchFailedException, InterruptedException {
    synchronized (state) {
      while (true) {
        state.throwFailure();
        if (state.phase().compareTo(wanted) >= 0) {
          return;
        }
        tick(System.nanoTime());
        if (!state.hasFailed() && state.phase().compareTo(wanted) < 0) {
          state.wait(state.phase() == Phase.BLOCKS ? RECEIVING_TICK_MILLIS : TICK_MILLIS);
        }
      }
    }
  }

  private void tick(long now) {
    links.connect(now);
    switch (state.phase()) {
      case CHOOSING -> query.choose(now);
      case HASHES -> hashDownload.checkStall(now);
      case BLOCKS -> {
        BlockDownload blocks = Objects.requireNonNull(blockDownload);
        blocks.checkStalls(now);
        links.checkAccusations(now);
        blocks.checkComplete();
        if (blocks.isAheadOfOutput()) {
          state.progressed(now);
        }
      }
      default -> {}
    }
    checkProgress(now);
  }

  /** Fails if no server can be reached, or the transfer makes no progress. */
  private void checkProgress(long now) {
    long patienceNanos = context.settings().patienceNanos();
    if (links.areUnreachable()) {
      state.fail(new FetchFailedException(links.problems("cannot fetch " + query.name())));
    } else if (now - state.progressNanos() > patienceNanos) {
      state.fail(
          new FetchFailedException(
              links.standstill(
                  "no progress on %s for %.1f s".formatted(query.name(), patienceNanos / 1e9))));
    }
  }

  /** Hands what happens at the links to the parts of the transfer. */
  private final class LinkEvents implements ServerLinks.Listener {
    @Override
    public Message first(ServerLink link) {
      return query.first(link);
    }

    @Override
    public void accepted(ServerLink link) {
      query.accepted(link);
    }

    @Override
    public void message(ServerLink link, Message message) throws MalformedDataException {
      switch (message) {
        case Message.Found answer -> {
          query.answered(link, answer.entries());
          if (blockDownload != null) {
            blockDownload.checkComplete();
          }
        }
        case Message.Opened answer -> {
          requireSendable(answer.manifest());
          link.opened = Optional.of(answer);
          if (query.opened(link, answer)) {
            opened(link);
          }
        }
        case Message.Refused refused -> links.refused(link, refused.code(), refused.text());
        case Message.Hashes part -> hashDownload.arrived(link, part);
        case Message.Leaves part -> {
          links.answered(link, part);
          if (blockDownload != null) {
            blockDownload.leaves(link, part);
          }
        }
        case Message.Ended ended -> links.refused(link, ended.code(), ended.text());
        default -> {}
      }
    }

    /** Checks what a server says of an object before memory is taken for it. */
    private static void requireSendable(ObjectManifest object) throws MalformedDataException {
      int blockSize = object.shape().blockSize();
      if (blockSize > ServerSettings.MAX_BLOCK_SIZE) {
        throw new MalformedDataException(
            0,
            "blocks of %d bytes; the maximum is %d"
                .formatted(blockSize, ServerSettings.MAX_BLOCK_SIZE));
      }
    }

    @Override
    public void packet(ServerLink link, MemorySegment packet) throws MalformedDataException {
      if (blockDownload != null) {
        blockDownload.packet(link, packet);
      }
    }

    @Override
    public void lost(ServerLink link) {
      query.lost(link);
      if (blockDownload != null) {
        blockDownload.stop(link);
      }
      link.stopReceiving();
      hashDownload.lost(link);
    }
  }

  /** Begins to use a server that has opened the chosen object. */
  private void opened(ServerLink link) {
    Message.Opened opened = link.opened.orElseThrow();
    link.state = State.OPEN;
    link.backoff.reset();
    if (state.phase() == Phase.CHOOSING) {
      try {
        requireMemory(opened.manifest());
        decryption = Decryption.of(query.name(), opened.manifest(), context.settings().key());
        context.destination().requireSpace(decryption.content());
      } catch (FetchFailedException e) {
        state.fail(e);
        return;
      } catch (IOException e) {
        state.fail(e);
        return;
      }
      hashDownload.begin(opened.manifest());
    }
    links.sharePacing();
    if (state.phase() == Phase.BLOCKS) {
      Objects.requireNonNull(blockDownload).start(link);
    } else {
      hashDownload.request();
    }
    state.notifyAll();
  }

  /** Checks that the hashes of an object fit in memory, before they are asked for. */
  private void requireMemory(ObjectManifest object) throws FetchFailedException {
    long bytes = (long) object.generations() * Sha256.BYTES;
    long memory = context.settings().windowBytes();
    long heap = Runtime.getRuntime().maxMemory();
    if (bytes > memory) {
      throw new FetchFailedException(
          "'%s' has %d generations, whose hashes need %d bytes; --memory is %d"
              .formatted(query.name(), object.generations(), bytes, memory));
    }
    if (bytes > heap / HEAP_SHARE) {
      throw new FetchFailedException(
          "'%s' has %d generations, whose hashes need %d bytes twice; the JVM has %d of heap, set"
                  .formatted(query.name(), object.generations(), bytes, heap)
              + " FIELDSTONE_JAVA_OPTS=-Xmx… for more");
    }
  }

  /** Called when an ordered output takes more, or has failed. */
  void outputChanged() {
    synchronized (state) {
      Optional<IOException> failure = context.destination().failure();
      if (failure.isPresent()) {
        state.fail(failure.get());
      } else if (state.phase() == Phase.BLOCKS) {
        state.progressed(System.nanoTime());
        Objects.requireNonNull(blockDownload).wantMore();
      }
    }
  }

  /** Returns what the dashboard shows. */
  Snapshot snapshot() {
    synchronized (state) {
      Optional<ObjectReceiver> receiver =
          Optional.ofNullable(blockDownload).map(BlockDownload::receiver);
      return Snapshot.of(
          context.settings().self(context.engine()),
          links.all().stream().map(each -> each.peer(receiver)).toList(),
          blockDownload == null ? List.of() : List.of(blockDownload.item(query.name())),
          Optional.empty(),
          links.incidents());
    }
  }

  /** Returns the numbers of {@code /metrics}. */
  FetchStatus status() {
    synchronized (state) {
      return blockDownload == null ? FetchStatus.NONE : blockDownload.status();
    }
  }

  private FetchResult result(ObjectManifest object, Decryption decrypting, BlockDownload blocks) {
    return new FetchResult(
        query.name(),
        object.id(),
        object,
        decrypting.content().length(),
        query.publisher(),
        blocks.keptBytes() - context.destination().zeroBytes(),
        context.destination().zeroBytes(),
        context.destination().wasThere(),
        System.nanoTime() - startNanos,
        blocks.blocksNeeded(),
        blocks.packetsReceived(),
        links.sources());
  }

  /** Closes the connections, and waits for the threads that decode. */
  @Override
  public void close() {
    List<ClientSession> sessions;
    BlockDownload blocks;
    synchronized (state) {
      state.enter(Phase.ENDED);
      sessions = links.dropAll();
      blocks = blockDownload;
    }
    sessions.forEach(session -> session.connection().close(CloseReason.DONE, ""));
    if (blocks != null) {
      blocks.close();
    }
  }
}
