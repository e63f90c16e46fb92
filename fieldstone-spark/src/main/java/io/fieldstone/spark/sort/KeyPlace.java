package io.fieldstone.spark.sort;

import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.sort.CompositeKey;
import io.fieldstone.sort.RecordLayout;
import java.io.Serializable;
import java.nio.ByteOrder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A {@link RecordLayout} in a form that Spark sends to executors.
 *
 * @param type the type of a numeric key; null for a byte string
 * @param keyBytes the bytes of the key
 */
record KeyPlace(
    int recordBytes,
    int keyOffset,
    @Nullable KeyType type,
    boolean isBigEndian,
    int keyBytes,
    boolean isDescending)
    implements Serializable {

  /**
   * Returns the place of the key of a layout.
   *
   * @throws IllegalArgumentException if it has several keys
   */
  static KeyPlace of(RecordLayout layout) {
    if (layout.key() instanceof CompositeKey) {
      throw new IllegalArgumentException(
          "several keys (%s) are not sorted by Spark: give one".formatted(layout));
    }
    Optional<RecordLayout.Numeric> number =
        layout.key() instanceof RecordLayout.Numeric numeric
            ? Optional.of(numeric)
            : Optional.empty();
    return new KeyPlace(
        layout.recordBytes(),
        layout.keyOffset(),
        number.map(RecordLayout.Numeric::type).orElse(null),
        number.isPresent() && number.get().order().equals(ByteOrder.BIG_ENDIAN),
        layout.key().bytes(),
        layout.direction() == Direction.DESCENDING);
  }

  RecordLayout layout() {
    return new RecordLayout(
        recordBytes,
        keyOffset,
        type == null
            ? new RecordLayout.ByteString(keyBytes)
            : new RecordLayout.Numeric(
                type, isBigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN),
        isDescending ? Direction.DESCENDING : Direction.ASCENDING);
  }
}
