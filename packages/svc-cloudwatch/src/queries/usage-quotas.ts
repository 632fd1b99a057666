import {
  type DeclaredQuota,
  type QuotaDirectory,
  type QuotaPeriod,
  quotaDirectory,
  type ServiceHandle,
  USAGE,
} from '@emu/core/service';
import type { Series } from '../metrics/store.ts';

/** Seconds by unit of quota periods. */
const SECONDS: Readonly<Record<QuotaPeriod['unit'], number>> = { SECOND: 1, MINUTE: 60, HOUR: 3600, DAY: 86_400 };

/** Quotas by `AWS/Usage` metric, loaded on first use. */
export class UsageQuotas {
  private directory: QuotaDirectory | undefined;
  private byMetric: ReadonlyMap<string, DeclaredQuota> = new Map();
  private loading: Promise<void> | undefined;

  constructor(
    private readonly place: { readonly accountId: string; readonly region: string },
    private readonly service: ServiceHandle,
  ) {}

  /** Loads the quotas. */
  load(): Promise<void> {
    this.loading ??= this.read();
    return this.loading;
  }

  /**
   * Returns the applied quota of a metric; for a rate, the allowed usage in a period.
   * @param period seconds
   * @returns undefined for other metrics
   */
  valueFor({ namespace, name, dimensions }: Series, period: number): number | undefined {
    const of = Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, Value]));
    const quota =
      namespace === USAGE && name === 'CallCount' ? this.byMetric.get(`${of.Service} ${of.Resource}`) : undefined;
    if (!quota || !this.directory) return undefined;
    const { appliedValue } = this.directory.state(quota, this.place.accountId, this.place.region);
    return quota.period ? (appliedValue * period) / (quota.period.value * SECONDS[quota.period.unit]) : appliedValue;
  }

  private async read(): Promise<void> {
    this.directory = await this.service.capability(quotaDirectory);
    const quotas = (await this.directory?.list()) ?? [];
    this.byMetric = new Map(
      quotas.flatMap((quota) => {
        const { usageMetric: metric } = quota;
        return metric ? [[`${metric.service} ${metric.resource}`, quota] as const] : [];
      }),
    );
  }
}
