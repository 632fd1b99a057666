import { ControlError, type ControlRoute, type Kernel, type ServiceManifest } from '@emu/core';
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
import { createRouter, problem, type Route } from './router.ts';
import { SERVICE_ROUTES } from './routes.ts';

/** Answers `/_emulator/*` and `/_reset`: the emulator's own routes and those of services. */
export class ControlPlane {
  private readonly routers = new Map<string, ReturnType<typeof createRouter>>();
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
      ...clockRoutes(kernel.clock),
      ...faultRoutes(faults),
    ];
  }

  /** Answers a control request; errors become `{ "error": { "code", "message" } }`. */
  async handle(request: GatewayRequest, path: string, query: string): Promise<GatewayResponse> {
    const response = await this.respond(request, path, query);
    const headers = Object.fromEntries(response.headers);
    if (headers['content-type']?.startsWith('application/json'))
      return { status: response.status, headers, body: await response.text() };
    return { status: response.status, headers, body: response.body ?? '' };
  }

  private async respond(request: GatewayRequest, path: string, query: string): Promise<Response> {
    try {
      const router = await this.routerOf(path);
      const url = `http://localhost${path}${query === '' ? '' : `?${query}`}`;
      const body = (): Promise<unknown> => readJson(request, this.options.maxRequestBodyBytes);
      const response = await router.fetch(new Request(url, { method: request.method }), {
        body,
        endpoint: endpointOf(request, this.kernel.settings),
      });
      if (this.kernel.dirty) await this.kernel.committed();
      return response;
    } catch (error) {
      return this.problemOf(error, `${request.method} ${path}`);
    }
  }

  /** The router of the service that a path belongs to, or of the emulator's own routes. */
  private async routerOf(path: string): Promise<ReturnType<typeof createRouter>> {
    const owner = this.kernel.manifests.find((manifest) => owns(manifest, path));
    const key = owner?.name ?? '';
    let router = this.routers.get(key);
    if (!router) {
      const declared = owner ? await this.routesOf(owner.name) : [];
      router = createRouter([...declared, ...this.own, ...MISSING]);
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

  private problemOf(error: unknown, what: string): Response {
    if (error instanceof ControlError) return problem(error.status, error.code, error.message);
    if (error instanceof AwsError) return problem(error.status ?? 400, error.code, error.message);
    if (error instanceof PayloadTooLarge) return problem(413, 'RequestEntityTooLarge', sentence(error.message));
    if (error instanceof ClientGone) return problem(400, 'ClientGone', sentence(error.message));
    const requestId = this.kernel.ids.uuid();
    this.kernel.log.error(`${what} failed unexpectedly`, { requestId, error });
    return problem(500, 'InternalFailure', `The request failed; the emulator's log has the reason under ${requestId}.`);
  }
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
