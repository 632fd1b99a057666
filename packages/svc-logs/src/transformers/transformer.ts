import { RegexError } from '@emu/core/regex';
import type { Processor } from '@emu/service-types/logs';
import { UnknownLetter } from '../dates/java-patterns.ts';
import { invalidParameter } from '../errors.ts';
import { EventDocument, type EventPlace, TransformError } from './document.ts';
import {
  addKeys,
  copyValue,
  dateTimeConverter,
  deleteKeys,
  listToMap,
  lowerCaseString,
  moveKeys,
  renameKeys,
  splitString,
  substituteString,
  trimString,
  typeConverter,
  upperCaseString,
} from './mutators.ts';
import { parseToOCSF } from './ocsf/parse.ts';
import { csv, grok, type Processing, parseJSON, parseKeyValue } from './parsers.ts';
import { parseCloudfront, parsePostgres, parseRoute53, parseVPC, parseWAF } from './vended.ts';

/** Maximum number of steps in a key's path. */
const MAX_DEPTH = 3;

type Name = keyof Processor;
type Make<Key extends Name> = (settings: NonNullable<Processor[Key]>) => Processing;

const always =
  (processing: Processing): (() => Processing) =>
  () =>
    processing;

const PROCESSORS: { readonly [Key in Name]: Make<Key> } = {
  addKeys,
  copyValue,
  csv,
  dateTimeConverter,
  deleteKeys,
  grok,
  listToMap,
  lowerCaseString,
  moveKeys,
  parseCloudfront: always(parseCloudfront),
  parseJSON,
  parseKeyValue,
  parsePostgres: always(parsePostgres),
  parseRoute53: always(parseRoute53),
  parseToOCSF,
  parseVPC: always(parseVPC),
  parseWAF: always(parseWAF),
  renameKeys,
  splitString,
  substituteString,
  trimString,
  typeConverter,
  upperCaseString,
};

/** Parsers of AWS's own logs, which must come first and read the whole message. */
const VENDED: readonly Name[] = [
  'parseCloudfront',
  'parsePostgres',
  'parseRoute53',
  'parseToOCSF',
  'parseVPC',
  'parseWAF',
];
const PARSERS: readonly Name[] = [...VENDED, 'csv', 'grok', 'parseJSON', 'parseKeyValue'];
/** Processors allowed once per transformer. */
const ONCE: readonly Name[] = ['addKeys', 'copyValue', ...VENDED];
const PATHS: readonly string[] = ['source', 'destination', 'target', 'key', 'renameTo'];

/** Transforms the events of a log group. */
export class Transformer {
  private readonly steps: readonly Processing[];

  /**
   * @throws AwsError `InvalidParameterException` for an invalid configuration
   * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CloudWatch-Logs-Transformation-Processors.html
   */
  constructor(readonly config: readonly Processor[]) {
    const named = config.map(nameOf);
    check(named);
    this.steps = named.map(({ name, settings }) => make(name, settings));
  }

  /** Returns the transformed event as a JSON object; undefined if it cannot be transformed. */
  transform(message: string, place: EventPlace): string | undefined {
    const document = new EventDocument(message, place);
    try {
      for (const step of this.steps) step(document);
    } catch (error) {
      if (error instanceof TransformError || error instanceof RegexError) return undefined;
      throw error;
    }
    return JSON.stringify(document.root);
  }
}

interface Named {
  readonly name: Name;
  readonly settings: object;
}

/** @throws AwsError `InvalidParameterException` */
function nameOf(processor: Processor): Named {
  const given = Object.entries(processor).filter(([, settings]) => settings !== undefined);
  const [first] = given;
  if (!first || given.length > 1)
    throw invalidParameter('Each item of a transformer configuration must have exactly one processor.');
  return { name: first[0] as Name, settings: first[1] as object };
}

function check(processors: readonly Named[]): void {
  const names = processors.map(({ name }) => name);
  if (!PARSERS.includes(names[0]!)) throw invalidParameter('The first processor of a transformer must be a parser.');
  const late = names.slice(1).find((name) => VENDED.includes(name));
  if (late) throw invalidParameter(`The processor ${late} must be the first one of a transformer.`);
  const repeated = ONCE.find((name) => names.filter((other) => other === name).length > 1);
  if (repeated) throw invalidParameter(`A transformer can have only one processor ${repeated}.`);
  for (const { name, settings } of processors) checkSettings(name, settings);
}

function checkSettings(name: Name, settings: object): void {
  const { source } = settings as { source?: string };
  if (VENDED.includes(name) && source !== undefined && source !== '@message')
    throw invalidParameter(`The processor ${name} accepts only @message as its source.`);
  const { entries = [] } = settings as { entries?: object[] };
  for (const holder of [settings, ...entries])
    for (const [member, value] of Object.entries(holder))
      if (PATHS.includes(member) && typeof value === 'string' && value.split('.').length > MAX_DEPTH)
        throw invalidParameter(`The key ${value} is nested deeper than ${MAX_DEPTH} levels.`);
  const { flatten, flattenedElement } = settings as { flatten?: boolean; flattenedElement?: string };
  if (flatten && flattenedElement === undefined)
    throw invalidParameter('flattenedElement is required where flatten is true.');
}

function make(name: Name, settings: object): Processing {
  try {
    return (PROCESSORS[name] as Make<Name>)(settings as never);
  } catch (error) {
    if (error instanceof UnknownLetter) throw invalidParameter(`Unknown pattern letter: ${error.letter}`);
    if (error instanceof RegexError)
      throw invalidParameter(
        `The settings of the processor ${name} are not valid.${error.invalid ? '' : ` ${error.message}.`}`,
      );
    // Errors of locales have the engine's messages.
    if (error instanceof RangeError) throw invalidParameter(`The settings of the processor ${name} are not valid.`);
    throw error;
  }
}
