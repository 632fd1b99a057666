import { compilePattern, matchesPattern, type Pattern, patternEvent } from '@emu/core/patterns';
import { busArn } from '../arns.ts';
import { type BusEvent, eventJson } from '../event.ts';
import type { EventsState } from '../state.ts';

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

/**
 * Passes an event to a bus: adds it to matching archives and runs matching rules. Returns before the deliveries end.
 * @param only ARNs of the rules that may run, for replays
 */
export function take(state: EventsState, bus: string, event: BusEvent, only?: (name: string) => boolean): void {
  state.record(bus, event);
  // Avoids most of the cost of service events if no rule can match them.
  if (!state.mayConsume(bus)) {
    state.logs.taken(bus, event, false);
    return;
  }
  const prepared = patternEvent(JSON.parse(eventJson(event)));
  const rules = prepared ? state.matching(bus, prepared).filter(({ name }) => only?.(name) ?? true) : [];
  state.logs.taken(bus, event, rules.length > 0);
  if (!prepared) return;
  if (event.replayName === undefined) {
    const source = busArn(state, bus);
    for (const archive of state.archives.values()) {
      if (archive.source !== source || archive.disabled) continue;
      const pattern = patternOf(archive);
      if (!pattern || matchesPattern(pattern, prepared)) state.archived.add(archive.name, event);
    }
  }
  for (const rule of rules) {
    state.report(rule, 'MatchedEvents');
    state.report(rule, 'TriggeredRules');
    void state.run(rule, event);
  }
}
