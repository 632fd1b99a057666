import { compilePath, type Found, lookUp } from '@emu/core/json-path';
import { WorkBudget, WorkLimitError } from '@emu/core/service';
import { runtimeFailure, type StateFailure } from './failure.ts';
import type { Json, JsonObject } from './json.ts';

/** Values accessible to a state's expressions. */
export interface Environment {
  /** `$`, and `$states.input`. */
  readonly input: Json;
  /** `$$`, and `$states.context`. */
  readonly context: JsonObject;
  /** Variables set by Assign, in this scope and enclosing ones. */
  readonly variables: Readonly<JsonObject>;
  /** `$states.result`. */
  readonly result?: Json;
  /** `$states.errorOutput`. */
  readonly errorOutput?: Json;
  /** Name of the state. */
  readonly state: string;
  /** ARN of the state machine, whose programs take turns with those of others. */
  readonly owner: string;
  /** `$millis()` of JSONata, in epoch milliseconds. */
  readonly time: number;
  /** Counts the work of all paths and intrinsic functions that are evaluated in one go. */
  readonly work: WorkBudget;
  /** Waits for work outside of this thread, until the state ends. */
  readonly wait: <T>(work: Promise<T>) => Promise<T>;
  /** Sources of `States.UUID` and `States.MathRandom`. */
  readonly ids: { uuid(): string; random(): number };
}

/** Limits of the work of an environment: those of one intrinsic function, and twice its size. */
const LIMITS = { steps: 1_000_000, size: 16 * 1024 * 1024 };

/** Returns the budget of a new environment. */
export const newWork = (): WorkBudget => new WorkBudget(LIMITS);

const VARIABLE = /^\$([\p{L}_][\p{L}\p{N}_]*)/u;

/**
 * Resolves a path from the input (`$`), the context object (`$$`) or a variable (`$name`).
 * @throws StateFailure `States.Runtime` if it, or all paths of the environment together, visit too many values
 */
export function follow(text: string, env: Environment): Found {
  try {
    return resolve(text, env);
  } catch (error) {
    if (error instanceof WorkLimitError) throw runtimeFailure(`Invalid path '${text}' : ${error.message}`);
    throw error;
  }
}

function resolve(text: string, env: Environment): Found {
  if (text.startsWith('$$')) return lookUp(compilePath(text.slice(1)), env.context, env.work);
  const name = VARIABLE.exec(text)?.[1];
  if (name === undefined) return lookUp(compilePath(text), env.input, env.work);
  const value = env.variables[name];
  if (value === undefined) return { found: false, problem: `No results for path: $['${name}']` };
  return lookUp(compilePath(`$${text.slice(name.length + 1)}`), value, env.work);
}

/**
 * Returns the value at a field's path.
 * @throws StateFailure `States.Runtime` if it does not match
 */
export function valueAt(path: string, env: Environment): Json {
  const result = follow(path, env);
  if (result.found) return result.value;
  throw runtimeFailure(`Invalid path '${path}' : ${result.problem}`);
}

/** Returns the failure for an unmatched path in a template or of an error. */
export const notInInput = (path: string, field: string, env: Environment): StateFailure =>
  runtimeFailure(
    `The JSONPath '${path}' specified for the field '${field}' could not be found in the input '${JSON.stringify(env.input)}'`,
  );
