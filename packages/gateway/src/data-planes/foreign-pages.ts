import type { Kernel } from '@emu/core';
import type { DataPlaneResponse, ServiceManifest, WebPageRequest } from '@emu/core/service';
import { type HeaderValues, headerOf } from '@emu/wire';
import type { PageRestriction } from '../access/access.ts';
import { ALLOW_ORIGIN, nameIn } from '../access/cors.ts';
import type { Dispatcher } from '../pipeline/dispatch.ts';
import type { GatewayRequest, GatewayResponse } from '../request/gateway-request.ts';
import type { LocatedRequest } from '../request/visit.ts';
import type { DataPlanes } from './data-planes.ts';

const NO_BODY = new Uint8Array(0);

/** Methods without changes. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Serves pages that may not use emu, as far as services admit them. */
export class ForeignPages {
  constructor(
    private readonly kernel: Kernel,
    private readonly dataPlanes: DataPlanes,
    private readonly dispatcher: Dispatcher,
  ) {}

  /**
   * Serves a page's request by a data plane that admits the page, by its CORS settings or by decision of its service.
   * Links and images, which have no origin, are served without it, because the page cannot read them.
   * @param claimants the services whose data planes may serve the request
   * @param ownedHost the host name, if a resource owns it
   * @returns undefined if no data plane admits the page
   */
  async serve(
    claimants: readonly ServiceManifest[],
    visit: LocatedRequest,
    page: PageRestriction,
    ownedHost?: string,
  ): Promise<GatewayResponse | undefined> {
    const { request } = visit;
    const admitting: ServiceManifest[] = [];
    for (const claimant of claimants)
      if (await this.mayReach(claimant, visit, page, ownedHost)) admitting.push(claimant);
    if (admitting.length === 0) return undefined;
    const response = await this.dataPlanes.handle(admitting, visit, ownedHost);
    const { origin } = page;
    // Preflights change nothing, and browsers evaluate their responses.
    if (!response || origin === undefined || !SAFE.has(request.method) || request.method === 'OPTIONS') return response;
    if (admitsOrigin(response, origin)) return response;
    await release(response);
    return undefined;
  }

  /**
   * Returns the services that let a page open a WebSocket. @param claimants the services that may take the connection
   */
  async upgradable(
    claimants: readonly ServiceManifest[],
    visit: LocatedRequest,
    page: PageRestriction,
  ): Promise<readonly ServiceManifest[]> {
    const admitting: ServiceManifest[] = [];
    for (const claimant of claimants)
      if (await this.admitted(claimant, { ...this.factsOf(visit, page), upgrade: true })) admitting.push(claimant);
    return admitting;
  }

  /** Whether a page may call the operation in its request. */
  async mayCall(visit: LocatedRequest, page: PageRestriction): Promise<boolean> {
    const called = await this.dispatcher.peek(visit);
    if (!called) return false;
    const { service, operation, resourcePath } = called;
    const { plugin } = service;
    const facts = { ...this.factsOf(visit, page), operation, resourcePath };
    return (await plugin.admitsPage?.(facts, service as never)) === true;
  }

  /** Whether a page's request may reach a data plane. */
  private async mayReach(
    claimant: ServiceManifest,
    visit: LocatedRequest,
    page: PageRestriction,
    ownedHost: string | undefined,
  ): Promise<boolean> {
    const admitted = await this.admitted(claimant, this.factsOf(visit, page));
    if (admitted !== undefined) return admitted;
    if (SAFE.has(visit.request.method)) return true;
    return page.origin !== undefined && this.preflightAdmits(claimant, visit, page.origin, ownedHost);
  }

  /** Returns a service's decision on a page's request; undefined if its CORS settings decide. */
  private async admitted({ name }: ServiceManifest, facts: WebPageRequest): Promise<boolean | undefined> {
    const service = await this.kernel.service(name);
    return service.plugin.admitsPage?.(facts, service as never);
  }

  /**
   * Whether a data plane admits an origin to a change, by its response to the preflight that a browser would send.
   * Browsers send no preflight before forms and simple requests.
   * @see https://fetch.spec.whatwg.org/#cors-preflight-fetch
   */
  private async preflightAdmits(
    claimant: ServiceManifest,
    { request, path, query }: LocatedRequest,
    origin: string,
    ownedHost: string | undefined,
  ): Promise<boolean> {
    const preflight = { request: preflightOf(request, origin), path, query };
    if (ownedHost === undefined && !this.dataPlanes.claimants(preflight)?.includes(claimant)) return false;
    const response = await this.dataPlanes.handle([claimant], preflight, ownedHost);
    if (!response) return false;
    await release(response);
    return response.status < 300 && admitsOrigin(response, origin);
  }

  private factsOf({ request, path, query }: LocatedRequest, { origin }: PageRestriction): WebPageRequest {
    const { method, headers } = request;
    const host = this.dataPlanes.endpointName(request);
    return { method, path, query, headers, host, origin, operation: undefined, upgrade: false };
  }
}

/**
 * Returns the preflight that a browser sends before a request: the same request with another method, other headers and
 * no body.
 */
function preflightOf(request: GatewayRequest, origin: string): GatewayRequest {
  const { host, 'user-agent': agent } = request.headers;
  const headers: HeaderValues = {
    ...(host !== undefined && { host }),
    ...(agent !== undefined && { 'user-agent': agent }),
    origin,
    'access-control-request-method': request.method,
  };
  const body: GatewayRequest['body'] = {
    bytes: async () => NO_BODY,
    async *stream() {},
  };
  const differences: Partial<GatewayRequest> = { method: 'OPTIONS', headers, body, rawHeaders: undefined };
  return Object.create(request, Object.getOwnPropertyDescriptors(differences)) as GatewayRequest;
}

/** Whether browsers let pages of an origin read a response. */
function admitsOrigin({ headers }: DataPlaneResponse, origin: string): boolean {
  const name = nameIn(headers, ALLOW_ORIGIN);
  const allowed = name === undefined ? undefined : headerOf(headers, name);
  return allowed === '*' || allowed === origin;
}

/** Releases the body of a response that is not sent. */
async function release({ body }: DataPlaneResponse): Promise<void> {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) await body[Symbol.asyncIterator]().return?.();
}
