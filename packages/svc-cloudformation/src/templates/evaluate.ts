import { isIP } from 'node:net';
import { isObject, textOf } from '@emu/wire';
import { invalid, templateError } from '../errors.ts';
import { subnetsOf } from './cidr.ts';
import type { LocalEndpoints } from './local-endpoints.ts';
import { getAttArguments, SUB_PLACE, SUB_PROBLEM } from './references.ts';
import type { Template } from './template.ts';
import { type JsonObject, setMember } from './values.ts';

/** Placeholder for a value that is known only when a change set is executed. */
export const KNOWN_AFTER_APPLY = '{{changeSet:KNOWN_AFTER_APPLY}}';

/** Whether part of a value is known only later. */
export const isKnownLater = (value: unknown): boolean => JSON.stringify(value)?.includes(KNOWN_AFTER_APPLY) ?? false;

/** An omitted value: `AWS::NoValue`. */
const NO_VALUE = Symbol('AWS::NoValue');

/** Maximum characters of the texts that the functions in a value produce. */
const MAX_PRODUCED = 4_000_000;

/** Source of values outside the template during an evaluation. */
export interface EvaluationScope {
  /** Values of parameters and pseudo parameters; lists are arrays. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * Returns Ref of a resource.
   * @throws AwsError if it has none
   */
  ref(logicalId: string): unknown;
  /**
   * Returns Fn::GetAtt.
   * @throws AwsError for a missing attribute
   */
  attribute(logicalId: string, name: string): unknown;
  /**
   * Returns the value of an export.
   * @throws AwsError if it is missing
   */
  importValue(name: string): string;
  /** Returns the availability zones of a region, the stack's if empty. */
  zones(region: string): string[];
  /** Local addresses of emu's resources, if values contain them. */
  readonly endpoints?: LocalEndpoints | undefined;
  /** Called with the reason why a value is known only later, if CloudFormation reports one. */
  incomplete?(problem: string): void;
}

type Evaluate = (evaluator: Evaluator, argument: unknown, name: string) => unknown;

/** Evaluates the functions of one template with one set of parameters. */
export class Evaluator {
  private readonly conditions = new Map<string, boolean | 'open'>();
  /** Characters that the functions in the current value have produced. */
  private produced = 0;
  /** Number of functions around the current value, except Fn::If. */
  private depth = 0;
  /** Name of the member that contains the current value, outside of functions. */
  private member = '';

  constructor(
    readonly template: Template,
    readonly scope: EvaluationScope,
    /** Evaluator of the conditions, if it is a different one. */
    private readonly conditionsOf?: Evaluator,
  ) {}

  /**
   * Evaluates the functions in a value; undefined for `AWS::NoValue`.
   * @throws AwsError with CloudFormation's message
   */
  evaluate(value: unknown): unknown {
    this.produced = 0;
    this.depth = 0;
    this.member = '';
    return this.argument(value);
  }

  /** @internal Evaluates an argument of a function. */
  argument(value: unknown): unknown {
    const result = this.value(value);
    return result === NO_VALUE ? undefined : result;
  }

  /** @internal Adds to the size of the texts. @throws AwsError `ValidationError` above `MAX_PRODUCED` */
  produce(characters: number): void {
    this.produced += characters;
    if (this.produced > MAX_PRODUCED)
      throw templateError(`the functions of a value produce more than ${MAX_PRODUCED} characters`);
  }

  /** Whether a condition is true. */
  condition(name: string): boolean {
    if (this.conditionsOf) return this.conditionsOf.condition(name);
    const known = this.conditions.get(name);
    if (known === 'open') throw invalid(`Circular dependencies between conditions: [${name}]`);
    if (known !== undefined) return known;
    if (!Object.hasOwn(this.template.Conditions, name))
      throw templateError(`unresolved condition dependency ${name} in Fn::If`);
    this.conditions.set(name, 'open');
    const holds = this.holds(this.template.Conditions[name]);
    this.conditions.set(name, holds);
    return holds;
  }

