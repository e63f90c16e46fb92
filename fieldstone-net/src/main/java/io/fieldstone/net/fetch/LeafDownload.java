package io.fieldstone.net.fetch;

import io.fieldstone.net.session.Message;
import io.fieldstone.rlnc.object.ObjectReceiver;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Downloads the hashes of the source blocks of generations, the leaves, by which an ordered output
 * gets blocks of an incomplete generation. Guarded by the lock of the transfer.
 */
final class LeafDownload {

  private static final Logger LOGGER = System.getLogger(LeafDownload.class.getName());

  private final ObjectReceiver receiver;
  private final ServerLinks links;
  private final Map<Integer, List<Sha256>> leaves = new HashMap<>();

  LeafDownload(ObjectReceiver receiver, ServerLinks links) {
    this.receiver = receiver;
    this.links = links;
  }

  /** Asks a server for the leaves of a generation, if one is open. */
  void request(int generation) {
    for (ServerLink link : links.open()) {
      if (link.opened.isPresent()) {
        link.send(new Message.LeavesRequest(link.opened.get().alias(), generation));
        return;
      }
    }
  }

  /** Takes leaves that a server sent. */
  void arrived(Message.Leaves part) throws MalformedDataException {
    if (receiver.isVerified(part.generation())) {
      return;
    }
    List<Sha256> known = leaves.computeIfAbsent(part.generation(), _ -> new ArrayList<>());
    int n = receiver.manifest().shapeOf(part.generation()).blocks();
    if (part.first() != known.size() || known.size() + part.leaves().size() > n) {
      leaves.remove(part.generation());
      throw new MalformedDataException(
          0,
          "leaves %d … of generation %d out of order".formatted(part.first(), part.generation()));
    }
    known.addAll(part.leaves());
    offer(part.generation(), known);
  }

  /** Gives leaves to the receiver whose generations were not open when they arrived. */
  void offer() {
    Map.copyOf(leaves).forEach(this::offer);
  }

  private void offer(int generation, List<Sha256> known) {
    try {
      if (known.size() == receiver.manifest().shapeOf(generation).blocks()
          && receiver.setLeaves(generation, known)) {
        leaves.remove(generation);
      }
    } catch (MalformedDataException e) {
      // The generation as a whole is still verified.
      LOGGER.log(Level.WARNING, "{0}", e.getMessage());
      leaves.remove(generation);
    }
  }

  /** Forgets the leaves of a generation that is verified. */
  void verified(int generation) {
    leaves.remove(generation);
  }
}
