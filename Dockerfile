# Two images of emu: the last stage, the default, contains emu only; `--target aws` adds the AWS CLI and awslocal.
#
#   docker build -t emu .
#   docker build -t emu:latest-aws --target aws .
ARG NODE_IMAGE=docker.io/library/node:22-bookworm-slim
# Source of the programs. Another image with /opt/emu can replace the build.
ARG BUILT_IMAGE=build

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY . .
RUN node tools/install.mjs start && node apps/cli/build.mjs \
 && mkdir /opt/emu \
 && cp -r apps/cli/bin apps/cli/dist apps/cli/package.json LICENSE NOTICE /opt/emu \
 && npx -y pnpm@10.34.8 --filter @emu/image --config.inject-workspace-packages=true deploy --prod /opt/libraries \
 && mv /opt/libraries/node_modules /opt/emu/node_modules \
 && node apps/cli/bin/emu.js runtime install nodejs --sdk-v2 --runtime-dir /opt/emu/runtime
COPY docker/entrypoint.mjs /opt/emu/entrypoint.mjs

FROM build AS python-sdk
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3-pip \
 && node apps/cli/bin/emu.js runtime install python --runtime-dir /opt/runtime

FROM ${BUILT_IMAGE} AS built

FROM ${NODE_IMAGE} AS base
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    EMULATOR_ADDR=0.0.0.0:4566 \
    EMULATOR_ALLOW_REMOTE=true \
    EMULATOR_ALLOW_CONTAINER_ORIGINS=true \
    EMULATOR_INIT_DIR=/etc/emu/init,/etc/localstack/init \
    EMULATOR_RUNTIME_DIR=/opt/emu/runtime
COPY --from=built /opt/emu /opt/emu
COPY docker/emu.sh /usr/local/bin/emu
# Path of the entry point in Testcontainers' modules for LocalStack.
COPY docker/docker-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
RUN mkdir -p /etc/emu/init /etc/localstack/init/boot.d /etc/localstack/init/start.d /etc/localstack/init/ready.d \
      /etc/localstack/init/shutdown.d /var/lib/emu /var/lib/localstack \
 && chmod 755 /usr/local/bin/emu /usr/local/bin/docker-entrypoint.sh
EXPOSE 4566
VOLUME /var/lib/emu
HEALTHCHECK --interval=5s --timeout=5s --start-period=10s CMD ["/usr/local/bin/emu", "status"]
ENTRYPOINT ["/usr/local/bin/docker-entrypoint.sh"]

FROM base AS aws
RUN apt-get update \
 && apt-get install -y --no-install-recommends awscli \
 && rm -rf /var/lib/apt/lists/*
COPY --from=python-sdk /opt/runtime /opt/emu/runtime
COPY docker/awslocal.sh /usr/local/bin/awslocal
RUN chmod 755 /usr/local/bin/awslocal

FROM base AS emu
COPY docker/no-awslocal.sh /usr/local/bin/awslocal
RUN chmod 755 /usr/local/bin/awslocal
