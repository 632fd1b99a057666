import { findByPath } from '@emu/apigateway-common';

/**
 * The key that a message names by the API's route selection expression.
 * @param expression e.g. `$request.body.action` or `${request.body.action}`
 * @returns undefined for what names none
 */
export function routeKeyOf(expression: string, message: string): string | undefined {
  const path = /^\$\{?request\.body\.([^}]+)\}?$/.exec(expression)?.[1];
  if (path === undefined) return undefined;
  try {
    const value = findByPath(JSON.parse(message), `$.${path}`);
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined;
  } catch {
    return undefined;
  }
}
