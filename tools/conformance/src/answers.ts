import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type EmbeddedEmulator, SERVICES } from '@emu/emulator';
import { awsError, compileService, type ServiceCodec, type ServiceModel, type WireResponse } from '@emu/wire';
import { isCompound, outputModel, ReturnedMembers } from './outputs.ts';
import type { Scenario } from './scenario.ts';
import type { SdkRequest } from './sdk.ts';
import { sampleOf } from './values.ts';

/** An answer of AWS as boto3 parsed it. */
interface ParsedAnswer {
  from: string;
  status: number;
  data: Record<string, unknown> & { Error?: { Code?: string; Message?: string } };
}

/** An answer of AWS to an operation of a service, with an output or an error. */
export interface RecordedAnswer {
  operation: string;
  /** Recording that it comes from. */
  from: string;
  status: number;
  output?: Record<string, unknown>;
  error?: { code: string; message: string };
  /** Members that the service's model lacks, or of another type. */
  unknown: string[];
}

/** Known properties of recorded answers. */
interface KnownAnswers {
  /** Recordings that were changed by hand or by their parser, each with the change. */
  changed: Readonly<Record<string, string>>;
  /** Missing members by service and operation. */
  missing: Readonly<Record<string, Record<string, MissingMembers>>>;
}

/** Returns the committed properties of recorded answers. */
export const knownAnswers = (): KnownAnswers =>
  JSON.parse(readFileSync(new URL('../answers.json', import.meta.url), 'utf8')) as KnownAnswers;

/** Returns the models of the services at the same host as a service, with its own. */
async function neighboursOf({ metadata }: ServiceModel): Promise<ServiceModel[]> {
  const alike = SERVICES.filter(({ signingNames }) => signingNames.includes(metadata.signingName));
  const models = await Promise.all(alike.map(async ({ load }) => (await load()).model));
  return models.filter(({ metadata: { endpointPrefix } }) => endpointPrefix === metadata.endpointPrefix);
}

/**
 * Returns the recorded answers of a service's operations. Operations of services at the same host, such as both versions
 * of API Gateway, belong to the model with all members of the answer.
 * @param folder with a JSON file per service
 */
export async function recordedAnswers(folder: string, { service, model }: Scenario): Promise<RecordedAnswer[]> {
  const { endpointPrefix } = model.metadata;
  const neighbours = await neighboursOf(model);
  const found: RecordedAnswer[] = [];
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    const operations = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, ParsedAnswer[]>;
    for (const [operation, answers] of Object.entries(operations))
      for (const answer of answers) {
        const host = answer.from.split('/').at(-1)!.split('.').slice(0, -2).join('.');
        if (host !== endpointPrefix) continue;
        const readings = neighbours
          .filter((candidate) => Object.hasOwn(candidate.operations, operation))
          .map((candidate) => ({ candidate, answer: readAnswer(candidate, operation, answer) }))
          .sort((a, b) => a.answer.unknown.length - b.answer.unknown.length);
        if (readings[0]?.candidate.service === service) found.push(readings[0].answer);
      }
  }
  return found;
}

const codecs = new Map<ServiceModel, ServiceCodec>();

/** Returns the codec whose inputs are the outputs of a service. */
function outputsOf(model: ServiceModel): ServiceCodec {
  const codec = codecs.get(model) ?? compileService(outputModel(model));
  codecs.set(model, codec);
  return codec;
}

function readAnswer(model: ServiceModel, operation: string, { from, status, data }: ParsedAnswer): RecordedAnswer {
  const { Error: error, ...members } = data;
  if (error)
    return { operation, from, status, error: { code: error.Code ?? '', message: error.Message ?? '' }, unknown: [] };
  const { input, failures } = outputsOf(model).inputFromJson(operation, members);
  const unknown = failures.filter(({ constraint }) => constraint === 'type' || constraint === 'unknown');
  return {
    operation,
    from,
    status,
    output: input as Record<string, unknown>,
    unknown: unknown.map(({ path, reason }) => `${path}: ${reason}`),
  };
}

/** Members of AWS's answers to an operation that emu's answers to it lack. */
export interface MissingMembers {
  /** Members that no answer of emu has. */
  absent?: string[];
  /** Members that the same structure has in answers to other operations, from other states. */
  elsewhere?: string[];
}

