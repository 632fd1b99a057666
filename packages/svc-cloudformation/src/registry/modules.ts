import {
  type Collection,
  type DeepReadonly,
  defineCollection,
  IdempotencyTokens,
  type StateScope,
  tokensOf,
} from '@emu/core';
import type { RegistrationStatus } from '@emu/service-types/cloudformation';
import { moduleType } from '../resources.ts';

/** A version of a module, kept by `<name>/<version>`. Times are epoch milliseconds. */
export interface ModuleVersionRecord {
  name: string;
  /** Eight digits that count up. */
  version: string;
  /** JSON of its template fragment. */
  fragment: string;
  /** JSON of its schema. */
  schema: string;
  description: string;
  executionRoleArn?: string;
  registeredAt: number;
  isDefault: boolean;
  /** Whether it was taken out of service; it is still described. */
  isDeprecated: boolean;
  /** Whether TestType found that it can be made public. */
  isTested?: boolean;
}

/** A registration that was asked for, kept by its token. */
export interface RegistrationRecord {
  token: string;
  clientToken?: string;
  typeName: string;
  status: RegistrationStatus;
  description: string;
  /** Of a registration that did not fail. */
  version?: string;
}

export const moduleVersionCollection = defineCollection<ModuleVersionRecord>('module-versions', 'region', {
  content: ['fragment', 'schema', 'description'],
});
export const registrationCollection = defineCollection<RegistrationRecord>('type-registrations', 'region', {
  content: ['description'],
});

/** A version of a module, as it is kept. */
export type ModuleVersion = DeepReadonly<ModuleVersionRecord>;
/** A registration, as it is kept. */
export type Registration = DeepReadonly<RegistrationRecord>;

/** The private modules of an account and region. */
export class ModuleStore {
  private readonly versions: Collection<ModuleVersionRecord>;
  private readonly registrations: Collection<RegistrationRecord>;
  readonly tokens: IdempotencyTokens<Registration>;

  constructor(private readonly scope: StateScope) {
    this.versions = scope.collection(moduleVersionCollection);
    this.registrations = scope.collection(registrationCollection);
    this.tokens = new IdempotencyTokens({
      clock: scope.clock,
      member: 'ClientRequestToken',
      records: tokensOf(this.registrations, ({ clientToken: token }) => (token === undefined ? undefined : { token })),
    });
  }

  /** ARN of a module, whatever its version. */
  arn(name: string): string {
    return moduleType.arn({ name: name.replaceAll('::', '-') }, this.scope);
  }

  /** Names of all modules, also of those that are deprecated. */
  names(): string[] {
    return [...new Set([...this.versions.values()].map(({ name }) => name))];
  }

  /** The versions of a module, the oldest first. */
  versionsOf(name: string): ModuleVersion[] {
    return [...this.versions.values()].filter((version) => version.name === name);
  }

  /** The version that templates get; undefined where there is no module of the name, or none any more. */
  inUse(name: string): ModuleVersion | undefined {
    return this.versionsOf(name).find(({ isDefault, isDeprecated }) => isDefault && !isDeprecated);
  }

  /** A module by its ARN. @returns its name, and the version that the ARN names */
  byArn(arn: string): { name: string; version?: string } | undefined {
    for (const name of this.names()) {
      const own = this.arn(name);
      if (arn === own) return { name };
      if (arn.startsWith(`${own}/`)) return { name, version: arn.slice(own.length + 1) };
    }
    return undefined;
  }

  /** Adds the next version of a module. The first becomes the one in use. */
  add(record: Omit<ModuleVersionRecord, 'version' | 'isDefault' | 'isDeprecated'>): ModuleVersion {
    const known = this.versionsOf(record.name);
    const version = String(known.length + 1).padStart(8, '0');
    const isDefault = !known.some(({ isDeprecated }) => !isDeprecated);
    if (isDefault) for (const other of known) this.change(other, { isDefault: false });
    return this.versions.put(`${record.name}/${version}`, { ...record, version, isDefault, isDeprecated: false });
  }

  /** Makes a version the one that templates get. */
  use(version: ModuleVersion): void {
    for (const other of this.versionsOf(version.name))
      this.change(other, { isDefault: other.version === version.version });
  }

  /** Notes that a version can be made public. */
  passed(version: ModuleVersion): void {
    this.change(version, { isTested: true });
  }

  /** Takes a version out of service. */
  deprecate(version: ModuleVersion): void {
    this.change(version, { isDeprecated: true });
  }

  registration(token: string): Registration | undefined {
    return this.registrations.get(token);
  }

  /** All registrations, the latest first. */
  allRegistrations(): Registration[] {
    return [...this.registrations.values()].reverse();
  }

  putRegistration(record: RegistrationRecord): Registration {
    return this.registrations.put(record.token, record);
  }

  private change({ name, version }: ModuleVersion, to: Partial<ModuleVersionRecord>): void {
    this.versions.update(`${name}/${version}`, (draft) => {
      Object.assign(draft, to);
    });
  }
}
