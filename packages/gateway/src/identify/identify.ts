import type { EndpointName, ServiceManifest } from '@emu/core/service';
import { type HeaderValues, hasQueryParameter, headerOf, queryParameter, type WireRequest } from '@emu/wire';
import { HostParser, type ParsedHost } from './hosts.ts';
import { type CredentialScope, credentialScopeOf } from './scope.ts';
import type { ServiceIndex } from './services.ts';

/** Result of the identification of a request. */
export interface Identification {
  /** Undefined for an unsupported service. */
  manifest: ServiceManifest | undefined;
  /** The part of the request that decided, for error messages; empty if no part names a service. */
  recognised: string;
  /** Region in the request; undefined without one. */
  region: string | undefined;
  /** Resource in the host, such as a bucket. It precedes the path. */
  resource: string | undefined;
  scope: CredentialScope | undefined;
}

/** Largest number of cached hosts, and length of the longest. */
const MAX_HOSTS = 1000;
const LONGEST_HOST = 255;

const NO_HOST: ParsedHost = { endpoint: undefined, resource: undefined };

/** Whether the body is a form, the only body that names the operation of the query protocols. */
export function isForm(headers: HeaderValues): boolean {
  const type = headerOf(headers, 'content-type');
  return type?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false;
}

/** Returns the service name in `/service/<name>/operation/<operation>` of smithy-rpc-v2-cbor. */
function cborServiceOf(request: WireRequest): string | undefined {
  if (request.headers['smithy-protocol'] === undefined) return undefined;
  return /\/service\/([^/]+)\/operation\/[^/]+$/.exec(request.path)?.[1];
}

/** Finds the service of a request in the order: credential scope, target, action and version, host, path. */
export class Identifier {
  /** Parsed hosts, because clients repeat theirs. */
  private readonly hosts = new Map<string, ParsedHost>();
  private readonly parser: HostParser;

  /**
   * @param domain the emulator's own domain
   * @param region of requests that name none
   */
  constructor(
    private readonly index: ServiceIndex,
    domain: string,
    private readonly region = 'us-east-1',
  ) {
    this.parser = new HostParser(index.hostLabels, index.resourceHosts, domain);
  }

  /** Identifies a request. @param request its body is read only if it is a form */
  identify(request: WireRequest): Identification {
    const scope = credentialScopeOf(request.headers, request.query);
    return scope ? this.signed(request, scope) : this.unsigned(request);
  }

  private signed(request: WireRequest, scope: CredentialScope): Identification {
    const candidates = this.index.bySigningName(scope.service);
    const manifest = candidates.length > 1 ? this.narrow(request, candidates) : candidates[0];
    const recognised = `the signing name ${scope.service}`;
    let region = scope.region ?? regionOfSet(request.headers);
    if (!manifest?.hosts && region !== undefined) return { manifest, recognised, region, resource: undefined, scope };
    const host = this.host(request);
    region ??= host?.region;
    return { manifest, recognised, region, resource: this.resourceOf(request, manifest, host, region, scope), scope };
  }

  private unsigned(request: WireRequest): Identification {
    const host = this.host(request);
    const region = host?.region;
    const found = (manifest: ServiceManifest | undefined, recognised: string): Identification => ({
      manifest,
      recognised,
      region,
      resource: this.resourceOf(request, manifest, host, region, undefined),
      scope: undefined,
    });
    const target = headerOf(request.headers, 'x-amz-target') ?? cborServiceOf(request);
    if (target !== undefined) return found(this.index.byTarget(target), `the target ${target}`);
    const version = this.versionOf(request);
    if (version !== undefined) {
      const candidates = this.index.byQueryVersion(version);
      const manifest = candidates.length > 1 ? this.narrow(request, candidates) : candidates[0];
      if (manifest || !host) return found(manifest, `the API version ${version}`);
    }
    if (host) return found(this.narrow(request, this.index.byHostLabel(host.label)), `the host label ${host.label}`);
    const unknown = this.parser.unknownServiceOf(headerOf(request.headers, 'host') ?? '');
    if (unknown !== undefined) return found(undefined, `the host label ${unknown}`);
    const byQueryPath = this.index.byQueryPath(request.path);
    if (byQueryPath && this.formOf(request) !== undefined) return found(byQueryPath, `the path ${request.path}`);
    const byPath = this.index.byPath(request.path);
    if (byPath && admits(byPath, request.headers)) return found(byPath, `the path ${request.path}`);
    return found(this.index.catchAll, '');
  }

