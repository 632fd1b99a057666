import { endsQuoted } from '@emu/core/patterns';
import type { DeepReadonly } from '@emu/core/service';
import type { Target } from '@emu/service-types/events';
import { type BusEvent, eventJson, eventTime } from '../event.ts';
import { JSON_PATHS } from './json-path.ts';

/** Sources of a target's input. */
export interface InputSource {
  readonly event: BusEvent;
  readonly ruleArn: string;
  readonly ruleName: string;
  /** Time in epoch milliseconds at which the bus received the event. */
  readonly ingestedAt: number;
}

/** Predefined variables of input templates. */
const PREDEFINED: Record<string, (source: InputSource) => unknown> = {
  'aws.events.rule-arn': ({ ruleArn }) => ruleArn,
  'aws.events.rule-name': ({ ruleName }) => ruleName,
  'aws.events.event.ingestion-time': ({ ingestedAt }) => new Date(ingestedAt).toISOString(),
  'aws.events.event.json': ({ event }) => JSON.parse(eventJson(event)),
  // The event without its detail, in the spelling of templates.
  'aws.events.event': ({ event }) => ({
    id: event.id,
    account: event.account,
    detailType: event.detailType,
    time: eventTime(event.time),
    source: event.source,
    region: event.region,
    resources: event.resources,
    version: '0',
  }),
};

const PLACEHOLDER = /<([\w.-]+)>/g;

/** Returns the first undefined placeholder of a template; undefined if all are defined. */
export function unknownPlaceholder(template: string, paths: Readonly<Record<string, string>>): string | undefined {
  for (const [, name] of template.matchAll(PLACEHOLDER))
    if (!Object.hasOwn(paths, name!) && !Object.hasOwn(PREDEFINED, name!)) return name;
  return undefined;
}

/**
 * Returns the input that a target receives for an event, as text.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-transform-target-input.html
 */
export function inputFor(target: DeepReadonly<Target>, source: InputSource): string {
  const { Input: fixed, InputPath: path, InputTransformer: transformer } = target;
  if (fixed !== undefined) return fixed;
  const json = eventJson(source.event);
  if (path !== undefined && path !== '' && path !== '$') {
    const value = JSON_PATHS.valueAt(JSON.parse(json), path);
    return value === undefined ? 'null' : JSON.stringify(value);
  }
  if (!transformer) return json;
  const paths = transformer.InputPathsMap ?? {};
  const event: unknown = Object.keys(paths).length ? JSON.parse(json) : undefined;
  return fillTemplate(transformer.InputTemplate, (name) =>
    Object.hasOwn(paths, name) ? JSON_PATHS.valueAt(event, paths[name]!) : PREDEFINED[name]?.(source),
  );
}

/** Replaces the variables of a template: inside a string by text, elsewhere by JSON. */
function fillTemplate(template: string, valueOfName: (name: string) => unknown): string {
  const text = template.trim();
  let out = '';
  let quoted = false;
  let done = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    const before = text.slice(done, match.index);
    quoted = endsQuoted(before, quoted);
    const value = valueOfName(match[1]!);
    out += before + (quoted ? asText(value) : value === undefined ? '""' : JSON.stringify(value));
    done = match.index + match[0].length;
  }
  return out + text.slice(done);
}

/** Returns a value for use inside a string. Objects and lists lose their quotes, as in AWS. */
function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return JSON.stringify(value).slice(1, -1);
  return typeof value === 'object' ? JSON.stringify(value).replaceAll('"', '') : String(value);
}
