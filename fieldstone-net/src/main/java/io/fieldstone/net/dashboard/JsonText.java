package io.fieldstone.net.dashboard;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Optional;

/**
 * Writes records as JSON (RFC 8259). What is not printable ASCII is escaped, and so are the
 * characters of markup: the text is safe wherever it ends up.
 */
final class JsonText {

  private static final ClassValue<RecordComponent[]> COMPONENTS =
      new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
          RecordComponent[] components = type.getRecordComponents();
          for (RecordComponent each : components) {
            each.getAccessor().setAccessible(true); // the record may be private to its package
          }
          return components;
        }
      };

  private final StringBuilder text = new StringBuilder(1 << 10);

  private JsonText() {}

  /** Returns the record as an object on one line. */
  static String of(Record value) {
    JsonText json = new JsonText();
    json.record(value);
    return json.text.toString();
  }

  /** Returns the components of the type of a record. */
  static RecordComponent[] components(Record value) {
    return COMPONENTS.get(value.getClass());
  }

  /** Returns a component of a record. */
  static Object get(RecordComponent component, Record of) {
    try {
      return component.getAccessor().invoke(of);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private void value(Object value) {
    switch (value) {
      case Record nested -> record(nested);
      case List<?> list -> list(list);
      case Optional<?> optional -> optional.ifPresentOrElse(this::value, () -> text.append("null"));
      case Double number when !Double.isFinite(number) -> text.append("null");
      case Number number -> text.append(number);
      case Boolean flag -> text.append(flag);
      case String string -> string(string);
      default -> throw new IllegalArgumentException("no JSON for " + value.getClass());
    }
  }

  private void record(Record value) {
    char separator = '{';
    for (RecordComponent each : components(value)) {
      text.append(separator).append('"').append(each.getName()).append("\":");
      value(get(each, value));
      separator = ',';
    }
    text.append(separator == '{' ? "{}" : "}");
  }

  private void list(List<?> values) {
    text.append('[');
    for (int i = 0; i < values.size(); i++) {
      if (i > 0) {
        text.append(',');
      }
      value(values.get(i));
    }
    text.append(']');
  }

  private void string(String string) {
    text.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c < ' ' || c > '~' || "\"\\<>&'".indexOf(c) >= 0) {
        text.append("\\u%04x".formatted((int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
