# The command in an image of its own: docker build -t fieldstone . && docker run --rm -v "$PWD:/data" fieldstone crc FILE
FROM eclipse-temurin:25-jdk AS build
RUN apt-get update && apt-get install -y --no-install-recommends maven && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY . .
RUN mvn -B -ntp -Pdist -DskipTests -Djacoco.skip=true package \
    && mkdir /fieldstone && tar -xzf fieldstone-cli/target/fieldstone-*.tar.gz -C /fieldstone --strip-components=1

FROM debian:13-slim
# Fonts for charts and maps, and SQLite for GeoPackage.
RUN apt-get update && apt-get install -y --no-install-recommends fontconfig fonts-dejavu-core libsqlite3-0 && rm -rf /var/lib/apt/lists/*
COPY --from=build /fieldstone /opt/fieldstone
RUN ln -s /opt/fieldstone/bin/fieldstone /usr/local/bin/fieldstone && useradd --create-home fieldstone
USER fieldstone
WORKDIR /data
# serve and relay listen here; -p 4433:4433/udp publishes it.
EXPOSE 4433/udp
ENTRYPOINT ["fieldstone"]
