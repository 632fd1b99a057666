import { type Kernel, reportStorageTrouble, storageProblem } from '@emu/core';
import { LocalPeers, type ServiceManifest, type UpgradableConnection } from '@emu/core/service';
import type { Hono } from 'hono/tiny';
import { Access, type NameRestriction, type PageRestriction } from './access/access.ts';
import { isConsoleFile } from './access/console-files.ts';
import { allowOrigin, dropEmptyOrigin, isPreflight, preflight } from './access/cors.ts';
import { refuse, unknownHost } from './access/refusals.ts';
import type { AppEnv } from './application/app-context.ts';
import type { Bindings } from './application/bindings.ts';
import { emulatedDate } from './application/emulated-date.ts';
import { health } from './control/health.ts';
import { DataPlanes } from './data-planes/data-planes.ts';
import { ForeignPages } from './data-planes/foreign-pages.ts';
import type { ListenAddress, Listener } from './http/listener.ts';
import { RedirectedPorts } from './http/redirected-ports.ts';
import { LoopbackAccess } from './http/self-access.ts';
import { type Plane, Planes } from './identify/planes.ts';
import { type GatewayOptions, type ResolvedGatewayOptions, resolveOptions } from './options.ts';
import { logAccess } from './pipeline/access-log.ts';
import { Dispatcher } from './pipeline/dispatch.ts';
import { InjectedFaults } from './pipeline/injected-faults.ts';
import type { GatewayRequest, GatewayResponse } from './request/gateway-request.ts';
import { type LocatedRequest, type Visit, visitOf } from './request/visit.ts';

/** Responds to the requests of an emulator. */
export class Gateway {
  readonly options: ResolvedGatewayOptions;
  /** Faults that users inject into API requests. */
  readonly faults: InjectedFaults;
  private readonly dispatcher: Dispatcher;
  /** Rules of access to the emulator. */
  readonly access: Access;
  private readonly dataPlanes: DataPlanes;
  private readonly planes: Planes;
  private readonly pages: ForeignPages;
  private readonly self = new LoopbackAccess(
    (address) => this.openPort(address),
    new RedirectedPorts(async (programOf) => {
      const { PortServer } = await import('./http/listener.ts');
      return new PortServer(this, undefined, programOf);
    }),
  );
  private readonly logsAccess: boolean;
  private application: Promise<Hono<AppEnv>> | undefined;

  constructor(
    readonly kernel: Kernel,
    options: GatewayOptions = {},
  ) {
    this.options = resolveOptions(options, kernel.settings);
    this.faults = new InjectedFaults(kernel.ids);
    this.dispatcher = new Dispatcher(kernel, this.options, this.faults);
    this.dataPlanes = new DataPlanes(kernel, this.options.verifySigv4);
    this.planes = new Planes(kernel.manifests);
    this.access = new Access(kernel.settings, kernel.log, (name) => this.dataPlanes.isDataHost(name));
    this.pages = new ForeignPages(kernel, this.dataPlanes, this.dispatcher);
    this.logsAccess = kernel.log.enabled('debug');
    kernel.self = this.self;
  }

  /**
   * Responds to a request that does not need its connection. Never rejects: every error becomes a response. API
   * requests, data planes and the health route bypass the application, which would cost more than the rest of the
   * gateway and delay the start.
   */
  async handle(request: GatewayRequest): Promise<GatewayResponse> {
    try {
      const visit = this.visit(request);
      const plane = this.planeOf(visit);
      if (plane === 'control' || plane === 'metadata') return await this.route(visit);
      const turnover = plane === 'health' ? undefined : this.kernel.turnover.ended();
      if (turnover) await turnover;
      const restricted = this.restricted(visit);
      let answer = restricted && (await restricted);
      if (!answer && plane === 'health')
        answer = health(this.kernel, this.options.version, this.options.forwarder?.services ?? []);
      if (!answer) {
        const served = this.served(visit);
        answer = (served && (await served)) ?? (await this.dispatch(visit));
      }
      this.finish(visit, answer);
      return answer;
    } catch (error) {
      return this.failed(error);
    }
  }

  /**
   * Responds to a request of the fetch API by the application: the whole emulator as a web-standard handler.
   * @param bindings the connection of a request, as passed by `getRequestListener` of `@hono/node-server`
   * @returns a marker for responses that a service has sent on the connection
   * @throws TypeError, as fetch does, if an injected fault cuts the connection
   */
  fetch = async (request: Request, bindings: Bindings = {}): Promise<Response> => {
    this.application ??= import('./application.ts').then(({ createApplication }) => createApplication(this));
    const [application, visit] = [
      await this.application,
      bindings.visit ?? (await this.visitOfFetch(request, bindings)),
    ];
    // Wait for the end of a replacement of the state, which must not be visible in part.
    if (this.planeOf(visit) !== 'health') await this.kernel.turnover.ended();
    return application.fetch(request, { ...bindings, visit });
  };

