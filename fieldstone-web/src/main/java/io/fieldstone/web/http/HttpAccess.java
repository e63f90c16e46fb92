package io.fieldstone.web.http;

import com.sun.net.httpserver.HttpExchange;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Decides who may read the pages. On a loopback address it is everyone of this host, whose requests
 * name it: a page of elsewhere whose name leads to this host names itself (DNS rebinding). On other
 * addresses it is who has the token: in the header {@code Authorization: Bearer}, or once in the
 * query, for which a browser gets a cookie.
 */
public final class HttpAccess {

  private static final int DEFAULT_PORT = 80;
  private static final String BEARER = "bearer ";
  private static final int COOKIE_BYTES = 32;

  private final InetSocketAddress address;
  private final Predicate<String> token;
  private final String cookieName;
  private final String cookieValue = newCookie();

  /** The decision about a request. */
  public enum Verdict {
    /** The page. */
    ADMITTED,
    /** An error: it is for another host. */
    WRONG_HOST,
    /** An error: a page of elsewhere has made it. */
    FOREIGN,
    /** An error: it has no token. */
    NO_TOKEN,
    /** A cookie in place of its token. */
    TOKEN_IN_QUERY
  }

  /**
   * Creates the rule of an address.
   *
   * @param address the address that is bound
   * @param token whether a token is right; only used if the address is not loopback
   */
  public HttpAccess(InetSocketAddress address, Predicate<String> token) {
    this.address = address;
    this.token = token;
    this.cookieName = "fieldstone-" + address.getPort();
  }

  private static String newCookie() {
    byte[] random = new byte[COOKIE_BYTES];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  /** Returns true if requests need a token. */
  public static boolean needsToken(InetSocketAddress address) {
    return !address.getAddress().isLoopbackAddress();
  }

  /** Returns the header that gives a browser its cookie. */
  public String setCookie() {
    return "%s=%s; HttpOnly; SameSite=Strict; Path=/".formatted(cookieName, cookieValue);
  }

  /** Decides about a request. */
  public Verdict check(HttpExchange request) {
    if (isForeign(request)) {
      return Verdict.FOREIGN;
    }
    if (!needsToken(address)) {
      return isForOtherHost(request, address) ? Verdict.WRONG_HOST : Verdict.ADMITTED;
    }
    if (tokenInQuery(request).filter(token).isPresent()) {
      return Verdict.TOKEN_IN_QUERY;
    }
    return hasBearer(request) || hasCookie(request) ? Verdict.ADMITTED : Verdict.NO_TOKEN;
  }

  /** Returns true if the browser says that a page of another site loads this as a part of it. */
  private static boolean isForeign(HttpExchange request) {
    String site = header(request, "Sec-Fetch-Site");
    boolean isOwn = site.isEmpty() || site.equals("same-origin") || site.equals("none");
    return !isOwn && !header(request, "Sec-Fetch-Mode").equals("navigate");
  }

  /** Returns true if the address is loopback and the header Host does not name it. */
  public static boolean isForOtherHost(HttpExchange request, InetSocketAddress address) {
    if (needsToken(address)) {
      return false;
    }
    String host = header(request, "Host").toLowerCase(Locale.ROOT);
    int port = address.getPort();
    String own = address.getAddress().getHostAddress();
    return Stream.of("localhost", "127.0.0.1", "[::1]", own)
        .noneMatch(
            name -> host.equals(name + ":" + port) || port == DEFAULT_PORT && host.equals(name));
  }

  private static Optional<String> tokenInQuery(HttpExchange request) {
    String query = Objects.requireNonNullElse(request.getRequestURI().getRawQuery(), "");
    return Arrays.stream(query.split("&"))
        .filter(each -> each.startsWith("token="))
        .map(each -> decoded(each.substring("token=".length())))
        .findFirst();
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return ""; // a percent sign without digits is no token
    }
  }

  private boolean hasBearer(HttpExchange request) {
    String given = header(request, "Authorization");
    return given.regionMatches(true, 0, BEARER, 0, BEARER.length())
        && token.test(given.substring(BEARER.length()).strip());
  }

  private boolean hasCookie(HttpExchange request) {
    List<String> headers =
        Objects.requireNonNullElse(request.getRequestHeaders().get("Cookie"), List.of());
    return headers.stream()
        .flatMap(each -> Arrays.stream(each.split(";")))
        .map(String::strip)
        .filter(each -> each.startsWith(cookieName + "="))
        .anyMatch(each -> isCookie(each.substring(cookieName.length() + 1)));
  }

  private boolean isCookie(String given) {
    return MessageDigest.isEqual(
        cookieValue.getBytes(StandardCharsets.US_ASCII), given.getBytes(StandardCharsets.UTF_8));
  }

  private static String header(HttpExchange request, String name) {
    return Objects.requireNonNullElse(request.getRequestHeaders().getFirst(name), "");
  }
}
