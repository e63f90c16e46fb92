package io.fieldstone.net.events;

import io.fieldstone.rlnc.object.GenerationTask;
import io.fieldstone.rlnc.wire.Sha256;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The time that the decoding and hashing of a generation took. */
@Name("fieldstone.GenerationVerify")
@Label("Generation Verify")
@Description("The decoding and hashing of a generation that was received")
@Category({"Fieldstone", "Network"})
@StackTrace(false)
final class GenerationVerifyEvent extends Event {

  @Label("Object")
  String object = "";

  @Label("Generation")
  int generation;

  @Label("Size")
  @DataAmount
  long bytes;

  private GenerationVerifyEvent() {}

  /** Runs a task and records it. */
  static void run(GenerationTask task, Sha256 object) {
    GenerationVerifyEvent event = new GenerationVerifyEvent();
    event.begin();
    task.run();
    event.end();
    if (event.shouldCommit()) {
      event.object = object.toString();
      event.generation = task.generation();
      event.bytes = task.bytes();
      event.commit();
    }
  }
}
