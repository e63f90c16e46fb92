package io.fieldstone.net.events;

import io.fieldstone.rlnc.object.GenerationLoad;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The time that the read of a generation took. */
@Name("fieldstone.GenerationLoad")
@Label("Generation Load")
@Description("The read of a generation that clients want")
@Category({"Fieldstone", "Network"})
@StackTrace(false)
final class GenerationLoadEvent extends Event {

  @Label("Object")
  String object = "";

  @Label("Generation")
  int generation;

  @Label("Size")
  @DataAmount
  long bytes;

  @Label("Succeeded")
  boolean succeeded;

  private GenerationLoadEvent() {}

  /** Runs a load and records it. */
  static void run(GenerationLoad load) {
    GenerationLoadEvent event = new GenerationLoadEvent();
    event.begin();
    load.run();
    event.end();
    if (event.shouldCommit()) {
      event.object = load.object().manifest().id().toString();
      event.generation = load.generation();
      event.bytes = load.bytes();
      event.succeeded = load.hasSucceeded();
      event.commit();
    }
  }
}
