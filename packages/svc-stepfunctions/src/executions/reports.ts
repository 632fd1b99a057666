import { metricsOf, type Outbox, type StateScope, servicePrincipal } from '@emu/core/service';
import type { ExecutionRecord } from '../records.ts';
import { ExecutionLog } from '../runtime/execution-log.ts';
import type { Execution, ExecutionNames } from './execution.ts';

/** Metrics of finished executions by status. */
const ENDS: Readonly<Partial<Record<ExecutionRecord['status'], string>>> = {
  SUCCEEDED: 'ExecutionsSucceeded',
  FAILED: 'ExecutionsFailed',
  TIMED_OUT: 'ExecutionsTimedOut',
  ABORTED: 'ExecutionsAborted',
};

/** Sends what happens to executions to EventBridge, CloudWatch and CloudWatch Logs. */
export class Reports {
  constructor(
    private readonly names: ExecutionNames,
    private readonly scope: StateScope,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Sends a standard execution's status to EventBridge.
   * @see https://docs.aws.amazon.com/step-functions/latest/dg/eventbridge-integration.html
   */
  announce(record: Execution): void {
    // Child executions of a distributed Map have no events of their own.
    if (record.batch) return;
    const { scope, names } = this;
    const executionArn = names.executionArn(record);
    const detail = {
      executionArn,
      stateMachineArn: names.machineArn(record.machine),
      stateMachineVersionArn: record.versionArn ?? null,
      stateMachineAliasArn: record.aliasArn ?? null,
      name: record.name,
      status: record.status,
      startDate: record.startedAt,
      stopDate: record.stoppedAt ?? null,
      // Events do not contain data encrypted with a customer key.
      input: record.encryption ? null : record.input,
      inputDetails: { included: !record.encryption },
      output: (record.encryption ? null : record.output) ?? null,
      outputDetails: record.output === undefined ? null : { included: !record.encryption },
      error: (record.encryption ? null : record.error) ?? null,
      cause: (record.encryption ? null : record.cause) ?? null,
      redriveCount: record.redrives ?? 0,
      redriveDate: record.redrivenAt ?? null,
      redriveStatus: null,
      redriveStatusReason: null,
    };
    const entry = {
      Source: 'aws.states',
      DetailType: 'Step Functions Execution Status Change',
      Resources: [executionArn],
      Time: new Date(scope.clock.now()),
      Detail: JSON.stringify(detail),
    };
    const principal = servicePrincipal('states', scope.accountId);
    this.outbox.send('events', 'PutEvents', { Entries: [entry] }, { principal }, `an event about ${executionArn}`);
  }

  /**
   * Returns the log of an execution; undefined if logging is disabled.
   * @param redrives returns the number of its redrives so far
   */
  logOf(record: Execution, redrives: () => number): ExecutionLog | undefined {
    const { logging } = record;
    if (!logging || (logging.level ?? 'OFF') === 'OFF') return undefined;
    const minute = new Date(record.startedAt).toISOString().slice(0, 16).replaceAll(/[T:]/g, '-');
    const stream = `states/${machineOf(record)}/${minute}/${record.expressId ?? record.name}`;
    return new ExecutionLog(this.scope, logging, this.names.executionArn(record), stream, redrives);
  }

  /** Counts the start of an execution. */
  countStart(record: Execution): void {
    this.count(record, 'ExecutionsStarted');
  }

  /** Counts the end of an execution, with its duration. */
  countEnd(record: Execution): void {
    const counted = ENDS[record.status];
    if (counted === undefined) return;
    this.count(record, counted);
    this.count(record, 'ExecutionTime', (record.stoppedAt ?? record.startedAt) - record.startedAt, 'Milliseconds');
  }

  /** @see https://docs.aws.amazon.com/step-functions/latest/dg/procedure-cw-metrics.html */
  private count(record: Execution, name: string, value = 1, unit = 'Count'): void {
    const { accountId, region, clock, service } = this.scope;
    metricsOf(service, accountId, region)
      ?.resource('AWS/States', { StateMachineArn: this.names.machineArn(machineOf(record)) })
      .add(name, value, clock.now(), unit);
  }
}

/** Returns the state machine; executions of a distributed Map report as those of their parent's. */
const machineOf = ({ machine }: Execution): string => machine.split('/')[0]!;
