import { compilePath, PathSyntaxError } from '@emu/core/json-path';
import { isObject, parseJson, textOf } from '@emu/wire';
import type { MachineType } from '../records.ts';
import { isComparison } from './choice.ts';
import { checkCatch, checkRetry } from './error-rules.ts';
import { DISTRIBUTED_FIELDS, type Part, unsupportedFields } from './fields.ts';
import { isTerminal, unreachableStates } from './graph.ts';
import { OPTIMISED, parseIntegration } from './integration-table.ts';
import { ExpressionSyntaxError, parseIntrinsic } from './intrinsics.ts';
import type { Json, JsonObject } from './json.ts';
import { jsonProblem, sourceOf } from './json-problem.ts';
import { checkNumbers } from './numbers.ts';
import { expressionIn, parseQuery } from './queries/jsonata.ts';
import { invalidReferences, type StatesField } from './queries/references.ts';
import { parseTimestamp } from './timestamps.ts';

/** A problem of a definition. */
export interface Problem {
  code:
    | 'SCHEMA_VALIDATION_FAILED'
    | 'INVALID_JSON_DESCRIPTION'
    | 'MISSING_TRANSITION_TARGET'
    | 'MISSING_END_STATE'
    | 'DUPLICATE_STATE_NAME'
    | 'INVALID_JSONATA_EXPRESSION'
    | 'UNSUPPORTED_JSONATA_EXPRESSION';
  message: string;
  location?: string;
}

const TYPES = new Set(['Task', 'Wait', 'Pass', 'Succeed', 'Fail', 'Choice', 'Parallel', 'Map']);
/** Fields that exclude each other. */
const ALTERNATIVES = [
  ['TimeoutSeconds', 'TimeoutSecondsPath'],
  ['HeartbeatSeconds', 'HeartbeatSecondsPath'],
  ['MaxConcurrency', 'MaxConcurrencyPath'],
  ['ToleratedFailureCount', 'ToleratedFailureCountPath'],
  ['ToleratedFailurePercentage', 'ToleratedFailurePercentagePath'],
  ['Error', 'ErrorPath'],
  ['Cause', 'CausePath'],
  ['ItemSelector', 'Parameters'],
] as const;
/** Fields of JSONata states with expressions, except those with the result. */
const QUERIES = [
  'Arguments',
  'Cause',
  'Credentials',
  'Error',
  'HeartbeatSeconds',
  'ItemBatcher',
  'ItemReader',
  'ItemSelector',
  'Items',
  'MaxConcurrency',
  'ResultWriter',
  'Seconds',
  'TimeoutSeconds',
  'Timestamp',
  'ToleratedFailureCount',
  'ToleratedFailurePercentage',
] as const;
const LANGUAGES: readonly Json[] = ['JSONPath', 'JSONata'];
const BEFORE_RESULT: ReadonlySet<StatesField> = new Set(['input', 'context']);
const WITH_RESULT: ReadonlySet<StatesField> = new Set(['input', 'context', 'result']);
const WITH_ERROR: ReadonlySet<StatesField> = new Set(['input', 'context', 'errorOutput']);
/** Types of states with a result. */
const WORK = new Set(['Task', 'Parallel', 'Map']);
const PATHS = [
  'InputPath',
  'OutputPath',
  'ResultPath',
  'ItemsPath',
  'SecondsPath',
  'TimestampPath',
  'TimeoutSecondsPath',
  'HeartbeatSecondsPath',
  'MaxConcurrencyPath',
] as const;

/**
 * Returns all problems of a definition's text.
 * @see https://states-language.net/spec.html
 */
export function validate(text: string, type: MachineType): Problem[] {
  let definition: Json;
  try {
    definition = parseJson(text) as Json;
  } catch {
    return [unreadable(text)];
  }
  if (!isObject(definition)) return [schema('Definition must be a valid JSON object')];
  return new Validation(type, definition.QueryLanguage === 'JSONata').run(definition);
}

const schema = (message: string, location?: string): Problem => ({
  code: 'SCHEMA_VALIDATION_FAILED',
  message,
  ...(location !== undefined && { location }),
});

function unreadable(text: string): Problem {
  const [code, message, location] = ['INVALID_JSON_DESCRIPTION' as const, jsonProblem(text), sourceOf(text)];
  return location === undefined ? { code, message } : { code, message: `${message}\n at ${location}`, location };
}

class Validation {
  private readonly problems: Problem[] = [];
  private readonly names = new Set<string>();

  constructor(
    private readonly type: MachineType,
    private readonly jsonata: boolean,
  ) {}

  run(definition: JsonObject): Problem[] {
    const { QueryLanguage: language, Version: version } = definition;
    if (language !== undefined) this.language(language, '');
    if (version !== undefined && version !== '1.0')
      this.add("The field 'Version' should have one of these values: [1.0]", '/Version');
    checkNumbers(definition, '', false, this.add);
    this.block(definition, 'machine', '');
    return this.problems;
  }

