import type { MetricDatum } from '@emu/service-types/cloudwatch';
import { AwsError } from '@emu/wire';
import type { LogGroup } from '../groups/groups.ts';
import type { LogsRegistry } from '../registry.ts';
import type { NewEvent } from '../store/event.ts';
import { parseSelection } from '../subscriptions/selection.ts';
import { parseEmbedded } from './parse.ts';

/** Maximum number of data per PutMetricData call. */
const MAX_DATA = 1000;
/** Type of account policies that disable metric extraction. */
export const EXTRACTION_POLICY = 'METRIC_EXTRACTION_POLICY';

/**
 * Publishes metrics in the embedded metric format, as functions and agents write them, to CloudWatch.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format.html
 */
export class EmbeddedMetrics {
  constructor(private readonly state: LogsRegistry) {}

  /** Publishes the metrics of new events of a group; resolves when CloudWatch has accepted them. */
  async report(group: LogGroup, events: readonly NewEvent[]): Promise<void> {
    if (group.record.class !== 'STANDARD') return;
    const byNamespace = new Map<string, MetricDatum[]>();
    let enabled: boolean | undefined;
    for (const { message } of events) {
      const embedded = parseEmbedded(message);
      if (!embedded) continue;
      enabled ??= this.isEnabled(group.name);
      if (!enabled) return;
      if (embedded.malformed) this.count(group, 'EMFParsingErrors', 1);
      if (embedded.invalid) this.count(group, 'EMFValidationErrors', embedded.invalid);
      for (const { namespace, datum } of embedded.data) {
        const data = byNamespace.get(namespace);
        if (data) data.push(datum);
        else byNamespace.set(namespace, [datum]);
      }
    }
    for (const [namespace, data] of byNamespace)
      for (let start = 0; start < data.length; start += MAX_DATA)
        await this.put(group, namespace, data.slice(start, start + MAX_DATA));
  }

  /** Whether metric extraction is enabled for a group in the account's policies. */
  private isEnabled(group: string): boolean {
    for (const { type, selectionCriteria } of this.state.accountPolicies.values())
      if (type === EXTRACTION_POLICY && parseSelection(selectionCriteria)(group)) return false;
    return true;
  }

  private async put(group: LogGroup, Namespace: string, MetricData: MetricDatum[]): Promise<void> {
    try {
      await this.state.call('cloudwatch', 'PutMetricData', { Namespace, MetricData });
    } catch (error) {
      // The events are already stored, so errors here do not fail the request.
      if (!(error instanceof AwsError)) throw error;
      if (error.code === 'NotImplemented') return;
      // An invalid metric must not prevent the others.
      if (MetricData.length > 1) for (const datum of MetricData) await this.put(group, Namespace, [datum]);
      else this.count(group, 'EMFValidationErrors', 1);
    }
  }

  private count({ name }: LogGroup, metric: string, value: number): void {
    this.state.reported?.resource('AWS/Logs', { LogGroupName: name }).add(metric, value, this.state.clock.now());
  }
}
