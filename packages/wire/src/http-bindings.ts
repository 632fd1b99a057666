import type { BodyCodec } from './body.ts';
import { setOwn, shapeOf } from './compile.ts';
import {
  headerText,
  headerValue,
  joinable,
  splitHeader,
  type TextDecoder,
  type TextEncoder,
  textDecoder,
  textEncoder,
} from './header-values.ts';
import type { HeaderValues, WireRequest } from './http.ts';
import type { MemberModel, ServiceModel, Shape } from './model.ts';
import { captureSegments, parseQuery, type UriTemplate } from './uri-template.ts';

/** A request with parsed parts for the bindings. */
interface Source {
  /** Path segments matching those of the template. */
  path: readonly (string | undefined)[];
  query: ReadonlyMap<string, string[]>;
  headers: HeaderValues;
}

/** Reads one member from a request; undefined if missing. */
type Reader = (source: Source) => unknown;
/** Reads a member from the text of its header. */
type HeaderReader = (text: string) => unknown;
type Malformed = BodyCodec['malformed'];

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/** Reads the elements of a list that is bound to a header or query parameter. */
function elementOf(model: ServiceModel, shape: Shape): { element: MemberModel; httpDates: boolean } {
  const element = shape.member!;
  const target = shapeOf(model, element.shape);
  const format = element.timestampFormat ?? target.timestampFormat ?? 'rfc822';
  return { element, httpDates: target.type === 'timestamp' && format === 'rfc822' };
}

function headerReader(model: ServiceModel, member: MemberModel, malformed: Malformed): HeaderReader {
  const shape = shapeOf(model, member.shape);
  if (shape.type !== 'list') {
    const decode = textDecoder(model, member, 'rfc822', (message) => malformed(message));
    return (text) => decode(headerValue(text));
  }
  const { element, httpDates } = elementOf(model, shape);
  const decode = textDecoder(model, element, 'rfc822', (message) => malformed(message));
  return (text) => (text.trim() === '' ? [] : splitHeader(headerValue(text), httpDates).map(decode));
}

function prefixReader(member: MemberModel): Reader {
  const prefix = (member.locationName ?? '').toLowerCase();
  return ({ headers }) => {
    let out: Record<string, unknown> | undefined;
    for (const name in headers) {
      const text = single(headers[name]);
      if (text === undefined || !name.startsWith(prefix)) continue;
      out ??= {};
      setOwn(out, name.slice(prefix.length), headerValue(text));
    }
    return out;
  };
}

function queryReader(model: ServiceModel, name: string, member: MemberModel, malformed: Malformed): Reader {
  const parameter = member.locationName ?? name;
  const shape = shapeOf(model, member.shape);
  if (shape.type === 'map') {
    const list = shapeOf(model, shape.value!.shape).type === 'list';
    // Servers put every parameter into such a map, including those with their own members.
    return ({ query }) => {
      if (query.size === 0) return undefined;
      const out: Record<string, unknown> = {};
      for (const [key, values] of query) setOwn(out, key, list ? values : values[0]);
      return out;
    };
  }
  if (shape.type === 'list') {
    const decode = textDecoder(model, shape.member!, 'iso8601', (message) => malformed(message));
    return ({ query }) => query.get(parameter)?.map(decode);
  }
  const integer = shape.type === 'integer' || shape.type === 'long';
  const decode = textDecoder(model, member, 'iso8601', (message, wrong) =>
    malformed(message, { name: parameter, text: wrong, integer }),
  );
  const text = shape.type === 'string';
  return ({ query }) => {
    const value = query.get(parameter)?.[0];
    // `?limit=` is no number, but an empty string.
    return value === undefined || (value === '' && !text) ? undefined : decode(value);
  };
}

function labelReader(
  model: ServiceModel,
  name: string,
  member: MemberModel,
  { segments }: UriTemplate,
  malformed: Malformed,
): Reader {
  const label = member.locationName ?? name;
  const decode: TextDecoder = textDecoder(model, member, 'iso8601', (message) => malformed(message));
  const at = segments.findIndex((segment) => 'label' in segment && segment.label === label);
  return ({ path }) => {
    if (at < 0) return undefined;
    const text = path[at];
    if (text === undefined) throw malformed(`The path has a malformed escape where ${label} is expected`);
    return decode(text);
  };
}

