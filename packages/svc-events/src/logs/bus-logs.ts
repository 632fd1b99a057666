import {
  type Clock,
  type Collection,
  type DeepReadonly,
  type Logger,
  type Place,
  type ServiceHandle,
  type VendedRecord,
  vendedLogs,
} from '@emu/core/service';
import type { LogConfig, Target } from '@emu/service-types/events';
import { busArn, ruleArn } from '../arns.ts';
import type { BusEvent } from '../event.ts';
import type { BusRecord, RuleRecord } from '../records.ts';
import { type Invocation, InvocationLog } from './invocation-log.ts';
import { isLogged, STEPS, type Step } from './levels.ts';
import { type About, type RecordFields, recordOf, type StepError } from './record.ts';

/** Name of the log stream of a bus. */
const STREAM = 'EventBridgeEventBusLogs';
/** Limit in bytes of records that wait for delivery. Further records are dropped. */
const MAX_WAITING = 16 * 1024 * 1024;

/** State whose buses are logged. */
export interface LogHost extends Place {
  readonly clock: Clock;
  readonly log: Logger;
  readonly service: Pick<ServiceHandle, 'capability'>;
  readonly buses: Collection<BusRecord>;
}

/** Identifies the event. */
const aboutEvent = ({ id, cause }: BusEvent): About => ({ requestId: cause, eventId: id });

/**
 * Logs the processing of events on buses with logging enabled, through the log deliveries of CloudWatch Logs.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-bus-logs.html
 */
export class BusLogs {
  private waiting = new Map<string, VendedRecord[]>();
  private size = 0;
  private flushing = false;

  constructor(private readonly state: LogHost) {}

  /** Returns the log settings of a bus; undefined if logging is off. */
  settingsOf(bus: string): DeepReadonly<LogConfig> | undefined {
    const settings = this.state.buses.get(bus)?.logConfig;
    return settings?.Level === undefined || settings.Level === 'OFF' ? undefined : settings;
  }

  /** Logs an event that the bus has received. Events of AWS services are logged only if a rule matches. */
  taken(bus: string, event: BusEvent, matches: boolean): void {
    const settings = this.settingsOf(bus);
    if (!settings) return;
    const isOfService = event.source.startsWith('aws.') && event.replayName === undefined;
    if (isOfService && !matches) return;
    const details = detailsOf(event, settings);
    for (const step of ['EVENT_RECEIPT', 'EVENT_INGEST_SUCCESS', 'RULE_MATCH_START'] as const)
      this.add(bus, step, aboutEvent(event), details);
    if (!matches) this.add(bus, 'NO_STANDARD_RULES_MATCHED', aboutEvent(event), {});
  }

  /** Logs a rejected entry of PutEvents. */
  refused(bus: string, entry: Omit<BusEvent, 'id' | 'region' | 'hops' | 'foreign'>, message: string): void {
    const settings = this.settingsOf(bus);
    if (!settings) return;
    const about = { requestId: entry.cause, eventId: undefined };
    this.add(bus, 'EVENT_INGEST_FAILURE', about, detailsOf(entry, settings), {
      error_message: message,
      aws_service: 'AmazonEventBridge',
    });
  }

  /** Logs a matched rule, with its targets and the ids of their invocations. */
  matched(
    rule: DeepReadonly<Pick<RuleRecord, 'bus' | 'name'>>,
    event: BusEvent,
    targets: readonly { readonly target: DeepReadonly<Target>; readonly id: string }[],
  ): void {
    if (!this.settingsOf(rule.bus)) return;
    this.add(rule.bus, 'RULE_MATCH', aboutEvent(event), {
      rule_arn: ruleArn(this.state, rule.bus, rule.name),
      target_arns: targets.map(({ target }) => target.Arn),
      invocation_ids: targets.map(({ id }) => id),
    });
  }

  /** Returns the logger of a delivery to a target; undefined if logging is off. */
  invocation(invocation: Invocation): InvocationLog | undefined {
    const settings = this.settingsOf(invocation.rule.bus);
    return settings && new InvocationLog(this, this.state.clock, invocation, settings.IncludeDetail === 'FULL');
  }

  /** Logs a step if the bus's log level includes it. */
  add(bus: string, step: Step, about: About, details: RecordFields['details'], error?: StepError): void {
    const level = this.settingsOf(bus)?.Level;
    if (level === undefined || !isLogged(step, level) || this.size >= MAX_WAITING) return;
    const arn = busArn(this.state, bus);
    const { record, bytes } = recordOf({
      resource_arn: arn,
      message_timestamp_ms: this.state.clock.now(),
      event_bus_name: bus,
      request_id: about.requestId,
      event_id: about.eventId,
      invocation_id: about.invocationId,
      message_type: step,
      log_level: STEPS[step],
      details,
      error,
    });
    const key = `${STEPS[step]}_LOGS ${arn}`;
    const records = this.waiting.get(key);
    if (records) records.push(record);
    else this.waiting.set(key, [record]);
    this.size += bytes;
    if (!this.flushing) void this.flush();
  }

  /** Delivers the waiting records, including those that arrive meanwhile. */
  private async flush(): Promise<void> {
    this.flushing = true;
    try {
      const deliveries = await this.state.service.capability(vendedLogs);
      while (this.size) {
        const { waiting } = this;
        this.waiting = new Map();
        this.size = 0;
        const { accountId, region } = this.state;
        for (const [key, records] of waiting) {
          const [logType = '', resourceArn = ''] = key.split(' ');
          await deliveries?.deliver({ accountId, region, resourceArn, logType, stream: STREAM }, records);
        }
      }
    } catch (error) {
      this.state.log.warn('event bus logs could not be delivered', { error });
    } finally {
      this.flushing = false;
    }
  }
}

/** Returns the members of a record that describe an event. */
function detailsOf(
  event: Omit<BusEvent, 'id' | 'region' | 'hops' | 'foreign'>,
  { IncludeDetail: include }: DeepReadonly<LogConfig>,
): RecordFields['details'] {
  return {
    caller_account_id: event.account,
    source_time_ms: event.time,
    source: event.source,
    detail_type: event.detailType,
    resources: event.resources,
    ...(include === 'FULL' && { event_detail: event.detail }),
  };
}
