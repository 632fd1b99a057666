import type { Kernel } from '@emu/core';
import type {
  AnyServicePlugin,
  DataPlaneRequest,
  DataPlaneResponse,
  EndpointName,
  ServiceManifest,
  UpgradableConnection,
} from '@emu/core/service';
import { headerOf } from '@emu/wire';
import { sandboxed } from '../access/sandbox.ts';
import { HostParser } from '../identify/hosts.ts';
import { credentialScopeOf } from '../identify/scope.ts';
import { endpointOf } from '../request/endpoint.ts';
import type { GatewayRequest, GatewayResponse } from '../request/gateway-request.ts';
import { recordRedirected } from '../request/redirected.ts';
import type { LocatedRequest } from '../request/visit.ts';
import { writesBefore } from '../request/writes.ts';
import type { DataPlaneSignatures } from './signatures.ts';
import { hasSignature, MAX_SIGNED_BODY } from './signed.ts';

/** Status of a response that switches to the protocol of WebSockets. */
const SWITCHED = 101;

/** Finds the data plane of a request and lets it respond: websites, function URLs, browsers' forms. */
export class DataPlanes {
  private readonly manifests: readonly ServiceManifest[];
  private readonly hosts: HostParser;
  private verification: Promise<DataPlaneSignatures> | undefined;

  constructor(
    private readonly kernel: Kernel,
    /** Whether signatures are verified. */
    readonly verifies: boolean,
  ) {
    this.manifests = kernel.manifests.filter(({ claims }) => claims);
    const labels = kernel.manifests.flatMap(({ hostNames, dataHostNames = [] }) => [...hostNames, ...dataHostNames]);
    const resources = kernel.manifests.flatMap(({ hosts }) => hosts ?? []);
    this.hosts = new HostParser(new Set(labels), resources, kernel.settings.domain);
  }

  /** Loads the verification of signatures at the first signed request. */
  signatures(): Promise<DataPlaneSignatures> {
    this.verification ??= import('./signatures.ts').then(
      ({ DataPlaneSignatures }) => new DataPlaneSignatures(this.kernel),
    );
    return this.verification;
  }

  /** Returns what the host of a request names: an endpoint of AWS's form, or a resource in front of emu's address. */
  endpointName({ headers }: GatewayRequest): EndpointName | undefined {
    const host = headerOf(headers, 'host');
    return host === undefined ? undefined : (this.hosts.endpointOf(host) ?? this.hosts.bareResource(host));
  }

  /** Returns the services whose data planes may serve a request, in the order of their calls; undefined for none. */
  claimants(located: LocatedRequest): readonly ServiceManifest[] | undefined {
    const { request, path } = located;
    const { manifests } = this;
    if (manifests.length === 0) return undefined;
    const { method, headers } = request;
    const host = (headerOf(headers, 'host') ?? '').toLowerCase();
    let claimants: ServiceManifest[] | undefined;
    for (const manifest of manifests) {
      if (!manifest.claims!(method, path, host, headers)) continue;
      if (claimants) claimants.push(manifest);
      else claimants = [manifest];
    }
    return claimants && this.ownersOf(claimants, host, located);
  }

  /**
   * Returns the services to which a host belongs. Paths that belong to a service on emu's own address, such as
   * `/_aws/lambda-url/`, are objects of a bucket, or paths of an API, on their hosts.
   */
  private ownersOf(
    claimants: readonly ServiceManifest[],
    host: string,
    located: LocatedRequest,
  ): readonly ServiceManifest[] | undefined {
    const owners = claimants.filter(({ claims }) => claims!('GET', '/', host, {}));
    if (owners.length > 0) return owners;
    const label = this.resourceLabelOf(host, located);
    if (label === undefined) return claimants;
    const own = claimants.filter(({ hosts }) => hosts?.label === label);
    return own.length > 0 ? own : undefined;
  }

  /** Returns the label of a host that names a resource, e.g. a bucket; undefined for another host. */
  private resourceLabelOf(host: string, { request: { headers }, query }: LocatedRequest): string | undefined {
    const named = this.hosts.endpointOf(host);
    if (named) return named.prefix !== undefined && this.hosts.hasResources(named.label) ? named.label : undefined;
    // A name in front of emu's address may also be emu's. The signature decides.
    const bare = this.hosts.bareResource(host);
    const signed = bare && credentialScopeOf(headers, query)?.service;
    const owner = this.kernel.manifests.find(({ hosts }) => hosts?.label === bare?.label);
    return signed !== undefined && owner?.signingNames.includes(signed) ? bare!.label : undefined;
  }

  /**
   * Whether every path of a host belongs to a data plane: the host of a website, a function URL, an API or hosted
   * pages.
   */
  claimsHost({ headers }: Pick<GatewayRequest, 'headers'>): boolean {
    const host = headerOf(headers, 'host');
    return host !== undefined && this.isClaimed(host);
  }

  /** Whether a host name leads to the data plane of a service. @param name in lower case, without a port */
  isDataHost(name: string): boolean {
    return this.isClaimed(name) || this.ownerOf(name) !== undefined;
  }

  private isClaimed(host: string): boolean {
    const name = host.toLowerCase();
    return this.manifests.some(({ claims }) => claims!('GET', '/', name, {}));
  }

