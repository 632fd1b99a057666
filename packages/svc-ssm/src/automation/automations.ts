import {
  type Collection,
  IdempotencyTokens,
  type InterruptedWork,
  interruptedRecords,
  tokensOf,
  type Worker,
} from '@emu/core/service';
import type { AlarmStateInformation, AutomationExecutionStatus } from '@emu/service-types/ssm';
import { isObject } from '@emu/wire';
import { triggeredAlarms } from '../alarms.ts';
import type { Json, JsonObject } from '../documents/content.ts';
import { ssmError } from '../errors.ts';
import { emit, type OutboxScope } from '../parameters/events.ts';
import { runChange } from './change.ts';
import { eventTime } from './events.ts';
import { Ended, ExecutionFailure } from './failures.ts';
import { runPlan } from './plan.ts';
import type { AutomationRecord, PreviewRecord } from './records.ts';
import { resolveValue } from './references.ts';
import { AutomationRun } from './run.ts';
import { isOver } from './statuses.ts';
import type { AutomationHost, AutomationOwner, Execution, Run } from './types.ts';

/** Retention of executions in milliseconds: 30 days, as in AWS. */
const RETENTION = 30 * 86_400_000;

/** Running and finished automation executions of an account and region. */
export class Automations implements AutomationHost, Worker {
  private readonly live = new Map<string, AutomationRun>();
  private readonly enders = new Map<string, Set<() => void>>();

  /** Executions by the client tokens of their requests. */
  readonly tokens: IdempotencyTokens<Execution>;

  constructor(
    readonly owner: AutomationOwner,
    readonly scope: OutboxScope,
    private readonly records: Collection<AutomationRecord>,
    readonly previews: Collection<PreviewRecord>,
  ) {
    this.tokens = new IdempotencyTokens<Execution>({
      clock: scope.clock,
      records: tokensOf(records, ({ clientToken, request }) =>
        clientToken === undefined ? undefined : { token: clientToken.toLowerCase(), request },
      ),
      refuse: () =>
        ssmError(
          'IdempotentParameterMismatch',
          "Error returned when an idempotent operation is retried and the parameters don't match the original call to the API with the same idempotency token.",
        ),
    });
  }

  /** Continues executions interrupted by a restart. */
  interrupted(): InterruptedWork[] {
    return interruptedRecords(this.records, {
      name: ({ id }) => `automation ${id}`,
      isLeft: ({ id, status }) => !isOver(status) && !this.live.has(id),
      resume: ({ id }) => this.launch(id),
      fail: ({ id }, reason) => this.finish(id, 'Failed', reason),
    });
  }

  close(): void {
    for (const run of this.live.values()) run.end('suspended');
  }

  arnOf(id: string): string {
    return this.owner.automationArn(id);
  }

  get(id: string): Execution | undefined {
    return this.records.get(id);
  }

  /** Returns all executions, oldest first. */
  all(): Iterable<Execution> {
    return this.records.values();
  }

  update(id: string, change: (draft: AutomationRecord) => void): Execution {
    return this.records.update(id, change);
  }

  /** Starts an execution. */
  start(record: AutomationRecord): Execution {
    this.evictOld();
    const kept = this.records.put(record.id, record);
    this.announce(kept);
    void this.launch(record.id);
    return kept;
  }

  /** Returns a running execution by id; undefined if it has ended. */
  running(id: string): AutomationRun | undefined {
    return this.live.get(id);
  }

  /** Resolves when an execution has ended; immediately if it is unknown. */
  ended(id: string): Promise<void> {
    const record = this.records.get(id);
    if (!record || isOver(record.status)) return Promise.resolve();
    return new Promise((resolve) => {
      const enders = this.enders.get(id) ?? new Set();
      this.enders.set(id, enders.add(resolve));
    });
  }

  /**
   * Stops an execution before its last step.
   * @param complete whether it counts as successful
   */
  stop(id: string, complete: boolean): void {
    const run = this.live.get(id);
    const record = this.records.get(id);
    if (!record || isOver(record.status)) return;
    if (complete) {
      this.update(id, (draft) => {
        draft.failed = false;
      });
      if (run) run.end('stopped');
      else this.endInterrupted(id, 'Success');
      return;
    }
    this.setStatus(id, 'Cancelling');
    for (const child of this.childrenOf(id)) child.automations.stop(child.id, false);
    if (run) run.end('cancelled');
    else this.endInterrupted(id, 'Cancelled');
  }

  /** Ends an execution that was interrupted by a restart and is not resumed yet. */
  private endInterrupted(id: string, status: 'Cancelled' | 'Success'): void {
    this.update(id, (draft) => {
      for (const step of draft.steps)
        if (step.startedAt !== undefined && step.endedAt === undefined) {
          step.status = status;
          step.endedAt = Math.floor(this.scope.clock.now());
        }
    });
    this.finish(id, status, undefined);
  }

  /** Returns the child executions of an execution, in any account and region. */
  private childrenOf(id: string): { automations: AutomationHost; id: string }[] {
    const { plan, change } = this.records.get(id)!;
    const planned = (plan?.items ?? []).flatMap(({ accountId, region, child }) =>
      child === undefined ? [] : [{ automations: this.owner.automationsAt(accountId, region), id: child }],
    );
    return [
      ...planned,
      ...(change?.children ?? []).map((child) => ({ automations: this as AutomationHost, id: child })),
    ];
  }

