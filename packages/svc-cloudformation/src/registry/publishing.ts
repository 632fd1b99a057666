import type { Collection, DeepReadonly, ServiceHandle, StateScope } from '@emu/core/service';
import type { ModuleVersion } from './modules.ts';
import { PUBLIC_TYPES, type PublicType } from './public-types.ts';
import {
  PUBLISHER,
  type PublishedModuleRecord,
  type PublisherRecord,
  publishedModuleCollection,
  publisherCollection,
} from './records.ts';

/** A stored public version of a module. */
export type PublishedModule = DeepReadonly<PublishedModuleRecord>;

/** The account as a publisher, and its published modules in the region. */
export class Publishing {
  private readonly publishers: Collection<PublisherRecord>;
  private readonly modules: Collection<PublishedModuleRecord>;

  constructor(private readonly scope: StateScope) {
    this.publishers = scope.collection(publisherCollection);
    this.modules = scope.collection(publishedModuleCollection);
  }

  /** Returns the account's publisher id, the same in all regions; undefined if it is not a publisher. */
  publisherId(): string | undefined {
    return this.publishers.get(PUBLISHER)?.publisherId;
  }

  /**
   * Registers the account as a publisher, if it is not one yet.
   * @param id publisher id
   */
  register(id: string): string {
    const known = this.publisherId();
    if (known !== undefined) return known;
    return this.publishers.put(PUBLISHER, { publisherId: id, registeredAt: this.scope.clock.now() }).publisherId;
  }

  /** Returns all public versions of the account, oldest first. */
  all(): PublishedModule[] {
    return [...this.modules.values()];
  }

  /** Returns the public versions of a module, oldest first. */
  versionsOf(name: string): PublishedModule[] {
    return this.all().filter((module) => module.name === name);
  }

  /** Publishes a version of a private module. */
  publish(module: ModuleVersion, publisherId: string, version: string): PublishedModule {
    const { name, fragment, schema, description } = module;
    return this.modules.put(`${name}/${version}`, {
      name,
      publisherId,
      version,
      privateVersion: module.version,
      fragment,
      schema,
      description,
      publishedAt: this.scope.clock.now(),
    });
  }
}

/** Access to the public extensions of all accounts. */
type Accounts = Pick<ServiceHandle<{ readonly publishing: Publishing }>, 'states'>;

/** Returns all public versions of a region from all publishers; versions of an extension oldest first. */
export function publicTypesOf(accounts: Accounts, region: string): PublicType[] {
  const own: PublicType[] = [...PUBLIC_TYPES];
  for (const { region: where, state } of accounts.states())
    if (where === region) for (const module of state.publishing.all()) own.push({ ...module, kind: 'MODULE' });
  return own;
}

/** Splits a version into comparable parts. */
export const partsOf = (version: string): [major: number, minor: number, patch: number] => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return [major, minor, patch];
};

/** Whether a version is newer than another. */
export function isLater(version: string, than: string): boolean {
  const others = partsOf(than);
  for (const [at, part] of partsOf(version).entries()) if (part !== others[at]) return part > others[at]!;
  return false;
}

/** Returns the latest version, optionally within a major version; undefined if there is none. */
export function latestOf<Version extends { readonly version: string }>(
  versions: readonly Version[],
  major?: number,
): Version | undefined {
  return versions
    .filter(({ version }) => major === undefined || partsOf(version)[0] === major)
    .reduce<Version | undefined>(
      (latest, one) => (latest && !isLater(one.version, latest.version) ? latest : one),
      undefined,
    );
}