  /** Returns the service that has a resource with a host name. @param name in lower case, without a port */
  ownerOf(name: string): ServiceManifest | undefined {
    return this.kernel.ownerOfHost(name);
  }

  /** Whether a service needs the certificates of clients. */
  get asksClients(): boolean {
    const { kernel } = this;
    return kernel.loadedServices().some((service) => service.plugin.asksClients?.(service as never) ?? false);
  }

  /**
   * Returns the response of the first service that serves the request; if none does, the first refusal.
   * @param claimants the result of `claimants`
   * @param ownedHost the host name, if a resource owns it
   * @returns undefined for an API request
   */
  async handle(
    claimants: readonly ServiceManifest[],
    located: LocatedRequest,
    ownedHost?: string,
  ): Promise<GatewayResponse | undefined> {
    const { kernel } = this;
    const request = new LazyRequest(this, kernel, located, ownedHost);
    const started = located.request.program ? performance.now() : 0;
    const asked: AnyServicePlugin[] = [];
    for (const { name } of claimants) {
      // Each promise costs turns of the microtask queue on every request.
      const service = kernel.loadedService(name) ?? (await kernel.service(name));
      const { plugin } = service;
      const response: DataPlaneResponse | undefined = await plugin.serve?.(request, service as never);
      if (response) {
        if (located.request.program) this.record(located.request, name, request.requestId, response.status, started);
        if (kernel.persistent) await writesBefore(request.method, kernel.committed(name));
        const sharesOrigin = !response.ownPage && ownedHost === undefined && !this.claimsHost(located.request);
        return sharesOrigin ? sandboxed(response) : response;
      }
      asked.push(plugin);
    }
    for (const plugin of asked) {
      const refusal = plugin.unserved?.(request);
      if (refusal) return refusal;
    }
    return undefined;
  }

  /** Records a redirected request. */
  private record(request: GatewayRequest, service: string, requestId: string, status: number, started: number): void {
    if (this.kernel.recorder.recording) recordRedirected(this.kernel, request, { requestId, service, status, started });
  }

  /**
   * Offers a connection for a WebSocket to the services, until one takes or refuses it.
   * @returns undefined if no service does
   */
  async upgrade(
    claimants: readonly ServiceManifest[],
    located: LocatedRequest,
    connection: UpgradableConnection,
    ownedHost?: string,
  ): Promise<GatewayResponse | 'taken' | undefined> {
    const { kernel } = this;
    const request = new LazyRequest(this, kernel, located, ownedHost);
    const started = performance.now();
    for (const { name } of claimants) {
      const service = await kernel.service(name);
      const outcome = await service.plugin.upgrade?.(request, connection, service as never);
      if (!outcome) continue;
      const status = outcome === 'taken' ? SWITCHED : outcome.status;
      if (located.request.program) this.record(located.request, name, request.requestId, status, started);
      return outcome;
    }
    return undefined;
  }
}

/** Returns a body that is read as a whole. */
async function* wholeBody(bytes: () => Promise<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  yield await bytes();
}

/** A data plane request. Members are computed when they are read, because most services read few. */
class LazyRequest implements DataPlaneRequest {
  readonly requestId: string;
  private readonly request: GatewayRequest;
  private whole: Promise<Uint8Array> | undefined;

  constructor(
    private readonly planes: DataPlanes,
    private readonly kernel: Kernel,
    private readonly located: LocatedRequest,
    readonly ownedHost: string | undefined,
  ) {
    this.request = located.request;
    this.requestId = kernel.ids.uuid();
  }

  get path(): string {
    return this.located.path;
  }

  get query(): string {
    return this.located.query;
  }

  get method(): string {
    return this.request.method;
  }

  get headers(): DataPlaneRequest['headers'] {
    return this.request.headers;
  }

  get rawHeaders(): DataPlaneRequest['rawHeaders'] {
    return this.request.rawHeaders;
  }

  get host(): DataPlaneRequest['host'] {
    return this.planes.endpointName(this.request);
  }

  get endpoint(): string {
    return endpointOf(this.request, this.kernel.settings);
  }

  get remoteAddress(): string | undefined {
    return this.request.remoteAddress;
  }

  get clientCertificate(): Uint8Array | undefined {
    return this.request.clientCertificate;
  }

  get secure(): boolean {
    return this.request.secure;
  }

  get tls(): DataPlaneRequest['tls'] {
    return this.request.tls;
  }

  get body(): AsyncIterable<Uint8Array> {
    return this.isVerified ? wholeBody(this.bytes) : this.request.body.stream();
  }

  get verifySignature(): DataPlaneRequest['verifySignature'] {
    if (!this.planes.verifies) return undefined;
    if (!this.isVerified) return () => Promise.resolve(undefined);
    return async (scope) => (await this.planes.signatures()).verify(this, scope, this.bytes);
  }

  /** Whether the request has a signature that is verified, which may cover the whole body. */
  private get isVerified(): boolean {
    return this.planes.verifies && hasSignature(this);
  }

  private readonly bytes = (): Promise<Uint8Array> => {
    this.whole ??= this.request.body.bytes(MAX_SIGNED_BODY);
    return this.whole;
  };

  get signal(): AbortSignal {
    return this.request.signal();
  }
}
