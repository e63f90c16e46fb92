package io.fieldstone.cuda;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Descriptions of structs in Java agree with the declarations of the CUDA sources. */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class StructsContract {

  /** The names that the sources give to members, where those of the records differ. */
  private static final Map<String, Set<String>> SOURCE_NAMES =
      Map.ofEntries(
          entry("alternate", Set.of("items", "to")),
          entry("bins", Set.of("values", "bins")),
          entry("capacity", Set.of("room", "doubt_room")),
          entry("copied_words", Set.of("taken")),
          entry("counters", Set.of("used")),
          entry("current", Set.of("items", "from")),
          entry("first_bin", Set.of("first_value")),
          entry("functionals", Set.of("points")),
          entry("histogram", Set.of("counts")),
          entry("histograms", Set.of("counts")),
          entry("index_of_weight", Set.of("places")),
          entry("part_offsets", Set.of("firsts")),
          entry("row_count", Set.of("host_rows")),
          entry("skipped_keys", Set.of("before")),
          entry("tile_items", Set.of("tile")),
          entry("total", Set.of("totals")),
          entry("undecided", Set.of("doubts")),
          entry("undecided_count", Set.of("doubt_count")),
          entry("word_ints", Set.of("words")));

  private record Member(long offset, Class<?> type, String name) {}

  /** Returns the records that describe structs, by the names of the CUDA source. */
  protected abstract Map<String, Class<? extends Record>> records();

  /** Returns the layouts of structs, by the names of the CUDA source. */
  protected abstract Map<String, StructLayout> layouts();

  Stream<String> asserted() {
    return CudaStructs.assertedSizes().keySet().stream();
  }

  Stream<String> described() {
    return new TreeSet<>(records().keySet()).stream();
  }

  /** The sizes are those that nvcc has confirmed, so the layouts follow C. */
  @ParameterizedTest
  @MethodSource("asserted")
  void readsDeclarationsAsTheCompilerDoes(String name) {
    assertThat(CudaStructs.layout(name).byteSize())
        .isEqualTo(CudaStructs.assertedSizes().get(name));
  }

  @ParameterizedTest
  @MethodSource("described")
  void describesEachMemberOfAStruct(String struct) {
    Class<? extends Record> record = records().get(struct);
    StructLayout declared = CudaStructs.layout(struct);
    assertThat((long) Struct.bytes(record)).isEqualTo(declared.byteSize());
    List<Member> members = new ArrayList<>();
    addMembers(declared, 0, "", members);
    List<Struct.Member> described = Struct.members(record);
    assertThat(described).hasSameSizeAs(members);
    for (int i = 0; i < members.size(); i++) {
      Struct.Member member = described.get(i);
      String name = member.name().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
      assertThat(member.offset()).as(name).isEqualTo(members.get(i).offset());
      assertThat(member.type()).as(name).isEqualTo(members.get(i).type());
      assertThat(SOURCE_NAMES.getOrDefault(name, Set.of(name))).contains(members.get(i).name());
    }
  }

  private static void addMembers(MemoryLayout type, long offset, String name, List<Member> to) {
    switch (type) {
      case ValueLayout value -> to.add(new Member(offset, value.carrier(), name));
      case PaddingLayout _ -> {}
      case SequenceLayout sequence -> {
        for (long i = 0; i < sequence.elementCount(); i++) {
          MemoryLayout element = sequence.elementLayout();
          addMembers(element, offset + i * element.byteSize(), name, to);
        }
      }
      case GroupLayout group -> {
        long at = offset;
        for (MemoryLayout member : group.memberLayouts()) {
          addMembers(member, at, member.name().orElse(""), to);
          at += member.byteSize();
        }
      }
    }
  }

  @Test
  void laysOutStructsWithArrays() {
    layouts()
        .forEach((name, layout) -> assertThat(layout).as(name).isEqualTo(CudaStructs.layout(name)));
  }
}
