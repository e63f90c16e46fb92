package io.fieldstone.net.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.rlnc.wire.Sha256;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CatalogueQueryTest {

  private static ListedObject object(String name, int number, String server) {
    return new ListedObject(name, number, new Sha256(number, 0, 0, 0), List.of(server));
  }

  @Test
  void joinsServersOfEqualObjects() {
    List<ListedObject> joined =
        CatalogueQuery.joined(
            List.of(
                object("a", 1, "one"),
                object("b", 3, "one"),
                object("b", 2, "one"),
                object("b", 3, "two"),
                object("c", 1, "two")));
    assertThat(joined)
        .extracting(each -> each.name() + each.length() + each.servers())
        .containsExactly("a1[one]", "b3[one, two]", "b2[one]", "c1[two]");
  }

  /** A server may list any number of objects of one name. */
  @Test
  @Timeout(20)
  void manyObjectsOfOneNameTakeLinearTime() {
    List<ListedObject> many =
        IntStream.range(0, 400_000).mapToObj(number -> object("a", number, "one")).toList();
    assertThat(CatalogueQuery.joined(many).equals(many)).isTrue();
  }

  /** A server may list one object any number of times. */
  @Test
  @Timeout(20)
  void oneObjectListedOftenTakesLinearTime() {
    List<ListedObject> often =
        IntStream.range(0, 400_000)
            .mapToObj(number -> object("a", 1, number % 2 == 0 ? "one" : "two"))
            .toList();
    assertThat(CatalogueQuery.joined(often))
        .extracting(ListedObject::servers)
        .containsExactly(List.of("one", "two"));
  }
}
