import type { EndpointName, ServiceManifest } from '@emu/core/service';
import {
  collect,
  type GatewayRequest,
  HostParser,
  headersOf,
  type Identification,
  Identifier,
  isForm,
  pathOf,
  ServiceIndex,
  visitOf,
} from '@emu/gateway/proxy';
import {
  compileService,
  headerOf,
  queryParameter,
  type ServerProtocol,
  type ServiceCodec,
  type WireRequest,
} from '@emu/wire';
import type { AwsService, AwsServices } from './aws-services.ts';

/** Maximum bytes of a body that is buffered: Lambda's largest package in base64. */
export const MAX_BUFFERED = 96 * 1024 * 1024;

/** A service's operation that emu has a model of. */
export interface Modelled {
  readonly codec: ServiceCodec;
  readonly protocol: ServerProtocol;
  readonly operation: string;
}

/** A recognised request. */
export interface Call {
  readonly request: GatewayRequest;
  /** Path as sent. */
  readonly path: string;
  readonly query: string;
  /** emu's name of the service; for one that emu does not have, botocore's, or the label of the host. */
  readonly service: string;
  /** Undefined for a data plane with a host name of its own, and for an unknown service. */
  readonly aws: AwsService | undefined;
  readonly region: string;
  readonly scope: Identification['scope'];
  /** Whether the host names the resource, such as a bucket. */
  readonly hostNamesResource: boolean;
  /** The request in the form of the model. Its body is that of a form, otherwise empty. */
  readonly wire: WireRequest;
  /** Undefined without a model. */
  readonly modelled: Modelled | undefined;
  /** Name of the operation; undefined if unknown. */
  readonly operation: string | undefined;
  /** The parts of the host name of a data plane. */
  readonly dataHost: EndpointName | undefined;
}

/** Finds service, region and operation of requests, as the gateway does, also of services that emu does not have. */
export class Recogniser {
  private readonly identifier: Identifier;
  private readonly hosts: HostParser;
  private readonly claiming: readonly ServiceManifest[];
  private readonly codecs = new Map<string, Promise<ServiceCodec>>();

  /**
   * @param domain the emulator's own domain
   * @param region of requests that name none
   */
  constructor(
    manifests: readonly ServiceManifest[],
    private readonly services: AwsServices,
    domain: string,
    private readonly region: string,
  ) {
    const index = new ServiceIndex(manifests);
    this.identifier = new Identifier(index, domain, region);
    this.claiming = manifests.filter(({ claims }) => claims);
    const labels = manifests.flatMap(({ hostNames, dataHostNames = [] }) => [...hostNames, ...dataHostNames]);
    this.hosts = new HostParser(new Set(labels), index.resourceHosts, domain);
  }

  /** Identifies a request by its head. */
  identify(wire: WireRequest): Identification {
    return this.identifier.identify(wire);
  }

  /**
   * Recognises a request. Reads the body of a form, which can name the operation.
   * @throws PayloadTooLarge for a form over the limit
   */
  async recognise(request: GatewayRequest): Promise<Call> {
    const { path, query } = visitOf(request, false);
    const { method, headers } = request;
    const dataHost = this.dataHostOf(request);
    const wire: WireRequest = { method, path, query, headers, body: new Uint8Array() };
    if (dataHost)
      return {
        ...{ request, path, query, wire, dataHost },
        service: dataHost.label,
        aws: undefined,
        region: dataHost.region ?? this.region,
        scope: this.identify(wire).scope,
        hostNamesResource: false,
        modelled: undefined,
        operation: undefined,
      };
    if (method === 'POST' && isForm(headers)) wire.body = await collect(request.body.stream(), MAX_BUFFERED);
    const found = this.identify(wire);
    const region = found.region ?? this.region;
    const common = { request, path, query, region, dataHost, scope: found.scope };
    const other = this.otherService(found, wire);
    if (other || !found.manifest) {
      const service = other?.name ?? serviceNameOf(found);
      return {
        ...common,
        service,
        aws: other,
        hostNamesResource: false,
        wire,
        modelled: undefined,
        operation: operationOf(wire, other),
      };
    }
    const codec = await this.codecOf(found.manifest);
    wire.path = pathOf(wire, found);
    wire.headers = headersOf(wire, found);
    const protocol = codec.protocolOf(wire) ?? codec.protocols[0]!;
    const matched = protocol.match(wire);
    return {
      ...common,
      service: found.manifest.name,
      aws: this.services.named(codec.model.source.path.split('/', 1)[0]!),
      hostNamesResource: found.resource !== undefined,
      wire,
      modelled: matched && { codec, protocol, operation: matched.name },
      operation: matched?.name,
    };
  }

