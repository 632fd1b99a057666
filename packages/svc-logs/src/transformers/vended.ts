import { percentDecoded } from '@emu/core/service';
import { isObject, parseJson } from '@emu/wire';
import { FLOW_LOG, QUERY_LOG } from '../vended/fields.ts';
import { type EventDocument, type Json, type JsonObject, TransformError } from './document.ts';

/** Fields of CloudFront standard logs, in order. */
const CLOUDFRONT = [
  'date',
  'time',
  'x-edge-location',
  'sc-bytes',
  'c-ip',
  'cs-method',
  'cs(Host)',
  'cs-uri-stem',
  'sc-status',
  'cs(Referer)',
  'cs(User-Agent)',
  'cs-uri-query',
  'cs(Cookie)',
  'x-edge-result-type',
  'x-edge-request-id',
  'x-host-header',
  'cs-protocol',
  'cs-bytes',
  'time-taken',
  'x-forwarded-for',
  'ssl-protocol',
  'ssl-cipher',
  'x-edge-response-result-type',
  'cs-protocol-version',
  'fle-status',
  'fle-encrypted-fields',
  'c-port',
  'time-to-first-byte',
  'x-edge-detailed-result-type',
  'sc-content-type',
  'sc-content-len',
  'sc-range-start',
  'sc-range-end',
];

/** Text fields that look like numbers. */
const TEXTS: readonly string[] = ['accountId'];

const POSTGRES = /^(\S+ \S+ \S+?):([^:]*):([^@:]*)@([^:]*):\[(\d+)\]:([A-Z]+[0-9]*):/;

/** Converts a text to a number, if it is one. */
const typed = (name: string, text: string): Json =>
  /^-?\d+(?:\.\d+)?$/.test(text) && !TEXTS.includes(name) ? Number(text) : text;

/**
 * Assigns columns separated by white space to names.
 * @throws TransformError for too few columns
 */
function columns(document: EventDocument, names: readonly string[], fewest = names.length): void {
  const values = document.message.trim().split(/\s+/);
  if (values.length < fewest) throw new TransformError('The message has too few fields');
  const fields: JsonObject = {};
  for (const [index, name] of names.entries()) {
    const value = values[index];
    if (value !== undefined) fields[name] = typed(name, percentDecoded(value));
  }
  document.merge(fields, undefined);
}

export const parseCloudfront = (document: EventDocument): void => columns(document, CLOUDFRONT, 26);
export const parseRoute53 = (document: EventDocument): void => columns(document, QUERY_LOG, 9);
export const parseVPC = (document: EventDocument): void => columns(document, FLOW_LOG);

/** Parses a line in the default format of RDS for PostgreSQL. */
export function parsePostgres(document: EventDocument): void {
  const [, logTime, srcIp, userName, dbName, processId, logLevel] = POSTGRES.exec(document.message) ?? [];
  if (logTime === undefined) throw new TransformError('The message is not a PostgreSQL log');
  document.merge(
    { logTime, srcIp: srcIp!, userName: userName!, dbName: dbName!, processId: processId!, logLevel: logLevel! },
    undefined,
  );
}

/** Parses a WAF log, with headers and labels converted to maps. */
export function parseWAF(document: EventDocument): void {
  const parsed = readJson(document.message);
  if (!isObject(parsed)) throw new TransformError('The message is not a JSON object');
  const { httpRequest, labels } = parsed;
  if (isObject(httpRequest) && Array.isArray(httpRequest.headers)) httpRequest.headers = byName(httpRequest.headers);
  if (Array.isArray(labels)) parsed.labels = labelsOf(labels);
  document.merge(parsed, undefined);
}

const byName = (items: readonly Json[]): JsonObject =>
  Object.fromEntries(items.filter((item) => isObject(item)).map(({ name, value }) => [String(name), value ?? null]));

/** Labels are `{ "name": "awswaf:…:label" }`; the last part becomes the value of the preceding ones. */
const labelsOf = (items: readonly Json[]): JsonObject =>
  Object.fromEntries(
    items
      .filter((item) => isObject(item))
      .map((item) => {
        const name = String(item.name);
        const at = name.lastIndexOf(':');
        return at < 0 ? ['name', name] : [name.slice(0, at), name.slice(at + 1)];
      }),
  );

/** @throws TransformError */
export function readJson(text: string): Json {
  try {
    return parseJson(text) as Json;
  } catch {
    throw new TransformError('The text is not valid JSON');
  }
}