/**
 * Compiles the decoder for input members in the path, the query and the headers.
 * @returns a function that sets those members in `target`; undefined if all are in the body
 */
export function compileRequestBindings(
  model: ServiceModel,
  shape: Shape,
  template: UriTemplate,
  malformed: Malformed,
): ((request: WireRequest, target: Record<string, unknown>) => void) | undefined {
  const readers: [string, Reader][] = [];
  // An operation may define dozens of headers and a request send a few, so the request's headers are iterated.
  const byHeader = new Map<string, [string, HeaderReader]>();
  let usesQuery = false;
  let usesLabels = false;
  for (const [name, member] of Object.entries(shape.members ?? {})) {
    switch (member.location) {
      case 'uri':
        usesLabels = true;
        readers.push([name, labelReader(model, name, member, template, malformed)]);
        break;
      case 'querystring':
        usesQuery = true;
        readers.push([name, queryReader(model, name, member, malformed)]);
        break;
      case 'header':
        byHeader.set((member.locationName ?? name).toLowerCase(), [name, headerReader(model, member, malformed)]);
        break;
      case 'headers':
        readers.push([name, prefixReader(member)]);
        break;
    }
  }
  if (readers.length === 0 && byHeader.size === 0) return undefined;
  return (request, target) => {
    const { headers } = request;
    if (byHeader.size > 0)
      for (const header in headers) {
        const found = byHeader.get(header);
        const text = found && single(headers[header]);
        if (text !== undefined) setDefined(target, found![0], found![1](text));
      }
    if (readers.length === 0) return;
    const source: Source = {
      path: usesLabels ? captureSegments(template, request.path) : [],
      query: parseQuery(usesQuery ? request.query : ''),
      headers,
    };
    for (const [name, read] of readers) setDefined(target, name, read(source));
  };
}

function setDefined(target: Record<string, unknown>, name: string, value: unknown): void {
  if (value !== undefined) target[name] = value;
}

/** Response head of an output or an error. */
export interface ResponseHead {
  status?: number;
  headers: Record<string, string>;
}

type Writer = (value: unknown, head: ResponseHead) => void;

function headerWriter(model: ServiceModel, name: string, member: MemberModel): Writer {
  const header = member.locationName ?? name;
  const shape = shapeOf(model, member.shape);
  if (shape.type !== 'list' || member.jsonvalue) {
    const encode: TextEncoder = textEncoder(model, member, 'rfc822');
    return (value, { headers }) => {
      headers[header] = headerText(encode(value));
    };
  }
  const { element, httpDates } = elementOf(model, shape);
  const encode = textEncoder(model, element, 'rfc822');
  return (value, { headers }) => {
    if (!Array.isArray(value)) throw new TypeError(`an output has no list where its model has ${header}`);
    const texts = value.filter((item) => item !== null && item !== undefined).map(encode);
    headers[header] = headerText((httpDates ? texts : texts.map(joinable)).join(', '));
  };
}

function prefixWriter(member: MemberModel): Writer {
  const prefix = member.locationName ?? '';
  return (value, { headers }) => {
    for (const [key, item] of Object.entries(value as Record<string, unknown>))
      if (item !== null && item !== undefined) headers[`${prefix}${headerName(key)}`] = headerText(String(item));
  };
}

/** Replaces characters that are invalid in a header name by hyphens, because clients choose names of metadata. */
const headerName = (key: string): string => key.replaceAll(/[^A-Za-z0-9!#$%&'*+.^_`|~-]/g, '-');

/**
 * Compiles the encoder for status and headers of an output or error.
 * @returns a function that fills the head; undefined if everything is in the body
 */
export function compileResponseBindings(
  model: ServiceModel,
  shape: Shape,
): ((output: Record<string, unknown>, head: ResponseHead) => void) | undefined {
  const writers = new Map<string, Writer>();
  for (const [name, member] of Object.entries(shape.members ?? {})) {
    if (member.location === 'header') writers.set(name, headerWriter(model, name, member));
    else if (member.location === 'headers') writers.set(name, prefixWriter(member));
    else if (member.location === 'statusCode')
      writers.set(name, (value, head) => {
        head.status = Number(value);
      });
  }
  if (writers.size === 0) return undefined;
  return (output, head) => {
    for (const name in output) {
      const value = output[name];
      if (value !== undefined && value !== null) writers.get(name)?.(value, head);
    }
  };
}
