import { LinearRegex } from '@emu/core/regex';
import { isObject } from '@emu/wire';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { MODEL_FORMATS } from './model-formats.ts';

/** A parsed schema. */
type Schema = Readonly<Record<string, unknown>>;

const json = (value: unknown): string => JSON.stringify(value) ?? 'null';
const count = (value: unknown): number => Object.keys((value ?? {}) as object).length;
/** Returns the length of a string in code points, as in JSON Schema. */
const lengthOf = (value: unknown): number => [...String(value)].length;

/** Returns the JSON Schema type of a value. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Returns the types that a schema allows; `number` includes integers. */
const allowed = (types: unknown): string[] =>
  [types]
    .flat()
    .flatMap((type) => (type === 'number' ? ['integer', 'number'] : [String(type)]))
    .sort();

/**
 * Messages of AWS's validator, Java's json-schema-validator, by keyword.
 * @see https://github.com/java-json-tools/json-schema-validator its `validation.properties`
 */
const WORDS: Readonly<Record<string, (error: ErrorObject) => string>> = {
  type: ({ data, schema }) =>
    `instance type (${typeOf(data)}) does not match any allowed primitive type (allowed: ${json(allowed(schema))})`,
  enum: ({ data, schema }) => `instance value (${json(data)}) not found in enum (possible values: ${json(schema)})`,
  maximum: ({ data, schema, parentSchema }) =>
    parentSchema?.exclusiveMaximum === true && data === schema
      ? `numeric instance is not strictly lower than the required maximum ${json(schema)}`
      : `numeric instance is greater than the required maximum (maximum: ${json(schema)}, found: ${json(data)})`,
  minimum: ({ data, schema, parentSchema }) =>
    parentSchema?.exclusiveMinimum === true && data === schema
      ? `numeric instance is not strictly greater than the required minimum ${json(schema)}`
      : `numeric instance is lower than the required minimum (minimum: ${json(schema)}, found: ${json(data)})`,
  multipleOf: ({ data, schema }) => `remainder of division is not zero (${json(data)} / ${json(schema)})`,
  minLength: ({ data, schema }) =>
    `string "${data}" is too short (length: ${lengthOf(data)}, required minimum: ${schema})`,
  maxLength: ({ data, schema }) =>
    `string "${data}" is too long (length: ${lengthOf(data)}, maximum allowed: ${schema})`,
  format: ({ data, schema }) => MODEL_FORMATS[String(schema)]!.words(String(data)),
  pattern: ({ data, schema }) => `ECMA 262 regex "${schema}" does not match input string "${data}"`,
  minItems: ({ data, schema }) =>
    `array is too short: must have at least ${schema} elements but instance has ${count(data)} elements`,
  maxItems: ({ data, schema }) =>
    `array is too long: must have at most ${schema} elements but instance has ${count(data)} elements`,
  additionalItems: ({ data, params }) =>
    `schema only allows ${params.limit} elements in array but instance has ${count(data)} elements`,
  uniqueItems: () => 'array must not contain duplicate elements',
  minProperties: ({ data, schema }) =>
    `object has too few properties (found ${count(data)} but schema requires at least ${schema})`,
  maxProperties: ({ data, schema }) =>
    `object has too many properties (found ${count(data)} but schema requires at most ${schema})`,
};

/** Keywords whose errors are combined, with the property names. */
const GROUPED: Readonly<Record<string, readonly [param: string, words: (names: string[]) => string]>> = {
  required: ['missingProperty', (names) => `object has missing required properties (${json(names)})`],
  additionalProperties: [
    'additionalProperty',
    (names) => `object instance has properties which are not allowed by the schema: ${json(names)}`,
  ],
};

/** Returns a map of schemas with empty schemas. */
const emptied = (schemas: unknown): Record<string, unknown> =>
  Object.fromEntries(Object.keys(isObject(schemas) ? schemas : {}).map((name) => [name, {}]));

/** Returns the keywords of a schema for a value itself, without nested values and other schemas. */
function ownOf(schema: Schema): Schema {
  const { allOf, anyOf, oneOf, not, definitions, dependencies, items, ...own } = schema;
  return {
    ...own,
    ...(own.properties !== undefined && { properties: emptied(own.properties) }),
    ...(own.patternProperties !== undefined && { patternProperties: emptied(own.patternProperties) }),
    ...(isObject(own.additionalProperties) && { additionalProperties: true }),
    ...(isObject(own.additionalItems) && { additionalItems: true }),
    ...(Array.isArray(items) && { items: items.map(() => ({})) }),
  };
}

