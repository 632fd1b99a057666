import { type Collection, type DeepReadonly, formatArn, type StateScope } from '@emu/core/service';
import { hookType, moduleType } from '../resources.ts';
import type { HookConfiguration } from './hook-configuration.ts';
import { hookConfiguration } from './hook-configuration.ts';
import {
  type ActivatedTypeRecord,
  activatedTypeCollection,
  type HookResultRecord,
  hookResultCollection,
} from './records.ts';

/** A stored activated extension. */
export type ActivatedType = DeepReadonly<ActivatedTypeRecord>;
/** A stored hook result. */
export type HookResult = DeepReadonly<HookResultRecord>;

/** A hook with a configuration. */
export interface ActiveHook {
  readonly type: ActivatedType;
  readonly configuration: HookConfiguration;
}

/** Maximum number of stored hook results. */
const MAX_RESULTS = 5000;

const dashed = (name: string): string => name.replaceAll('::', '-');

/** The extensions of an account and region, and the results of its hooks. */
export class TypeRegistry {
  private readonly types: Collection<ActivatedTypeRecord>;
  private readonly results: Collection<HookResultRecord>;

  constructor(private readonly scope: StateScope) {
    this.types = scope.collection(activatedTypeCollection);
    this.results = scope.collection(hookResultCollection);
  }

  /** Returns the ARN of an activated extension. */
  arn({ name, kind = 'HOOK' }: Pick<ActivatedType, 'name' | 'kind'>): string {
    return (kind === 'MODULE' ? moduleType : hookType).arn({ name: dashed(name) }, this.scope);
  }

  /** Returns the ARN of an extension's configuration. */
  configurationArn({
    name,
    configurationAlias = 'default',
  }: Pick<ActivatedType, 'name' | 'configurationAlias'>): string {
    const { region, accountId } = this.scope;
    const resource = `type-configuration/hook/${dashed(name)}/${configurationAlias}`;
    return formatArn({ service: 'cloudformation', region, accountId, resource });
  }

  /**
   * Returns the ARN of an AWS extension, which has no account id.
   * @param publisher of an extension that must be activated
   */
  publicArn(kind: string, name: string, publisher?: string): string {
    const path = publisher === undefined ? dashed(name) : `${publisher}/${dashed(name)}`;
    const resource = `type/${kind.toLowerCase()}/${path}`;
    return formatArn({ service: 'cloudformation', region: this.scope.region, accountId: '', resource });
  }

  /** Returns an activated extension by its local name. */
  activated(name: string): ActivatedType | undefined {
    return this.types.get(name);
  }

  /** Returns an activated extension by its ARN, with or without version. */
  byArn(arn: string): ActivatedType | undefined {
    return this.all().find((type) => arn === this.arn(type) || arn.startsWith(`${this.arn(type)}/`));
  }

  /** Returns all activated extensions. */
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

  /** Returns the configured hooks. */
  hooks(): ActiveHook[] {
    return this.all().flatMap((type) =>
      type.configuration === undefined ? [] : [{ type, configuration: hookConfiguration(type.configuration) }],
    );
  }

  /** Returns hook results, newest first. */
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
