import { type Clock, type DeepReadonly, parseArn } from '@emu/core/service';
import type { Target } from '@emu/service-types/events';
import type { Attempt } from '../delivery/outcome.ts';
import type { BusEvent } from '../event.ts';
import type { RuleRecord } from '../records.ts';
import type { Step } from './levels.ts';
import type { About, RecordFields, StepError } from './record.ts';

/** Delivery of an event to a target. */
export interface Invocation {
  readonly rule: Readonly<Pick<RuleRecord, 'bus' | 'name'>>;
  readonly ruleArn: string;
  readonly target: DeepReadonly<Target>;
  readonly event: BusEvent;
  readonly invocationId: string;
  /** Input for the target. */
  readonly input: string;
  /** Time in epoch milliseconds at which the bus received the event. */
  readonly begunAt: number;
}

/** Receives log records. */
interface StepLog {
  add(bus: string, step: Step, about: About, details: RecordFields['details'], error?: StepError): void;
}

/** Target members that are not parameters of the target. */
const OTHERS = new Set([
  'Arn',
  'DeadLetterConfig',
  'Id',
  'Input',
  'InputPath',
  'InputTransformer',
  'RetryPolicy',
  'RoleArn',
]);

/** Logs the steps of the delivery of one event to one target. */
export class InvocationLog {
  private startedAt: number;
  private latencyToStart: number | undefined;

  constructor(
    private readonly log: StepLog,
    private readonly clock: Clock,
    private readonly invocation: Invocation,
    /** Whether the target's input is logged. */
    private readonly full: boolean,
  ) {
    this.startedAt = clock.now();
  }

  /** Logs the start of the delivery, or its continuation after a restart. */
  begun(attempts: number): void {
    this.add('INVOCATION_START', { attempt_count: attempts, ...this.input() });
  }

  /** Logs a call of the target. @param count number of attempts, including this one */
  attempted(count: number): void {
    this.startedAt = this.clock.now();
    if (count === 1) this.latencyToStart = this.startedAt - this.invocation.begunAt;
    this.add('INVOCATION_ATTEMPT_START', { attempt_count: count, ...this.input() });
  }

  /** Logs the response of the target. */
  answered(count: number, attempt: Attempt): void {
    const details = {
      attempt_type: count === 1 ? 'FIRST' : 'RETRY',
      attempt_count: count,
      invocation_status: statusOf(attempt),
      target_duration_ms: this.clock.now() - this.startedAt,
    };
    if (attempt.delivered) this.add('INVOCATION_ATTEMPT_SUCCESS', details);
    else if (attempt.code === 'THROTTLING') this.add('INVOCATION_ATTEMPT_THROTTLE', details, attempt);
    else if (attempt.retry) this.add('INVOCATION_ATTEMPT_RETRYABLE_FAILURE', details, attempt);
    else this.add('INVOCATION_ATTEMPT_PERMANENT_FAILURE', details, attempt);
  }

  /** Logs the end of the delivery. */
  ended(attempts: number, last: Attempt): void {
    this.add(last.delivered ? 'INVOCATION_SUCCESS' : 'INVOCATION_FAILURE', this.result(attempts, last), last);
  }

  /** Logs that the dead-letter queue received the event. */
  buried(attempts: number, last: Attempt): void {
    this.add('INVOCATION_DLQ', this.result(attempts, last), last);
  }

  private result(attempts: number, last: Attempt): RecordFields['details'] {
    const latency = this.clock.now() - this.invocation.begunAt;
    return {
      ...this.input(),
      total_attempts: attempts,
      final_invocation_status: statusOf(last),
      ...(attempts === 1 && {
        ingestion_to_start_latency_ms: this.latencyToStart,
        ingestion_to_complete_latency_ms: latency,
      }),
      ...(last.delivered && { ingestion_to_success_latency_ms: latency }),
      target_duration_ms: this.clock.now() - this.startedAt,
    };
  }

  /** Returns the target's input if it is logged. */
  private input(): RecordFields['details'] {
    if (!this.full) return {};
    const { target, input } = this.invocation;
    const properties = Object.entries(target).filter(([name]) => !OTHERS.has(name));
    return {
      target_input: input,
      ...(properties.length && { target_properties: JSON.stringify(Object.fromEntries(properties)) }),
    };
  }

  private add(step: Step, details: RecordFields['details'], attempt?: Attempt): void {
    const { rule, ruleArn, target, event, invocationId } = this.invocation;
    const about = { requestId: event.cause, eventId: event.id, invocationId };
    const common = {
      rule_arn: ruleArn,
      ...(target.RoleArn !== undefined && { role_arn: target.RoleArn }),
      target_arn: target.Arn,
    };
    const error =
      attempt && !attempt.delivered
        ? { error_message: attempt.message || attempt.code, aws_service: parseArn(target.Arn)?.service ?? '' }
        : undefined;
    this.log.add(rule.bus, step, about, { ...common, ...details }, error);
  }
}

/** Returns the log members for an attempt, with the error code that dead letters contain. */
const statusOf = (attempt: Attempt): string => (attempt.delivered ? 'SUCCESS' : attempt.code);