  /** Chooses among services that share a signing name, a version or a host: by target, path, version and host. */
  private narrow(request: WireRequest, all: readonly ServiceManifest[]): ServiceManifest | undefined {
    let plain: ServiceManifest | undefined;
    let others = 0;
    for (const manifest of all) {
      if (manifest.requiredHeaders === undefined) {
        if (plain) others++;
        else plain = manifest;
      } else if (admits(manifest, request.headers)) return manifest;
    }
    if (others === 0) return plain;
    const candidates = all.filter(({ requiredHeaders }) => requiredHeaders === undefined);
    const among = (manifest: ServiceManifest | undefined): ServiceManifest | undefined =>
      manifest && candidates.includes(manifest) ? manifest : undefined;
    const target = headerOf(request.headers, 'x-amz-target') ?? cborServiceOf(request);
    const version = target === undefined ? this.versionOf(request) : undefined;
    const label = this.host(request)?.label;
    return (
      (target === undefined ? undefined : among(this.index.byTarget(target))) ??
      among(this.index.byPath(request.path)) ??
      (version === undefined ? undefined : candidates.find(({ queryVersions }) => queryVersions?.includes(version))) ??
      (label === undefined ? undefined : candidates.find(({ hostNames }) => hostNames.includes(label))) ??
      candidates[0]
    );
  }

  /** Returns the resource that the host of a request names, by the rules of its service. */
  private resourceOf(
    request: WireRequest,
    manifest: ServiceManifest | undefined,
    host: EndpointName | undefined,
    region: string | undefined,
    scope: CredentialScope | undefined,
  ): string | undefined {
    const hosts = manifest?.hosts;
    if (!hosts) return undefined;
    const { resource } = this.known(request);
    const name = resource !== undefined && hosts.names.test(resource) ? resource : undefined;
    return hosts.resourceOf(request, host, name, scope?.service, region ?? this.region);
  }

  private host(request: WireRequest): EndpointName | undefined {
    return this.known(request).endpoint;
  }

  private known(request: WireRequest): ParsedHost {
    const host = headerOf(request.headers, 'host');
    if (host === undefined) return NO_HOST;
    const known = this.hosts.get(host);
    if (known) return known;
    const parsed = this.parser.parse(host);
    if (host.length <= LONGEST_HOST) {
      if (this.hosts.size >= MAX_HOSTS) this.hosts.clear();
      this.hosts.set(host, parsed);
    }
    return parsed;
  }

  /** Returns the `Version` of a query request with an `Action`. */
  private versionOf(request: WireRequest): string | undefined {
    const form = this.formOf(request);
    return form === undefined ? undefined : queryParameter(form, 'Version');
  }

  /** Returns the query string or form of a query request that has the `Action`; undefined without one. */
  private formOf(request: WireRequest): string | undefined {
    if (hasQueryParameter(request.query, 'Action')) return request.query;
    if (request.body.length === 0 || !isForm(request.headers)) return undefined;
    const form = Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength).toString('latin1');
    return hasQueryParameter(form, 'Action') ? form : undefined;
  }
}

/** Whether a request has one of the headers that all requests of a service have. */
function admits({ requiredHeaders }: ServiceManifest, headers: HeaderValues): boolean {
  return requiredHeaders === undefined || requiredHeaders.some((name) => headers[name] !== undefined);
}

/** Returns the region of a SigV4A region set with exactly one region. */
function regionOfSet(headers: HeaderValues): string | undefined {
  const set = headerOf(headers, 'x-amz-region-set');
  return set !== undefined && /^[a-z0-9-]+$/.test(set) ? set : undefined;
}

/**
 * Returns the path of a request in the form of the model: with the resource of its host, and without the path of its
 * endpoint.
 */
export function pathOf({ path, headers }: WireRequest, { resource, scope, manifest }: Identification): string {
  if (resource !== undefined) return `/${encodeURIComponent(resource)}${path}`;
  return manifest?.operationPath?.(path, headers, scope?.service) ?? path;
}

/** Returns the headers of a request with those in the query of a pre-signed URL, which can select the operation. */
export const headersOf = ({ headers, query }: WireRequest, { manifest, scope }: Identification): HeaderValues =>
  (scope?.presigned && manifest?.signatures?.presignedHeaders?.(headers, query)) || headers;
