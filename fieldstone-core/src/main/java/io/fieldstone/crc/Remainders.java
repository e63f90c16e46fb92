package io.fieldstone.crc;

import io.fieldstone.engine.Division;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Extents;
import io.fieldstone.engine.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** What divides messages for one model: an engine, or for registers wider than theirs, tables. */
sealed interface Remainders permits Remainders.Narrow, WideRemainders {

  /** How it divides. */
  String method();

  /** The register after a message. */
  CrcValue append(CrcValue register, MemorySegment message);

  /** The register after resident bytes. */
  CrcValue append(CrcValue register, ResidentBytes data, long offset, long length);

  /** Division by an engine's choice of method. */
  static Remainders of(CrcModel model, Engine engine) {
    return model.isNarrow()
        ? new Narrow(engine.checksums().division(model.divisor()))
        : new WideRemainders(model);
  }

  /** Division by a method by name. */
  static Remainders of(CrcModel model, Engine engine, String method) {
    if (model.isNarrow()) {
      return new Narrow(engine.checksums().division(model.divisor(), method));
    }
    if (!methods(model, engine).contains(method)) {
      throw new IllegalArgumentException(
          "no method '%s' for %d bits; there is: %s"
              .formatted(method, model.width(), WideRemainders.METHOD));
    }
    return new WideRemainders(model);
  }

  /** The methods there are. */
  static List<String> methods(CrcModel model, Engine engine) {
    return model.isNarrow()
        ? engine.checksums().methods(model.divisor())
        : List.of(WideRemainders.METHOD);
  }

  /** Registers of 64 bits or less, divided by an engine. */
  record Narrow(Division division) implements Remainders {

    @Override
    public String method() {
      return division.method();
    }

    @Override
    public CrcValue append(CrcValue register, MemorySegment message) {
      return CrcValue.of(register.width(), division.append(register.low(), message));
    }

    @Override
    public CrcValue append(CrcValue register, ResidentBytes data, long offset, long length) {
      return CrcValue.of(register.width(), division.append(register.low(), data, offset, length));
    }

    void append(CrcValue register, MemorySegment data, Extents messages, MemorySegment registers) {
      division.append(register.low(), data, messages, registers);
    }

    void append(CrcValue register, ResidentBytes data, Extents messages, MemorySegment registers) {
      division.append(register.low(), data, messages, registers);
    }
  }
}