  /** Whether a resource or output with a condition is included. */
  includes({ Condition }: { Condition?: string | undefined }): boolean {
    return Condition === undefined || this.condition(Condition);
  }

  /** Whether the value of a condition function is true. */
  holds(value: unknown): boolean {
    const result = this.value(value);
    if (typeof result === 'boolean') return result;
    if (result === 'true' || result === 'false') return result === 'true';
    throw templateError('Every Conditions member must evaluate to a boolean.');
  }

  private value(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.value(item)).filter((item) => item !== NO_VALUE);
    if (!isObject(value)) return value;
    const names = Object.keys(value);
    const only = names.length === 1 ? names[0]! : '';
    const evaluate = Object.hasOwn(FUNCTIONS, only) ? FUNCTIONS[only] : undefined;
    if (evaluate) return this.result(evaluate, value[only], only);
    if (only.startsWith('Fn::')) throw templateError(`unresolved function ${only}`);
    const out: JsonObject = {};
    for (const name of names) {
      if (this.depth === 0) this.member = name;
      const member = this.value(value[name]);
      if (member !== NO_VALUE) setMember(out, name, member);
    }
    return out;
  }

  /** Evaluates a function. The result of one that composes a value is localized when the value is complete. */
  private result(evaluate: Evaluate, argument: unknown, name: string): unknown {
    if (TRANSPARENT.has(name)) return evaluate(this, argument, name);
    this.depth++;
    const result = evaluate(this, argument, name);
    this.depth--;
    return this.depth === 0 ? this.local(result) : result;
  }

  /** @internal Replaces the hosts of emu's resources by local ones. */
  local(value: unknown): unknown {
    return this.scope.endpoints ? this.scope.endpoints.applied(value, this.member) : value;
  }

  /** @internal */
  ref(name: string): unknown {
    if (name === 'AWS::NoValue') return NO_VALUE;
    if (Object.hasOwn(this.scope.parameters, name)) return this.scope.parameters[name];
    return this.scope.ref(name);
  }

  /** @internal */
  sub(text: string, variables: JsonObject): string {
    this.produce(text.length);
    return text.replace(SUB_PLACE, (_place, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      const value = this.substitute(name.trim(), variables);
      this.produce(value.length);
      return value;
    });
  }

  private substitute(name: string, variables: JsonObject): string {
    if (Object.hasOwn(variables, name)) return textOf(this.argument(variables[name]) ?? '');
    const dot = name.indexOf('.');
    const value = dot < 0 ? this.ref(name) : this.scope.attribute(name.slice(0, dot), name.slice(dot + 1));
    if (value === NO_VALUE) return '';
    return Array.isArray(value) ? value.map(textOf).join(',') : textOf(value);
  }

  /** @internal Evaluates a branch, which may be `AWS::NoValue`. */
  branch(value: unknown): unknown {
    return this.value(value);
  }
}

/** Functions that return a value unchanged. */
const TRANSPARENT: ReadonlySet<string> = new Set(['Condition', 'Fn::If', 'Ref']);

const JOIN_PROBLEM =
  'every Fn::Join object requires two parameters, (1) a string delimiter and (2) a list of strings to be joined or a function that returns a list of strings (such as Fn::GetAZs) to be joined.';
const SPLIT_PROBLEM =
  'every Fn::Split object requires two parameters, (1) a string delimiter and (2) a string to be split or a function that returns a string to be split.';
const SELECT_PROBLEM = 'Fn::Select requires a list argument with two elements: an integer index and a list';
const EQUALS_PROBLEM = 'every Fn::Equals object requires a list of 2 string parameters.';

const scalar = (value: unknown): value is string | number | boolean => typeof value !== 'object' && value !== undefined;

