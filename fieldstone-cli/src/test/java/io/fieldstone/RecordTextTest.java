package io.fieldstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.Main;
import io.fieldstone.crc.Crc;
import io.fieldstone.engine.Engine;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.relays.RelayPlanner;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.sort.RadixSort;
import io.fieldstone.weights.JointWeights;
import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.constant.ClassDesc;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No sentence contains a record: its text, such as {@code GenerationShape[field=…]}, is for
 * programmers. The compiled classes show which values are formatted or concatenated.
 */
class RecordTextTest {

  /** Records whose text is Java's, and sealed interfaces that they implement. */
  private final Set<String> records = new HashSet<>();

  private final Set<String> found = new TreeSet<>();

  @Test
  void noSentenceContainsARecord() throws Exception {
    List<ClassModel> classes = new ArrayList<>();
    List<Class<?>> ofEachModule =
        List.of(
            Engine.class,
            GenerationShape.class,
            Crc.class,
            JointWeights.class,
            RadixSort.class,
            RelayPlanner.class,
            ServerSettings.class,
            Main.class);
    for (Class<?> one : ofEachModule) {
      classes.addAll(classesBeside(one));
    }
    collectRecords(classes);
    for (ClassModel one : classes) {
      for (MethodModel method : one.methods()) {
        if (!method.methodName().equalsString("toString")) {
          method.code().ifPresent(code -> search(one.thisClass().asInternalName(), code));
        }
      }
    }

    assertThat(records).contains("Lio/fieldstone/rlnc/GenerationShape;");
    assertThat(found).isEmpty();
  }

  record Sample(int number) {
    String formatted() {
      return "of %s and %d".formatted(this, number);
    }

    String concatenated() {
      return "of " + this;
    }
  }

  @Test
  void theSearchFindsARecord() throws Exception {
    assertThat(new Sample(3).formatted() + new Sample(4).concatenated()).contains("Sample[");
    List<ClassModel> samples =
        classesBeside(RecordTextTest.class).stream()
            .filter(each -> each.thisClass().asInternalName().endsWith("RecordTextTest$Sample"))
            .toList();
    collectRecords(samples);
    for (String name : List.of("formatted", "concatenated")) {
      found.clear();
      samples.getFirst().methods().stream()
          .filter(method -> method.methodName().equalsString(name))
          .forEach(method -> search(name, method.code().orElseThrow()));
      assertThat(found).as(name).hasSize(1);
    }
  }

  private static List<ClassModel> classesBeside(Class<?> one) throws Exception {
    Path place = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(place)) {
      return classesIn(place);
    }
    try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + place.toUri()), Map.of())) {
      return classesIn(jar.getPath("/io"));
    }
  }

  private static List<ClassModel> classesIn(Path folder) throws IOException {
    List<ClassModel> classes = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
        classes.add(ClassFile.of().parse(Files.readAllBytes(file)));
      }
    }
    return classes;
  }

  private void collectRecords(List<ClassModel> classes) {
    for (ClassModel one : classes) {
      boolean isRecord = one.findAttribute(Attributes.record()).isPresent();
      boolean hasText =
          one.methods().stream()
              .anyMatch(each -> each.methodName().equalsString("toString") && !isGenerated(each));
      if (isRecord && !hasText) {
        records.add(descriptor(one.thisClass().asInternalName()));
      }
    }
    for (ClassModel one : classes) {
      one.findAttribute(Attributes.permittedSubclasses())
          .filter(all ->
              all.permittedSubclasses().stream()
                  .anyMatch(each -> records.contains(descriptor(each.asInternalName()))))
          .ifPresent(_ -> records.add(descriptor(one.thisClass().asInternalName())));
    }
  }

  private static String descriptor(String name) {
    return "L" + name + ";";
  }

  private static boolean isGenerated(MethodModel method) {
    return method.code().stream()
        .flatMap(CodeModel::elementStream)
        .anyMatch(element ->
            element instanceof InvokeDynamicInstruction call
                && call.bootstrapMethod().owner().displayName().equals("ObjectMethods"));
  }

  /**
   * Adds the records that are an argument of a concatenation, or an element of an Object[] that is
   * formatted.
   */
  private void search(String name, CodeModel code) {
    Map<Integer, String> locals = new HashMap<>();
    List<String> elements = new ArrayList<>();
    boolean isObjects = false;
    String last = "";
    for (CodeElement element : code) {
      String before = last;
      switch (element) {
        case LocalVariable local -> locals.put(local.slot(), local.type().stringValue());
        case NewReferenceArrayInstruction array ->
            isObjects = array.componentType().asInternalName().equals("java/lang/Object");
        case ArrayStoreInstruction _ -> {
          if (isObjects) {
            elements.add(before);
          }
        }
        case InvokeDynamicInstruction call -> {
          if (call.name().equalsString("makeConcatWithConstants")) {
            call.typeSymbol().parameterList().stream()
                .map(ClassDesc::descriptorString)
                .forEach(type -> add(name, type));
          }
          last = call.typeSymbol().returnType().descriptorString();
        }
        case InvokeInstruction call -> {
          boolean isText =
              call.owner().asInternalName().equals("java/lang/String")
                  && call.name().equalsString("valueOf");
          if (isText) {
            add(name, before);
          } else if (call.name().equalsString("formatted") || call.name().equalsString("format")) {
            elements.forEach(type -> add(name, type));
            elements.clear();
          } else if (call.owner().asInternalName().equals("java/util/Objects")) {
            elements.clear();
          }
          last = call.typeSymbol().returnType().descriptorString();
        }
        case FieldInstruction field -> last = field.typeSymbol().descriptorString();
        case LoadInstruction load -> last = locals.getOrDefault(load.slot(), "");
        case Instruction _ -> last = "";
        default -> {}
      }
    }
  }

  private void add(String name, String type) {
    if (records.contains(type)) {
      found.add(name + ": " + type);
    }
  }
}
