// The same project for Gradle, 9.1 or later. docs/library.md has parts of it.
// gradle -p examples test -Pfieldstone.repository=DIRECTORY takes the artefacts from a directory.
plugins {
    application
}

repositories {
    providers.gradleProperty("fieldstone.repository").orNull?.let { maven(uri(file(it))) }
    mavenCentral()
}

// dependencies begin
dependencies {
    implementation(platform("io.fieldstone:fieldstone-bom:0.1.0"))
    implementation("io.fieldstone:fieldstone-coding") // take those that you need
    implementation("io.fieldstone:fieldstone-files")
    implementation("io.fieldstone:fieldstone-crc")
    implementation("io.fieldstone:fieldstone-codes")
    implementation("io.fieldstone:fieldstone-sort")
    implementation("io.fieldstone:fieldstone-relays")
    implementation("io.fieldstone:fieldstone-charts")
    implementation("io.fieldstone:fieldstone-net")
    runtimeOnly("io.fieldstone:fieldstone-native") // faster kernels on Linux; optional
    runtimeOnly("io.fieldstone:fieldstone-cuda") // for NVIDIA GPUs; optional
}

java {
    toolchain { languageVersion = JavaLanguageVersion.of(25) }
}

val flags = listOf("--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED")

application {
    mainClass = "example.Application"
    applicationDefaultJvmArgs = flags
}

tasks.test {
    useJUnitPlatform()
    jvmArgs(flags)
    systemProperty("fieldstone.vectors", "required")
}
// dependencies end

dependencies {
    testImplementation(platform("io.fieldstone:fieldstone-bom:0.1.0"))
    testImplementation("io.fieldstone:fieldstone-conformance")
    testImplementation("org.junit.jupiter:junit-jupiter:6.1.3")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher")
}
