import { createHash } from 'node:crypto';
import type { StateValue } from '@emu/service-types/cloudwatch';
import type { ContributorRecord } from '../records.ts';
import type { CloudwatchState, MetricAlarm } from '../state.ts';
import type { Judgement } from './decide.ts';
import { remember } from './history.ts';
import { reasonFor } from './reasons.ts';

/** Returns the id of a group, derived from its attributes. */
const contributorId = (attributes: Readonly<Record<string, string>>): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(attributes).sort()))
    .digest('hex')
    .slice(0, 16);

/** Records the state of each group of a Metrics Insights alarm. */
export function updateContributors(
  state: CloudwatchState,
  alarm: MetricAlarm,
  judged: readonly { attributes?: Record<string, string>; judgement: Judgement }[],
): void {
  const now = state.clock.now();
  const contributors: Record<string, ContributorRecord> = {};
  for (const { attributes, judgement } of judged) {
    if (!attributes) continue;
    const id = contributorId(attributes);
    const before = alarm.contributors?.[id];
    const value: StateValue = judgement.state ?? before?.state ?? 'INSUFFICIENT_DATA';
    const changed = before?.state !== value;
    const reason = changed ? reasonFor(alarm, judgement, value, now).text : before.reason;
    contributors[id] = { attributes, state: value, reason, transitionedAt: changed ? now : before.transitionedAt };
    if (changed)
      remember(state, alarm, {
        type: 'AlarmContributorStateUpdate',
        summary: `Alarm contributor updated from ${before?.state ?? 'INSUFFICIENT_DATA'} to ${value}`,
        data: { version: '1.0', newState: { stateValue: value, stateReason: reason } },
        contributor: { id, attributes },
      });
  }
  if (JSON.stringify(contributors) === JSON.stringify(alarm.contributors)) return;
  state.alarms.update(alarm.name, (draft) => {
    if (draft.type === 'MetricAlarm') draft.contributors = contributors;
  });
}
