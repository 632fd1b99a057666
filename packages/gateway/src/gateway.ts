import { type Kernel, LocalPeers, type ServiceManifest } from '@emu/core';
import type { WireRequest } from '@emu/wire';
import { Access, type NameRestriction, type PageRestriction } from './access/access.ts';
import { ForeignPages } from './access/foreign-pages.ts';
import { refuse, unknownHost } from './access/refusals.ts';
import { type AccessFacts, logAccess } from './access-log.ts';
import { allowOrigin, dropEmptyOrigin, isPreflight, preflight } from './cors.ts';
import { DataPlanes } from './data-planes.ts';
import { Dispatcher } from './dispatch.ts';
import { Exchange } from './exchange.ts';
import { InjectedFaults } from './injected-faults.ts';
import type { ListenAddress, Listener } from './listener.ts';
import { type GatewayOptions, type ResolvedGatewayOptions, resolveOptions } from './options.ts';
import type { GatewayRequest, GatewayResponse } from './request.ts';
import { RoutePlane } from './route-plane.ts';
import { LoopbackAccess } from './self-access.ts';

const EMPTY = new Uint8Array(0);
/** Milliseconds by which the emulated time may differ from the machine's before `Date` headers tell it. */
const DATE_TOLERANCE = 1000;

/** A request on its way through the gateway. */
interface Visit {
  readonly request: GatewayRequest;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Set for calls of services' APIs. */
  exchange: Exchange | undefined;
  /** Whether the answer says itself which pages may read it. */
  settled: boolean;
}

/** The front of an emulator: everything between a request and its response. */
export class Gateway {
  readonly options: ResolvedGatewayOptions;
  /** Faults that users inject into calls. */
  readonly faults: InjectedFaults;
  private readonly dispatcher: Dispatcher;
  /** The control routes and the metadata service. */
  readonly routes: RoutePlane;
  /** Who may use the emulator. */
  readonly access: Access;
  private readonly dataPlanes: DataPlanes;
  private readonly pages: ForeignPages;
  private readonly self = new LoopbackAccess((address) => this.openPort(address));
  private readonly logsAccess: boolean;

  constructor(
    readonly kernel: Kernel,
    options: GatewayOptions = {},
  ) {
    this.options = resolveOptions(options, kernel.settings);
    this.faults = new InjectedFaults(kernel.ids);
    this.dispatcher = new Dispatcher(kernel, this.options, this.faults);
    this.routes = new RoutePlane(kernel, this.options, this.faults);
    this.dataPlanes = new DataPlanes(kernel);
    this.access = new Access(kernel.settings, kernel.log);
    this.pages = new ForeignPages(kernel, this.dataPlanes, this.dispatcher);
    this.logsAccess = kernel.log.enabled('debug');
    kernel.self = this.self;
  }

  /** Answers a request. Never rejects: whatever goes wrong becomes a response. */
  async handle(request: GatewayRequest): Promise<GatewayResponse> {
    try {
      const { method, headers } = request;
      const target = originForm(request.target);
      const mark = target.indexOf('?');
      const path = mark < 0 ? target : target.slice(0, mark);
      const query = mark < 0 ? '' : target.slice(mark + 1);
      const started = this.logsAccess ? performance.now() : 0;
      const visit: Visit = { request, path, query, exchange: undefined, settled: false };
      const byName = this.access.byName(request);
      const response = await (byName ? this.serveByName(visit, byName) : this.serveTrusted(visit));
      if (headers.origin !== undefined && !visit.settled) allowOrigin(response, String(headers.origin));
      this.tellTime(response);
      if (this.logsAccess) {
        const facts: AccessFacts = { method, path, status: response.status, duration: performance.now() - started };
        logAccess(this.kernel.log, facts, visit.exchange);
      }
      return response;
    } catch (error) {
      this.kernel.log.error('a request could not be answered', { error });
      return { status: 500, headers: { 'content-type': 'text/plain' }, body: 'The emulator failed; see its log.\n' };
    }
  }

  /** Answers a request by a name that a resource may have: with that resource's data plane, or as the name is trusted. */
  private async serveByName(visit: Visit, restriction: NameRestriction): Promise<GatewayResponse> {
    const { request, path, query } = visit;
    const { name, refusal } = restriction;
    const owner = this.dataPlanes.ownerOf(name);
    if (!owner && refusal === undefined) return this.serveTrusted(visit);
    visit.settled = true;
    const response = owner && (await this.dataPlanes.handle(owner, request, path, query, name));
    if (response) return response;
    this.access.report(restriction);
    return refuse(request, path, query, refusal ?? unknownHost(name));
  }

