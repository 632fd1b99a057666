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
import { endpointOf } from '../request/endpoint.ts';
import type { GatewayRequest, GatewayResponse } from '../request/request.ts';
import type { LocatedRequest } from '../request/visit.ts';

/** Requests that a service answers itself, without a model: websites, function URLs, browsers' forms. */
export class DataPlanes {
  private readonly manifests: readonly ServiceManifest[];
  private readonly hosts: HostParser;

  constructor(private readonly kernel: Kernel) {
    this.manifests = kernel.manifests.filter(({ claims }) => claims);
    const labels = kernel.manifests.flatMap(({ hostNames, dataHostNames = [] }) => [...hostNames, ...dataHostNames]);
    const resources = kernel.manifests.flatMap(({ hosts }) => hosts ?? []);
    this.hosts = new HostParser(new Set(labels), resources, kernel.settings.domain);
  }

  /** Returns what the host of a request names: an endpoint of AWS's form, or a resource in front of emu's address. */
  endpointName({ headers }: GatewayRequest): EndpointName | undefined {
    const host = headerOf(headers, 'host');
    return host === undefined ? undefined : (this.hosts.endpointOf(host) ?? this.hosts.bareResource(host));
  }

  /** The services whose data planes a request may be for, in the order in which they are asked; undefined for none. */
  claimants({ request, path }: LocatedRequest): readonly ServiceManifest[] | undefined {
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
    return claimants;
  }

  /**
   * Whether a service's data plane has a host name to itself, whatever the path is: that of a website, a function URL, an
   * API or a domain of hosted pages.
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

  /** The service one of whose resources has a host name. @param name in lower case, without a port */
  ownerOf(name: string): ServiceManifest | undefined {
    const { kernel } = this;
    return kernel.manifests.find((manifest) => {
      // What is not loaded has no resources: services that have any are loaded when the emulator starts.
      const service = kernel.loadedService(manifest.name);
      return service?.plugin.ownsHost?.(name, service as never) ?? false;
    });
  }

  /** Whether a service wants clients to be asked for certificates. */
  get asksClients(): boolean {
    const { kernel } = this;
    return kernel.loadedServices().some((service) => service.plugin.asksClients?.(service as never) ?? false);
  }

  /**
   * Has the first of the services answer that serves the request; where none does, the first that says why not.
   * @param claimants as `claimants` found them
   * @param ownedHost the host name where it is a resource's
   * @returns undefined where it is an API call after all
   */
  async handle(
    claimants: readonly ServiceManifest[],
    located: LocatedRequest,
    ownedHost?: string,
  ): Promise<GatewayResponse | undefined> {
    const { kernel } = this;
    const request = new ReceivedRequest(this, kernel, located, ownedHost);
    const asked: AnyServicePlugin[] = [];
    for (const { name } of claimants) {
      // As few promises as can be: each costs turns of their queue, on every request.
      const service = kernel.loadedService(name) ?? (await kernel.service(name));
      const { plugin } = service;
      const response: DataPlaneResponse | undefined = await plugin.serve?.(request, service as never);
      if (response) {
        if (kernel.persistent) await kernel.committed(name);
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

  /**
   * Has the first of the services take a connection whose client asks for a WebSocket, or refuse it.
   * @returns undefined where none of them does either
   */
  async upgrade(
    claimants: readonly ServiceManifest[],
    located: LocatedRequest,
    connection: UpgradableConnection,
    ownedHost?: string,
  ): Promise<GatewayResponse | 'taken' | undefined> {
    const { kernel } = this;
    const request = new ReceivedRequest(this, kernel, located, ownedHost);
    for (const { name } of claimants) {
      const service = await kernel.service(name);
      const outcome = await service.plugin.upgrade?.(request, connection, service as never);
      if (outcome) return outcome;
    }
    return undefined;
  }
}

/** A request as a data plane sees it. Its members are computed when they are read, as most services read few. */
class ReceivedRequest implements DataPlaneRequest {
  readonly requestId: string;
  private readonly request: GatewayRequest;

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
    return this.request.body.stream();
  }

  get signal(): AbortSignal {
    return this.request.signal();
  }
}
