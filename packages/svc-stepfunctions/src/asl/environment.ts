import { runtimeFailure, type StateFailure } from './failure.ts';
import type { Json, JsonObject } from './json.ts';
import { compilePath, type Found, lookUp } from './json-path.ts';

/** What expressions of a state can see. */
export interface Environment {
  /** `$`, and `$states.input`. */
  readonly input: Json;
  /** `$$`, and `$states.context`. */
  readonly context: JsonObject;
  /** Variables that Assign has made, of this scope and those around it. */
  readonly variables: Readonly<JsonObject>;
  /** `$states.result`. */
  readonly result?: Json;
  /** `$states.errorOutput`. */
  readonly errorOutput?: Json;
  /** Values of `States.UUID` and `States.MathRandom`. */
  readonly ids: { uuid(): string; random(): number };
}

const VARIABLE = /^\$([\p{L}_][\p{L}\p{N}_]*)/u;

/** Follows a path from the input (`$`), the context object (`$$`) or a variable (`$name`). */
export function follow(text: string, env: Environment): Found {
  if (text.startsWith('$$')) return lookUp(compilePath(text.slice(1)), env.context);
  const name = VARIABLE.exec(text)?.[1];
  if (name === undefined) return lookUp(compilePath(text), env.input);
  const value = env.variables[name];
  if (value === undefined) return { found: false, problem: `No results for path: $['${name}']` };
  return lookUp(compilePath(`$${text.slice(name.length + 1)}`), value);
}

/** What a path of a field leads to. @throws StateFailure `States.Runtime` where it leads nowhere */
export function valueAt(path: string, env: Environment): Json {
  const result = follow(path, env);
  if (result.found) return result.value;
  throw runtimeFailure(`Invalid path '${path}' : ${result.problem}`);
}

/** The sentence for a path in a template or of an error that leads nowhere. */
export const notInInput = (path: string, field: string, env: Environment): StateFailure =>
  runtimeFailure(
    `The JSONPath '${path}' specified for the field '${field}' could not be found in the input '${JSON.stringify(env.input)}'`,
  );
