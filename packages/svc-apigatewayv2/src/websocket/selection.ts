import { findByPath } from '@emu/apigateway-common';
import { parseJson } from '@emu/wire';

/** Fallback key. */
export const DEFAULT_KEY = '$default';
const ESCAPED_DEFAULT = `\\${DEFAULT_KEY}`;

/** Matches an escaped dollar sign, a variable in braces, and one without. */
const PART = /\\\$|\$\{([^{}]*)\}|\$([\w.[\]-]+)/g;
/** Maximum characters of an expression. AWS's limit is unknown; keys are names of actions. */
const MAX_EXPRESSION = 10_000;
const OF_MESSAGE = /^request\.body\.[^\s]+$/;
const OF_ANSWER = /^(?:request\.body\.[^\s]+|integration\.response\.(?:statuscode|(?:multivalue)?header\.[^\s]+))$/;

/** Returns the variables of an expression; `$default` is a key, not a variable. */
function variablesIn(expression: string): string[] {
  return [...expression.matchAll(PART)].flatMap(([whole, braced, plain]) => {
    const name = braced ?? plain;
    return name === undefined || whole === DEFAULT_KEY ? [] : [name];
  });
}

const hasOnly = (expression: string, allowed: RegExp): boolean =>
  expression.length <= MAX_EXPRESSION && variablesIn(expression).every((name) => allowed.test(name));

/**
 * Whether an expression is a valid route selection: with members of the message body and no other variables, or the
 * escaped key `$default`.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-selection-expressions.html
 */
export const selectsMessages = (expression: string): boolean =>
  expression === ESCAPED_DEFAULT || (hasOnly(expression, OF_MESSAGE) && variablesIn(expression).length > 0);
/** Whether an expression is valid for template selection of requests: static text is valid, too. */
export const isRequestSelection = (expression: string): boolean => hasOnly(expression, OF_MESSAGE);
/** Whether an expression is valid for template selection of responses. */
export const isResponseSelection = (expression: string): boolean => hasOnly(expression, OF_ANSWER);

/**
 * Evaluates an expression to a key: its text with the values of its variables, without recursion.
 * @returns undefined if a variable has no value
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-selection-expressions.html
 */
export function selectedKey(expression: string, resolve: (name: string) => string | undefined): string | undefined {
  let missing = false;
  const key = expression.replace(PART, (whole, braced: string | undefined, plain: string | undefined) => {
    if (whole === '\\$') return '$';
    if (whole === DEFAULT_KEY) return whole;
    const value = resolve(braced ?? plain!);
    missing ||= value === undefined;
    return value ?? '';
  });
  return missing ? undefined : key;
}

/**
 * Returns a function for the values of `request.body.<path>` in a message, which is parsed once. A value is undefined
 * unless it is text, number or boolean.
 */
export function valuesOfMessage(message: string): (name: string) => string | undefined {
  let parsed: { readonly value: unknown } | undefined;
  const parse = (): { readonly value: unknown } => {
    try {
      return { value: parseJson(message) };
    } catch {
      return { value: undefined };
    }
  };
  return (name) => {
    if (!OF_MESSAGE.test(name)) return undefined;
    parsed ??= parse();
    const value = valueAt(parsed.value, name.slice('request.body.'.length));
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined;
  };
}

/** Returns the value at a path of a message; undefined for an invalid path. */
function valueAt(message: unknown, path: string): unknown {
  try {
    return findByPath(message, `$.${path}`);
  } catch {
    return undefined;
  }
}

/**
 * Returns the route key of a message.
 * @param expression for example `$request.body.action` or `${request.body.kind}/${request.body.version}`
 * @returns undefined if the message has none
 */
export const keyOfMessage = (expression: string, message: string): string | undefined =>
  selectedKey(expression, valuesOfMessage(message));
