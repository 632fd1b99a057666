import { createIds, type RunProgram } from '@emu/core/programs';
import type { JsonObject } from '../json.ts';
import type { QueryOutcome } from './engine.ts';

/** An expression for another process. */
export interface RemoteQuery {
  readonly source: string;
  /** `$millis()`, in epoch milliseconds. */
  readonly time: number;
  /** Seed of random values. */
  readonly seed: string;
  /** `QueryValues` as JSON. */
  readonly values: string;
}

export const url = import.meta.url;

export async function load(): Promise<RunProgram<RemoteQuery, QueryOutcome>> {
  const { compileQuery, evaluate } = await import('./engine.ts');
  return ({ source, time, seed, values }) => {
    const { variables, states } = JSON.parse(values) as { variables: JsonObject; states: JsonObject };
    return evaluate(compileQuery(source), { variables, states }, { ids: createIds(seed), time });
  };
}