function join(evaluator: Evaluator, argument: unknown): unknown {
  if (!Array.isArray(argument) || argument.length !== 2 || typeof argument[0] !== 'string')
    throw templateError(JOIN_PROBLEM);
  const items = evaluator.argument(argument[1]);
  if (items === KNOWN_AFTER_APPLY) evaluator.scope.incomplete?.(`Template error: ${JOIN_PROBLEM}`);
  if (isKnownLater(items)) return KNOWN_AFTER_APPLY;
  if (!Array.isArray(items) || !items.every(scalar)) throw templateError(JOIN_PROBLEM);
  const texts = items.map(textOf);
  const separators = argument[0].length * Math.max(texts.length - 1, 0);
  evaluator.produce(texts.reduce((length, text) => length + text.length, separators));
  return texts.join(argument[0]);
}

function split(evaluator: Evaluator, argument: unknown): unknown {
  if (!Array.isArray(argument) || argument.length !== 2 || typeof argument[0] !== 'string' || !argument[0])
    throw templateError(SPLIT_PROBLEM);
  const text = evaluator.argument(argument[1]);
  if (isKnownLater(text)) return KNOWN_AFTER_APPLY;
  if (!scalar(text)) throw templateError(SPLIT_PROBLEM);
  evaluator.produce(textOf(text).length);
  return textOf(text).split(argument[0]);
}

function select(evaluator: Evaluator, argument: unknown): unknown {
  if (!Array.isArray(argument) || argument.length !== 2) throw templateError(SELECT_PROBLEM);
  const index = Number(evaluator.argument(argument[0]));
  const items = evaluator.argument(argument[1]);
  if (items === KNOWN_AFTER_APPLY) return items;
  const inList = Array.isArray(items) && (!Array.isArray(argument[1]) || index < items.length);
  if (!Number.isInteger(index) || !inList) throw templateError(SELECT_PROBLEM);
  if (index < 0 || index >= items.length)
    throw templateError(`Fn::Select cannot select nonexistent value at index ${index}`);
  return items[index];
}

function findInMap(evaluator: Evaluator, argument: unknown): unknown {
  if (!Array.isArray(argument) || argument.length < 3 || argument.length > 4)
    throw templateError(
      'every Fn::FindInMap object requires three parameters, the map name, map key and the attribute for return value',
    );
  const [map, key, attribute] = argument.slice(0, 3).map((part) => evaluator.argument(part));
  const { Mappings } = evaluator.template;
  const mapping = Object.hasOwn(Mappings, String(map)) ? Mappings[String(map)]! : undefined;
  const entry = mapping && Object.hasOwn(mapping, String(key)) ? mapping[String(key)]! : undefined;
  if (entry && Object.hasOwn(entry, String(attribute))) return evaluator.argument(entry[String(attribute)]);
  const fallback = argument[3];
  if (isObject(fallback) && 'DefaultValue' in fallback) return evaluator.argument(fallback.DefaultValue);
  throw mapping
    ? templateError(`Unable to get mapping for ${map}::${key}::${attribute}`)
    : templateError(`Mapping named '${map}' is not present in the 'Mappings' section of template.`);
}

