import { busArn } from '../arns.ts';
import { eventsError } from '../errors.ts';
import type { ArchiveRecord, RuleRecord } from '../records.ts';
import { archiveType, busType } from '../resources.ts';
import type { Archived, EventsState, Rule } from '../state.ts';

/** State of EventBridge that manages the rules of archives. */
const MANAGED_BY = 'prod.vhs.events.aws.internal';
/** Excludes replayed events from archives. */
const NO_REPLAY = '"replay-name":[{"exists":false}]';

const keyOf = ({ name, source }: Pick<ArchiveRecord, 'name' | 'source'>): Pick<RuleRecord, 'bus' | 'name'> => ({
  bus: busType.parse(source)!.key.name,
  name: `Events-Archive-${name}`,
});

/** Returns the archive's pattern without its closing brace, extended by the condition that excludes replays. */
const patternOf = (pattern: string | undefined): string =>
  pattern === undefined ? `{${NO_REPLAY}}` : `${pattern.trimEnd().slice(0, -1)},${NO_REPLAY}}`;

/**
 * Creates or updates the rule through which a bus feeds an archive.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-archive-event.html
 */
export function putArchiveRule(state: EventsState, archive: Archived): void {
  const { bus, name } = keyOf(archive);
  const service = busArn(state, bus).split(':', 4).join(':');
  const InputTemplate = `{"archive-arn": "${archiveType.arn(archive, state)}", "event": <aws.events.event.json>, "ingestion-time": <aws.events.event.ingestion-time>}`;
  state.putRule({
    bus,
    name,
    state: 'ENABLED',
    eventPattern: patternOf(archive.eventPattern),
    managedBy: MANAGED_BY,
    tags: [],
    targets: [{ Id: name, Arn: `${service}:::`, InputTransformer: { InputPathsMap: {}, InputTemplate } }],
    createdBy: state.accountId,
  });
}

/** Deletes the rule of an archive if it still exists. */
export function removeArchiveRule(state: EventsState, archive: Archived): void {
  const { bus, name } = keyOf(archive);
  state.removeRule(bus, name);
}

/** @throws AwsError `ManagedRuleException` for the rule of an archive unless the request sets Force */
export function refuseManaged(rule: Rule | undefined, force?: boolean): void {
  if (rule?.managedBy !== undefined && !force)
    throw eventsError(
      'ManagedRuleException',
      `${rule.name} is a managed rule. Set 'force' parameter to true to override.`,
    );
}

/** Disables the archive whose rule a request has changed with Force. */
export function disableArchiveOf(state: EventsState, rule: Rule): void {
  if (rule.managedBy === undefined) return;
  for (const archive of state.archives.values()) {
    const { bus, name } = keyOf(archive);
    if (bus === rule.bus && name === rule.name)
      state.archives.update(archive.name, (draft) => {
        draft.disabled = true;
      });
  }
}
