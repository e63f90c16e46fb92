package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/** Reads a kernel's struct member by member, each from the boundary that C gives it. */
public final class Struct {

  private final MemorySegment memory;
  private long at;

  public Struct(MemorySegment memory) {
    this.memory = memory;
  }

  /** Returns the size of the struct that a record describes. */
  public static int bytes(Class<? extends Record> type) {
    int end = 0;
    int alignment = 1;
    for (RecordComponent member : type.getRecordComponents()) {
      int bytes = memberBytes(member.getType());
      int boundary = bytes % Long.BYTES == 0 ? Long.BYTES : Integer.BYTES;
      end = (end + boundary - 1) / boundary * boundary + bytes;
      alignment = Math.max(alignment, boundary);
    }
    return (end + alignment - 1) / alignment * alignment;
  }

  private static int memberBytes(Class<?> type) {
    return type.isRecord()
        ? bytes(type.asSubclass(Record.class))
        : type == int.class || type == float.class ? Integer.BYTES : Long.BYTES;
  }

  /** Reads the struct that a record describes: its components are the members, in their order. */
  public static <R extends Record> R read(MemorySegment memory, Class<R> type) {
    return new Struct(memory).read(type);
  }

  private <R extends Record> R read(Class<R> type) {
    RecordComponent[] members = type.getRecordComponents();
    Class<?>[] types = Arrays.stream(members).map(RecordComponent::getType).toArray(Class[]::new);
    Object[] values = Arrays.stream(types).map(this::member).toArray();
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private Object member(Class<?> type) {
    if (type.isRecord()) {
      return read(type.asSubclass(Record.class));
    }
    return switch (type.getName()) {
      case "long" -> int64();
      case "int" -> int32();
      case "double" -> Double.longBitsToDouble(int64());
      case "float" -> Float.intBitsToFloat(int32());
      default -> throw new AssertionError(type);
    };
  }

  /** A {@code struct Matrices}. */
  record Matrices(long data, long stride, long pitch) {
    long row(long matrix, long row) {
      return data + matrix * pitch + row * stride;
    }
  }

  Matrices matrices() {
    return new Matrices(int64(), int64(), int64());
  }

  void skip(int bytes) {
    at += bytes;
  }

  public long int64() {
    at = (at + 7) & -8;
    long value = memory.get(JAVA_LONG, at);
    at += Long.BYTES;
    return value;
  }

  public int int32() {
    int value = memory.get(JAVA_INT, at);
    at += Integer.BYTES;
    return value;
  }
}
