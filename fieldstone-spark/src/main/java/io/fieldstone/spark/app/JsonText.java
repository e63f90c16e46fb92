package io.fieldstone.spark.app;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.fieldstone.stream.file.Printable;
import java.io.IOException;
import java.util.Optional;

/** Writes records as JSON, by the library that Spark brings. */
final class JsonText {

  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
          .registerModule(new SimpleModule().addSerializer(Optional.class, new OfOptional()));

  /** A failure, as the command prints it. */
  record Failure(String error, int exit) {}

  /** Writes a value that is present, or null. */
  @SuppressWarnings("rawtypes") // the class of a serializer is that of its values
  private static final class OfOptional extends JsonSerializer<Optional> {
    @Override
    public void serialize(Optional value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      Optional<?> component = value;
      json.writeObject(component.orElse(null));
    }
  }

  private JsonText() {}

  /** Returns an object of the components of a record. */
  static String of(Object object) {
    try {
      // JSON leaves DEL and other control characters as they are, which a terminal obeys.
      return Printable.lines(MAPPER.writeValueAsString(object));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