  /**
   * Returns the service of a request that emu does not have: by its signing name, or instead of an emulated service with the
   * same signing name if only the other has its operation.
   */
  otherService({ manifest, scope }: Identification, wire: WireRequest): AwsService | undefined {
    const target = headerOf(wire.headers, 'x-amz-target');
    const prefix = target?.slice(0, Math.max(target.lastIndexOf('.'), 0));
    const candidates = scope ? this.services.signedAs(scope.service) : [];
    if (manifest) {
      if (candidates.length < 2) return undefined;
      if (prefix !== undefined)
        return manifest.targetPrefixes?.includes(prefix) ? undefined : candidates.find((one) => one.target === prefix);
      return undefined;
    }
    if (prefix !== undefined) {
      const named = candidates.find((one) => one.target === prefix);
      if (named) return named;
    }
    return (
      candidates.find((one) => one.restOperation(wire.method, wire.path, wire.query) !== undefined) ?? candidates[0]
    );
  }

  /** Returns the parts of a host name that leads to a data plane, such as that of an API or a website. */
  private dataHostOf({ headers }: GatewayRequest): EndpointName | undefined {
    const host = headerOf(headers, 'host')?.toLowerCase();
    if (host === undefined || !this.claiming.some(({ claims }) => claims!('GET', '/', host, {}))) return undefined;
    return this.hosts.endpointOf(host) ?? otherDataHost(host);
  }

  private codecOf(manifest: ServiceManifest): Promise<ServiceCodec> {
    let codec = this.codecs.get(manifest.name);
    if (!codec) {
      codec = manifest
        .load()
        .then(({ model, errorNamespace }) =>
          compileService(model, errorNamespace === undefined ? {} : { namespace: errorNamespace }),
        );
      this.codecs.set(manifest.name, codec);
    }
    return codec;
  }
}

/** Returns the parts of a data plane's host name in a domain of its own: `abc.lambda-url.eu-west-1.on.aws`. */
function otherDataHost(host: string): EndpointName {
  const [prefix, label = ''] = host.split('.', 2);
  return { label, prefix, region: /\.([a-z]{2,4}(?:-[a-z]+)+-\d)\./.exec(host)?.[1] };
}

/** Returns the name of a service that is in no list. */
function serviceNameOf({ scope, recognised }: Identification): string {
  return scope?.service ?? (/(\S+)$/.exec(recognised)?.[1] || 'unknown');
}

/** Returns the operation of a request for a service without a model. */
function operationOf({ method, path, query, headers, body }: WireRequest, service: AwsService | undefined) {
  const target = headerOf(headers, 'x-amz-target');
  if (target !== undefined) return target.slice(target.lastIndexOf('.') + 1);
  const cbor = /\/service\/[^/]+\/operation\/([^/]+)$/.exec(path)?.[1];
  if (cbor !== undefined) return cbor;
  const form = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  const action = queryParameter(query, 'Action') ?? (isForm(headers) ? queryParameter(form, 'Action') : undefined);
  return action ?? service?.restOperation(method, path, query)?.name;
}

/** Names of operations that only read. */
const READS = /^(?:Get|List|Describe|Head|BatchGet)(?![a-z])/;

/** Whether a request only reads: by its model or the name of its operation; for a data plane by its method. */
export function isReadOnly({ operation, modelled, dataHost, request }: Call): boolean {
  if (dataHost) return request.method === 'GET' || request.method === 'HEAD';
  if (operation === undefined) return false;
  return modelled?.codec.model.operations[operation]?.readonly === true || READS.test(operation);
}