function operands(name: string, argument: unknown): unknown[] {
  if (!Array.isArray(argument) || argument.length < (name === 'Fn::Not' ? 1 : 2) || argument.length > 10)
    throw templateError(
      name === 'Fn::Not'
        ? 'every Fn::Not object requires a list of exactly 1 condition.'
        : `every ${name} object requires a list of at least 2 and at most 10 boolean parameters.`,
    );
  return argument;
}

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/intrinsic-function-reference.html */
const FUNCTIONS: Readonly<Record<string, Evaluate>> = {
  Ref(evaluator, argument) {
    if (typeof argument !== 'string') throw templateError('All Ref functions must be strings.');
    return evaluator.ref(argument);
  },
  Condition(evaluator, argument, name) {
    // A policy statement has a member with this name too; on its own it is not a function.
    return typeof argument === 'string' ? evaluator.condition(argument) : { [name]: evaluator.argument(argument) };
  },
  'Fn::GetAtt'(evaluator, argument) {
    const [resource, attribute] = getAttArguments(argument);
    return evaluator.scope.attribute(resource, String(evaluator.argument(attribute)));
  },
  'Fn::Sub'(evaluator, argument) {
    const [text, variables = {}] = Array.isArray(argument) ? argument : [argument];
    if (typeof text !== 'string' || !isObject(variables)) throw templateError(SUB_PROBLEM);
    return evaluator.sub(text, variables);
  },
  'Fn::Join': join,
  'Fn::Split': split,
  'Fn::Select': select,
  'Fn::FindInMap': findInMap,
  'Fn::Base64'(evaluator, argument) {
    const text = evaluator.argument(argument);
    if (!scalar(text)) throw templateError('every Fn::Base64 object must have a String-typed value.');
    if (isKnownLater(text)) return KNOWN_AFTER_APPLY;
    evaluator.produce(textOf(text).length);
    return Buffer.from(textOf(evaluator.local(text))).toString('base64');
  },
  'Fn::If'(evaluator, argument) {
    if (!Array.isArray(argument) || argument.length !== 3 || typeof argument[0] !== 'string')
      throw templateError('Fn::If requires a list argument with three elements');
    return evaluator.branch(argument[evaluator.condition(argument[0]) ? 1 : 2]);
  },
  'Fn::Equals'(evaluator, argument) {
    if (!Array.isArray(argument) || argument.length !== 2) throw templateError(EQUALS_PROBLEM);
    const [one, other] = argument.map((part) => evaluator.argument(part));
    return textOf(one ?? '') === textOf(other ?? '');
  },
  'Fn::And': (evaluator, argument, name) => operands(name, argument).every((part) => evaluator.holds(part)),
  'Fn::Or': (evaluator, argument, name) => operands(name, argument).some((part) => evaluator.holds(part)),
  'Fn::Not': (evaluator, argument, name) => !evaluator.holds(operands(name, argument)[0]),
  'Fn::ImportValue'(evaluator, argument) {
    const name = evaluator.argument(argument);
    if (typeof name !== 'string')
      throw templateError('the attribute in Fn::ImportValue must be a string or a function that returns a string');
    return evaluator.scope.importValue(name);
  },
  'Fn::GetAZs': (evaluator, argument) => evaluator.scope.zones(textOf(evaluator.argument(argument) ?? '')),
  'Fn::Cidr'(evaluator, argument) {
    if (!Array.isArray(argument) || argument.length < 2 || argument.length > 3)
      throw templateError(
        'every Fn::Cidr object requires two or three parameters, (1) a valid IPv4 or IPv6 CIDR block, (2) a count and (3) an optional number of bits.',
      );
    const [block, count, bits] = argument.map((part) => evaluator.argument(part));
    if (isKnownLater([block, count, bits])) return KNOWN_AFTER_APPLY;
    const address = String(block).split('/')[0]!;
    const defaultBits = isIP(address) === 6 ? 64 : 8;
    const subnets = subnetsOf(String(block), Number(count), bits === undefined ? defaultBits : Number(bits));
    if (!subnets) throw templateError(`Fn::Cidr cannot generate ${String(count)} blocks of ${String(block)}`);
    return subnets;
  },
  'Fn::Length'(evaluator, argument) {
    const items = evaluator.argument(argument);
    if (items === KNOWN_AFTER_APPLY) return items;
    if (!Array.isArray(items)) throw templateError('Fn::Length expects a list');
    return items.length;
  },
  'Fn::ToJsonString'(evaluator, argument) {
    if (typeof argument !== 'object') throw templateError('Fn::ToJsonString expects an object or a list');
    const text = JSON.stringify(evaluator.argument(argument));
    evaluator.produce(text.length);
    return text;
  },
};