  private readonly add = (message: string, location: string): undefined => {
    this.problems.push(schema(message, location));
  };

  private language(language: Json, at: string): void {
    if (!LANGUAGES.includes(language))
      this.add(
        `The field 'QueryLanguage' should have one of these values: [${LANGUAGES.join(', ')}]`,
        `${at}/QueryLanguage`,
      );
  }

  /** Checks the fields of a state or part of a definition. */
  private supported(object: JsonObject, kind: string, jsonata: boolean, at: string): void {
    for (const message of unsupportedFields(object, kind, jsonata ? 'JSONata' : 'JSONPath'))
      this.add(message, at === '' ? '/' : at);
  }

  private block(block: JsonObject, part: Part, at: string): undefined {
    this.supported(block, part, this.jsonata, at);
    const missing = ['States', 'StartAt'].filter((field) => block[field] === undefined);
    if (missing.length > 0) return this.add(`These fields are required: [${missing.join(', ')}]`, at === '' ? '/' : at);
    const { States: states, StartAt: start } = block;
    if (!isObject(states)) return this.add('Expected value of type Object', `${at}/States`);
    if (Object.keys(states).length === 0) return this.add('Expected at least one state', `${at}/States`);
    const started = typeof start === 'string' && Object.hasOwn(states, start);
    if (!started) this.missing('StartAt', start ?? null, `${at}/StartAt`);
    const before = this.problems.length;
    for (const [name, state] of Object.entries(states)) this.state(name, state, states, `${at}/States/${name}`);
    const valid = this.problems.length === before;
    if (started)
      for (const name of unreachableStates(states, start))
        this.problems.push({
          code: 'MISSING_TRANSITION_TARGET',
          message: `State "${name}" is not reachable.`,
          location: `${at}/States/${name}`,
        });
    if (valid && !Object.values(states).some(isTerminal))
      this.problems.push({ code: 'MISSING_END_STATE', message: 'Workflow has no terminal state' });
  }

  private missing(field: string, target: Json, location: string): undefined {
    const message = `Missing '${field}' target: ${textOf(target)}`;
    this.problems.push({ code: 'MISSING_TRANSITION_TARGET', message, location });
  }

  private state(name: string, state: Json, states: JsonObject, at: string): undefined {
    if (name.length > 80) return this.add('State name exceeds the maximum length of 80 characters', at);
    if (this.names.has(name))
      this.problems.push({ code: 'DUPLICATE_STATE_NAME', message: `Duplicate State name: ${name}`, location: at });
    this.names.add(name);
    if (!isObject(state)) return this.add('Expected value of type Object', at);
    const { Type: type, QueryLanguage: language } = state;
    if (typeof type !== 'string') return this.add("The field 'Type' is required but was missing", at);
    if (!TYPES.has(type))
      return this.add(`The field 'Type' should have one of these values: [${[...TYPES].join(', ')}]`, `${at}/Type`);
    if (language !== undefined) this.language(language, at);
    if (this.jsonata && language === 'JSONPath')
      return this.add("'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine", at);
    const jsonata = language === 'JSONata' || (language === undefined && this.jsonata);
    this.supported(state, type, jsonata, at);
    for (const pair of ALTERNATIVES)
      if (pair.every((field) => state[field] !== undefined))
        this.add(`The fields [${pair.join(', ')}] exclude each other`, at);
    checkNumbers(state, at, jsonata, this.add);
    this.transition(type, state, states, at);
    if (WORK.has(type)) this.errors(state, states, jsonata, at);
    this.fields(type, state, jsonata, at);
    const check = { Task: this.task, Choice: this.choice, Wait: this.wait, Parallel: this.parallel, Map: this.map }[
      type
    ];
    check?.call(this, state, states, jsonata, at);
  }

  private transition(type: string, state: JsonObject, states: JsonObject, at: string): undefined {
    if (type === 'Choice' || type === 'Succeed' || type === 'Fail') return;
    const { Next: next, End: end } = state;
    if (next === undefined && end !== true)
      this.add('The fields [Next, End] are required: exactly one must be given', at);
    else if (next !== undefined && end === true) this.add('The fields [Next, End] exclude each other', at);
    if (next !== undefined) this.target('Next', next, states, `${at}/Next`);
  }