/**
 * Reports validation errors as Java's json-schema-validator does: keywords in alphabetical order, nested values only if
 * the value itself is valid, and for combined schemas only the number of matches.
 */
export class ModelReport {
  private readonly ajv: Ajv;
  private readonly resolve: (ref: string, base: string) => readonly [schema: unknown, base: string] | undefined;
  private readonly compiled = new WeakMap<object, ValidateFunction>();

  /** @param resolve returns the schema of a reference, with the name of its document */
  constructor(ajv: Ajv, resolve: ModelReport['resolve']) {
    this.ajv = ajv;
    this.resolve = resolve;
  }

  /**
   * Returns the errors in order; empty for a valid value.
   * @param base name of the schema's document
   */
  problems(schema: unknown, data: unknown, base: string): string[] {
    if (!isObject(schema)) return [];
    if (typeof schema.$ref === 'string') {
      const [target, home] = this.resolve(schema.$ref, base) ?? [];
      return target === schema ? [] : this.problems(target, data, home ?? base);
    }
    const own = [...this.ownProblems(schema, data), ...this.combined(schema, data, base)]
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([, words]) => words);
    return own.length > 0 ? own : this.contained(schema, data, base);
  }

  private ownProblems(schema: Schema, data: unknown): [keyword: string, words: string][] {
    let validate = this.compiled.get(schema);
    if (!validate) {
      validate = this.ajv.compile(ownOf(schema));
      this.compiled.set(schema, validate);
    }
    if (validate(data)) return [];
    const reported = new Map<string, string>();
    const { errors } = validate;
    for (const error of errors!) {
      const { keyword } = error;
      const [param, words] = GROUPED[keyword] ?? [];
      if (words === undefined) reported.set(keyword, WORDS[keyword]?.(error) ?? error.message ?? keyword);
      else {
        const names = errors!.filter((one) => one.keyword === keyword).map(({ params }) => String(params[param!]));
        reported.set(keyword, words(names.sort()));
      }
    }
    return [...reported];
  }

  private *combined(schema: Schema, data: unknown, base: string): Generator<[keyword: string, words: string]> {
    const { allOf, anyOf, oneOf, not, dependencies } = schema;
    const fitting = (schemas: unknown[]): number =>
      schemas.filter((one) => this.problems(one, data, base).length === 0).length;
    if (Array.isArray(allOf) && fitting(allOf) < allOf.length)
      yield [
        'allOf',
        `instance failed to match all required schemas (matched only ${fitting(allOf)} out of ${allOf.length})`,
      ];
    if (Array.isArray(anyOf) && fitting(anyOf) === 0)
      yield ['anyOf', `instance failed to match at least one required schema among ${anyOf.length}`];
    if (Array.isArray(oneOf) && fitting(oneOf) !== 1)
      yield ['oneOf', `instance failed to match exactly one schema (matched ${fitting(oneOf)} out of ${oneOf.length})`];
    if (not !== undefined && fitting([not]) === 1) yield ['not', 'instance matched a schema which it should not have'];
    if (!isObject(dependencies) || !isObject(data)) return;
    for (const [name, needed] of Object.entries(dependencies)) {
      if (!Object.hasOwn(data, name)) continue;
      if (!Array.isArray(needed)) for (const words of this.problems(needed, data, base)) yield ['dependencies', words];
      else {
        const missing = needed.filter((one) => !Object.hasOwn(data, String(one)));
        if (missing.length > 0)
          yield [
            'dependencies',
            `property "${name}" of object has missing property dependencies (schema requires ${json(needed)}; missing: ${json(missing)})`,
          ];
      }
    }
  }

  private contained(schema: Schema, data: unknown, base: string): string[] {
    if (Array.isArray(data)) {
      const { items, additionalItems } = schema;
      return data.flatMap((item, at) =>
        this.problems(Array.isArray(items) ? (items[at] ?? additionalItems) : items, item, base),
      );
    }
    if (!isObject(data)) return [];
    return Object.keys(data)
      .sort()
      .flatMap((name) => schemasOf(schema, name).flatMap((one) => this.problems(one, data[name], base)));
  }
}

/** Returns the schemas that apply to the value of a property. */
function schemasOf({ properties, patternProperties, additionalProperties }: Schema, name: string): unknown[] {
  const named = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {});
  const fitting = patterns.filter(([pattern]) => new LinearRegex(pattern).test(name)).map(([, one]) => one);
  const all = [...named, ...fitting];
  return all.length > 0 ? all : [additionalProperties];
}
