import { findByPath } from '@emu/apigateway-common';
import { parseJson } from '@emu/wire';

/** Fallback key. */
export const DEFAULT_KEY = '$default';
const ESCAPED_DEFAULT = `\\${DEFAULT_KEY}`;

/** Matches an escaped dollar sign, a variable in braces, and one without. */
const PART = /\\\$|\$\{([^{}]*)\}|\$([\w.[\]-]+)/g;
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
  variablesIn(expression).every((name) => allowed.test(name));

/**
 * Whether an expression is a valid route selection: with members of the message body and no other variables, or the
 * escaped key `$default`.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-selection-expressions.html
 */
export const selectsMessages = (expression: string): boolean =>
  expression === ESCAPED_DEFAULT || (variablesIn(expression).length > 0 && hasOnly(expression, OF_MESSAGE));
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

/** Returns the value of `request.body.<path>` in a message; undefined unless it is text, number or boolean. */
export function ofMessage(name: string, message: string): string | undefined {
  if (!OF_MESSAGE.test(name)) return undefined;
  try {
    const value = findByPath(parseJson(message), `$.${name.slice('request.body.'.length)}`);
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined;
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
  selectedKey(expression, (name) => ofMessage(name, message));
