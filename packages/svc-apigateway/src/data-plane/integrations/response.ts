import { Fields, findByPath, javaText } from '@emu/apigateway-common';
import { RegexError, WholeRegex } from '@emu/core/regex';
import type { DeepReadonly } from '@emu/core/service';
import type { ContentHandlingStrategy, Integration, IntegrationResponse } from '@emu/service-types/apigateway';
import type { Call, CallAnswer } from '../call.ts';
import { configurationFault } from '../fault.ts';
import { jsonOf, render, sharedValue } from '../mapping.ts';
import { textBody } from './text-body.ts';

/** Result of an integration, before mapping. */
export interface EndpointResult {
  readonly headers: Fields;
  readonly body: Buffer;
  /** Text to match with selection patterns: a status, or a function's error; empty for none. */
  readonly selector: string;
}

/**
 * Endpoint headers that are renamed.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
const REMAPPED: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-md5',
  'date',
  'expect',
  'host',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'trailer',
  'upgrade',
  'user-agent',
  'www-authenticate',
  'x-amzn-requestid',
]);
/** Endpoint headers that are dropped. */
const DROPPED: ReadonlySet<string> = new Set(['transfer-encoding', 'keep-alive']);

/** Returns the headers of an endpoint's response for the client. */
export function passedHeaders(headers: Fields): Fields {
  const passed = Fields.headers();
  for (const [name, values] of headers.entries()) {
    const lower = name.toLowerCase();
    if (!DROPPED.has(lower)) passed.set(REMAPPED.has(lower) ? `x-amzn-Remapped-${name}` : name, ...values);
  }
  return passed;
}

type Response = DeepReadonly<IntegrationResponse>;

/** Integration responses with compiled patterns. */
interface Responses {
  readonly patterns: readonly { readonly pattern: WholeRegex; readonly response: Response }[];
  readonly fallback: Response | undefined;
}

const known = new WeakMap<DeepReadonly<Integration>, Responses>();

/** Returns the responses of an integration with their patterns, compiled once. */
function responsesOf(integration: DeepReadonly<Integration>): Responses {
  let found = known.get(integration);
  if (!found) {
    const all = Object.values(integration.integrationResponses ?? {});
    const patterns = all.flatMap((response) =>
      response.selectionPattern
        ? [{ pattern: new WholeRegex(response.selectionPattern, { dotAll: true }), response }]
        : [],
    );
    found = { patterns, fallback: all.find(({ selectionPattern }) => !selectionPattern) };
    known.set(integration, found);
  }
  return found;
}

/**
 * Selects the integration response for a result.
 * @throws GatewayFault if none matches, or a pattern cannot be used
 */
function select(integration: DeepReadonly<Integration>, selector: string): Response {
  try {
    const { patterns, fallback } = responsesOf(integration);
    const matching = selector === '' ? undefined : patterns.find(({ pattern }) => pattern.test(selector))?.response;
    const found = matching ?? fallback;
    if (found) return found;
  } catch (error) {
    if (error instanceof RegexError) throw configurationFault(error.message);
    throw error;
  }
  throw configurationFault('No match for output mapping and no default output mapping configured');
}

/** Selects a response template: for the client's media type, otherwise for JSON, otherwise the first. */
function templateFor(
  call: Call,
  templates: Readonly<Record<string, string>>,
): [type: string, template: string] | undefined {
  const names = Object.keys(templates);
  if (names.length <= 1) return names.length === 0 ? undefined : [names[0]!, templates[names[0]!] ?? ''];
  const accepted = (call.request.headers.get('accept') ?? '').split(',').map((one) => one.split(';')[0]!.trim());
  const name =
    accepted.map((type) => names.find((one) => one === type)).find((one) => one !== undefined) ??
    names.find((one) => one === 'application/json') ??
    names[0]!;
  return [name, templates[name] ?? ''];
}

/** Evaluates a mapping expression of a response. */
function answerValue(call: Call, { headers, body }: EndpointResult, source: string): string | undefined {
  const [, place, name] = /^integration\.response\.(header|multivalueheader|body)\.?(.*)$/s.exec(source) ?? [];
  if (place === 'header') return headers.get(name!);
  if (place === 'multivalueheader') return headers.has(name!) ? headers.all(name!).join(',') : undefined;
  if (place !== 'body') return sharedValue(call, source);
  if (name === '') return body.toString();
  const found = findByPath(jsonOf(body), name!.startsWith('[') ? `$${name}` : `$.${name}`);
  return found === undefined || found === null ? undefined : javaText(found);
}

/**
 * Returns the default conversion of a body, by the first media type that the client accepts.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings-workflow.html
 */
function conversionFor(call: Call, binary: boolean): ContentHandlingStrategy | undefined {
  const [accepted = ''] = (call.request.headers.get('accept') ?? '').split(',');
  // Without the header all types are accepted, which is binary if every type is.
  const wanted = call.isBinary(accepted.trim() || '*/*');
  if (binary === wanted) return undefined;
  return wanted ? 'CONVERT_TO_BINARY' : 'CONVERT_TO_TEXT';
}

/** Returns an endpoint's proxy response for the client: bytes for binary media types, otherwise UTF-8. */
export function passedAnswer(call: Call, answer: { status: number; headers: Fields; body: Buffer }): CallAnswer {
  const { status, body } = answer;
  const headers = passedHeaders(answer.headers);
  const binary = call.isBinary(headers.get('content-type'));
  if (!binary) return { status, headers, body: textBody(body) };
  const text = conversionFor(call, binary) === 'CONVERT_TO_TEXT';
  return { status, headers, body: text ? Buffer.from(body.toString('base64')) : body };
}

/**
 * Maps the result of a non-proxy integration to the method's response.
 * @throws GatewayFault if no integration response matches, or its template fails
 */
export async function mapAnswer(
  call: Call,
  integration: DeepReadonly<Integration>,
  result: EndpointResult,
): Promise<CallAnswer> {
  const response = select(integration, result.selector);
  const { responseTemplates = {}, responseParameters = {}, contentHandling } = response;
  const given = result.headers.get('content-type');
  const headers = Fields.headers();
  for (const [target, source] of Object.entries(responseParameters)) {
    const value = answerValue(call, result, source);
    if (value !== undefined) headers.set(target.slice('method.response.header.'.length), value);
  }
  const binary = call.isBinary(given);
  const conversion = contentHandling ?? conversionFor(call, binary);
  let body = binary ? result.body : textBody(result.body);
  if (conversion === 'CONVERT_TO_TEXT' && binary) body = Buffer.from(body.toString('base64'));
  const found = templateFor(call, responseTemplates as Record<string, string>);
  if (found?.[1] && (!binary || conversion === 'CONVERT_TO_TEXT'))
    body = Buffer.from(await render(call, found[1], body));
  if (conversion === 'CONVERT_TO_BINARY' && !binary) body = Buffer.from(body.toString(), 'base64');
  const { responseOverride } = call;
  if (responseOverride)
    for (const [name, value] of Object.entries(responseOverride.header)) headers.set(name, javaText(value));
  if (!headers.has('content-type'))
    headers.set('Content-Type', binary && given ? given : (found?.[0] ?? 'application/json'));
  const overridden = Number(javaText(responseOverride?.status));
  return {
    status:
      Number.isInteger(overridden) && overridden >= 100 && overridden <= 599 ? overridden : Number(response.statusCode),
    headers: passedHeaders(headers),
    body,
  };
}
