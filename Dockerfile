# syntax=docker/dockerfile:1.7@sha256:a57df69d0ea827fb7266491f2813635de6f17269be881f696fbfdf2d83dda33e
# One image for every service, one more for machines without servers, and one for the signers of wallets:
#   docker build -t tender:dev .                            docker run tender:dev apps/payments
#   docker build -t tender-local:dev --target local .       docker run tender-local:dev tools/localnet
#   docker build -t tender-signer:dev --target signer .     docker run tender-signer:dev apps/signer identity
# The frontend above and the base below are pinned by digest; docs/operations.md (Images) says how they are renewed.
# RUN steps use relative paths, so that scripts/check-deploy.mjs can run them without Docker.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20

# Manifests alone: packages are installed anew when these change, not with every source.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /src
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json -delete

# One installation: image.mjs takes over what production dependencies reach, and nothing of the rest.
FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY --from=manifests /src .
RUN npm ci --ignore-scripts --include=dev --include=optional --no-audit --no-fund --loglevel=error
COPY . .
RUN node node_modules/typescript7/bin/tsc -b \
  && node node_modules/vite/bin/vite.js build libs/checkout/page --config libs/checkout/page/vite.config.mjs \
  && node node_modules/vite/bin/vite.js build libs/approval/page --config libs/approval/page/vite.config.mjs \
  && node scripts/bundle.mjs
RUN mkdir -p ../image/data && node scripts/image.mjs ../image/services ../image/local ../image/signer

FROM ${NODE_IMAGE} AS base
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY --from=build --chown=1000:1000 /image/data /data
COPY --from=build /image/services ./
USER 1000:1000
EXPOSE 8080 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=4s --start-period=60s --retries=3 CMD ["node", "scripts/healthcheck.mjs"]
ENTRYPOINT ["node", "scripts/container.mjs"]

# Everything in one process (with its own Postgres), and the local chain.
FROM base AS local
COPY --from=build /image/local ./
# Metrics of its second thread.
EXPOSE 9465
CMD ["apps/embedded"]

# A signer of wallets: its own program and packages alone.
FROM ${NODE_IMAGE} AS signer
ENV NODE_ENV=production PORT=8443 SIGNER_DIR=/data/signer
# Of its package.json, those that count only where Node begins.
ENV NODE_OPTIONS="--disable-proto=delete --no-addons --disable-sigusr1"
WORKDIR /app
COPY --from=build --chown=1000:1000 /image/data /data
COPY --from=build /image/signer ./
USER 1000:1000
EXPOSE 8443
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=4s --start-period=60s --retries=3 CMD ["node", "scripts/healthcheck.mjs"]
ENTRYPOINT ["node", "scripts/container.mjs"]
CMD ["apps/signer"]

FROM base AS service
CMD ["apps/gateway"]