/** Returns the missing members by operation. @param returned members of emu's answers */
export function missingMembers(
  { model }: Scenario,
  answers: readonly RecordedAnswer[],
  returned: ReturnedMembers,
): Record<string, MissingMembers> {
  const recorded = new ReturnedMembers(model);
  for (const { operation, output } of answers) if (output) recorded.add(operation, output);
  const missing: Record<string, MissingMembers> = {};
  for (const { operation } of answers) {
    const paths = [...recorded.of(operation)].filter(([path]) => !returned.of(operation).has(path));
    const [elsewhere, absent] = [true, false].map((has) =>
      paths.flatMap(([path, member]) => (returned.ofShapes.has(member) === has ? path : [])).sort(),
    ) as [string[], string[]];
    if (paths.length) missing[operation] = { ...(absent.length && { absent }), ...(elsewhere.length && { elsewhere }) };
  }
  return missing;
}

/** Result of an SDK client for an answer: its output, or the error's name and message. */
export type ReadAnswer = { output: Record<string, unknown> } | { error: { code: string; message: string } };

/** Encodes answers by a service's codec and decodes them by the SDK. */
export class AnswerReader {
  private readonly send;
  private answer: RecordedAnswer | undefined;

  constructor(private readonly scenario: Scenario) {
    const codec = compileService(scenario.model);
    const handle = async (request: SdkRequest): Promise<{ response: object }> => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      const body = typeof request.body === 'string' ? Buffer.from(request.body) : new Uint8Array();
      const { method, path } = request;
      const protocol = codec.protocolOf({ method, path, query: '', headers, body })!;
      const { operation, output, error, status } = this.answer!;
      const response = error
        ? protocol.encodeError(awsError(error.code, error.message, { status }), 'request-1', operation)
        : protocol.encode(operation, output, 'request-1');
      return { response: sdkResponse(response) };
    };
    const emulator = {
      control: {},
      clientConfig: () => ({
        endpoint: 'http://localhost',
        region: 'us-east-1',
        credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
        requestHandler: { handle, metadata: { handlerProtocol: 'http/1.1' }, httpHandlerConfigs: () => ({}) },
      }),
    };
    this.send = scenario.client(emulator as unknown as EmbeddedEmulator);
  }

  /** Encodes and decodes an answer. */
  async read(answer: RecordedAnswer): Promise<ReadAnswer> {
    const { model } = this.scenario;
    this.answer = answer;
    const { operation } = answer;
    try {
      const { $metadata: _, ...output } = await this.send(operation, sendableInput(model, operation));
      return { output: this.comparable(operation, output) };
    } catch (error) {
      if (!(error as { $metadata?: object }).$metadata) throw error;
      // Clients of query services name an error by its shape and keep the code of the response.
      const { Code, name, message } = error as Error & { Code?: string };
      return { error: { code: Code ?? name, message: answer.error?.message === '' ? '' : message } };
    }
  }

  /** Returns the result of the SDK for an answer that nothing was lost of. */
  expected({ operation, output, error }: RecordedAnswer): ReadAnswer {
    return error ? { error } : { output: this.comparable(operation, output!) };
  }

  /** Removes bodies and the status, which boto3 keeps elsewhere, and nulls in maps, which the SDK drops. */
  private comparable(operation: string, output: Record<string, unknown>): Record<string, unknown> {
    const { model } = this.scenario;
    const { members = {}, payload } = model.shapes[model.operations[operation]!.output?.shape ?? ''] ?? {};
    const kept = Object.entries(output).filter(
      ([name]) =>
        members[name]?.location !== 'statusCode' &&
        !(name === payload && model.shapes[members[name]!.shape]!.type === 'blob'),
    );
    return withoutNulls(Object.fromEntries(kept)) as Record<string, unknown>;
  }
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isCompound(value)) return value;
  const present = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return Object.fromEntries(present.map(([key, item]) => [key, withoutNulls(item)]));
}

function sdkResponse({ status, headers, body }: WireResponse): object {
  const flat = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  const stream =
    typeof body === 'string' || body instanceof Uint8Array ? Readable.from([Buffer.from(body)]) : Readable.from(body);
  return { statusCode: status, headers: Object.fromEntries(flat), body: stream };
}

/** Returns an input that the SDK serializes, with a value for each part of the path. */
function sendableInput(model: ServiceModel, operation: string): Record<string, unknown> {
  const { input } = model.operations[operation]!;
  const { members = {}, required = [] } = input ? model.shapes[input.shape]! : {};
  const entries = required.map((name) => {
    const member = members[name]!;
    return [name, sampleOf(model, member) ?? (member.location === 'uri' ? 'sample' : undefined)] as const;
  });
  return Object.fromEntries(entries);
}
