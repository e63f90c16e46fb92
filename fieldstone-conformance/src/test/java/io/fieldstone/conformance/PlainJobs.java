package io.fieldstone.conformance;

import io.fieldstone.crc.Crc;
import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.field.Gf256;
import io.fieldstone.relays.PlanMethod;
import io.fieldstone.relays.RelayPlanner;
import io.fieldstone.relays.SensorField;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.Decoder;
import io.fieldstone.rlnc.Encoder;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.weights.JointWeights;
import io.fieldstone.weights.codes.CodeFamily;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Runs each job of the library once, and prints what it found. */
final class PlainJobs {

  private PlainJobs() {}

  /** Runs the jobs, and the conformance suite if there is an argument. */
  public static void main(String[] arguments) {
    try (Engine engine = Engine.open("auto")) {
      results(engine).forEach(System.out::println);
      if (arguments.length > 0) {
        Conformance.of(engine).run(1).stream()
            .filter(result -> !result.passed())
            .forEach(System.out::println);
      }
    }
  }

  static List<String> results(Engine engine) {
    byte[] message = new byte[60_000];
    new Random(3).nextBytes(message);
    return List.of(
        "systematic " + decoded(engine, new Code.Systematic(), message),
        "pipeline " + decoded(engine, new Code.Pipeline(0.5), message),
        "crc " + checksum(engine, "CRC-64/XZ", message),
        "crc " + checksum(engine, "CRC-32C", message),
        "sort " + sorted(engine, message),
        "weights " + JointWeights.of(CodeFamily.parse("golay:24"), engine).single(),
        "relays " + relays(engine));
  }

  private static int decoded(Engine engine, Code code, byte[] message) {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, code, 50, 1200);
    Random losses = new Random(4);
    byte[] received = new byte[message.length];
    try (Encoder encoder = new Encoder(engine, shape, 0, 42, message);
        Decoder decoder = new Decoder(engine, shape, 0)) {
      while (!decoder.isComplete()) {
        CodedBlock block = encoder.next();
        if (losses.nextInt(4) > 0) {
          decoder.add(block);
        }
      }
      decoder.decode(received);
    }
    return Arrays.hashCode(received);
  }

  /** Divides bytes on the heap, and in memory that is confined to this thread. */
  private static String checksum(Engine engine, String model, byte[] message) {
    Crc crc = Crc.of(CrcCatalogue.model(model), engine);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment confined = arena.allocateFrom(ValueLayout.JAVA_BYTE, message);
      return crc.hash(message) + " " + crc.hash(confined);
    }
  }

  private static int sorted(Engine engine, byte[] message) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment records = arena.allocateFrom(ValueLayout.JAVA_BYTE, message);
      engine.sorts().sorting(RecordFormat.of(KeyType.U32).withPayload(8)).sort(records);
      return Arrays.hashCode(records.toArray(ValueLayout.JAVA_BYTE));
    }
  }

  private static String relays(Engine engine) {
    double[] xs = {0, 60, 30, -80, -82};
    double[] ys = {0, 0, 52, 0, 0};
    SensorField field = SensorField.planar(List.of("a", "b", "c", "d", "e"), xs, ys);
    return new RelayPlanner(engine, field, 50).plan(PlanMethod.BEST_STARS).relays().toString();
  }
}