  private errors(state: JsonObject, states: JsonObject, jsonata: boolean, at: string): void {
    checkRetry(state, at, (rule, place) => this.supported(rule, 'retrier', jsonata, place), this.add);
    const catcher = (rule: JsonObject, place: string): void => {
      this.supported(rule, 'catcher', jsonata, place);
      this.target('Next', rule.Next ?? null, states, `${place}/Next`);
      if (jsonata) for (const field of ['Output', 'Assign']) this.queries(rule[field], `${place}/${field}`, WITH_ERROR);
      else {
        if (typeof rule.ResultPath === 'string') this.path(rule.ResultPath, 'ResultPath', `${place}/ResultPath`);
        this.template(rule.Assign, `${place}/Assign`);
      }
    };
    checkCatch(state, at, catcher, this.add);
  }

  private target(field: string, target: Json, states: JsonObject, at: string): undefined {
    if (typeof target !== 'string' || !Object.hasOwn(states, target)) this.missing(field, target, at);
  }

  private fields(type: string, state: JsonObject, jsonata: boolean, at: string): undefined {
    if (jsonata) {
      for (const field of QUERIES) this.queries(state[field], `${at}/${field}`, BEFORE_RESULT);
      const known = WORK.has(type) ? WITH_RESULT : BEFORE_RESULT;
      for (const field of ['Output', 'Assign']) this.queries(state[field], `${at}/${field}`, known);
      return;
    }
    for (const field of PATHS) {
      const path = state[field];
      if (typeof path === 'string') this.path(path, field, `${at}/${field}`);
    }
    for (const field of ['Parameters', 'ResultSelector', 'ItemSelector', 'Assign'])
      this.template(state[field], `${at}/${field}`);
  }

  private path(path: string, field: string, at: string): undefined {
    if (!isPath(path)) this.add(`Value for field '${field}' must be a valid JSONPath`, at);
  }

  private template(template: Json | undefined, at: string): undefined {
    if (Array.isArray(template)) for (const [index, item] of template.entries()) this.template(item, `${at}[${index}]`);
    if (!isObject(template)) return;
    for (const [key, value] of Object.entries(template)) {
      if (!key.endsWith('.$')) this.template(value, `${at}/${key}`);
      else if (typeof value !== 'string' || !(isPath(value) || isIntrinsic(value)))
        this.add(`The value for the field '${key}' must be a valid JSONPath or a valid intrinsic function call`, at);
    }
  }

  private queries(value: Json | undefined, at: string, fields: ReadonlySet<string>): undefined {
    if (typeof value === 'string') {
      const source = expressionIn(value);
      if (source !== undefined) this.query(source, at, fields);
    } else if (Array.isArray(value))
      for (const [index, item] of value.entries()) this.queries(item, `${at}[${index}]`, fields);
    else if (isObject(value))
      for (const [key, item] of Object.entries(value)) this.queries(item, `${at}/${key}`, fields);
  }

  private query(source: string, location: string, fields: ReadonlySet<string>): undefined {
    let tree: unknown;
    try {
      tree = parseQuery(source);
    } catch (error) {
      const { message } = error as { message: string };
      this.problems.push({ code: 'INVALID_JSONATA_EXPRESSION', message, location });
      return;
    }
    for (const reference of invalidReferences(tree, fields)) this.problems.push({ ...reference, location });
  }

  private task(state: JsonObject, _states: JsonObject, _jsonata: boolean, at: string): undefined {
    const { Resource: resource, Credentials: credentials, TimeoutSeconds: limit, HeartbeatSeconds: heartbeat } = state;
    if (typeof heartbeat === 'number' && typeof limit === 'number' && heartbeat >= limit)
      this.add("'HeartbeatSeconds' must be less than 'TimeoutSeconds'", `${at}/HeartbeatSeconds`);
    if (typeof resource !== 'string') return this.add("The field 'Resource' is required but was missing", at);
    if (isObject(credentials) && !['RoleArn', 'RoleArn.$'].some((field) => credentials[field] !== undefined))
      this.add("The field 'RoleArn' is required but was missing", `${at}/Credentials`);
    const place = `${at}/Resource`;
    if (/^arn:[a-z-]+:(lambda:[^:]+:\d{12}:function:|states:[^:]+:\d{12}:activity:)/.test(resource)) {
      if (this.type === 'EXPRESS' && resource.includes(':activity:'))
        this.add('Express state machine does not support Activity ARN', place);
      return;
    }
    const integration = parseIntegration(resource);
    const { sdk, resourceType = '', action = '', form = '' } = integration ?? {};
    const optimised = Object.hasOwn(OPTIMISED, resourceType) ? OPTIMISED[resourceType] : undefined;
    // Integrations that emu does not support fail at run time, since AWS accepts the definition.
    const forms = optimised?.actions[action];
    if (!integration || (sdk === undefined && optimised && (!forms || (form !== '' && !forms.includes(form)))))
      return this.add(
        `The resource provided ${resource} is not recognized. The value is not a valid resource ARN, or the resource is not available in this region.`,
        place,
      );
    if (this.type === 'EXPRESS' && form !== '')
      this.add(
        form === '.waitForTaskToken'
          ? "Express state machine does not support '.waitForTaskToken' service integration "
          : "Express state machine does not support '.sync' service integration",
        place,
      );
  }

