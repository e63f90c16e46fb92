#!/usr/bin/env bash
# Checks the library as its users get it, after a build of the tree:
#
#   check-release.sh             packs and deploys it to target/release/repository, and runs the examples from there:
#                                with Maven, as modules in an image of jlink, and with Gradle where it is installed;
#                                then packs fieldstone-engine again, in another folder, with Maven on another JDK if
#                                there is one, and compares
#   check-release.sh --examples  packs nothing again
#   check-release.sh --all       packs all artefacts again
set -euo pipefail
cd "$(dirname "$0")/.."
release=$PWD/target/release
repository=$release/repository
published=(fieldstone-engine fieldstone-stream fieldstone-coding fieldstone-files fieldstone-crc fieldstone-codes
  fieldstone-sort fieldstone-relays fieldstone-charts fieldstone-web fieldstone-net fieldstone-native fieldstone-hybrid
  fieldstone-cuda fieldstone-conformance)
packed_again=(fieldstone-engine)
tests=-Dmaven.test.skip=true
if [[ ${1:-} == --all ]]; then
  packed_again=("${published[@]}")
  tests=-DskipTests # some tests use classes of others
fi
rm -rf "$release"
mkdir -p "$release"

say() { echo "check-release: $*"; }
fail() { say "$@" >&2; exit 1; }

# Prints the JDK of a version, 17 or 25, in the usual places; nothing if there is none.
jdk() {
  local home
  for home in "${JAVA_HOME:-}" /usr/lib/jvm/* /opt/java/* ~/.sdkman/candidates/java/*; do
    if [[ -x $home/bin/javac ]] && grep -Eq "^JAVA_VERSION=\"$1" "$home/release" 2>/dev/null; then
      echo "$home"
      return
    fi
  done
}

# Runs Maven on the JDK $1.
maven() {
  local home=$1
  shift
  # The format and the versions of dependencies have been checked by then.
  JAVA_HOME=$home mvn -B -q -ntp -Dformat.phase=none -Denforcer.skip=true "$@"
}

join() { local IFS=,; echo "$*"; }

jdk25=$(jdk 25)
[[ -n $jdk25 ]] || fail "needs a JDK 25"
other=$(jdk 17)
version=$(sed -n 's:.*<version>\(.*\)</version>.*:\1:p' fieldstone-bom/pom.xml | head -n 1)

say "deploying $version to $repository"
maven "$jdk25" -DskipTests -Prelease deploy -pl "fieldstone-bom,.,$(join "${published[@]}")" \
  -DaltDeploymentRepository="release::file://$repository"

for artefact in "${published[@]}"; do
  jar=$artefact/target/$artefact-$version
  for file in "$jar.jar" "$jar-sources.jar" "$jar-javadoc.jar"; do
    "$jdk25/bin/jar" --list --file "$file" >"$release/entries"
    grep -qx 'META-INF/LICENSE' "$release/entries" || fail "$file has no licence"
  done
  "$jdk25/bin/jar" --describe-module --file "$jar.jar" | head -n 1 | grep -q "^io.fieldstone" \
    || fail "$jar.jar is not a named module"
  [[ -s $jar-cyclonedx.json ]] || fail "$jar-cyclonedx.json is missing"
done

say "running the examples with Maven"
# A local repository of its own, filled from the usual one.
sed -e "s:@repository@:file\://$repository:" -e "s:@cache@:file\://${HOME}/.m2/repository:" \
  examples/settings.xml >"$release/settings.xml"
JAVA_HOME=$jdk25 mvn -B -q -ntp -f examples -s "$release/settings.xml" -Dmaven.repo.local="$release/local" verify
"$jdk25/bin/java" -jar examples/target/fieldstone-examples-1.jar >"$release/output" 2>&1
grep -q '^995dc9bbdf1939fa$' "$release/output" || fail "the application printed: $(cat "$release/output")"
if grep -qi warning "$release/output"; then fail "the application warned: $(cat "$release/output")"; fi

say "running the modules from an image"
modules=$release/modules
mkdir -p "$modules"
for artefact in "${published[@]}"; do cp "$artefact/target/$artefact-$version.jar" "$modules"; done
"$jdk25/bin/javac" -d "$release/classes" --module-path "$modules" examples/modular/module-info.java \
  examples/modular/example/Main.java
"$jdk25/bin/jlink" --module-path "$modules:$release/classes" --add-modules example.checksums,io.fieldstone.cuda \
  --launcher run=example.checksums/example.Main --output "$release/image"
"$release/image/bin/run" >"$release/output" 2>&1
grep -q '^e3069283$' "$release/output" || fail "the image printed: $(cat "$release/output")"
grep -q 'lane shuffles' "$release/output" || fail "the image has no Vector API: $(cat "$release/output")"

if command -v gradle >/dev/null && [[ $(gradle --version | sed -n 's/^Gradle \([0-9]*\).*/\1/p') -ge 9 ]]; then
  say "running the examples with Gradle"
  JAVA_HOME=$jdk25 gradle -p examples --project-cache-dir "$release/gradle" -Pfieldstone.repository="$repository" test
else
  say "no Gradle 9 here: examples/build.gradle.kts was not run"
fi

if [[ ${1:-} == --examples ]]; then
  say "all right"
  exit
fi

say "packing ${packed_again[*]} again, with Maven on ${other:-$jdk25}"
copy=$release/another/folder
mkdir -p "$copy"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$copy"
# The checks of Error Prone, which took place before, write no bytes. The build turns NullAway on again.
(cd "$copy" && maven "${other:-$jdk25}" "$tests" -Prelease package -pl "$(join "${packed_again[@]}")" -am \
  '-Derrorprone=-Xplugin:ErrorProne -XepDisableAllChecks ${nullaway}')
for artefact in "${packed_again[@]}"; do
  for file in "$artefact/target/$artefact-$version"{,-sources,-javadoc}.jar \
    "$artefact/target/$artefact-$version-cyclonedx.json"; do
    cmp "$file" "$copy/$file" || fail "$file is not reproducible"
  done
done
say "all right"
