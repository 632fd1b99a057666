import { type Arn, parseArn } from '../aws/arn.ts';
import { globalRegionOf } from '../aws/partitions.ts';
import type {
  DirectoryResource,
  ResourceDirectory,
  ResourceSelection,
  ResourceTagging,
} from '../capabilities/resource-directory.ts';
import type { ServiceManifest } from '../plugin/manifest.ts';
import type { Place, ResourceType } from '../resources/resource-type.ts';
import { standardTagCalls, type TagCalls } from '../resources/tag-calls.ts';
import type { LoadedService } from '../services/loaded-service.ts';
import type { ServiceRegistry } from '../services/service-registry.ts';

type AnyType = ResourceType<object, unknown>;
type Key = Readonly<Record<string, string | undefined>>;

const typesOf = ({ plugin }: LoadedService): readonly AnyType[] =>
  (plugin.resources ?? []) as unknown as readonly AnyType[];

/** Finds resources by the declarations of plugins. Services with state are loaded; the others have no resources. */
export class ResourceIndex implements ResourceDirectory {
  private readonly calls = new WeakMap<LoadedService, TagCalls<object> | undefined>();

  constructor(
    private readonly manifests: readonly ServiceManifest[],
    private readonly registry: ServiceRegistry,
  ) {}

  *list(accountId: string, region: string, selection: ResourceSelection = {}): Iterable<DirectoryResource> {
    const { tagged, cloudFormation } = selection;
    // Two APIs of one service have the same resources.
    const listed = new Set<AnyType>();
    for (const service of this.registry.loadedServices()) {
      const state = service.existingState(accountId, region) as unknown;
      if (state === undefined) continue;
      for (const type of typesOf(service)) {
        if ((tagged && !type.isTagged) || listed.has(type)) continue;
        listed.add(type);
        if (cloudFormation && !(type.cloudFormation !== undefined && cloudFormation.has(type.cloudFormation))) continue;
        for (const key of type.list(state)) {
          const place = this.placeOf(service, type, key, { accountId, region });
          if (place.region !== region || place.accountId !== accountId) continue;
          const resource = this.describe(service, type, key, place, state);
          if (!tagged || hasTags(resource)) yield resource;
        }
      }
    }
  }

  regions(accountId: string): string[] {
    const regions = new Set<string>();
    for (const service of this.registry.loadedServices())
      for (const state of service.states()) {
        if (state.accountId !== accountId) continue;
        if (service.plugin.stateScope === 'region') regions.add(state.region);
        else for (const { region } of this.placesIn(service, state)) regions.add(region);
      }
    return [...regions].sort();
  }

  find(text: string, accountId: string, region: string): DirectoryResource | undefined {
    const arn = parseArn(text);
    if (!arn) return undefined;
    for (const service of this.registry.loadedServices())
      for (const type of typesOf(service)) {
        const place = { accountId, region };
        const key = keyIn(type, arn, place);
        const located = key && type.locate(service as never, { key, place });
        const found = located && type.find(located.state, key);
        if (!found || located.place.accountId !== accountId) continue;
        const where = this.placeOf(service, type, found, located.place);
        if (where.region === region) return this.describe(service, type, found, where, located.state);
      }
    return undefined;
  }

  async tagging(text: string, accountId: string, region: string): Promise<ResourceTagging | undefined> {
    const arn = parseArn(text);
    if (!arn) return undefined;
    const place = { accountId, region };
    const services = await this.servicesOf(arn.service);
    // Two services may have ARNs of the same format, as API Gateway's two APIs do.
    const existing = this.find(text, accountId, region);
    const first = services.findIndex(({ name }) => name === existing?.service);
    if (first > 0) services.unshift(...services.splice(first, 1));
    const subject = { arn: text, place, tags: existing?.tags ?? {} };
    for (const service of services)
      for (const type of typesOf(service)) {
        const key = type.isTagged ? keyIn(type, arn, place) : undefined;
        const calls = key && (type.tagCalls ?? this.standardCalls(service));
        if (!calls) continue;
        return {
          service: service.name,
          tag: (added) => calls.tag(key, added, subject),
          untag: (keys) => calls.untag(key, keys, subject),
        };
      }
    return undefined;
  }

  /** Returns the services whose resources may have ARNs of a service. */
  private servicesOf(name: string): Promise<LoadedService[]> {
    const candidates = this.manifests.filter(
      (manifest) => manifest.name === name || manifest.signingNames.includes(name),
    );
    return Promise.all(candidates.map((manifest) => this.registry.service(manifest.name)));
  }

  private standardCalls(service: LoadedService): TagCalls<object> | undefined {
    if (!this.calls.has(service)) this.calls.set(service, standardTagCalls(service.plugin.model));
    return this.calls.get(service);
  }

  /** Returns the places of the resources of a state with several regions. */
  private *placesIn(service: LoadedService, { accountId, region, state }: Place & { state: unknown }): Iterable<Place> {
    // The state of an account has no region: any region of the partition suffices.
    const place = { accountId, region: region || 'us-east-1' };
    for (const type of typesOf(service))
      for (const key of type.list(state)) yield this.placeOf(service, type, key, place);
  }

  /**
   * Returns the place of a state's resource. A state of a whole account contains resources of its regions, or without
   * one.
   */
  private placeOf(service: LoadedService, type: AnyType, key: object, place: Place): Place {
    if (service.plugin.stateScope === 'region') return place;
    if (type.scope === 'partition') return type.locate(service as never, { key, place })?.place ?? place;
    return type.scope === 'account' ? { ...place, region: globalRegionOf(place.region) } : place;
  }

  private describe(
    { name: service }: LoadedService,
    type: AnyType,
    key: object,
    place: Place,
    state: unknown,
  ): DirectoryResource {
    return {
      arn: type.arn(key, place),
      service,
      type: type.name,
      cloudFormation: type.cloudFormation,
      key: key as Key,
      tags: type.isTagged ? type.tags(state, key) : undefined,
    };
  }
}

/** Returns the resource of a type in an ARN, in this account and region. */
function keyIn(type: AnyType, arn: Arn, { accountId, region }: Place): object | undefined {
  const elsewhere =
    (arn.accountId !== '' && arn.accountId !== accountId) || (arn.region !== '' && arn.region !== region);
  return elsewhere ? undefined : type.parse(arn)?.key;
}

function hasTags({ tags }: DirectoryResource): boolean {
  for (const _ in tags) return true;
  return false;
}
