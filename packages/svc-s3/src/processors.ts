import type { StateScope, Worker } from '@emu/core/service';
import { actorOf } from './events/actor.ts';
import { runLifecycle } from './lifecycle/evaluation.ts';
import { watchRestores } from './lifecycle/restore.ts';
import { resumeReplications } from './objects/replication.ts';
import { S3_OPTIONS } from './options.ts';
import { runAnalyses } from './reports/analytics.ts';
import { runInventories } from './reports/inventory.ts';
import { S3State } from './state.ts';

/** How often it is looked whether a day (UTC) has begun, in milliseconds: what lifecycle rules do is due at midnights. */
const LIFECYCLE_INTERVAL = 3_600_000;
const DAY = 86_400_000;
/** How often it is looked for inventory lists and analyses that are due, in milliseconds. */
const REPORT_INTERVAL = 3_600_000;

/** Makes the state of an account, with what S3 does in it at its times. */
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
    { resume: () => resumeReplications(state) },
    { resume: lifecycle },
    ...(settings.of(S3_OPTIONS).EMULATOR_S3_EAGER_DELIVERY ? [{ resume: reports }] : []),
  ];
}

/** Delivers the inventory lists and analyses that are due. */
async function runReports(state: S3State): Promise<void> {
  await runInventories(actorOf(state), state);
  await runAnalyses(actorOf(state), state);
}
