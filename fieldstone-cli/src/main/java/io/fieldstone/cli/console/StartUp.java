package io.fieldstone.cli.console;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares how the launchers start the JVM for a command. They read it in {@code
 * src/dist/lib/jvm.commands}, which has a line for each command with this annotation; a test
 * compares the two. A command without it gets both compilers and the cache of the file commands.
 *
 * <p>It is in class files only: the JVM makes a class for each annotation that it keeps, at every
 * start.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface StartUp {

  /** A choice of JIT compilers and of a class cache. */
  enum Profile {
    /** Native kernels do the work, or it is short, so the first compiler (C1) is enough. */
    C1,

    /** A transfer between two peers, which C1 compiles where there are one or two processors. */
    TRANSFER,

    /** Serves until it is stopped. */
    SERVICE
  }

  /** Returns the profile with which the JVM starts the command. */
  Profile value();

  /**
   * The options with which Java code does the work, which then needs the second compiler (C2). One
   * that begins with {@code !} needs it where the option is absent.
   */
  String[] c2Options() default {};
}
