import type { SsmParameterPolicyEvent } from '@emu/control-client';
import { DueTimers, RecordBuffer, type Worker } from '@emu/core/service';
import type { ParameterPolicy } from '../records.ts';
import { parameterType } from '../resources.ts';
import { emit, type OutboxScope } from './events.ts';
import { currentVersion, type ParameterTable } from './table.ts';

/** Executes parameter policies when they are due. */
export class PolicyClock implements Worker {
  /** Executed policy actions, for the control route. */
  readonly events = new RecordBuffer<SsmParameterPolicyEvent>();
  private readonly timers: DueTimers;

  constructor(
    private readonly scope: OutboxScope,
    private readonly parameters: ParameterTable,
  ) {
    this.timers = new DueTimers(scope.clock);
  }

  resume(): void {
    for (const { name } of this.parameters.all()) this.watch(name);
  }

  close(): void {
    this.timers.cancelAll();
  }

  /** Sets the timer for the next policy of a parameter; clears it if there is none. */
  watch(name: string): void {
    const parameter = this.parameters.get(name);
    const due = parameter && currentVersion(parameter).policies.filter(({ done }) => !done);
    if (due?.length) this.timers.set(name, Math.min(...due.map(({ dueAt }) => dueAt)), () => this.run(name));
    else this.timers.cancel(name);
  }

  private run(name: string): void {
    const now = this.scope.clock.now();
    const due = currentVersion(this.parameters.get(name)!).policies.filter(({ done, dueAt }) => !done && dueAt <= now);
    this.parameters.update(name, (draft) => {
      for (const policy of draft.versions.at(-1)!.policies) if (policy.dueAt <= now) policy.done = true;
    });
    for (const { type } of due) this.act(name, type);
    this.watch(name);
  }

  private act(name: string, policyType: ParameterPolicy['type']): void {
    const { accountId, region, clock, ids } = this.scope;
    const parameterArn = parameterType.arn({ name: name.replace(/^\//, '') }, this.scope);
    const { type } = currentVersion(this.parameters.get(name)!);
    const message = {
      Expiration: 'The parameter has expired and was deleted.',
      ExpirationNotification: 'The parameter is about to expire.',
      NoChangeNotification: 'The parameter has not been changed.',
    }[policyType];
    const timestamp = new Date(clock.now()).toISOString();
    this.events.add({ accountId, region, parameterName: name, parameterArn, policyType, message, timestamp });
    const detail = {
      'action-status': 'Success',
      'action-reason': message,
      'parameter-name': name,
      'parameter-type': type,
      'policy-type': policyType,
      'policy-content': '',
    };
    const cause = ids.uuid();
    emit(this.scope, 'Parameter Store Policy Action', parameterArn, detail, cause);
    if (policyType !== 'Expiration') return;
    this.parameters.delete(name);
    emit(this.scope, 'Parameter Store Change', parameterArn, { operation: 'Delete', name, type }, cause);
  }
}
