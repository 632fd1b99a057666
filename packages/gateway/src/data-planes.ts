import type { DataPlaneRequest, DataPlaneResponse, EndpointName, Kernel, ServiceManifest } from '@emu/core';
import { bucketOfHost } from './bucket-hosts.ts';
import { endpointOf } from './exchange.ts';
import { parseHost, unknownServiceOf } from './hosts.ts';
import { headerOf } from './identify.ts';
import type { GatewayRequest, GatewayResponse } from './request.ts';

const S3 = 's3';

/** Requests that a service answers itself, without a model: websites, function URLs, browsers' forms. */
export class DataPlanes {
  private readonly manifests: readonly ServiceManifest[];
  private readonly labels: ReadonlySet<string>;

  constructor(private readonly kernel: Kernel) {
    this.manifests = kernel.manifests.filter(({ claims }) => claims);
    this.labels = new Set(kernel.manifests.flatMap(({ hostNames }) => hostNames));
  }

  /** What the host of a request says, where it is of the forms of AWS's endpoints, or a bucket before emu's address. */
  endpointName({ headers }: GatewayRequest): EndpointName | undefined {
    const host = headerOf(headers, 'host');
    if (host === undefined) return undefined;
    const { domain } = this.kernel.settings;
    const found = parseHost(host, this.labels, domain);
    if (found || !this.labels.has(S3)) return found;
    const bucket = unknownServiceOf(host, domain) === undefined ? bucketOfHost(host, domain) : undefined;
    return bucket === undefined ? undefined : { label: S3, region: undefined, prefix: bucket };
  }

  /** The service whose data plane a request may be for. */
  claimant(request: GatewayRequest, path: string): ServiceManifest | undefined {
    const { manifests } = this;
    if (manifests.length === 0) return undefined;
    const { method, headers } = request;
    const host = (headerOf(headers, 'host') ?? '').toLowerCase();
    for (const manifest of manifests) if (manifest.claims!(method, path, host, headers)) return manifest;
    return undefined;
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

  /**
   * Has the service answer the request.
   * @param ownedHost the host name where it is a resource's
   * @returns undefined where it is an API call after all
   */
  async handle(
    manifest: ServiceManifest,
    request: GatewayRequest,
    path: string,
    query: string,
    ownedHost?: string,
  ): Promise<GatewayResponse | undefined> {
    const { kernel } = this;
    const service = await kernel.service(manifest.name);
    const { plugin } = service;
    if (!plugin.serve) return undefined;
    const { method, headers, remoteAddress, secure } = request;
    const facts: DataPlaneRequest = {
      method,
      path,
      query,
      headers,
      host: this.endpointName(request),
      ownedHost,
      endpoint: endpointOf(request, kernel.settings),
      requestId: kernel.ids.uuid(),
      remoteAddress,
      secure,
      get body() {
        return request.body.stream();
      },
      get signal() {
        return request.signal();
      },
    };
    const response: DataPlaneResponse | undefined = await plugin.serve(facts, service as never);
    if (response) await kernel.committed(manifest.name);
    return response;
  }
}