  private choice(state: JsonObject, states: JsonObject, jsonata: boolean, at: string): undefined {
    const { Choices: choices, Default: otherwise } = state;
    if (!Array.isArray(choices)) return this.add("The field 'Choices' is required but was missing", at);
    if (choices.length === 0) return this.add('Value cannot be empty', `${at}/Choices`);
    for (const [index, rule] of choices.entries()) {
      const place = `${at}/Choices[${index}]`;
      if (!isObject(rule)) this.add('Expected value of type Object', place);
      else {
        this.supported(rule, 'rule', jsonata, place);
        this.target('Next', rule.Next ?? null, states, `${place}/Next`);
        if (jsonata)
          for (const field of ['Condition', 'Output', 'Assign'])
            this.queries(rule[field], `${place}/${field}`, BEFORE_RESULT);
        else this.rule(rule, place);
      }
    }
    if (otherwise !== undefined) this.target('Default', otherwise, states, `${at}/Default`);
  }

  private rule(rule: JsonObject, at: string): undefined {
    for (const field of ['And', 'Or'] as const) {
      const parts = rule[field];
      if (!Array.isArray(parts)) continue;
      for (const [index, part] of parts.entries()) if (isObject(part)) this.rule(part, `${at}/${field}[${index}]`);
      return;
    }
    if (isObject(rule.Not)) return this.rule(rule.Not, `${at}/Not`);
    const operators = Object.keys(rule).filter(isComparison);
    if (operators.length > 1)
      return this.add(`Exactly one comparison operator is required, but found [${operators.join(', ')}]`, at);
    if (typeof rule.Variable !== 'string') return this.add("The field 'Variable' is required but was missing", at);
    this.path(rule.Variable, 'Variable', `${at}/Variable`);
    if (operators.length === 0) this.add('A comparison operator is required but was missing', at);
  }

  private wait(state: JsonObject, _states: JsonObject, _jsonata: boolean, at: string): undefined {
    const given = ['Seconds', 'SecondsPath', 'Timestamp', 'TimestampPath'].filter(
      (field) => state[field] !== undefined,
    );
    if (given.length !== 1)
      return this.add('Exactly one of the fields [Seconds, SecondsPath, Timestamp, TimestampPath] is required', at);
    const { Timestamp: timestamp } = state;
    if (
      typeof timestamp === 'string' &&
      expressionIn(timestamp) === undefined &&
      parseTimestamp(timestamp) === undefined
    )
      this.add('String does not match RFC3339 timestamp', `${at}/Timestamp`);
  }

  private parallel(state: JsonObject, _states: JsonObject, _jsonata: boolean, at: string): undefined {
    const { Branches: branches } = state;
    if (!Array.isArray(branches)) return this.add("The field 'Branches' is required but was missing", at);
    if (branches.length === 0) return this.add('Value cannot be empty', `${at}/Branches`);
    for (const [index, branch] of branches.entries())
      if (isObject(branch)) this.block(branch, 'branch', `${at}/Branches[${index}]`);
      else this.add('Expected value of type Object', `${at}/Branches[${index}]`);
  }

  private map(state: JsonObject, _states: JsonObject, _jsonata: boolean, at: string): undefined {
    const field = isObject(state.ItemProcessor) ? 'ItemProcessor' : 'Iterator';
    const processor = state[field];
    if (!isObject(processor)) return this.add("The field 'ItemProcessor' is required but was missing", at);
    const { ProcessorConfig: config } = processor;
    const mode = isObject(config) ? (config.Mode ?? 'INLINE') : 'INLINE';
    if (mode !== 'INLINE' && mode !== 'DISTRIBUTED')
      this.add(
        "The field 'Mode' should have one of these values: [INLINE, DISTRIBUTED]",
        `${at}/${field}/ProcessorConfig/Mode`,
      );
    if (mode === 'INLINE')
      for (const unsupported of DISTRIBUTED_FIELDS)
        if (state[unsupported] !== undefined) this.add(`Field '${unsupported}' is not supported`, at);
    this.block(processor, 'processor', `${at}/${field}`);
  }
}

function isPath(text: string): boolean {
  if (!text.startsWith('$')) return false;
  const name = /^\$\$?(?:[\p{L}_][\p{L}\p{N}_]*)?/u.exec(text)![0];
  try {
    compilePath(`$${text.slice(name.length)}`);
    return true;
  } catch (error) {
    if (error instanceof PathSyntaxError) return false;
    throw error;
  }
}

function isIntrinsic(text: string): boolean {
  if (!text.startsWith('States.')) return false;
  try {
    parseIntrinsic(text);
    return true;
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return false;
    throw error;
  }
}
