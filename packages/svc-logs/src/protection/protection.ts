import { replaceFindings, type SensitiveSpan } from '@emu/core/patterns';
import type { DeepReadonly } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { writeDelivered } from '../bucket-delivery.ts';
import type { LogGroup } from '../groups/groups.ts';
import { writeLines } from '../ingestion/writer.ts';
import type { StoredPolicy } from '../records.ts';
import type { LogsRegistry } from '../registry.ts';
import { groupType } from '../resources.ts';
import type { NewEvent, StoredEvent } from '../store/event.ts';
import { type ProtectionPolicy, parseProtection } from './policy.ts';

/** Replacement for masked characters. */
const MASK = '*';

/** Returns the ARN of a group as the source of findings. */
const sourceArnOf = ({ name }: LogGroup, state: LogsRegistry): string => `${groupType.arn({ name }, state)}:*`;

interface Active {
  readonly policy: ProtectionPolicy;
  /** Start of protection in epoch milliseconds. */
  readonly since: number;
}

/** Masks sensitive data according to the policies of groups and the account, and reports findings. */
export class Protection {
  private readonly parsed = new Map<string, ProtectionPolicy>();

  constructor(private readonly state: LogsRegistry) {}

  /** Returns a message as readers without unmask permission see it; events older than the policy are unmasked. */
  masked(group: LogGroup, { message, ingestionTime }: StoredEvent): string {
    const active = this.of(group).filter(({ since }) => ingestionTime >= since);
    if (!active.length) return message;
    const findings = active.flatMap(({ policy }) => policy.find(message));
    return replaceFindings(
      message,
      findings.sort((a, b) => a.start - b.start),
      MASK,
    );
  }

  /** Whether an account policy protects all groups. */
  get isInherited(): boolean {
    return [...this.state.accountPolicies.values()].some(({ type }) => type === 'DATA_PROTECTION_POLICY');
  }

  /** Reports findings in new events. */
  async audit(group: LogGroup, events: readonly NewEvent[]): Promise<void> {
    for (const { policy } of this.of(group)) {
      const reports = events.flatMap(({ message }) => {
        const found = policy.find(message);
        return found.length ? [this.report(group, found)] : [];
      });
      if (!reports.length) continue;
      await this.count(group, reports.length);
      await this.deliver(group, policy, reports);
    }
  }

  private of(group: LogGroup): Active[] {
    const stored: DeepReadonly<StoredPolicy>[] = [];
    if (group.record.dataProtection) stored.push(group.record.dataProtection);
    for (const policy of this.state.accountPolicies.values())
      if (policy.type === 'DATA_PROTECTION_POLICY') stored.push(policy);
    return stored.map(({ document, updatedAt }) => ({ policy: this.parse(document), since: updatedAt }));
  }

  private parse(document: string): ProtectionPolicy {
    let policy = this.parsed.get(document);
    if (!policy) {
      policy = parseProtection(document);
      this.parsed.set(document, policy);
    }
    return policy;
  }

  /** Returns a finding in its report format. */
  private report(group: LogGroup, found: readonly SensitiveSpan[]): object {
    const byName = new Map<string, SensitiveSpan[]>();
    for (const span of found) byName.set(span.identifier, [...(byName.get(span.identifier) ?? []), span]);
    return {
      auditTimestamp: new Date(this.state.clock.now()).toISOString(),
      resourceArn: sourceArnOf(group, this.state),
      dataIdentifiers: [...byName].map(([identifier, spans]) => ({
        name: identifier.slice(identifier.startsWith('arn:') ? identifier.indexOf('/') + 1 : 0),
        count: spans.length,
        detections: spans.map(({ start, end }) => ({ start, end })),
      })),
    };
  }

  private async count(group: LogGroup, findings: number): Promise<void> {
    const datum = {
      MetricName: 'LogEventsWithFindings',
      Dimensions: [{ Name: 'LogGroupName', Value: group.name }],
      Timestamp: new Date(this.state.clock.now()),
      Value: findings,
      Unit: 'Count' as const,
    };
    await this.attempt(this.state.call('cloudwatch', 'PutMetricData', { Namespace: 'AWS/Logs', MetricData: [datum] }));
  }

  private async deliver(source: LogGroup, { audit }: ProtectionPolicy, reports: readonly object[]): Promise<void> {
    const { state } = this;
    const lines = reports.map((report) => JSON.stringify(report));
    const group = audit?.CloudWatchLogs?.LogGroup;
    if (group !== undefined && state.groups.find(group)) {
      const now = state.clock.now();
      const events = lines.map((message) => ({ timestamp: now, message }));
      await writeLines(state, group, 'data-protection-findings', events);
    }
    const bucket = audit?.S3?.Bucket;
    if (bucket !== undefined) {
      const key = `AWSLogs/${state.accountId}/data-protection/${state.ids.uuid()}.json`;
      const object = { Bucket: bucket, Key: key, Body: Buffer.from(`${lines.join('\n')}\n`) };
      await this.attempt(writeDelivered(state, object, sourceArnOf(source, state), state));
    }
    const stream = audit?.Firehose?.DeliveryStream;
    if (stream !== undefined)
      for (const line of lines) {
        const record = { DeliveryStreamName: stream, Record: { Data: Buffer.from(line) } };
        await this.attempt(state.call('firehose', 'PutRecord', record));
      }
  }

  /** Awaits a report; its errors do not affect the stored events. */
  private async attempt(report: Promise<unknown>): Promise<void> {
    try {
      await report;
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      if (error.code !== 'NotImplemented')
        this.state.log.warn('findings of a data protection policy could not be reported', { error });
    }
  }
}
