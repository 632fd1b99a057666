import type { StateScope, Worker } from '@emu/core/service';
import { actorOf } from './events/actor.ts';
import { runLifecycle } from './lifecycle/evaluation.ts';
import { watchRestores } from './lifecycle/restore.ts';
import { interruptedReplications } from './objects/replication.ts';
import { S3_OPTIONS } from './options.ts';
import { runAnalyses } from './reports/analytics.ts';
import { runInventories } from './reports/inventory.ts';
import { S3State } from './state.ts';

/** Milliseconds between checks for a new day (UTC): lifecycle actions are due at midnight. */
const LIFECYCLE_INTERVAL = 3_600_000;
const DAY = 86_400_000;
/** Milliseconds between checks for due inventory lists and analyses. */
const REPORT_INTERVAL = 3_600_000;

/** Creates the state of an account with its periodic processors. */
export function createState(scope: StateScope): S3State {
  return new S3State(scope, processorsOf);
}

function processorsOf(state: S3State): Worker[] {
  const { clock, settings } = state.scope;
  const lifecycle = () => {
    let evaluated: number | undefined;
    return clock.every(LIFECYCLE_INTERVAL, async () => {
      const day = Math.floor(clock.now() / DAY);
      if (day === evaluated) return;
      evaluated = day;
      await runLifecycle(actorOf(state), state);
    });
  };
  const reports = () => clock.every(REPORT_INTERVAL, () => runReports(state));
  return [
    { resume: () => watchRestores(state) },
    { interrupted: () => interruptedReplications(state) },
    { resume: lifecycle },
    ...(settings.of(S3_OPTIONS).EMULATOR_S3_EAGER_DELIVERY ? [{ resume: reports }] : []),
  ];
}

/** Delivers due inventory lists and analyses. */
async function runReports(state: S3State): Promise<void> {
  await runInventories(actorOf(state), state);
  await runAnalyses(actorOf(state), state);
}
