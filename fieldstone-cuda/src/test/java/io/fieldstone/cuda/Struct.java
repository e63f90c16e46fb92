package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads a kernel's struct: by the names of the members that the CUDA source declares, or as the
 * record of the library that describes it.
 */
public final class Struct {

  private static final ClassValue<Described> DESCRIBED =
      new ClassValue<>() {
        @Override
        protected Described computeValue(Class<?> type) {
          return new Described(type);
        }
      };

  private final MemorySegment memory;
  private final StructLayout layout;

  /**
   * @param name of the struct in the CUDA sources
   */
  public Struct(MemorySegment memory, String name) {
    this.memory = memory;
    this.layout = CudaStructs.layout(name);
  }

  private long offset(String path) {
    return layout.byteOffset(
        Arrays.stream(path.split("\\."))
            .map(PathElement::groupElement)
            .toArray(PathElement[]::new));
  }

  /** Reads a pointer or a 64-bit integer. */
  public long int64(String path) {
    return memory.get(JAVA_LONG, offset(path));
  }

  public int int32(String path) {
    return memory.get(JAVA_INT, offset(path));
  }

  /** Writes a 32-bit integer. */
  void set(String path, int value) {
    memory.set(JAVA_INT, offset(path), value);
  }

  /** Writes a 64-bit integer. */
  void set(String path, long value) {
    memory.set(JAVA_LONG, offset(path), value);
  }

  /** A {@code struct Matrices}. */
  public record Matrices(long data, long stride, long pitch) {
    public long row(long matrix, long row) {
      return data + matrix * pitch + row * stride;
    }
  }

  public Matrices matrices(String path) {
    return read(memory.asSlice(offset(path)), Matrices.class);
  }

  /**
   * A member of a record, of a primitive type.
   *
   * @param name of its component
   */
  record Member(String name, Class<?> type, long offset) {}

  /** Returns the members of the struct that a record describes, with those of nested records. */
  static List<Member> members(Class<? extends Record> type) {
    List<Member> members = new ArrayList<>();
    Described described = DESCRIBED.get(type);
    for (int i = 0; i < described.types.length; i++) {
      long offset = described.offsets[i];
      if (described.types[i].isRecord()) {
        for (Member nested : members(described.types[i].asSubclass(Record.class))) {
          members.add(new Member(nested.name(), nested.type(), offset + nested.offset()));
        }
      } else {
        members.add(new Member(described.components[i].getName(), described.types[i], offset));
      }
    }
    return members;
  }

  /** Returns the size of the struct that a record describes: its components are the members. */
  public static int bytes(Class<? extends Record> type) {
    return Math.toIntExact(DESCRIBED.get(type).bytes);
  }

  /** Reads the struct that a record describes. */
  public static <R extends Record> R read(MemorySegment memory, Class<R> type) {
    return type.cast(DESCRIBED.get(type).read(memory, 0));
  }

  /** Writes the struct that a record describes, whose members are integers. */
  static void write(MemorySegment memory, Record struct) {
    DESCRIBED.get(struct.getClass()).write(memory, struct);
  }

  /** The layout of a record, by the rules of C. */
  private static final class Described {
    final RecordComponent[] components;
    final Class<?>[] types;
    final long[] offsets;
    final long bytes;
    private final long alignment;
    private final Constructor<?> constructor;

    Described(Class<?> type) {
      components = type.getRecordComponents();
      types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      offsets = new long[types.length];
      long end = 0;
      long most = 1;
      for (int i = 0; i < types.length; i++) {
        offsets[i] = aligned(end, alignment(types[i]));
        end = offsets[i] + bytes(types[i]);
        most = Math.max(most, alignment(types[i]));
        components[i].getAccessor().setAccessible(true);
      }
      alignment = most;
      bytes = aligned(end, most);
      try {
        constructor = type.getDeclaredConstructor(types);
      } catch (NoSuchMethodException e) {
        throw new AssertionError(e);
      }
      constructor.setAccessible(true);
    }

    private static long aligned(long offset, long alignment) {
      return (offset + alignment - 1) / alignment * alignment;
    }

    private static long bytes(Class<?> type) {
      return type.isRecord() ? DESCRIBED.get(type).bytes : alignment(type);
    }

    private static long alignment(Class<?> type) {
      return switch (type.getName()) {
        case "long", "double" -> Long.BYTES;
        case "int", "float" -> Integer.BYTES;
        default -> DESCRIBED.get(type).alignment;
      };
    }

    Object read(MemorySegment memory, long at) {
      Object[] values = new Object[types.length];
      for (int i = 0; i < types.length; i++) {
        long offset = at + offsets[i];
        values[i] =
            switch (types[i].getName()) {
              case "long" -> memory.get(JAVA_LONG, offset);
              case "int" -> memory.get(JAVA_INT, offset);
              case "double" -> Double.longBitsToDouble(memory.get(JAVA_LONG, offset));
              case "float" -> Float.intBitsToFloat(memory.get(JAVA_INT, offset));
              default -> DESCRIBED.get(types[i]).read(memory, offset);
            };
      }
      try {
        return constructor.newInstance(values);
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }

    void write(MemorySegment memory, Record struct) {
      try {
        for (int i = 0; i < types.length; i++) {
          Object value = components[i].getAccessor().invoke(struct);
          if (value instanceof Long number) {
            memory.set(JAVA_LONG, offsets[i], number);
          } else {
            memory.set(JAVA_INT, offsets[i], (Integer) value);
          }
        }
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
  }
}
