import { type Collection, type DeepReadonly, formatArn, type StateScope } from '@emu/core';
import type { HookConfiguration } from '../hooks/configuration.ts';
import { hookConfiguration } from '../hooks/configuration.ts';
import { hookType, moduleType } from '../resources.ts';
import {
  type ActivatedTypeRecord,
  activatedTypeCollection,
  type HookResultRecord,
  hookResultCollection,
} from './records.ts';

/** A public extension that is activated, as it is kept. */
export type ActivatedType = DeepReadonly<ActivatedTypeRecord>;
/** What a hook said, as it is kept. */
export type HookResult = DeepReadonly<HookResultRecord>;

/** A hook that is to be asked. */
export interface ActiveHook {
  readonly type: ActivatedType;
  readonly configuration: HookConfiguration;
}

/** Most results of hooks that are kept. */
const MAX_RESULTS = 5000;

const dashed = (name: string): string => name.replaceAll('::', '-');

/** The extensions of an account and region, and what its hooks said. */
export class TypeRegistry {
  private readonly types: Collection<ActivatedTypeRecord>;
  private readonly results: Collection<HookResultRecord>;

  constructor(private readonly scope: StateScope) {
    this.types = scope.collection(activatedTypeCollection);
    this.results = scope.collection(hookResultCollection);
  }

  /** ARN of an activated extension. */
  arn({ name, kind = 'HOOK' }: Pick<ActivatedType, 'name' | 'kind'>): string {
    return (kind === 'MODULE' ? moduleType : hookType).arn({ name: dashed(name) }, this.scope);
  }

  /** ARN of a configuration of an extension. */
  configurationArn({
    name,
    configurationAlias = 'default',
  }: Pick<ActivatedType, 'name' | 'configurationAlias'>): string {
    const { region, accountId } = this.scope;
    const resource = `type-configuration/hook/${dashed(name)}/${configurationAlias}`;
    return formatArn({ service: 'cloudformation', region, accountId, resource });
  }

  /** ARN of an extension of AWS, which belongs to no account. @param publisher of one that has to be activated */
  publicArn(kind: string, name: string, publisher?: string): string {
    const path = publisher === undefined ? dashed(name) : `${publisher}/${dashed(name)}`;
    const resource = `type/${kind.toLowerCase()}/${path}`;
    return formatArn({ service: 'cloudformation', region: this.scope.region, accountId: '', resource });
  }

  /** An activated extension by its name here. */
  activated(name: string): ActivatedType | undefined {
    return this.types.get(name);
  }

  /** An activated extension by its ARN, with or without a version. */
  byArn(arn: string): ActivatedType | undefined {
    return this.all().find((type) => arn === this.arn(type) || arn.startsWith(`${this.arn(type)}/`));
  }

  /** Every activated extension. */
  all(): ActivatedType[] {
    return [...this.types.values()];
  }

  put(record: ActivatedTypeRecord): ActivatedType {
    return this.types.put(record.name, record);
  }

  update(name: string, change: (draft: ActivatedTypeRecord) => void): ActivatedType {
    return this.types.update(name, change);
  }

  delete(name: string): void {
    this.types.delete(name);
  }

  /** Hooks that are configured. */
  hooks(): ActiveHook[] {
    return this.all().flatMap((type) =>
      type.configuration === undefined ? [] : [{ type, configuration: hookConfiguration(type.configuration) }],
    );
  }

  /** What hooks said, the latest first. */
  hookResults(): HookResult[] {
    return [...this.results.values()].reverse();
  }

  hookResult(id: string): HookResult | undefined {
    return this.results.get(id);
  }

  putHookResult(record: HookResultRecord): HookResult {
    const [oldest] = this.results.size < MAX_RESULTS ? [] : [...this.results.keys()];
    if (oldest !== undefined) this.results.delete(oldest);
    return this.results.put(record.id, record);
  }

  updateHookResult(id: string, change: (draft: HookResultRecord) => void): void {
    if (this.results.has(id)) this.results.update(id, change);
  }
}