  /** Answers a request by a trusted name. */
  private serveTrusted(visit: Visit): Promise<GatewayResponse> {
    const byPage = this.access.byPage(visit.request);
    return byPage ? this.servePage(visit, byPage) : this.serve(visit);
  }

  /** Answers a request of a page that may not use emu: with what services let any page have, else with 403. */
  private async servePage(visit: Visit, restriction: PageRestriction): Promise<GatewayResponse> {
    const { request, path, query } = visit;
    visit.settled = true;
    if (this.routes.claims(path, query, request.headers) === undefined) {
      const claimant = await this.pages.claimant(request, path, query, restriction);
      const response = claimant && (await this.dataPlanes.handle(claimant, request, path, query));
      if (response) return response;
      if (await this.pages.mayCall(request, path, query, restriction)) {
        const answer = await this.dispatch(visit);
        dropEmptyOrigin(answer);
        return answer;
      }
    }
    this.access.report(restriction);
    return refuse(request, path, query, restriction.refusal);
  }

  /** Answers a request that may do everything. */
  private serve(visit: Visit): Promise<GatewayResponse> {
    const { request, path, query } = visit;
    const plane = this.routes.claims(path, query, request.headers);
    if (plane) return this.routes.handle(plane, request, path, query);
    const claimant = this.dataPlanes.claimant(request, path);
    return claimant ? this.serveClaimed(visit, claimant) : this.dispatch(visit);
  }

  /** Lets a service answer a request of its data plane, if that is what it is. */
  private async serveClaimed(visit: Visit, claimant: ServiceManifest): Promise<GatewayResponse> {
    const response = await this.dataPlanes.handle(claimant, visit.request, visit.path, visit.query);
    if (!response) return this.dispatch(visit);
    visit.settled = true;
    return response;
  }

  /** Answers a call of a service's API. */
  private dispatch(visit: Visit): Promise<GatewayResponse> {
    const { request, path, query } = visit;
    const { method, headers } = request;
    if (headers.origin !== undefined && isPreflight(method, headers)) return Promise.resolve(preflight(headers));
    const wire: WireRequest = { method, path, query, headers, body: EMPTY };
    visit.exchange = new Exchange(this.kernel, request, wire);
    return this.dispatcher.dispatch(visit.exchange);
  }

  /**
   * Opens a port; may be called several times.
   * @throws Error of node's `listen`, e.g. with code `EADDRINUSE`
   */
  async listen(address: ListenAddress = {}): Promise<Listener> {
    return this.self.track(await this.openPort(address));
  }

  private async openPort(address: ListenAddress): Promise<Listener> {
    const { PortServer } = await import('./listener.ts');
    const peers = address.remote === false ? new LocalPeers() : undefined;
    const listener = await new PortServer(this, peers).listen(address);
    this.access.trust(listener.host);
    return listener;
  }

  /**
   * Opens the link-local addresses of the metadata service and of container credentials, as far as they can be bound;
   * what cannot is logged as a warning.
   */
  async listenLinkLocal(): Promise<Listener[]> {
    const { listenLinkLocal } = await import('./link-local.ts');
    return listenLinkLocal(this);
  }

  /** SDKs set their clocks by `Date`; it must be the emulated time, by which signatures are checked. */
  private tellTime(response: GatewayResponse): void {
    const now = this.kernel.clock.now();
    if (Math.abs(now - Date.now()) > DATE_TOLERANCE) response.headers.date ??= new Date(now).toUTCString();
  }
}

/** Path and query of a request target; clients that take emu for a proxy send the whole URL. */
function originForm(target: string): string {
  if (target.charCodeAt(0) === 47) return target;
  const authority = /^https?:\/\/[^/?#]*/i.exec(target)?.[0];
  if (authority === undefined) return `/${target}`;
  const rest = target.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Makes the gateway of a kernel. @throws RangeError for an option that makes no sense */
export function createGateway(kernel: Kernel, options?: GatewayOptions): Gateway {
  return new Gateway(kernel, options);
}
