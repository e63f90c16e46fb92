import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Gives the old classes of jars, such as those of picocli, the class-file version of Java 8, with
 * stack maps. The JVM's ahead-of-time cache accepts no class that needs the verifier of Java 5.
 * Loading and verifying these takes longer than all else at start-up.
 *
 * <p>Arguments: the jars, which are replaced.
 */
final class OldClasses {

  /** The first version whose classes have stack maps. */
  private static final int MIN_MAJOR_VERSION = ClassFile.JAVA_6_VERSION;

  private OldClasses() {}

  public static void main(String[] jars) throws IOException {
    for (String jar : jars) {
      Path old = Path.of(jar);
      Path renewed = Path.of(jar + ".new");
      write(old, renewed);
      Files.move(renewed, old, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Copies a jar with new versions of its old classes. */
  private static void write(Path jar, Path renewed) throws IOException {
    try (ZipFile from = new ZipFile(jar.toFile());
        URLClassLoader classes = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null);
        ZipOutputStream to = new ZipOutputStream(Files.newOutputStream(renewed))) {
      ClassHierarchyResolver hierarchy =
          ClassHierarchyResolver.ofResourceParsing(classes)
              .orElse(
                  ClassHierarchyResolver.ofResourceParsing(ClassLoader.getPlatformClassLoader()));
      ClassFile classFile =
          ClassFile.of(
              ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
              ClassFile.ClassHierarchyResolverOption.of(hierarchy));
      for (ZipEntry entry : from.stream().toList()) {
        byte[] bytes = from.getInputStream(entry).readAllBytes();
        if (entry.getName().endsWith(".class")) {
          ClassModel model = classFile.parse(bytes);
          if (model.majorVersion() < MIN_MAJOR_VERSION) {
            bytes = classFile.transformClass(model, withStackMaps());
          }
        }
        ZipEntry copy = new ZipEntry(entry.getName());
        copy.setTime(entry.getTime());
        to.putNextEntry(copy);
        to.write(bytes);
      }
    }
  }

  /** Writes all code anew, so that its stack maps are computed. */
  private static ClassTransform withStackMaps() {
    MethodTransform newCode = MethodTransform.transformingCode(CodeTransform.ACCEPT_ALL);
    return (builder, element) -> {
      switch (element) {
        case ClassFileVersion _ -> builder.withVersion(ClassFile.JAVA_8_VERSION, 0);
        case MethodModel method -> builder.transformMethod(method, newCode);
        default -> builder.with(element);
      }
    };
  }
}
