import type {
  DeclaredQuota,
  QuotaDirectory,
  QuotaEnforcement,
  QuotaOverride,
  QuotaState,
} from '../capabilities/quotas.ts';
import type { Collection } from '../collections/collection.ts';
import { nearest } from '../config/nearest.ts';
import { ConfigError } from '../config/resolve.ts';
import type { EmulatorSettings } from '../config/settings.ts';
import { type AnyQuota, inRegion, type QuotaFacts, type QuotaName } from '../quotas/quota.ts';
import { TokenBuckets } from '../quotas/token-buckets.ts';
import type { Place } from '../resources/resource-type.ts';
import type { Environment } from './environment.ts';
import type { Invocation } from './invocation.ts';

/** The states of a service. */
interface ServiceStates {
  state(accountId: string, region: string): never;
  existingState(accountId: string, region: string): never | undefined;
}

/** Dependencies of quotas in the emulator. */
export interface QuotaHost {
  readonly environment: Environment;
  readonly registry: {
    /** Returns the service if it is loaded. */
    loadedService(name: string): ServiceStates | undefined;
  };
}

/** An applied value in one account and region. */
export interface QuotaValue {
  value: number;
}

/** A declared quota, prepared for checking every operation. */
type Bound = DeclaredQuota & AnyQuota & { readonly id: string };

/** Marks an unenforced quota. */
type ListedMark = Pick<AnyQuota, 'listed'>;

const idOf = (serviceCode: string, quotaCode: string): string => `${serviceCode}/${quotaCode}`;
const NONE: readonly Bound[] = [];

/** Enforces and describes the declared quotas of services. Without enforcement it costs only a check of `active`. */
export class Quotas implements QuotaDirectory {
  /** Whether any quota may be enforced; if not, no other check is necessary. */
  active = false;
  enforcement: QuotaEnforcement;
  private declared: Promise<readonly Bound[]> | undefined;
  /** By service, operation and code; empty until the declarations are loaded. */
  private readonly byOperation = new Map<string, Bound[]>();
  private readonly byId = new Map<string, Bound>();
  /** Overrides by quota and account. */
  private overrides: ReadonlyMap<string, boolean> = new Map();
  private readonly buckets = new TokenBuckets();

  constructor(
    private readonly host: QuotaHost,
    private readonly values: Collection<QuotaValue>,
    /** Resolves when the values are on disk. */
    private readonly written: () => Promise<void>,
  ) {
    this.enforcement = enforcementOf(host.environment.settings);
  }

  /**
   * Prepares enforcement by the settings.
   * @throws ConfigError for a quota that no service of this emulator declares
   */
  async open(): Promise<void> {
    const { EMULATOR_ENFORCE_QUOTA: enforced, EMULATOR_IGNORE_QUOTA: ignored } = this.host.environment.settings.values;
    if (enforced.length || ignored.length) await this.load();
    this.checkNamed('--enforce-quota (EMULATOR_ENFORCE_QUOTA)', enforced);
    this.checkNamed('--ignore-quota (EMULATOR_IGNORE_QUOTA)', ignored);
    await this.setEnforcement({});
  }

  /**
   * Counts a request for the rates of its operation.
   * @throws AwsError the service's own, above a rate
   */
  throttle(invocation: Invocation): void {
    const { service, operation, accountId, region, http } = invocation;
    for (const quota of this.byOperation.get(`${service} ${operation}`) ?? NONE) {
      const weigh = quota.rate?.[operation];
      if (!weigh || (http === undefined && !quota.calls) || !this.enforces(quota, accountId)) continue;
      const tokens = weigh === true ? 1 : this.ask(weigh, invocation);
      if (!(tokens > 0)) continue;
      const limit = this.value(quota, accountId, region);
      const size = limit && Math.max(quota.burst === undefined ? limit : inRegion(quota.burst, region), 1);
      const key = keyOf(quota, accountId, region);
      if (!this.buckets.take(key, tokens, limit, size, this.host.environment.clock.now()))
        throw quota.error!(limit, invocation.input);
    }
  }

  /**
   * Rejects an operation that would exceed a limit.
   * @throws AwsError the service's own
   */
  check(invocation: Invocation): void {
    const { service, operation, accountId, region } = invocation;
    for (const quota of this.byOperation.get(`${service} ${operation}`) ?? NONE) {
      const grow = quota.grows?.[operation];
      if (!grow || !this.enforces(quota, accountId)) continue;
      const number = this.ask(grow, invocation);
      const limit = this.value(quota, accountId, region);
      if (number !== undefined && number > limit) throw quota.error!(limit, invocation.input);
    }
  }

  /** See `ServiceHandle.quotaLimit`. */
  limit(quota: QuotaFacts, accountId: string, region: string): number {
    return this.active && this.enforces(quota, accountId)
      ? this.value(quota, accountId, region)
      : Number.POSITIVE_INFINITY;
  }

  /** See `ServiceHandle.quotaValue`. */
  value(quota: QuotaFacts, accountId: string, region: string): number {
    return this.values.get(keyOf(quota, accountId, region))?.value ?? inRegion(quota.defaultValue, region);
  }

  list(): Promise<readonly DeclaredQuota[]> {
    return this.load();
  }

  async find(serviceCode: string, quotaCode: string): Promise<DeclaredQuota | undefined> {
    await this.load();
    return this.byId.get(idOf(serviceCode, quotaCode));
  }

