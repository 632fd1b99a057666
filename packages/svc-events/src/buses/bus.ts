import { compilePattern, matchesPattern, type Pattern, patternEvent } from '@emu/core/patterns';
import { asService } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { busArn } from '../arns.ts';
import { sendDeadLetter } from '../dead-letters.ts';
import { type BusEvent, eventJson } from '../event.ts';
import { newEventKey, sealEvent } from '../event-key.ts';
import type { Archived, EventsState } from '../state.ts';

const compiled = new WeakMap<object, Pattern>();

/** Returns the compiled pattern of an archive, cached by archive record. */
function patternOf(archive: { readonly eventPattern?: string }): Pattern | undefined {
  if (archive.eventPattern === undefined) return undefined;
  let pattern = compiled.get(archive);
  if (!pattern) {
    pattern = compilePattern(archive.eventPattern);
    compiled.set(archive, pattern);
  }
  return pattern;
}

/** Whether a rule may run. */
type Choice = (name: string) => boolean;

/**
 * Passes an event to a bus: adds it to matching archives and runs matching rules. Returns before the deliveries end. A
 * promise only if the event is encrypted with a customer key. An event that the key of the bus cannot encrypt goes to
 * the dead-letter queue of the bus.
 * @param only rules that may run, for replays
 */
export function take(state: EventsState, bus: string, event: BusEvent, only?: Choice): Promise<void> | undefined {
  const key = state.buses.get(bus)?.kmsKeyIdentifier;
  const plain = event.dataKey === undefined ? event : withoutKey(event);
  // Events of AWS are encrypted with a key of AWS.
  if (key === undefined || event.source.startsWith('aws.')) return pass(state, bus, plain, only);
  return newEventKey(key, busArn(state, bus), state).then(
    (dataKey) => (state.closed ? undefined : pass(state, bus, { ...plain, dataKey }, only)),
    (error: unknown) => reject(state, bus, plain, error),
  );
}

/** Returns an event from another bus without its data key there. */
function withoutKey({ dataKey: _, ...event }: BusEvent): BusEvent {
  return event;
}

/** Sends an event that cannot be encrypted to the dead-letter queue of its bus. */
async function reject(state: EventsState, bus: string, event: BusEvent, error: unknown): Promise<void> {
  if (!(error instanceof AwsError)) throw error;
  state.record(bus, event);
  const arn = busArn(state, bus);
  const { code, message } = error;
  state.log.warn(`an event was not encrypted with the key of its bus: ${code}: ${message}`, { event: event.id, bus });
  const attributes = { EVENT_BUS_ARN: arn, ERROR_CODE: code, ERROR_MESSAGE: message || code };
  await sendDeadLetter(state, state.buses.get(bus)?.deadLetterConfig, event, attributes, (accountId, region) => ({
    accountId,
    region,
    ...asService('events', state.accountId, arn),
    cause: event.cause,
  }));
}

/** Adds an event to an archive; a promise if the archive has a customer key. */
function archive(state: EventsState, { name, source, kmsKeyIdentifier }: Archived, event: BusEvent) {
  const json = eventJson(event);
  if (kmsKeyIdentifier === undefined) {
    state.archived.add(name, { event: json });
    return undefined;
  }
  return sealEvent(kmsKeyIdentifier, source, json, state).then(
    (sealed) => {
      if (!state.closed && state.archives.has(name)) state.archived.add(name, sealed);
    },
    (error: unknown) => {
      if (!(error instanceof AwsError)) throw error;
      const { code, message } = error;
      state.log.warn(`an event was not archived: ${code}: ${message}`, { event: event.id, archive: name });
    },
  );
}

function pass(state: EventsState, bus: string, event: BusEvent, only: Choice | undefined): Promise<void> | undefined {
  state.record(bus, event);
  // Avoids most of the cost of service events if no rule can match them.
  if (!state.mayConsume(bus)) {
    state.logs.taken(bus, event, false);
    return undefined;
  }
  const prepared = patternEvent(JSON.parse(eventJson(event)));
  const rules = prepared ? state.matching(bus, prepared).filter(({ name }) => only?.(name) ?? true) : [];
  state.logs.taken(bus, event, rules.length > 0);
  if (!prepared) return undefined;
  const pending: Promise<void>[] = [];
  if (event.replayName === undefined) {
    const source = busArn(state, bus);
    for (const candidate of state.archives.values()) {
      if (candidate.source !== source || candidate.disabled) continue;
      const pattern = patternOf(candidate);
      const sealing = !pattern || matchesPattern(pattern, prepared) ? archive(state, candidate, event) : undefined;
      if (sealing) pending.push(sealing);
    }
  }
  for (const rule of rules) {
    state.report(rule, 'MatchedEvents');
    state.report(rule, 'TriggeredRules');
    void state.run(rule, event);
  }
  return pending.length > 0 ? Promise.all(pending).then(() => undefined) : undefined;
}
