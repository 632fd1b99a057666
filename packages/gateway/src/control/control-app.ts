import { SERVICE_ROUTES } from '@emu/control-client/service-routes';
import { type Kernel, reportStorageTrouble, storageProblem } from '@emu/core';
import { ControlError, type ControlResponse, type ControlRoute, controlRoute } from '@emu/core/service';
import { AwsError, tooManyValues } from '@emu/wire';
import { Hono } from 'hono/tiny';
import type { Access } from '../access/access.ts';
import { type AppContext, type AppEnv, sentPath } from '../application/app-context.ts';
import { routesApp } from '../application/routes-app.ts';
import { isCrowded, LARGE_BODY } from '../body/json-weight.ts';
import { ownsControlPath } from '../identify/planes.ts';
import type { ResolvedGatewayOptions } from '../options.ts';
import type { InjectedFaults } from '../pipeline/injected-faults.ts';
import { endpointOf } from '../request/endpoint.ts';
import { ClientGone, type GatewayRequest, PayloadTooLarge } from '../request/gateway-request.ts';
import { writesBefore } from '../request/writes.ts';
import { addRoutes } from './add-routes.ts';
import { adminRoutes } from './admin.ts';
import { clockRoutes } from './clock.ts';
import { consoleRoutes } from './console.ts';
import { credentialsRoutes } from './credentials.ts';
import { faultRoutes } from './faults.ts';
import { healthRoutes } from './health.ts';
import { localstackRoutes } from './localstack.ts';
import { requestRoutes } from './requests.ts';
import { resetRoutes } from './reset.ts';
import type { Route } from './route.ts';
import { stateRoutes } from './state.ts';

/** Parts of the gateway that the control routes use. */
export interface ControlParts {
  readonly kernel: Kernel;
  readonly options: ResolvedGatewayOptions;
  readonly faults: InjectedFaults;
  readonly access: Access;
}

/** Returns the emulator's own routes, which do not depend on its services. */
export function ownRoutes({ kernel, options, faults, access }: ControlParts): readonly Route[] {
  const resetAll = async (): Promise<void> => {
    await kernel.reset();
    await options.afterReset?.();
  };
  return [
    ...healthRoutes(kernel, options.version, options.forwarder?.services ?? []),
    ...resetRoutes(kernel, resetAll),
    ...localstackRoutes(kernel, options, resetAll),
    ...credentialsRoutes(kernel, options.credentialsRoleArn),
    ...adminRoutes(kernel),
    ...clockRoutes(kernel),
    ...faultRoutes(faults, kernel),
    ...requestRoutes(kernel),
    ...stateRoutes(kernel),
    ...consoleRoutes(kernel, access.token),
  ];
}

/**
 * Creates the application of `/_emulator/*` and `/_reset`: the emulator's own routes and those of services, whose
 * plugins are loaded at the first request of one of their paths. Errors become `{ "error": { "code", "message" } }`.
 */
export function controlApp(parts: ControlParts): Hono<AppEnv> {
  const { kernel, options } = parts;
  const own = ownRoutes(parts);
  /** By the name of the service that owns the path; the emulator's own under an empty name. */
  const apps = new Map<string, Hono<AppEnv>>();
  const appFor = async (path: string): Promise<Hono<AppEnv>> => {
    const owner = kernel.manifests.find((manifest) => ownsControlPath(manifest, path))?.name;
    const known = apps.get(owner ?? '');
    if (known) return known;
    const declared = owner === undefined ? [] : await routesOf(kernel, owner);
    const app = appOf(kernel, options, [...declared, ...own, ...MISSING], owner);
    apps.set(owner ?? '', app);
    return app;
  };
  const app = routesApp(kernel);
  app.all('*', async (c) => (await appFor(c.env.visit.path)).fetch(c.req.raw, c.env));
  app.onError((error, c) => problemOf(kernel, error, c));
  return app;
}

/** Creates the application of one service's routes, or of the emulator's own routes without an owner. */
function appOf(
  kernel: Kernel,
  options: ResolvedGatewayOptions,
  routes: readonly Route[],
  owner: string | undefined,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ getPath: sentPath });
  addRoutes(app, routes, {
    async route(c, route) {
      const { request, query } = c.env.visit;
      if (route.jsonOnly && !isJson(request))
        throw new ControlError(415, 'UnsupportedMediaType', 'The content type must be application/json.');
      const body = route.takesBytes ? request.body.stream() : await readJson(request, options.maxRequestBodyBytes);
      const endpoint = endpointOf(request, kernel.settings);
      const params = c.req.param() as Record<string, string>;
      const answer = await route.handle({
        params,
        query: new URLSearchParams(query),
        headers: request.headers,
        body,
        endpoint,
      });
      if (!route.changesNothing)
        await writesBefore(
          request.method,
          owner === undefined ? kernel.credentials.store.committed() : kernel.committed(owner),
        );
      return await responseOf(answer, request.method);
    },
    otherMethod(c, allow) {
      const { request, path } = c.env.visit;
      const methods = allow.join(', ');
      const message = `${path} does not answer ${request.method}; it does ${methods}.`;
      return problem(405, 'MethodNotAllowed', message, { allow: methods });
    },
  });
  app.notFound((c) => problem(404, 'NotFound', `There is no control route ${c.env.visit.path}.`));
  app.onError((error, c) => problemOf(kernel, error, c));
  return app;
}

