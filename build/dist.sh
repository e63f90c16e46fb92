#!/bin/sh
# Packs a distribution: dist.sh DIRECTORY makes DIRECTORY-OS-ARCH.tar.gz from the files that Maven copied there.
set -eu
directory=$1
case $(uname -s) in Linux) os=linux ;; Darwin) os=macos ;; *) os=$(uname -s) ;; esac
case $(uname -m) in x86_64 | amd64) arch=x64 ;; arm64 | aarch64) arch=aarch64 ;; *) arch=$(uname -m) ;; esac
chmod +x "$directory/bin/fieldstone"

# The cache accepts no classes as old as those of picocli.
"$directory/runtime/bin/java" -cp "$directory/lib/fieldstone-cli.jar" io.fieldstone.cli.OldClasses "$directory"/lib/picocli-*.jar
# The class cache records the time of each jar, and archives store whole seconds only.
touch -t 202601010000.00 "$directory"/lib/*.jar
"$directory/runtime/bin/java" -XX:AOTCacheOutput="$directory/lib/fieldstone.aot" \
  -jar "$directory/lib/fieldstone-cli.jar" train >/dev/null 2>&1
rm -f "$directory/lib/fieldstone.aot.config"

archive=$directory-$os-$arch.tar.gz
tar -C "${directory%/*}" -czf "$archive" "${directory##*/}"
mv "$archive" "$directory/../.."
echo "made $(cd "$directory/../.." && pwd)/${archive##*/}"
