import { contextValue, javaText } from '@emu/apigateway-common';
import { contextOf } from '../context.ts';
import type { HttpExchange } from '../exchange.ts';

function sourceValue(exchange: HttpExchange, source: string): string | undefined {
  const [root = '', kind = '', ...rest] = source.replace(/^\$/, '').split('.');
  const name = rest.join('.');
  if (root === 'stageVariables') return exchange.stage.variables[kind];
  if (root === 'context') {
    const value = contextValue(contextOf(exchange), source.slice('$context.'.length));
    return value === undefined ? undefined : javaText(value);
  }
  const fields = kind === 'header' ? exchange.headers : exchange.query;
  return fields.has(name) ? fields.all(name).join(',') : undefined;
}

/** Returns the values of a request's identity sources, in order; undefined or empty if missing. */
export const identityValues = (exchange: HttpExchange, sources: readonly string[]): (string | undefined)[] =>
  sources.map((source) => sourceValue(exchange, source));
