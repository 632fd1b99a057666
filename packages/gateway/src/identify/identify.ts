import type { ServiceManifest } from '@emu/core/service';
import type { HeaderValues, WireRequest } from '@emu/wire';
import { hasQueryParameter, queryParameter } from '../body/query.ts';
import { accessPointOfHost, OBJECT_LAMBDA } from './access-point-hosts.ts';
import { bucketOfHost } from './bucket-hosts.ts';
import { type HostParts, parseHost, unknownServiceOf } from './hosts.ts';
import { type CredentialScope, credentialScopeOf } from './scope.ts';
import type { ServiceIndex } from './services.ts';

/** What a request turned out to be for. */
export interface Identification {
  /** Undefined where emu has no such service. */
  manifest: ServiceManifest | undefined;
  /** What the decision rests on, in words for an error message; empty where there was nothing to go by. */
  recognised: string;
  /** Region the request names; undefined where it names none. */
  region: string | undefined;
  /** Bucket of a virtual-hosted S3 request, or the ARN or alias of the access point in its host. */
  bucket: string | undefined;
  scope: CredentialScope | undefined;
}

const S3 = 's3';
/** Hosts that are remembered, and characters of the longest of them. */
const MOST_HOSTS = 1000;
const LONGEST_HOST = 255;

/** What a host says. */
interface KnownHost {
  facts: HostParts | undefined;
  /** The bucket in front of an address of emu's, for a request that is S3's. */
  bucket: string | undefined;
}

const NO_HOST: KnownHost = { facts: undefined, bucket: undefined };

/** A single header's value; the first where there are several. */
export function headerOf(headers: HeaderValues, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Whether the body is a form, which alone can name the operation of the query protocols. */
export function isForm(headers: HeaderValues): boolean {
  const type = headerOf(headers, 'content-type');
  return type?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false;
}

/** The service name in `/service/<name>/operation/<operation>` of smithy-rpc-v2-cbor. */
function cborServiceOf(request: WireRequest): string | undefined {
  if (request.headers['smithy-protocol'] === undefined) return undefined;
  return /\/service\/([^/]+)\/operation\/[^/]+$/.exec(request.path)?.[1];
}

/** Finds the service of a request in the order: credential scope, target, action and version, host, path, else S3. */
export class Identifier {
  /** What hosts say: a client names the same one all day. */
  private readonly hosts = new Map<string, KnownHost>();

  constructor(
    private readonly index: ServiceIndex,
    /** The emulator's own domain. */
    private readonly domain: string,
    /** Region of requests that name none. */
    private readonly region = 'us-east-1',
  ) {}

  /**
   * @param request the body is looked at only where it is a form
   */
  identify(request: WireRequest): Identification {
    const scope = credentialScopeOf(request.headers, request.query);
    return scope ? this.signed(request, scope) : this.unsigned(request);
  }

  private signed(request: WireRequest, scope: CredentialScope): Identification {
    const candidates = this.index.bySigningName(scope.service);
    const manifest = candidates.length > 1 ? this.narrow(request, candidates) : candidates[0];
    const recognised = `the signing name ${scope.service}`;
    let region = scope.region ?? regionOfSet(request.headers);
    if (manifest?.name !== S3 && region !== undefined)
      return { manifest, recognised, region, bucket: undefined, scope };
    const host = this.host(request);
    region ??= host?.region;
    return { manifest, recognised, region, bucket: this.bucketOf(request, manifest, host, region, scope), scope };
  }

  private unsigned(request: WireRequest): Identification {
    const host = this.host(request);
    const region = host?.region;
    const found = (manifest: ServiceManifest | undefined, recognised: string): Identification => ({
      manifest,
      recognised,
      region,
      bucket: this.bucketOf(request, manifest, host, region, undefined),
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
    const unknown = unknownServiceOf(headerOf(request.headers, 'host') ?? '', this.domain);
    if (unknown !== undefined) return found(undefined, `the host label ${unknown}`);
    const byQueryPath = this.index.byQueryPath(request.path);
    if (byQueryPath && this.formOf(request) !== undefined) return found(byQueryPath, `the path ${request.path}`);
    const byPath = this.index.byPath(request.path);
    if (byPath && admits(byPath, request.headers)) return found(byPath, `the path ${request.path}`);
    return found(this.index.byName(S3), '');
  }

  /** Tells services apart that share a signing name, a version or a host: by target, path, version and host. */
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

  /** The bucket that a request to S3 names by its host, or what stands for it: the ARN or alias of an access point. */
  private bucketOf(
    request: WireRequest,
    manifest: ServiceManifest | undefined,
    host: HostParts | undefined,
    region: string | undefined,
    scope: CredentialScope | undefined,
  ): string | undefined {
    if (manifest?.name !== S3) return undefined;
    if (host?.label === S3) return host.prefix;
    // Buckets may be called like services. What looks like an access point may be a bucket, which S3 finds out.
    if ((!host || !manifest.hostNames.includes(host.label)) && scope?.service !== OBJECT_LAMBDA) {
      const { bucket } = this.known(request);
      if (bucket !== undefined) return bucket;
    }
    return accessPointOfHost(request, host, scope?.service, region ?? this.region);
  }

  private host(request: WireRequest): HostParts | undefined {
    return this.known(request).facts;
  }

  private known(request: WireRequest): KnownHost {
    const host = headerOf(request.headers, 'host');
    if (host === undefined) return NO_HOST;
    const known = this.hosts.get(host);
    if (known) return known;
    const facts = parseHost(host, this.index.hostLabels, this.domain);
    const found = { facts, bucket: bucketOfHost(host, this.domain) };
    if (host.length <= LONGEST_HOST) {
      if (this.hosts.size >= MOST_HOSTS) this.hosts.clear();
      this.hosts.set(host, found);
    }
    return found;
  }

  /** `Version` of a query request that also has an `Action`. */
  private versionOf(request: WireRequest): string | undefined {
    const form = this.formOf(request);
    return form === undefined ? undefined : queryParameter(form, 'Version');
  }

  /** The query string or the form of a query request: the one that has the `Action`; undefined where neither has one. */
  private formOf(request: WireRequest): string | undefined {
    if (hasQueryParameter(request.query, 'Action')) return request.query;
    if (request.body.length === 0 || !isForm(request.headers)) return undefined;
    const form = Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength).toString('latin1');
    return hasQueryParameter(form, 'Action') ? form : undefined;
  }
}

/** Whether a request has one of the headers that every request of the service has. */
function admits({ requiredHeaders }: ServiceManifest, headers: HeaderValues): boolean {
  return requiredHeaders === undefined || requiredHeaders.some((name) => headers[name] !== undefined);
}

/** The region of a SigV4A region set, where it names exactly one. */
function regionOfSet(headers: HeaderValues): string | undefined {
  const set = headerOf(headers, 'x-amz-region-set');
  return set !== undefined && /^[a-z0-9-]+$/.test(set) ? set : undefined;
}