  state(quota: DeclaredQuota, accountId: string, region: string): QuotaState {
    const { usage } = this.byId.get(idOf(quota.serviceCode, quota.code)) ?? {};
    const state = usage && this.host.registry.loadedService(quota.service)?.existingState(accountId, region);
    return {
      defaultValue: inRegion(quota.defaultValue, region),
      appliedValue: this.value(quota, accountId, region),
      usage: usage && (state === undefined ? 0 : usage(state as never)),
      enforced: this.enforces(quota, accountId),
    };
  }

  async setValue(quota: DeclaredQuota, accountId: string, region: string, value: number | undefined): Promise<void> {
    const key = keyOf(quota, accountId, region);
    if (value === undefined) this.values.delete(key);
    else this.values.put(key, { value });
    await this.written();
  }

  async setEnforcement(change: Partial<QuotaEnforcement>): Promise<void> {
    const { enforceAll, overrides } = { ...this.enforcement, ...change };
    const enforces = enforceAll || overrides.some(({ enforce }) => enforce);
    if (enforces) await this.load();
    this.enforcement = { enforceAll, overrides: [...overrides] };
    this.overrides = new Map(overrides.map((override) => [overrideKey(override), override.enforce]));
    this.active = enforces;
    this.buckets.clear();
  }

  async override(quota: DeclaredQuota, accountId: string | undefined, enforce: boolean | undefined): Promise<void> {
    const { serviceCode, code: quotaCode } = quota;
    const key = overrideKey({ serviceCode, quotaCode, accountId });
    const others = this.enforcement.overrides.filter((override) => overrideKey(override) !== key);
    const own =
      enforce === undefined ? [] : [{ serviceCode, quotaCode, enforce, ...(accountId !== undefined && { accountId }) }];
    await this.setEnforcement({ overrides: [...others, ...own] });
  }

  /** Resets the applied values of one account or of all, and fills the buckets of rates. */
  reset(accountId?: string): void {
    for (const key of [...this.values.keys()])
      if (accountId === undefined || key.startsWith(`${accountId}/`)) this.values.delete(key);
    this.buckets.clear();
  }

  /** Returns the applied values, for `putBack`. */
  hold(): readonly (readonly [key: string, value: number])[] {
    return [...this.values.entries()].map(([key, { value }]) => [key, value]);
  }

  /** Replaces the applied values by held ones. */
  putBack(held: ReturnType<Quotas['hold']>): void {
    this.reset();
    for (const [key, value] of held) this.values.put(key, { value });
  }

  private load(): Promise<readonly Bound[]> {
    this.declared ??= this.loadAll();
    return this.declared;
  }

  private async loadAll(): Promise<readonly Bound[]> {
    const tables = await Promise.all(
      this.host.environment.manifests.map(async ({ name: service, quotas }) => ({
        service,
        quotas: (await quotas?.()) ?? [],
      })),
    );
    for (const { service, quotas } of tables)
      for (const quota of quotas) this.register({ ...quota, service, id: idOf(quota.serviceCode, quota.code) });
    return [...this.byId.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  private register(quota: Bound): void {
    if (this.byId.has(quota.id)) throw new Error(`the quota ${quota.id} is declared twice`);
    this.byId.set(quota.id, quota);
    for (const operation of Object.keys({ ...quota.grows, ...quota.rate })) {
      const key = `${quota.service} ${operation}`;
      this.byOperation.set(key, [...(this.byOperation.get(key) ?? NONE), quota]);
    }
  }

  private checkNamed(by: string, ids: readonly string[]): void {
    const enforceable = [...this.byId.values()].flatMap(({ id, listed }) => (listed ? [] : [id]));
    for (const id of ids)
      if (!enforceable.includes(id)) {
        const meant = nearest(id, enforceable);
        const hint = meant === undefined ? '.' : `; did you mean ${meant}?`;
        throw new ConfigError(`${by} names ${id}, which emu cannot enforce${hint}`);
      }
  }

  private enforces({ serviceCode, code: quotaCode, listed }: QuotaName & ListedMark, accountId: string): boolean {
    if (listed) return false;
    const { overrides } = this;
    if (overrides.size) {
      const override =
        overrides.get(overrideKey({ serviceCode, quotaCode, accountId })) ??
        overrides.get(overrideKey({ serviceCode, quotaCode }));
      if (override !== undefined) return override;
    }
    return this.enforcement.enforceAll;
  }

  private ask<Answer>(
    ask: (input: never, state: never, place: Place) => Answer,
    { service, input, accountId, region }: Invocation,
  ): Answer {
    return ask(input as never, this.host.registry.loadedService(service)!.state(accountId, region), {
      accountId,
      region,
    });
  }
}

const keyOf = ({ serviceCode, code, global }: QuotaFacts, accountId: string, region: string): string =>
  `${accountId}/${global ? '' : region}/${serviceCode}/${code}`;

const overrideKey = ({ serviceCode, quotaCode, accountId = '' }: Omit<QuotaOverride, 'enforce'>): string =>
  `${serviceCode}/${quotaCode}/${accountId}`;

/** Returns the enforcement of the settings; a quota that is both enforced and ignored is ignored. */
function enforcementOf({ values }: EmulatorSettings): QuotaEnforcement {
  const { EMULATOR_ENFORCE_QUOTAS: enforceAll, EMULATOR_ENFORCE_QUOTA, EMULATOR_IGNORE_QUOTA } = values;
  const named = new Map<string, boolean>();
  for (const id of EMULATOR_ENFORCE_QUOTA) named.set(id, true);
  for (const id of EMULATOR_IGNORE_QUOTA) named.set(id, false);
  const overrides = [...named].map(([id, enforce]) => {
    const [serviceCode, quotaCode] = id.split('/') as [string, string];
    return { serviceCode, quotaCode, enforce };
  });
  return { enforceAll, overrides };
}
