import { ControlError, type ControlResponse, type ControlRoute, type Kernel, type ServiceManifest } from '@emu/core';
import { AwsError } from '@emu/wire';
import { endpointOf } from '../exchange.ts';
import type { InjectedFaults } from '../injected-faults.ts';
import type { ResolvedGatewayOptions } from '../options.ts';
import { ClientGone, type GatewayRequest, type GatewayResponse, PayloadTooLarge } from '../request.ts';
import { adminRoutes } from './admin.ts';
import { clockRoutes } from './clock.ts';
import { credentialsRoutes } from './credentials.ts';
import { faultRoutes } from './faults.ts';
import { healthRoutes } from './health.ts';
import { resetRoutes } from './reset.ts';
import { ControlRouter, type Route } from './router.ts';
import { SERVICE_ROUTES } from './routes.ts';

/** Answers `/_emulator/*` and `/_reset`: the emulator's own routes and those of services. */
export class ControlPlane {
  private readonly routers = new Map<string, ControlRouter>();
  private readonly own: readonly Route[];

  constructor(
    private readonly kernel: Kernel,
    private readonly options: ResolvedGatewayOptions,
    faults: InjectedFaults,
  ) {
    this.own = [
      ...healthRoutes(kernel, options.version),
      ...resetRoutes(kernel),
      ...credentialsRoutes(kernel, options.credentialsRoleArn),
      ...adminRoutes(kernel),
      ...clockRoutes(kernel),
      ...faultRoutes(faults),
    ];
  }

  /** Answers a control request; errors become `{ "error": { "code", "message" } }`. */
  async handle(request: GatewayRequest, path: string, query: string): Promise<GatewayResponse> {
    try {
      const owner = this.kernel.manifests.find((manifest) => owns(manifest, path));
      const match = (await this.routerOf(owner)).match(request.method, path);
      if (!match) return problem(404, 'NotFound', `There is no control route ${path}.`);
      if ('allow' in match) {
        const allow = match.allow.join(', ');
        return problem(405, 'MethodNotAllowed', `${path} does not answer ${request.method}; it does ${allow}.`, {
          allow,
        });
      }
      const { route, params } = match;
      const body = await readJson(request, this.options.maxRequestBodyBytes);
      const endpoint = endpointOf(request, this.kernel.settings);
      const answer = await route.handle({ params, query: new URLSearchParams(query), body, endpoint });
      await (owner ? this.kernel.committed(owner.name) : this.kernel.credentials.store.committed());
      return responseOf(answer);
    } catch (error) {
      return this.problemOf(error, `${request.method} ${path}`);
    }
  }

  /** The router of the service that a path belongs to, or of the emulator's own routes where it is no service's. */
  private async routerOf(owner: ServiceManifest | undefined): Promise<ControlRouter> {
    const key = owner?.name ?? '';
    let router = this.routers.get(key);
    if (!router) {
      const declared = owner ? await this.routesOf(owner.name) : [];
      router = new ControlRouter([...declared, ...this.own, ...MISSING]);
      this.routers.set(key, router);
    }
    return router;
  }

  private async routesOf(name: string): Promise<Route[]> {
    const service = await this.kernel.service(name);
    const declared: readonly ControlRoute<never>[] = service.plugin.control ?? [];
    return declared.map(({ method, path, handle }) => ({
      method,
      path,
      handle: (request) => handle(request, service as never),
    }));
  }

  private problemOf(error: unknown, what: string): GatewayResponse {
    if (error instanceof ControlError) return problem(error.status, error.code, error.message);
    if (error instanceof AwsError) return problem(error.status ?? 400, error.code, error.message);
    if (error instanceof PayloadTooLarge) return problem(413, 'RequestEntityTooLarge', sentence(error.message));
    if (error instanceof ClientGone) return problem(400, 'ClientGone', sentence(error.message));
    const requestId = this.kernel.ids.uuid();
    this.kernel.log.error(`${what} failed unexpectedly`, { requestId, error });
    return problem(500, 'InternalFailure', `The request failed; the emulator's log has the reason under ${requestId}.`);
  }
}

/** A route's answer as a response. */
function responseOf(answer: ControlResponse): GatewayResponse {
  if ('json' in answer) return jsonResponse(answer.status ?? 200, answer.json ?? null);
  const { body, contentType, status = 200 } = answer;
  return { status, headers: { 'content-type': contentType }, body };
}

/** An error in the form of the control routes. */
function problem(status: number, code: string, message: string, headers: Record<string, string> = {}): GatewayResponse {
  return jsonResponse(status, { error: { code, message } }, headers);
}

function jsonResponse(status: number, value: unknown, headers: Record<string, string> = {}): GatewayResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`;

/** The routes of services that do not declare them (yet). */
const MISSING: readonly Route[] = Object.entries(SERVICE_ROUTES).flatMap(([area, routes]) =>
  routes.map((route) => {
    const space = route.indexOf(' ');
    return {
      method: route.slice(0, space),
      path: `/_emulator/${route.slice(space + 1)}`,
      handle: () => {
        throw new ControlError(501, 'NotImplemented', `emu does not implement this control route of ${area}.`);
      },
    };
  }),
);

function owns({ name, controlPrefixes = [`/_emulator/${name}/`] }: ServiceManifest, path: string): boolean {
  return controlPrefixes.some((prefix) => path.startsWith(prefix));
}

/** The JSON body of a request; undefined where it is empty. */
async function readJson(request: GatewayRequest, limit: number): Promise<unknown> {
  const bytes = await request.body.bytes(limit);
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ControlError(400, 'InvalidRequest', `The body is not JSON: ${reason}`);
  }
}