  setStatus(id: string, status: AutomationExecutionStatus): void {
    if (this.records.get(id)!.status === status) return;
    this.announce(
      this.update(id, (draft) => {
        draft.status = status;
      }),
    );
  }

  /**
   * Ends an execution if one of its alarms is in the state ALARM.
   * @throws Ended
   */
  async checkAlarms(run: Run): Promise<void> {
    const { alarms } = run.record;
    if (!alarms) return;
    let triggered: AlarmStateInformation[];
    try {
      triggered = await triggeredAlarms(alarms, this.scope, run.caller);
    } catch (error) {
      throw new ExecutionFailure((error as Error).message);
    }
    if (triggered.length === 0) return;
    this.update(run.id, (draft) => {
      draft.triggeredAlarms = triggered;
    });
    throw new Ended('alarm');
  }

  private launch(id: string): Promise<void> {
    const run = new AutomationRun(this, id);
    this.live.set(id, run);
    return this.work(run).then((end) => {
      this.live.delete(id);
      if (!end) return;
      this.finish(id, end.status, end.message);
    });
  }

  /**
   * Runs an execution.
   * @returns its outcome; undefined if it continues after a restart
   */
  private async work(run: AutomationRun): Promise<{ status: AutomationExecutionStatus; message?: string } | undefined> {
    const isChange = run.record.change !== undefined;
    try {
      if (run.record.plan) await runPlan(this, run);
      else if (isChange) await runChange(this, run);
      else {
        if (run.record.status === 'Pending') this.setStatus(run.id, 'InProgress');
        await run.steps();
      }
      await this.collectOutputs(run);
      return { status: isChange ? 'CompletedWithSuccess' : 'Success' };
    } catch (error) {
      // After a reset its record no longer exists, which fails the step that is under way.
      if (run.suspended) return undefined;
      if (error instanceof Ended) {
        if (error.why === 'stopped') return { status: 'Success' };
        if (error.why === 'alarm')
          return { status: 'Exited', message: 'An alarm of the execution is in the state ALARM.' };
        return { status: 'Cancelled' };
      }
      if (!(error instanceof ExecutionFailure))
        this.scope.log.error('an automation failed because of an internal error', { error });
      await this.collectOutputs(run);
      const message = (error as Error).message;
      if (error instanceof ExecutionFailure && !isChange) return { status: error.status, message };
      const rejected = error instanceof ExecutionFailure && error.status === 'Rejected';
      return { status: isChange ? (rejected ? 'Rejected' : 'CompletedWithFailure') : 'Failed', message };
    }
  }

  /** Resolves the outputs that the runbook declares for the execution. */
  private async collectOutputs(run: AutomationRun): Promise<void> {
    const { outputs } = run.content;
    if (!Array.isArray(outputs)) return;
    const around = run.referenceContext();
    const found: Record<string, Json> = {};
    for (const output of outputs) {
      const name = isObject(output) ? String(output.Name ?? output.name) : String(output);
      const reference = isObject(output) ? String(output.Value ?? output.value ?? '') : `{{ ${name} }}`;
      const value = await resolveValue(reference, around, true);
      found[name] =
        typeof value === 'string' && value.includes('{{')
          ? 'No output available yet because the step is not successfully executed'
          : value;
    }
    this.update(run.id, (draft) => {
      draft.outputs = found as JsonObject;
    });
  }

  private finish(id: string, status: AutomationExecutionStatus, message: string | undefined): void {
    const record = this.update(id, (draft) => {
      draft.status = status;
      draft.endedAt = Math.floor(this.scope.clock.now());
      if (message !== undefined) draft.failureMessage = message;
    });
    this.announce(record);
    for (const ender of this.enders.get(id) ?? []) ender();
    this.enders.delete(id);
  }

  private evictOld(): void {
    const oldest = this.scope.clock.now() - RETENTION;
    for (const { id, endedAt } of this.records.values()) {
      if (endedAt === undefined || endedAt > oldest) return;
      this.records.delete(id);
    }
  }

  private resourcesOf({ id, documentName, documentVersion }: Execution): string[] {
    return [this.arnOf(id), this.owner.definitionArn(documentName, documentVersion)];
  }

  /** Sends the status of an execution to EventBridge. */
  private announce(record: Execution): void {
    const { id, documentName, documentVersion, status, startedAt, endedAt, principal, cause } = record;
    const detail = {
      ExecutionId: id,
      Definition: documentName,
      DefinitionVersion: Number(documentVersion),
      Status: status,
      StartTime: eventTime(startedAt),
      EndTime: eventTime(endedAt),
      Time: eventTime(this.scope.clock.now()),
      ExecutedBy: principal.arn,
    };
    emit(this.scope, 'EC2 Automation Execution Status-change Notification', this.resourcesOf(record), detail, cause);
  }

  /** Sends the status of a step to EventBridge. */
  announceStep(record: Execution, stepId: string): void {
    const step = record.steps.find(({ id }) => id === stepId)!;
    const detail = {
      ExecutionId: record.id,
      Definition: record.documentName,
      DefinitionVersion: Number(record.documentVersion),
      Status: step.status,
      StartTime: eventTime(step.startedAt),
      EndTime: eventTime(step.endedAt),
      Time: eventTime(this.scope.clock.now()),
      StepName: step.name,
      Action: step.action,
    };
    emit(this.scope, 'EC2 Automation Step Status-change Notification', this.resourcesOf(record), detail, record.cause);
  }
}
