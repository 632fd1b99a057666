import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BotocoreService, fromBotocore } from '@emu/model-gen';
import type { HeaderValues, MemberModel, ServiceModel, WireRequest } from '@emu/wire';
import { sharedPath } from '../../../tools/testing/shared.ts';

const root = sharedPath('protocol-vectors');

/** Whether the protocol vectors exist on this machine. */
export const vectorsPresent = root !== undefined;

/** Files of vectors, in both directions. */
export const vectorFiles = [
  'ec2',
  'json',
  'json_1_0',
  'json_1_0-query-compatible',
  'query',
  'rest-json',
  'rest-xml',
  'smithy-rpc-v2-cbor',
  'smithy-rpc-v2-cbor-query-compatible',
  'smithy-rpc-v2-cbor-non-query-compatible',
];

interface Operation {
  name: string;
  [field: string]: unknown;
}

export interface InputVector {
  id: string;
  given: Operation;
  params?: unknown;
  serialized: { method: string; uri: string; body?: string; headers?: Record<string, string>; host?: string };
}

export interface OutputVector {
  id: string;
  given: Operation;
  result?: unknown;
  error?: Record<string, unknown>;
  errorCode?: string;
  errorMessage?: string;
  response: { status_code: number; headers?: Record<string, string>; body?: string };
}

interface Suite<Vector> {
  description: string;
  metadata: Record<string, unknown>;
  shapes: Record<string, Record<string, unknown>>;
  cases: Vector[];
}

/** A vector with its service model. */
export interface Case<Vector> {
  name: string;
  operation: string;
  model: ServiceModel;
  vector: Vector;
}

function load<Vector extends { id: string; given: Operation }>(direction: string, file: string): Case<Vector>[] {
  const path = join(root ?? '', direction, `${file}.json`);
  if (root === undefined || !existsSync(path)) return [];
  const suites = JSON.parse(readFileSync(path, 'utf8')) as Suite<Vector>[];
  return suites.flatMap(({ metadata, shapes, cases }) =>
    cases.map((vector) => {
      const { name } = vector.given;
      const description = { metadata, shapes, operations: { [name]: vector.given } } as BotocoreService;
      const model = fromBotocore('vectors', description, { botocore: 'vectors', path: file });
      return { name: vector.id, operation: name, model, vector };
    }),
  );
}

export const inputCases = (file: string): Case<InputVector>[] => load('input', file);
export const outputCases = (file: string): Case<OutputVector>[] => load('output', file);

/** Converts a value of a vector to that of a handler: numbers to dates, text to bytes, `"NaN"` to NaN. */
export function handlerValue(model: ServiceModel, member: MemberModel, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const shape = model.shapes[member.shape]!;
  if (member.jsonvalue) return JSON.parse(value as string) as unknown;
  if (shape.document) return value;
  switch (shape.type) {
    case 'structure': {
      const out: Record<string, unknown> = {};
      for (const [name, item] of Object.entries(value as Record<string, unknown>))
        if (item !== null) out[name] = handlerValue(model, shape.members![name]!, item);
      return out;
    }
    case 'list':
      return (value as unknown[]).map((item) => handlerValue(model, shape.member!, item));
    case 'map':
      return Object.fromEntries(
        Object.entries(value as Record<string, unknown>).map(([key, item]) => [
          key,
          handlerValue(model, shape.value!, item),
        ]),
      );
    case 'timestamp':
      return new Date(Math.round(Number(value) * 1000));
    case 'blob':
      return Buffer.from(value as string, 'utf8');
    case 'float':
    case 'double':
      return Number(value);
    default:
      return value;
  }
}

/** Returns the request of an input vector as a server receives it. */
export function requestOf({ model, operation, vector: { serialized } }: Case<InputVector>): WireRequest {
  const cbor = model.metadata.protocols[0] === 'rpcv2Cbor';
  const [path, query = ''] = serialized.uri.split('?', 2) as [string, string?];
  const headers: HeaderValues = {};
  for (const [name, value] of Object.entries(serialized.headers ?? {})) headers[name.toLowerCase()] = value;
  // Some vectors list no headers, not even the one that names the operation.
  if (model.metadata.targetPrefix && !cbor) headers['x-amz-target'] ??= `${model.metadata.targetPrefix}.${operation}`;
  if (serialized.host) headers.host = serialized.host;
  const body = Buffer.from(serialized.body ?? '', cbor ? 'base64' : 'utf8');
  return { method: serialized.method, path, query, headers, body };
}
