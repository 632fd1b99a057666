import {
  type Collection,
  type DeepReadonly,
  type QuotaDirectory,
  servicePrincipalName,
  type Timer,
  type Worker,
} from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { directoryOf } from '../catalogue.ts';
import { type ManagementRecord, managementCollection } from '../records.ts';
import type { QuotasRegistry } from '../registry.ts';
import { requestApproval } from '../requests/approval.ts';
import { submit } from '../requests/requests.ts';
import { asHealth, breachEvent } from './event.ts';
import { type Utilization, utilizations } from './utilization.ts';

/** Interval of usage checks. AWS does not document its own. */
const INTERVAL = 5 * 60 * 1000;
/**
 * Reported percentages of the applied value, the greatest first.
 * @see https://docs.aws.amazon.com/servicequotas/latest/userguide/automatic-management.html
 */
const THRESHOLDS = [95, 80];
const LOWEST = 80;
const KEY = 'account';
const SERVICE = servicePrincipalName('servicequotas');

/**
 * Automatic management of an account's quotas in a region: checks their usage, reports it as AWS Health does, and
 * requests increases if configured.
 */
export class AutomaticManagement implements Worker {
  private readonly records: Collection<ManagementRecord>;
  private timer: Timer | undefined;

  constructor(private readonly state: QuotasRegistry) {
    this.records = state.scope.collection(managementCollection);
  }

  /** Undefined if quotas are not managed. */
  get record(): DeepReadonly<ManagementRecord> | undefined {
    return this.records.get(KEY);
  }

  resume(): void {
    if (this.record) this.watch();
  }

  close(): void {
    this.timer?.cancel();
    this.timer = undefined;
  }

  /** Starts automatic management or changes its settings. */
  start(record: Omit<ManagementRecord, 'told'>): void {
    this.records.put(KEY, { ...record, told: {} });
    this.watch();
  }

  update(change: (draft: ManagementRecord) => void): void {
    this.records.update(KEY, change);
  }

  /** Stops automatic management and removes its settings. */
  stop(): void {
    this.records.delete(KEY);
    this.close();
  }

  private watch(): void {
    this.timer ??= this.state.scope.clock.every(INTERVAL, () => this.look());
  }

  /** Checks the usage of every quota that is not excluded. */
  private async look(): Promise<void> {
    const directory = await directoryOf(this.state.scope.service);
    const found = (await utilizations(directory, this.state)).filter((each) => !this.excludes(each));
    const breaches = this.newBreaches(found);
    if (!breaches.length) return;
    await this.notify(breaches);
    if (this.record?.type === 'NotifyAndAdjust') for (const breach of breaches) await this.adjust(breach, directory);
  }

  private excludes({ quota: { serviceCode, code } }: Utilization): boolean {
    const codes = this.record?.exclusions[serviceCode];
    return codes !== undefined && (codes.length === 0 || codes.includes(code));
  }

  /**
   * Returns quotas that have reached a threshold since the last check. Each threshold is reported once until the usage
   * has fallen below it.
   */
  private newBreaches(found: readonly Utilization[]): Utilization[] {
    const before = this.record?.told;
    if (!before) return [];
    const told: Record<string, number> = {};
    const breaches = found.filter((each) => {
      const id = `${each.quota.serviceCode}/${each.quota.code}`;
      const threshold = THRESHOLDS.find((percent) => each.percent >= percent);
      if (threshold !== undefined) told[id] = threshold;
      return threshold !== undefined && threshold > (before[id] ?? 0);
    });
    if (JSON.stringify(told) !== JSON.stringify(before)) this.update((draft) => void Object.assign(draft, { told }));
    return breaches;
  }

  private async notify(breaches: readonly Utilization[]): Promise<void> {
    const { clock, ids } = this.state.scope;
    const entry = breachEvent(breaches, this.state, clock.now(), ids);
    await this.warned('The event of quotas that are nearly used up was not put', () =>
      this.state.scope.call('events', 'PutEvents', { Entries: [entry] }, asHealth(this.state, ids.uuid())),
    );
  }

  /** Requests an increase that brings the usage below the lowest threshold. */
  private async adjust({ quota, usage }: Utilization, directory: QuotaDirectory): Promise<void> {
    if (!quota.adjustable) return;
    const approval = (await this.state.scope.service.capability(requestApproval))!;
    const desiredValue = Math.floor((usage * 100) / LOWEST) + 1;
    const requester = { accountId: this.state.accountId, callerArn: SERVICE };
    await this.warned(`${quota.serviceCode}/${quota.code} was not adjusted`, () =>
      submit(this.state, { quota, desiredValue, requester, automatic: true }, directory, approval),
    );
  }

  /** Calls an operation whose failure is only logged. */
  private async warned(what: string, run: () => Promise<unknown>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      this.state.scope.log.warn(`${what}: ${error.code}: ${error.message}`);
    }
  }
}
