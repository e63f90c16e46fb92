package io.fieldstone.cli.demo;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.ObjectDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;

/**
 * Connects a source, relays and receivers by links: from the source to every relay and every
 * receiver, and from every relay to every receiver.
 *
 * <p>Memory is bounded by the window of generations, not by the object.
 */
public final class DemoNetwork implements AutoCloseable {

  /** The name of the object in packets. */
  private static final String OBJECT_NAME = "demo";

  /** The maximum number of generations in flight, enough to work while feedback travels. */
  private static final int MAX_GENERATIONS = 8;

  /** The maximum bytes in flight at each node, if generations are large. */
  private static final long WINDOW_BYTES = 32L << 20;

  private static final int COPY_BYTES = 1 << 18;

  private final ObjectDescriptor object;
  private final Window window;
  private final SourceNode source;
  private final List<ReceiverNode> receivers = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final List<LossyLink> links = new ArrayList<>();

  private DemoNetwork(
      Engine engine, DemoSettings settings, ObjectDescriptor object, InputStream content) {
    this.object = object;
    GenerationShape shape = settings.shape();
    int generations = Math.clamp(WINDOW_BYTES / shape.bytes(), 1, MAX_GENERATIONS);
    window = new Window(object.generations(), generations);
    SplittableRandom seeds = new SplittableRandom(settings.seed());
    int senders = 1 + settings.relays();
    source = new SourceNode(engine, object, window, content);
    nodes.add(source);
    List<RelayNode> relays = new ArrayList<>();
    for (int r = 0; r < settings.relays(); r++) {
      LossyLink fromSource = link(settings, seeds);
      RelayNode relay =
          new RelayNode(engine, object, window, fromSource, seeds.nextLong(), senders);
      source.addFlow(new Flow(fromSource, relay.feedback(), 0, 1));
      relays.add(relay);
    }
    nodes.addAll(relays);
    for (int d = 0; d < settings.receivers(); d++) {
      List<LossyLink> incoming = new ArrayList<>();
      for (int sender = 0; sender < senders; sender++) {
        incoming.add(link(settings, seeds));
      }
      ReceiverNode receiver = new ReceiverNode(engine, object, window, incoming);
      source.addFlow(new Flow(incoming.getFirst(), receiver.feedback(), 0, senders));
      for (int r = 0; r < relays.size(); r++) {
        relays.get(r).addFlow(new Flow(incoming.get(1 + r), receiver.feedback(), 1 + r, senders));
      }
      receivers.add(receiver);
    }
    nodes.addAll(receivers);
  }

  private LossyLink link(DemoSettings settings, SplittableRandom seeds) {
    LossyLink link = new LossyLink(settings.quality(), seeds.split());
    links.add(link);
    return link;
  }

  /**
   * Sends an object from the source to every receiver.
   *
   * @param engine encodes, recodes and decodes; is not closed
   * @param threads the number of nodes that work in parallel, at least 1
   * @param progress receives the mean number of bytes that receivers have decoded
   * @throws IOException if the content cannot be read or is shorter than its length
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static DemoReport run(
      Engine engine, DemoSettings settings, Content content, int threads, LongConsumer progress)
      throws IOException, InterruptedException {
    ObjectDescriptor object =
        new ObjectDescriptor(
            OBJECT_NAME, settings.shape(), settings.seed(), content.length(), sha256(content));
    try (InputStream bytes = content.open();
        DemoNetwork network = new DemoNetwork(engine, settings, object, bytes);
        ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      long start = System.nanoTime();
      try {
        network.run(executor, start, progress);
      } finally {
        executor.shutdownNow();
      }
      return network.report(System.nanoTime() - start);
    }
  }

  private void run(ExecutorService executor, long start, LongConsumer progress)
      throws IOException, InterruptedException {
    List<Callable<Void>> steps = new ArrayList<>();
    for (Node node : nodes) {
      steps.add(() -> {
        node.step();
        return null;
      });
    }
    receivers.forEach(receiver -> receiver.start(start));
    while (!window.isDone()) {
      for (Future<Void> step : executor.invokeAll(steps)) {
        requireDone(step);
      }
      links.forEach(LossyLink::tick);
      nodes.forEach(Node::publish);
      window.moveTo(
          receivers.stream().mapToLong(ReceiverNode::firstUndelivered).min().orElseThrow());
      progress.accept(receivers.stream().mapToLong(ReceiverNode::bytes).sum() / receivers.size());
    }
  }

  private static void requireDone(Future<Void> step) throws IOException, InterruptedException {
    try {
      step.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException io -> throw io;
        case Error error -> throw error;
        case RuntimeException runtime -> throw runtime;
        case null, default -> throw new IllegalStateException("a node failed", e);
      }
    }
  }

  private DemoReport report(long nanos) {
    return new DemoReport(
        object.length(),
        object.sourceBlocks(),
        object.generations(),
        object.sha256(),
        receivers.stream().map(ReceiverNode::report).toList(),
        links.stream().map(LossyLink::counts).reduce(LinkCounts.NONE, LinkCounts::plus),
        source.sent(),
        nodes.stream().mapToDouble(Node::multiplyAccumulates).sum(),
        nanos);
  }

  private static String sha256(Content content) throws IOException, InterruptedException {
    MessageDigest digest = ObjectDescriptor.newSha256();
    byte[] buffer = new byte[COPY_BYTES];
    long length = 0;
    try (InputStream bytes = content.open()) {
      for (int count = bytes.read(buffer); count >= 0; count = bytes.read(buffer)) {
        digest.update(buffer, 0, count);
        length += count;
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    }
    if (length != content.length()) {
      throw new IOException(
          "the content changed while it was read: %d bytes instead of %d"
              .formatted(length, content.length()));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  @Override
  public void close() {
    nodes.forEach(Node::close);
  }
}
