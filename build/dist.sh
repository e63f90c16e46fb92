#!/bin/sh
# Packs a distribution: dist.sh DIRECTORY makes DIRECTORY-OS-ARCH.tar.gz and its SHA-256 from the files that Maven
# copied there.
set -eu
directory=$1
case $(uname -s) in
  Linux) os=linux native=linux ;;
  Darwin) os=macos native=osx ;;
  MINGW* | MSYS*) os=windows native=windows ;;
  *) os=$(uname -s) native=$os ;;
esac
case $(uname -m) in
  x86_64 | amd64) arch=x64 cpu=x86_64 ;;
  arm64 | aarch64) arch=aarch64 cpu=aarch_64 ;;
  *) arch=$(uname -m) cpu=$arch ;;
esac
chmod +x "$directory/bin/fieldstone"

# Compiled code for other systems.
for jar in "$directory"/lib/*-linux-*.jar "$directory"/lib/*-osx-*.jar "$directory"/lib/*-windows-*.jar; do
  case $jar in *"-$native-$cpu.jar") ;; *) rm -f "$jar" ;; esac
done

"$directory/runtime/bin/java" -cp "$directory/lib/fieldstone-cli.jar" io.fieldstone.cli.ManPages \
  "$directory/share/man/man1"
# The class cache records the time of each jar, and archives store whole seconds only.
touch -t 202601010000.00 "$directory"/lib/*.jar
for cached in files network; do
  "$directory/runtime/bin/java" -XX:AOTCacheOutput="$directory/lib/$cached.aot" -jar "$directory/lib/fieldstone-cli.jar" \
    train "$cached" >/dev/null 2>&1
  rm -f "$directory/lib/$cached.aot.config"
done

completions=$directory/share/bash-completion/completions
mkdir -p "$completions"
"$directory/bin/fieldstone" completion >"$completions/fieldstone"

archive=$directory-$os-$arch.tar.gz
tar -C "${directory%/*}" -czf "$archive" "${directory##*/}"
target=$(cd "$directory/../.." && pwd)
mv "$archive" "$target"
archive=${archive##*/}
cd "$target"
if command -v sha256sum >/dev/null; then sha256sum "$archive"; else shasum -a 256 "$archive"; fi >"$archive.sha256"
echo "made $target/$archive"
