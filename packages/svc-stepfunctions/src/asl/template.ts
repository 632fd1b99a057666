import { isObject } from '@emu/wire';
import { type Environment, follow, notInInput } from './environment.ts';
import { evaluateIntrinsic } from './intrinsics.ts';
import type { Json } from './json.ts';

/**
 * Evaluates a path or an intrinsic function.
 * @throws StateFailure
 */
export function evaluateText(text: string, field: string, env: Environment): Json {
  if (text.startsWith('States.')) return evaluateIntrinsic(text, env);
  const found = follow(text, env);
  if (found.found) return found.value;
  throw notInInput(text, field, env);
}

/**
 * Evaluates the `….$` members of a payload template.
 * @throws StateFailure
 */
export function fillTemplate(template: Json, env: Environment): Json {
  if (Array.isArray(template)) return template.map((item) => fillTemplate(item, env));
  if (!isObject(template)) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, value]) =>
      key.endsWith('.$') && typeof value === 'string'
        ? [key.slice(0, -2), evaluateText(value, key, env)]
        : [key, fillTemplate(value, env)],
    ),
  );
}