/** Returns the routes of a service. */
export async function routesOf(kernel: Kernel, name: string): Promise<Route[]> {
  const service = await kernel.service(name);
  const declared: readonly ControlRoute<never>[] = service.plugin.control ?? [];
  return declared.map((route) => ({ ...route, handle: (request) => route.handle(request, service as never) }));
}

function problemOf(kernel: Kernel, error: unknown, c: AppContext): Response {
  if (error instanceof ControlError) return problem(error.status, error.code, error.message);
  if (error instanceof AwsError) return problem(error.status ?? 400, error.code, error.message);
  if (error instanceof PayloadTooLarge) return problem(413, 'RequestEntityTooLarge', sentence(error.message));
  if (error instanceof ClientGone) return problem(400, 'ClientGone', sentence(error.message));
  const { request, path } = c.env.visit;
  const trouble = storageProblem(error);
  if (trouble !== undefined) {
    reportStorageTrouble(kernel.log, 'requests fail because the disk takes no changes', error);
    return problem(503, 'ServiceUnavailable', `${trouble}.`);
  }
  const requestId = kernel.ids.uuid();
  kernel.log.error(`${request.method} ${path} failed unexpectedly`, { requestId, error });
  const message = `The request failed; the emulator's log has the reason under ${requestId}.`;
  return problem(500, 'InternalFailure', message);
}

/** Headers of content other than JSON: browsers do not run stored bytes as a page or script of emu. */
const INERT = { 'content-security-policy': "default-src 'none'; sandbox", 'x-content-type-options': 'nosniff' };

/** Converts a route's result to a response. */
async function responseOf(answer: ControlResponse, method: string): Promise<Response> {
  if ('json' in answer) return jsonResponse(answer.status ?? 200, answer.json ?? null);
  const { body, contentType, headers, status = 200 } = answer;
  const head = { status, headers: { 'content-type': contentType, ...INERT, ...headers } };
  if (body instanceof Uint8Array) return new Response(body as Uint8Array<ArrayBuffer>, head);
  if (method !== 'HEAD') return new Response(ReadableStream.from(body), head);
  // The body is not read: let its source release its resources.
  await body[Symbol.asyncIterator]().return?.();
  return new Response(null, head);
}

/** Returns an error in the form of the control routes. */
function problem(status: number, code: string, message: string, headers: Record<string, string> = {}): Response {
  return jsonResponse(status, { error: { code, message } }, headers);
}

function jsonResponse(status: number, value: unknown, headers: Record<string, string> = {}): Response {
  const text = JSON.stringify(value);
  // HEAD needs the length, too.
  const fields = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)), ...headers };
  return new Response(text, { status, headers: fields });
}

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`;

/** Routes of unsupported services, and those that plugins do not declare. */
export const MISSING: readonly Route[] = SERVICE_ROUTES.map(({ area, name }) =>
  controlRoute(name, () => {
    throw new ControlError(501, 'NotImplemented', `emu does not implement this control route of ${area}.`);
  }),
);

const isJson = ({ headers }: GatewayRequest): boolean =>
  /^application\/json\s*(?:;|$)/i.test(String(headers['content-type'] ?? ''));

/** Largest JSON body in bytes, far more than any route needs. */
const MAX_JSON = 16 * 1024 * 1024;

/**
 * Reads the JSON body of a request; undefined for an empty one.
 * @throws PayloadTooLarge over the limit
 * @throws AwsError for too many values
 * @throws ControlError for invalid JSON
 */
async function readJson(request: GatewayRequest, limit: number): Promise<unknown> {
  const bytes = await request.body.bytes(Math.min(limit, MAX_JSON));
  if (bytes.length === 0) return undefined;
  if (bytes.length > LARGE_BODY && (await isCrowded(bytes))) throw tooManyValues();
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ControlError(400, 'InvalidRequest', `The body is not JSON: ${reason}`);
  }
}