  /**
   * Returns the visit of a request on a connection if the application responds to it, else undefined. Whole URLs are
   * left to `handle`.
   */
  routed(request: GatewayRequest): Visit | undefined {
    const visit = this.visit(request);
    const plane = this.planeOf(visit);
    return plane === 'control' || plane === 'metadata' ? visit : undefined;
  }

  /**
   * Offers the connection of a client that requests a WebSocket to services. Never rejects.
   * @returns `taken`, or the refusal
   */
  async upgrade(request: GatewayRequest, connection: UpgradableConnection): Promise<GatewayResponse | 'taken'> {
    try {
      await this.kernel.turnover.ended();
      const visit = this.visit(request);
      const { path, query } = visit;
      const byName = this.access.byName(request);
      const owner = byName && this.dataPlanes.ownerOf(byName.name);
      if (byName && !owner && byName.refusal !== undefined) {
        this.access.report(byName);
        return refuse(request, path, query, byName.refusal);
      }
      const byPage = this.access.byPage(request);
      if (!owner && this.planeOf(visit) !== undefined) {
        const restriction = byPage ?? this.access.byOwnPage(request);
        if (restriction) return this.refusePage(visit, restriction);
      }
      const ownedHost = owner && byName.name;
      const claimants = owner ? [owner] : (this.dataPlanes.claimants(visit) ?? []);
      const admitting = byPage ? await this.pages.upgradable(claimants, visit, byPage) : claimants;
      const outcome = await this.dataPlanes.upgrade(admitting, visit, connection, ownedHost);
      // A client must accept an HTTP response if the server does not switch protocols.
      return outcome ?? (await this.handle(request));
    } catch (error) {
      return this.failed(error);
    }
  }

  /**
   * Returns the plane of a visit by its path. Host names of websites, function URLs, APIs and hosted pages have no
   * planes: every path belongs to the resource, and its pages must not reach control routes at their own origin.
   */
  planeOf(visit: LocatedRequest): Plane | undefined {
    const plane = this.planes.planeOf(visit);
    return plane && !this.dataPlanes.claimsHost(visit.request) ? plane : undefined;
  }

  /** Creates the visit of a request. */
  visit(request: GatewayRequest): Visit {
    return visitOf(request, this.logsAccess);
  }

  /**
   * Responds to a visit by the application, whatever URL and method its request has: the application reads the visit.
   */
  async route(visit: Visit): Promise<GatewayResponse> {
    const { gatewayResponse } = await import('./application/web-response.ts');
    const request = Object.defineProperty(new Request('http://localhost/'), 'method', { value: visit.request.method });
    return gatewayResponse(await this.fetch(request, { visit }));
  }

  /** Returns the response to a request of restricted access; undefined for other requests. */
  restricted(visit: Visit): Promise<GatewayResponse | undefined> | undefined {
    const byName = this.access.byName(visit.request);
    return byName ? this.serveByName(visit, byName) : this.restrictedPage(visit);
  }

  private restrictedPage(visit: Visit): Promise<GatewayResponse | undefined> | undefined {
    const byPage = this.access.byPage(visit.request);
    if (byPage) return this.servePage(visit, byPage);
    const byOwnPage = this.access.byOwnPage(visit.request);
    if (!byOwnPage || this.planeOf(visit) === undefined || isConsoleFile(visit)) return undefined;
    return this.refusePage(visit, byOwnPage);
  }

  /** Refuses a page's request, with a response that its script cannot read. */
  private refusePage(visit: Visit, restriction: PageRestriction): Promise<GatewayResponse> {
    visit.settled = true;
    this.access.report(restriction);
    return refuse(visit.request, visit.path, visit.query, restriction.refusal);
  }

  /** Whether TLS clients are asked for certificates. */
  get asksClients(): boolean {
    return this.dataPlanes.asksClients;
  }

  /** Returns the response of a service's data plane; undefined for requests of no data plane. */
  served(visit: Visit): Promise<GatewayResponse | undefined> | undefined {
    const claimants = this.dataPlanes.claimants(visit);
    return claimants && this.serveClaimed(visit, claimants);
  }

  /** Completes a response: CORS headers, the emulated time, and a line in the access log. */
  finish(visit: Visit, answer: GatewayResponse): void {
    const { request, path, settled } = visit;
    const { origin } = request.headers;
    if (origin !== undefined && !settled) allowOrigin(answer, String(origin));
    const date = emulatedDate(this.kernel.clock);
    if (date !== undefined) answer.headers.date ??= date;
    if (!this.logsAccess) return;
    const facts = { method: request.method, path, status: answer.status, duration: performance.now() - visit.started };
    logAccess(this.kernel.log, facts, visit.invocation);
  }

