import { contextValue, findByPath } from '@emu/apigateway-common';
import { percentDecoded } from '@emu/core/service';
import { optionalText, parseJson } from '@emu/wire';
import { contextOf } from './context.ts';
import type { HttpExchange } from './exchange.ts';
import { mappingParts } from './mapping-values.ts';
import type { HttpAnswer } from './response.ts';

/** Sources of mapping values. */
interface Sources {
  readonly exchange: HttpExchange;
  readonly answer?: HttpAnswer;
}

/** Returns a value in a JSON body by path; the whole body without a path. */
function inBody(body: Buffer, path: string | undefined): string | undefined {
  const text = body.toString();
  if (path === undefined) return text;
  try {
    return optionalText(findByPath(parseJson(text), `$.${path}`));
  } catch {
    return undefined;
  }
}

function selected(reference: string, { exchange, answer }: Sources): string | undefined {
  const [root, kind, ...rest] = reference.split('.');
  const name = rest.join('.');
  if (root === 'context') return optionalText(contextValue(contextOf(exchange), reference.slice('context.'.length)));
  if (root === 'stageVariables') return exchange.stage.variables[kind!];
  if (root === 'response') {
    if (!answer) return undefined;
    if (kind === 'statuscode') return String(answer.status);
    if (kind === 'header') return answer.headers.has(name) ? answer.headers.all(name).join(',') : undefined;
    return inBody(answer.body, name || undefined);
  }
  if (kind === 'header') return exchange.headers.has(name) ? exchange.headers.all(name).join(',') : undefined;
  if (kind === 'querystring') return exchange.query.has(name) ? exchange.query.all(name).join(',') : undefined;
  if (kind === 'path') return name === '' ? percentDecoded(exchange.path) : exchange.match?.pathParameters[name];
  return inBody(exchange.body, name || undefined);
}

/** Evaluates a mapping value; undefined if a selected value is missing. */
export function mappedValue(value: string, sources: Sources): string | undefined {
  const parts = mappingParts(value);
  if (parts.length === 1 && parts[0]!.reference !== undefined) return selected(parts[0]!.reference, sources);
  return parts.map(({ text, reference }) => text ?? selected(reference!, sources) ?? '').join('');
}

/** Request for an integration after mappings. */
export interface MappedRequest {
  readonly headers: HttpExchange['headers'];
  readonly query: HttpExchange['query'];
  /** Set if a mapping changes it. */
  readonly path: string | undefined;
}

/**
 * Applies the request mappings of an integration.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-parameter-mapping.html
 */
export function mapRequest(exchange: HttpExchange, mappings: Readonly<Record<string, string>>): MappedRequest {
  const headers = exchange.headers.copy();
  const query = exchange.query.copy();
  let path: string | undefined;
  for (const [target, value] of Object.entries(mappings)) {
    const [, action, kind, name] = /^(\w+):(\w+)(?:\.(.+))?$/.exec(target)!;
    const fields = kind === 'header' ? headers : query;
    if (action === 'remove') {
      fields.delete(name!);
      continue;
    }
    const text = mappedValue(value, { exchange });
    if (text === undefined) continue;
    if (kind === 'path') path = text.startsWith('/') ? text : `/${text}`;
    else if (action === 'append') fields.add(name!, text);
    else fields.set(name!, text);
  }
  return { headers, query, path };
}

/** Applies the response mappings of a status. */
export function mapResponse(
  exchange: HttpExchange,
  answer: HttpAnswer,
  mappings: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined,
): HttpAnswer {
  const own = mappings?.[String(answer.status)];
  if (!own) return answer;
  const headers = answer.headers.copy();
  let { status } = answer;
  for (const [target, value] of Object.entries(own)) {
    const [, action, kind, name] = /^(\w+):(\w+)(?:\.(.+))?$/.exec(target)!;
    if (action === 'remove') {
      headers.delete(name!);
      continue;
    }
    const text = mappedValue(value, { exchange, answer });
    if (text === undefined) continue;
    if (kind === 'statuscode') status = /^[1-5]\d\d$/.test(text) ? Number(text) : status;
    else if (action === 'append') headers.add(name!, text);
    else headers.set(name!, text);
  }
  return { ...answer, status, headers };
}
