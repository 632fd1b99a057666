import {
  type Collection,
  type DeepReadonly,
  defineCollection,
  IdempotencyTokens,
  type StateScope,
  tokensOf,
} from '@emu/core/service';
import type { RegistrationStatus } from '@emu/service-types/cloudformation';
import { moduleType } from '../resources.ts';

/** A module version, keyed by `<name>/<version>`. Times are epoch milliseconds. */
export interface ModuleVersionRecord {
  name: string;
  /** Increasing number of eight digits. */
  version: string;
  /** JSON of the template fragment. */
  fragment: string;
  /** JSON of the schema. */
  schema: string;
  description: string;
  executionRoleArn?: string;
  registeredAt: number;
  isDefault: boolean;
  /** Whether it is deregistered; it can still be described. */
  isDeprecated: boolean;
  /** Whether TestType has passed, so that it can be published. */
  isTested?: boolean;
}

/** A registration, keyed by its token. */
export interface RegistrationRecord {
  token: string;
  clientToken?: string;
  typeName: string;
  status: RegistrationStatus;
  description: string;
  /** Of a successful registration. */
  version?: string;
}

export const moduleVersionCollection = defineCollection<ModuleVersionRecord>('module-versions', 'region', {
  content: ['fragment', 'schema', 'description'],
});
export const registrationCollection = defineCollection<RegistrationRecord>('type-registrations', 'region', {
  content: ['description'],
});

/** A stored module version. */
export type ModuleVersion = DeepReadonly<ModuleVersionRecord>;
/** A stored registration. */
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

  /** Returns the ARN of a module, without version. */
  arn(name: string): string {
    return moduleType.arn({ name: name.replaceAll('::', '-') }, this.scope);
  }

  /** Returns the names of all modules, including deprecated ones. */
  names(): string[] {
    return [...new Set([...this.versions.values()].map(({ name }) => name))];
  }

  /** Returns the versions of a module, oldest first. */
  versionsOf(name: string): ModuleVersion[] {
    return [...this.versions.values()].filter((version) => version.name === name);
  }

  /** Returns the default version of a module; undefined if the module is missing or deregistered. */
  inUse(name: string): ModuleVersion | undefined {
    return this.versionsOf(name).find(({ isDefault, isDeprecated }) => isDefault && !isDeprecated);
  }

  /**
   * Finds a module by its ARN.
   * @returns its name, and the version in the ARN
   */
  byArn(arn: string): { name: string; version?: string } | undefined {
    for (const name of this.names()) {
      const own = this.arn(name);
      if (arn === own) return { name };
      if (arn.startsWith(`${own}/`)) return { name, version: arn.slice(own.length + 1) };
    }
    return undefined;
  }

  /** Adds the next version of a module. The first becomes the default version. */
  add(record: Omit<ModuleVersionRecord, 'version' | 'isDefault' | 'isDeprecated'>): ModuleVersion {
    const known = this.versionsOf(record.name);
    const version = String(known.length + 1).padStart(8, '0');
    const isDefault = !known.some(({ isDeprecated }) => !isDeprecated);
    if (isDefault) for (const other of known) this.change(other, { isDefault: false });
    return this.versions.put(`${record.name}/${version}`, { ...record, version, isDefault, isDeprecated: false });
  }

  /** Sets the default version. */
  use(version: ModuleVersion): void {
    for (const other of this.versionsOf(version.name))
      this.change(other, { isDefault: other.version === version.version });
  }

  /** Marks a version as tested. */
  passed(version: ModuleVersion): void {
    this.change(version, { isTested: true });
  }

  /** Deregisters a version. */
  deprecate(version: ModuleVersion): void {
    this.change(version, { isDeprecated: true });
  }

  registration(token: string): Registration | undefined {
    return this.registrations.get(token);
  }

  /** Returns all registrations, newest first. */
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
