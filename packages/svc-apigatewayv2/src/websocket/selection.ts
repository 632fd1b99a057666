import { findByPath } from '@emu/apigateway-common';

/** The key for everything that has no key of its own. */
export const DEFAULT_KEY = '$default';

/** A dollar sign that stands for itself, a variable in braces, and one without. */
const PART = /\\\$|\$\{([^{}]*)\}|\$([\w.[\]-]+)/g;
const OF_MESSAGE = /^request\.body\.[^\s]+$/;
const OF_ANSWER = /^(?:request\.body\.[^\s]+|integration\.response\.(?:statuscode|(?:multivalue)?header\.[^\s]+))$/;

/** The variables of an expression; `$default` is a key and none. */
function variablesIn(expression: string): string[] {
  return [...expression.matchAll(PART)].flatMap(([whole, braced, plain]) => {
    const name = braced ?? plain;
    return name === undefined || whole === DEFAULT_KEY ? [] : [name];
  });
}

const hasOnly = (expression: string, allowed: RegExp): boolean =>
  variablesIn(expression).every((name) => allowed.test(name));

/** Whether an expression tells messages apart: it has members of their bodies, and no other variables. */
export const tellsMessages = (expression: string): boolean =>
  variablesIn(expression).length > 0 && hasOnly(expression, OF_MESSAGE);
/** Whether an expression may choose the template of a request: static text may, too. */
export const isRequestSelection = (expression: string): boolean => hasOnly(expression, OF_MESSAGE);
/** Whether an expression may choose the template of a response. */
export const isResponseSelection = (expression: string): boolean => hasOnly(expression, OF_ANSWER);

/**
 * The key that an expression comes to: its text with the values of its variables. It is evaluated once.
 * @returns undefined where a variable has no value
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

/** The value of `request.body.<path>` in a message; undefined for what is no text, number or boolean there. */
export function ofMessage(name: string, message: string): string | undefined {
  if (!OF_MESSAGE.test(name)) return undefined;
  try {
    const value = findByPath(JSON.parse(message), `$.${name.slice('request.body.'.length)}`);
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The key that a message names by a selection expression.
 * @param expression e.g. `$request.body.action` or `${request.body.kind}/${request.body.version}`
 * @returns undefined for what names none
 */
export const keyOfMessage = (expression: string, message: string): string | undefined =>
  selectedKey(expression, (name) => ofMessage(name, message));