  /** Logs an unexpected error and returns its response. */
  failed(error: unknown): GatewayResponse {
    const problem = storageProblem(error);
    if (problem !== undefined) {
      reportStorageTrouble(this.kernel.log, 'requests fail because the disk takes no changes', error);
      return { status: 503, headers: { 'content-type': 'text/plain' }, body: `${problem}.\n` };
    }
    this.kernel.log.error('a request could not be answered', { error });
    return { status: 500, headers: { 'content-type': 'text/plain' }, body: 'The emulator failed; see its log.\n' };
  }

  /**
   * Responds to a request by a name that is not emu's own: by the data plane of the resource with that name, or as the
   * name is trusted.
   */
  private async serveByName(visit: Visit, restriction: NameRestriction): Promise<GatewayResponse | undefined> {
    const { request, path, query } = visit;
    const { name, refusal } = restriction;
    const owner = this.dataPlanes.ownerOf(name);
    if (!owner && refusal === undefined) return this.restrictedPage(visit);
    visit.settled = true;
    const byPage = owner && this.access.byPage(request);
    if (byPage) return (await this.pages.serve([owner], visit, byPage, name)) ?? this.refusePage(visit, byPage);
    const response = owner && (await this.dataPlanes.handle([owner], visit, name));
    if (response) return response;
    this.access.report(restriction);
    return refuse(request, path, query, refusal ?? unknownHost(name));
  }

  /** Responds to a request of a page that may not use emu, as far as services admit it; otherwise with 403. */
  private async servePage(visit: Visit, restriction: PageRestriction): Promise<GatewayResponse | undefined> {
    if (this.planeOf(visit) === undefined) {
      visit.settled = true;
      const claimants = this.dataPlanes.claimants(visit) ?? [];
      const response = await this.pages.serve(claimants, visit, restriction);
      if (response) return response;
      if (await this.pages.mayCall(visit, restriction)) {
        const answer = await this.dispatch(visit);
        dropEmptyOrigin(answer);
        return answer;
      }
    } else if (restriction.origin === undefined && isConsoleFile(visit)) return undefined;
    return this.refusePage(visit, restriction);
  }

  /** Lets services serve a request of their data planes. @returns undefined for an API request */
  private async serveClaimed(
    visit: Visit,
    claimants: readonly ServiceManifest[],
  ): Promise<GatewayResponse | undefined> {
    const response = await this.dataPlanes.handle(claimants, visit);
    if (response) visit.settled = true;
    return response;
  }

  /** Responds to an API request. */
  dispatch(visit: Visit): Promise<GatewayResponse> {
    const { method, headers } = visit.request;
    if (headers.origin !== undefined && isPreflight(method, headers)) return Promise.resolve(preflight(headers));
    return this.dispatcher.dispatch(visit);
  }

  /**
   * Opens a port; may be called several times.
   * @throws Error of node's `listen`, e.g. with code `EADDRINUSE`
   */
  async listen(address: ListenAddress = {}): Promise<Listener> {
    return this.self.track(await this.openPort(address));
  }

  private async openPort(address: ListenAddress): Promise<Listener> {
    const { PortServer } = await import('./http/listener.ts');
    const peers = address.remote === false ? new LocalPeers() : undefined;
    const listener = await new PortServer(this, peers).listen(address);
    this.access.trust(listener.host);
    this.access.addPort(listener.port);
    return listener;
  }

  /**
   * Opens the link-local addresses of the metadata service and of container credentials. Logs a warning for an address
   * that cannot be bound.
   */
  async listenLinkLocal(): Promise<Listener[]> {
    const { listenLinkLocal } = await import('./metadata/link-local.ts');
    return listenLinkLocal(this);
  }

  /** Creates the visit of a request that reached the application without one. */
  private async visitOfFetch(request: Request, { incoming, outgoing }: Bindings): Promise<Visit> {
    if (incoming && outgoing) {
      const [{ ServerRequest }, secure] = [await import('./http/node-request.ts'), 'encrypted' in incoming.socket];
      return this.visit(new ServerRequest(incoming, outgoing, secure, false));
    }
    const { FetchRequest } = await import('./application/fetch-request.ts');
    return this.visit(new FetchRequest(request));
  }
}

/** Creates the gateway of a kernel. @throws RangeError for an invalid option */
export function createGateway(kernel: Kernel, options?: GatewayOptions): Gateway {
  return new Gateway(kernel, options);
}
