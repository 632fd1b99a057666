import type { ResourceProviders } from '../capabilities/resource-providers.ts';
import type { CloudFormationTypes, ResourceProvider } from '../cloudformation/provider.ts';
import type { ServiceManifest } from '../plugin/manifest.ts';

/** Finds providers by the manifests of the mounted services. */
export class ManifestProviders implements ResourceProviders {
  private readonly byType = new Map<string, CloudFormationTypes>();
  private readonly loading = new Map<CloudFormationTypes, Promise<ReadonlyMap<string, ResourceProvider>>>();

  constructor(manifests: readonly Pick<ServiceManifest, 'cloudFormation'>[]) {
    for (const { cloudFormation } of manifests)
      for (const type of cloudFormation?.types ?? []) this.byType.set(type, cloudFormation!);
  }

  get names(): readonly string[] {
    return [...this.byType.keys()].sort();
  }

  has(typeName: string): boolean {
    return this.byType.has(typeName);
  }

  async provider(typeName: string): Promise<ResourceProvider | undefined> {
    const types = this.byType.get(typeName);
    if (!types) return undefined;
    let loading = this.loading.get(types);
    if (!loading) {
      loading = load(types);
      this.loading.set(types, loading);
      // A failed load is retried.
      loading.catch(() => this.loading.delete(types));
    }
    return (await loading).get(typeName);
  }
}

async function load(types: CloudFormationTypes): Promise<ReadonlyMap<string, ResourceProvider>> {
  // Properties are checked against the type's facts before a provider receives them.
  const providers = (await types.load()) as unknown as readonly ResourceProvider[];
  return new Map(providers.map((provider) => [provider.typeName, provider]));
}
