import type { ResourceHosts, ServiceManifest } from '@emu/core/service';

/** Index of manifests by everything that names a service in requests. Created once; services are loaded later. */
export class ServiceIndex {
  readonly hostLabels: ReadonlySet<string>;
  private readonly signing = new Map<string, ServiceManifest[]>();
  private readonly hosts = new Map<string, ServiceManifest[]>();
  private readonly targets = new Map<string, ServiceManifest>();
  private readonly versions = new Map<string, ServiceManifest[]>();
  /** The service that receives requests without a service name. */
  readonly catchAll: ServiceManifest | undefined;
  readonly resourceHosts: readonly ResourceHosts[];
  private readonly queryPaths: [paths: RegExp, manifest: ServiceManifest][] = [];
  private readonly prefixes: [prefix: string, manifest: ServiceManifest][] = [];

  constructor(manifests: readonly ServiceManifest[]) {
    for (const manifest of manifests) {
      for (const name of manifest.signingNames) append(this.signing, name, manifest);
      for (const label of manifest.hostNames) append(this.hosts, label, manifest);
      for (const version of manifest.queryVersions ?? []) append(this.versions, version, manifest);
      for (const prefix of manifest.targetPrefixes ?? []) this.targets.set(prefix, manifest);
      if (manifest.queryPaths) this.queryPaths.push([manifest.queryPaths, manifest]);
      for (const prefix of manifest.pathPrefixes ?? []) this.prefixes.push([prefix, manifest]);
    }
    this.hostLabels = new Set(this.hosts.keys());
    this.catchAll = manifests.find(({ catchAll }) => catchAll);
    this.resourceHosts = manifests.flatMap(({ hosts }) => hosts ?? []);
    this.prefixes.sort(([a], [b]) => b.length - a.length);
  }

  /** Returns the services with a signing name. Several share `apigateway`, `ses` or `rds`. */
  bySigningName(name: string): readonly ServiceManifest[] {
    return this.signing.get(name) ?? NONE;
  }

  byHostLabel(label: string): readonly ServiceManifest[] {
    return this.hosts.get(label) ?? NONE;
  }

  /** Returns the service of an `X-Amz-Target` value, or of the service name in an rpc-v2-cbor path. */
  byTarget(target: string): ServiceManifest | undefined {
    const dot = target.lastIndexOf('.');
    return this.targets.get(dot < 0 ? target : target.slice(0, dot));
  }

  byQueryVersion(version: string): readonly ServiceManifest[] {
    return this.versions.get(version) ?? NONE;
  }

  /** Returns the service of a query request with an `Action` and no `Version`, by its path. */
  byQueryPath(path: string): ServiceManifest | undefined {
    return this.queryPaths.find(([paths]) => paths.test(path))?.[1];
  }

  /** Returns the service with the longest prefix of a path that ends at a segment's end. */
  byPath(path: string): ServiceManifest | undefined {
    for (const [prefix, manifest] of this.prefixes)
      if (
        path.startsWith(prefix) &&
        (path.length === prefix.length || '/?'.includes(path[prefix.length]!) || prefix.endsWith('/'))
      )
        return manifest;
    return undefined;
  }
}

const NONE: readonly ServiceManifest[] = [];

function append(map: Map<string, ServiceManifest[]>, key: string, manifest: ServiceManifest): void {
  const list = map.get(key);
  if (list) list.push(manifest);
  else map.set(key, [manifest]);
}
