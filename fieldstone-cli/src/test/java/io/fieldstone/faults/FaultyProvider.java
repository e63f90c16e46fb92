package io.fieldstone.faults;

import static io.fieldstone.faults.FaultyPath.realOf;

import io.fieldstone.faults.Faults.Kind;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.DirectoryStream.Filter;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/** The JVM's default provider of files, asked only after {@link Faults} has been. */
public final class FaultyProvider extends FileSystemProvider {

  private final FileSystemProvider real;
  private final FaultyFileSystem system;

  /** The constructor that {@code java.nio.file.spi.DefaultFileSystemProvider} requires. */
  public FaultyProvider(FileSystemProvider real) {
    this.real = real;
    this.system = new FaultyFileSystem(this, real.getFileSystem(URI.create("file:///")));
  }

  /** Not in the constructor: paths need a default file system. */
  private Faults faults() {
    return Holder.FAULTS;
  }

  private static final class Holder {
    static final Faults FAULTS = Faults.ofThisJvm();

    static {
      FAULTS.beginByProperties();
    }
  }

  private boolean before(Kind kind, Path file) throws IOException {
    return faults().before(kind, absolute(file), null);
  }

  private boolean before(Kind kind, Path file, Path target) throws IOException {
    return faults().before(kind, absolute(file), absolute(target));
  }

  private Path absolute(Path file) {
    return new FaultyPath(system, realOf(file).toAbsolutePath());
  }

  @Override
  public String getScheme() {
    return real.getScheme();
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> environment) throws IOException {
    return real.newFileSystem(uri, environment);
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    return system;
  }

  @Override
  public Path getPath(URI uri) {
    return new FaultyPath(system, real.getPath(uri));
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return newFileChannel(path, options, attributes);
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    boolean creates =
        options.contains(StandardOpenOption.CREATE)
            || options.contains(StandardOpenOption.CREATE_NEW)
            || options.contains(StandardOpenOption.TRUNCATE_EXISTING);
    if (creates) {
      before(Kind.CREATE, path);
    }
    faults().beforeOpen(absolute(path), false);
    return new FaultyChannel(
        faults(), absolute(path), real.newFileChannel(realOf(path), options, attributes));
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(Path directory, Filter<? super Path> filter)
      throws IOException {
    faults().beforeOpen(absolute(directory), true);
    DirectoryStream<Path> stream =
        real.newDirectoryStream(
            realOf(directory), path -> filter.accept(new FaultyPath(system, path)));
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        Iterator<Path> paths = stream.iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return paths.hasNext();
          }

          @Override
          public Path next() {
            return new FaultyPath(system, paths.next());
          }
        };
      }

      @Override
      public void close() throws IOException {
        stream.close();
      }
    };
  }

  @Override
  public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
    before(Kind.MAKE_DIRECTORY, directory);
    real.createDirectory(realOf(directory), attributes);
  }

  @Override
  public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes)
      throws IOException {
    before(Kind.CREATE, link);
    real.createSymbolicLink(realOf(link), realOf(target), attributes);
  }

  @Override
  public void createLink(Path link, Path existing) throws IOException {
    if (before(Kind.LINK, existing, link)) {
      real.createLink(realOf(link), realOf(existing));
    }
  }

  @Override
  public Path readSymbolicLink(Path link) throws IOException {
    return new FaultyPath(system, real.readSymbolicLink(realOf(link)));
  }

  @Override
  public void delete(Path path) throws IOException {
    if (before(Kind.DELETE, path)) {
      real.delete(realOf(path));
    }
  }

  @Override
  public boolean deleteIfExists(Path path) throws IOException {
    return before(Kind.DELETE, path) && real.deleteIfExists(realOf(path));
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) throws IOException {
    before(Kind.CREATE, target);
    real.copy(realOf(source), realOf(target), options);
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    if (before(Kind.MOVE, source, target)) {
      real.move(realOf(source), realOf(target), options);
    }
  }

  @Override
  public boolean isSameFile(Path one, Path other) throws IOException {
    return real.isSameFile(realOf(one), realOf(other));
  }

  @Override
  public boolean isHidden(Path path) throws IOException {
    return real.isHidden(realOf(path));
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    return real.getFileStore(realOf(path));
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    real.checkAccess(realOf(path), modes);
  }

  @Override
  public <V extends FileAttributeView> V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return real.getFileAttributeView(realOf(path), type, options);
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    return real.readAttributes(realOf(path), type, options);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String names, LinkOption... options)
      throws IOException {
    return real.readAttributes(realOf(path), names, options);
  }

  @Override
  public void setAttribute(Path path, String name, Object value, LinkOption... options)
      throws IOException {
    if (before(Kind.ATTRIBUTE, path)) {
      real.setAttribute(realOf(path), name, value, options);
    }
  }
}
