import type { Collection, DeepReadonly, ServiceHandle, StateScope } from '@emu/core';
import type { ModuleVersion } from './modules.ts';
import { PUBLIC_TYPES, type PublicType } from './public-types.ts';
import {
  PUBLISHER,
  type PublishedModuleRecord,
  type PublisherRecord,
  publishedModuleCollection,
  publisherCollection,
} from './records.ts';

/** A public version of a module, as it is kept. */
export type PublishedModule = DeepReadonly<PublishedModuleRecord>;

/** The account as a publisher, and the modules that it published in the region. */
export class Publishing {
  private readonly publishers: Collection<PublisherRecord>;
  private readonly modules: Collection<PublishedModuleRecord>;

  constructor(private readonly scope: StateScope) {
    this.publishers = scope.collection(publisherCollection);
    this.modules = scope.collection(publishedModuleCollection);
  }

  /** The account's id as a publisher, which is one in all regions; undefined where it is none. */
  publisherId(): string | undefined {
    return this.publishers.get(PUBLISHER)?.publisherId;
  }

  /** Makes the account a publisher, if it is none yet. @param id what its id is to be */
  register(id: string): string {
    const known = this.publisherId();
    if (known !== undefined) return known;
    return this.publishers.put(PUBLISHER, { publisherId: id, registeredAt: this.scope.clock.now() }).publisherId;
  }

  /** Every public version of the account's, the oldest first. */
  all(): PublishedModule[] {
    return [...this.modules.values()];
  }

  /** The public versions of a module, the oldest first. */
  versionsOf(name: string): PublishedModule[] {
    return this.all().filter((module) => module.name === name);
  }

  /** Makes a version of a private module public. */
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

/** What is asked for the public extensions of all accounts. */
type Accounts = Pick<ServiceHandle<{ readonly publishing: Publishing }>, 'states'>;

/** Every version of every public extension of a region, whoever published it: of one extension the oldest first. */
export function publicTypesOf(accounts: Accounts, region: string): PublicType[] {
  const own: PublicType[] = [...PUBLIC_TYPES];
  for (const { region: where, state } of accounts.states())
    if (where === region) for (const module of state.publishing.all()) own.push({ ...module, kind: 'MODULE' });
  return own;
}

/** The parts of a version, to be compared by. */
export const partsOf = (version: string): [major: number, minor: number, patch: number] => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return [major, minor, patch];
};

/** Whether a version comes after another. */
export function isLater(version: string, than: string): boolean {
  const others = partsOf(than);
  for (const [at, part] of partsOf(version).entries()) if (part !== others[at]) return part > others[at]!;
  return false;
}

/** The latest version among some, of a major version if one is named; undefined where there is none. */
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
