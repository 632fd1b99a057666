import { ExecutionFailure } from './failures.ts';
import { makeAutomation, mapsPlan, planOf } from './starting.ts';
import type { AutomationHost, Run } from './types.ts';
import { settled, until } from './waiting.ts';

/**
 * Starts the execution of a runbook of a change request.
 * @returns its id
 */
function begin(automations: AutomationHost, run: Run, index: number): string {
  const { change, principal, cause } = run.record;
  const runbook = structuredClone(change!.runbooks[index]!) as NonNullable<typeof change>['runbooks'][number];
  const { Parameters = {}, TargetParameterName, Targets, TargetMaps, MaxConcurrency, MaxErrors } = runbook;
  const { accountId, region } = automations.scope;
  const place = { accountId, region, maxConcurrency: MaxConcurrency, maxErrors: MaxErrors };
  const values = (Targets ?? []).flatMap(({ Values }) => Values ?? []);
  const given = Object.fromEntries(Object.entries(Parameters).map(([name, list]) => [name, [...list]]));
  const plan =
    TargetParameterName !== undefined && Targets
      ? planOf(values, TargetParameterName, given, place)
      : TargetMaps?.length
        ? mapsPlan(TargetMaps as Record<string, string[]>[], given, place)
        : undefined;
  const request = {
    DocumentName: runbook.DocumentName,
    DocumentVersion: runbook.DocumentVersion,
    Parameters: given,
    TargetParameterName,
  };
  return automations.start(
    makeAutomation(automations, request, { principal: { ...principal }, cause, parent: run.id }, plan),
  ).id;
}

/**
 * Runs a change request: approval of its template, wait for its scheduled time, then its runbooks.
 * @throws Ended, ExecutionFailure
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/change-requests-review.html
 */
export async function runChange(automations: AutomationHost, run: Run): Promise<void> {
  await run.steps();
  const { scheduledAt } = run.record.change!;
  if (scheduledAt !== undefined && scheduledAt > automations.scope.clock.now()) {
    automations.setStatus(run.id, 'Scheduled');
    await until(automations.scope.clock, scheduledAt, run.stopSignal);
  }
  automations.setStatus(run.id, 'RunbookInProgress');
  for (let index = 0; index < run.record.change!.runbooks.length; index++) {
    if (run.record.change!.children[index] === undefined) {
      const child = begin(automations, run, index);
      run.update((draft) => {
        draft.change!.children[index] = child;
      });
    }
    const child = run.record.change!.children[index]!;
    await settled(automations.ended(child), run.stopSignal);
    const { status, failureMessage } = automations.get(child)!;
    if (status !== 'Success') throw new ExecutionFailure(failureMessage ?? `The runbook has ended with ${status}.`);
  }
}
