package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import java.util.List;

/**
 * Processor time of a large file on the loopback interface.
 *
 * @param runner moves the file
 * @param peers the programs in the order of their rows; the first is the one others divide by
 */
record LoopbackSection(TransferRunner runner, List<FilePeer> peers) implements Section {

  @Override
  public int steps() {
    return peers.size();
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "loopback",
            "One file on the loopback interface",
            "program",
            "goodput, Gbit/s",
            "Gbit per second of a server's core",
            "of the first row");
    double first = 0;
    for (FilePeer peer : peers) {
      run.beginStep("loopback: " + peer.name());
      CpuMeter meter = new CpuMeter();
      Transfer transfer = runner.measureOnLoopback(run, peer, meter);
      double gigabits = transfer.bytes() * 8e-9;
      double perCore = gigabits / meter.seconds();
      first = first == 0 ? perCore : first;
      table.row(
          Cell.of(peer.name()),
          Cell.of(gigabits / transfer.seconds()),
          Cell.of(perCore),
          Cell.of(perCore / first));
    }
    runner.takeFailures().forEach(why -> table.note("Failed: " + why));
    return List.of(
        table
            .note(
                "Sender and receiver share the cores. The processor time is that of all threads of"
                    + " the server's process from the start of the receiver, compilation included.")
            .build());
  }
}
