import type { StateScope } from '@emu/core';
import { actorOf } from './events/actor.ts';
import { runLifecycle } from './lifecycle/evaluation.ts';
import { watchRestore } from './lifecycle/restore.ts';
import { S3_OPTIONS } from './options.ts';
import { runAnalyses } from './reports/analytics.ts';
import { runInventories } from './reports/inventory.ts';
import { S3State } from './state.ts';

/** How often lifecycle rules are evaluated, in milliseconds; what they do is due at midnights. */
const LIFECYCLE_INTERVAL = 3_600_000;
/** How often it is looked for inventory lists and analyses that are due, in milliseconds. */
const REPORT_INTERVAL = 3_600_000;

/** Makes the state of an account, and starts what S3 does in it at its times. They end when the state is closed. */
export function createState(scope: StateScope): S3State {
  const { clock, settings } = scope;
  const state = new S3State(scope);
  for (const bucket of state.buckets())
    for (const { versions } of bucket.objects.from(''))
      for (const version of versions) if (version.restore) watchRestore(state, bucket, version);
  state.timers.push(clock.every(LIFECYCLE_INTERVAL, () => void runLifecycle(actorOf(state), state)));
  if (settings.of(S3_OPTIONS).EMULATOR_S3_EAGER_DELIVERY)
    state.timers.push(clock.every(REPORT_INTERVAL, () => runReports(state)));
  return state;
}

/** Delivers the inventory lists and analyses that are due. */
async function runReports(state: S3State): Promise<void> {
  await runInventories(actorOf(state), state);
  await runAnalyses(actorOf(state), state);
}
