import { limitOf } from '../rate-control.ts';
import { ExecutionFailure } from './failures.ts';
import type { PlanItem } from './records.ts';
import { beginItem } from './starting.ts';
import type { AutomationHost, Run } from './types.ts';
import { settled } from './waiting.ts';

/**
 * Runs an execution over targets or locations, up to `MaxConcurrency` at a time, until more than `MaxErrors` have
 * failed.
 * @throws Ended; ExecutionFailure if more have failed than allowed
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/running-automations-scale-controls.html
 */
export async function runPlan(automations: AutomationHost, run: Run): Promise<void> {
  const plan = run.record.plan!;
  const width = Math.max(1, limitOf(plan.maxConcurrency, plan.items.length));
  const tolerated = limitOf(plan.maxErrors, plan.items.length);
  automations.setStatus(run.id, 'InProgress');
  let failures = 0;
  let nextIndex = 0;
  const work = async (): Promise<void> => {
    for (;;) {
      const index = nextIndex++;
      const item = run.record.plan!.items[index];
      if (!item || failures > tolerated) return;
      const there = automations.owner.automationsAt(item.accountId, item.region);
      let child = item.child;
      try {
        if (child === undefined) {
          child = beginItem(automations, run.record, item as PlanItem, there);
          const begun = child;
          run.update((draft) => {
            draft.plan!.items[index]!.child = begun;
          });
        }
        await settled(there.ended(child), run.stopSignal);
        if (there.get(child)?.status !== 'Success') failures++;
      } catch (error) {
        if (run.stopSignal.aborted) throw error;
        failures++;
        run.update((draft) => {
          draft.failureMessage ??= (error as Error).message;
        });
      }
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  if (failures > tolerated)
    throw new ExecutionFailure(
      run.record.failureMessage ?? `${failures} of the executions failed, of which ${tolerated} may.`,
    );
}
