import { endsQuoted } from '@emu/core/patterns';
import type { Json } from '@emu/polling';
import { isObject, jsonOrText, optionalText, textOf } from '@emu/wire';
import { JSON_PATHS } from './json-path.ts';

/** Pipe properties for templates. */
export interface PipeFacts {
  readonly pipeArn: string;
  readonly pipeName: string;
  readonly sourceArn: string;
  readonly enrichmentArn: string | undefined;
  readonly targetArn: string;
  /** Time in epoch milliseconds at which the pipe received the event. */
  readonly ingestedAt: number;
}

/** An event that passes through a pipe. */
export interface PipeEvent {
  readonly value: Json;
  /** Returns the event with the data that its source encodes decoded. */
  readonly decoded: Json;
}

const VARIABLES: Readonly<Record<string, (event: PipeEvent, facts: PipeFacts) => Json | undefined>> = {
  'aws.pipes.pipe-arn': (_event, { pipeArn }) => pipeArn,
  'aws.pipes.pipe-name': (_event, { pipeName }) => pipeName,
  'aws.pipes.source-arn': (_event, { sourceArn }) => sourceArn,
  'aws.pipes.enrichment-arn': (_event, { enrichmentArn }) => enrichmentArn,
  'aws.pipes.target-arn': (_event, { targetArn }) => targetArn,
  'aws.pipes.event.ingestion-time': (_event, { ingestedAt }) => new Date(ingestedAt).toISOString(),
  'aws.pipes.event': ({ value }) => value,
  'aws.pipes.event.json': ({ decoded }) => decoded,
};

const PLACEHOLDER = /<(\$[^<>]*|aws\.pipes\.[\w.-]+)>/g;

/** Returns the first variable of a template that is neither a path nor predefined; otherwise undefined. */
export function unknownVariable(template: string): string | undefined {
  for (const [, name] of template.matchAll(PLACEHOLDER))
    if (name!.startsWith('$') ? !JSON_PATHS.parse(name!) : !Object.hasOwn(VARIABLES, name!)) return name;
  return undefined;
}

/**
 * Applies a template to an event.
 * @returns JSON if the result is valid JSON, otherwise text
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-input-transformation.html
 */
export function transform(template: string | undefined, event: PipeEvent, facts: PipeFacts): Json {
  if (template === undefined || template === '') return event.value;
  const text = template.trim();
  // Inside JSON a value is inserted as JSON, elsewhere as text.
  const json = /^[{["]/.test(text);
  let out = '';
  let quoted = false;
  let done = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    const before = text.slice(done, match.index);
    quoted = json && endsQuoted(before, quoted);
    const name = match[1]!;
    const value = name.startsWith('$')
      ? (JSON_PATHS.valueAt(event.decoded, name) as Json | undefined)
      : VARIABLES[name]?.(event, facts);
    // A template that is only a path yields the value itself.
    if (match[0] === text) return value === undefined ? '' : value;
    out += before + written(value, json, quoted);
    done = match.index + match[0].length;
  }
  return jsonOrText(out + text.slice(done));
}

function written(value: Json | undefined, json: boolean, quoted: boolean): string {
  if (json && !quoted) return value === undefined ? '""' : JSON.stringify(value);
  if (value === undefined || value === null) return '';
  const text = textOf(value);
  return quoted ? JSON.stringify(text).slice(1, -1) : text;
}

/**
 * Resolves a target parameter: a path is replaced by the value in the event.
 * @returns undefined for a missing value
 */
export function resolved(parameter: string | undefined, { decoded }: PipeEvent): string | undefined {
  if (parameter === undefined || !/^\$[.[]/.test(parameter)) return parameter;
  return optionalText(JSON_PATHS.valueAt(decoded, parameter));
}

/** Applies {@link resolved} to every string in a structure of parameters. */
export function resolvedAll<T>(parameters: T, event: PipeEvent): T {
  if (typeof parameters === 'string') return (resolved(parameters, event) ?? '') as T;
  if (Array.isArray(parameters)) return parameters.map((item) => resolvedAll(item as unknown, event)) as T;
  if (!isObject(parameters)) return parameters;
  return Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, resolvedAll(value, event)])) as T;
}
