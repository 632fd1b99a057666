import { type Principal, parseArn, waitFor } from '@emu/core/service';
import type { Run } from '../host.ts';

const MINUTE = 60_000;
/** Milliseconds between two polls of the alarms. */
const INTERVAL = 10_000;

/**
 * Monitors a deployment's rollback alarms during the deployment and for the configured monitoring time afterwards.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-rollback-triggers.html
 */
export class RollbackTriggers {
  private readonly arns: readonly string[];
  private readonly minutes: number;

  constructor(private readonly run: Run) {
    const { RollbackTriggers: triggers = [], MonitoringTimeInMinutes = 0 } =
      run.operation().target?.rollbackConfiguration ?? {};
    this.arns = triggers.map(({ Arn }) => Arn);
    this.minutes = MonitoringTimeInMinutes;
  }

  /**
   * Runs work while monitoring the triggers.
   * @param work resolves with the reason of its failure
   * @returns why the work failed or which trigger fired
   */
  async during(work: () => Promise<string | undefined>): Promise<string | undefined> {
    const { run } = this;
    let problem = await this.problem();
    if (problem !== undefined) return problem;
    const done = new AbortController();
    if (this.arns.length)
      this.wait(Number.POSITIVE_INFINITY, AbortSignal.any([run.signal, done.signal])).then(
        (found) => {
          problem = found;
          if (found !== undefined) run.stop(new Error(found.trimEnd()));
        },
        // The work has already ended, by itself or by cancellation.
        () => undefined,
      );
    const failure = await work();
    done.abort();
    return problem ?? failure ?? this.monitored();
  }

  /** Waits for the configured monitoring time. */
  private async monitored(): Promise<string | undefined> {
    const { run } = this;
    if (this.minutes === 0) return this.problem();
    const { store } = run.host;
    const until = run.operation().monitorUntil ?? store.clock.now() + this.minutes * MINUTE;
    store.updateOperation(run.stack, (draft) => {
      draft.monitorUntil = until;
    });
    try {
      return await this.wait(until, run.signal);
    } catch (error) {
      if (!run.signal.aborted || run.closed()) throw error;
      return `${(run.signal.reason as Error).message} `;
    }
  }

  /** Waits until a time, or until a trigger fires. */
  private async wait(until: number, signal: AbortSignal): Promise<string | undefined> {
    const { clock } = this.run.host.store;
    let problem: string | undefined;
    await waitFor(
      async () => {
        problem = await this.problem();
        return problem !== undefined || clock.now() >= until;
      },
      clock,
      signal,
      { interval: Math.min(INTERVAL, Math.max(1, until - clock.now())), limit: Number.POSITIVE_INFINITY },
    );
    return problem;
  }

  private async problem(): Promise<string | undefined> {
    if (this.arns.length === 0) return undefined;
    const states = await Promise.all(this.arns.map((arn) => this.stateOf(arn)));
    const missing = this.arns.filter((_, index) => states[index] === undefined);
    if (missing.length) return `The following rollback trigger(s) do not exist: [${missing.join(', ')}]. `;
    const alarming = this.arns.filter((_, index) => states[index] === 'ALARM');
    return alarming.length
      ? `The following rollback trigger(s) went into the ALARM state: [${alarming.join(', ')}]. `
      : undefined;
  }

  /** Returns the state of an alarm; undefined if missing. */
  private async stateOf(arn: string): Promise<string | undefined> {
    const { run } = this;
    const parsed = parseArn(arn);
    const name = arn.slice(arn.indexOf(':alarm:') + ':alarm:'.length);
    const operation = run.operation();
    const { MetricAlarms = [], CompositeAlarms = [] } = await run.host.scope.call(
      'cloudwatch',
      'DescribeAlarms',
      { AlarmNames: [name], AlarmTypes: ['MetricAlarm', 'CompositeAlarm'] },
      {
        principal: operation.principal as Principal,
        region: parsed?.region || run.host.store.region,
        cause: operation.cause,
        authorize: {},
      },
    );
    return [...MetricAlarms, ...CompositeAlarms][0]?.StateValue;
  }
}
