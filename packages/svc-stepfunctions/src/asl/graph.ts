import { isObject } from '@emu/wire';
import type { Json, JsonObject } from './json.ts';

/** Returns the targets of a state's transitions. */
function* targetsOf(state: Json | undefined): Iterable<Json | undefined> {
  if (!isObject(state)) return;
  yield state.Next;
  yield state.Default;
  for (const rules of [state.Choices, state.Catch])
    if (Array.isArray(rules)) for (const rule of rules) if (isObject(rule)) yield rule.Next;
}

/** Returns the names of the states that no path of transitions from the start state reaches. */
export function unreachableStates(states: JsonObject, start: string): string[] {
  const reached = new Set([start]);
  // A set also yields the members that are added while it is iterated.
  for (const name of reached)
    for (const target of targetsOf(states[name]))
      if (typeof target === 'string' && Object.hasOwn(states, target)) reached.add(target);
  return Object.keys(states).filter((name) => !reached.has(name));
}

/** Whether a state ends its block. */
export const isTerminal = (state: Json): boolean =>
  isObject(state) && (state.End === true || state.Type === 'Succeed' || state.Type === 'Fail');
