ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY events events
COPY web web
RUN node web/pages/build.ts
# The embedded Postgres and Node's own package are for machines without containers.
RUN npm prune --omit=dev --omit=optional --ignore-scripts

FROM ${NODE_IMAGE}
WORKDIR /app
ARG CODE_COMMIT=
ENV NODE_ENV=production CODE_COMMIT=$CODE_COMMIT NODE_COMPILE_CACHE=/app/compiled
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/web/dist web/dist
COPY events events
COPY api api
COPY worker worker
RUN mkdir compiled && chown node compiled
USER node
# The code as Node compiles it: a start takes half the processor time, on a file system that cannot be written too.
RUN node --input-type=module --eval "await import('./api/process/run-api.ts'); await import('./worker/run-worker.ts')"
EXPOSE 3000
CMD ["node", "api/process/main.ts"]
