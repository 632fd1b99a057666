import type { ErrorObject } from 'ajv';
import AjvDraft04 from 'ajv-draft-04';

/** A model: a schema by its name. */
export interface NamedSchema {
  readonly name?: string | undefined;
  /** JSON Schema, draft 4, as JSON. */
  readonly schema?: string | undefined;
}

/** Checks bodies by the models of an API. */
export interface ModelValidator {
  /**
   * @param name of the model
   * @param body what was parsed
   * @returns what is wrong, in AWS's words; undefined where nothing is
   */
  problem(name: string, body: unknown): string | undefined;
}

/** Name by which models refer to each other, of whatever host. */
const MODEL_URL = /^https?:\/\/apigateway\.[^/]+\/restapis\/[^/]+\/models\/([^/#]+)(#.*)?$/;

/** References to other models by their names alone. */
function withLocalNames(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withLocalNames);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      const [, name, part = ''] = (key === '$ref' && typeof value === 'string' && MODEL_URL.exec(value)) || [];
      return [key, name === undefined ? withLocalNames(value) : `model:${name}${part}`];
    }),
  );
}

function parsed(schema: string | undefined): unknown {
  try {
    return JSON.parse(schema ?? '');
  } catch {
    return undefined;
  }
}

/** Makes what checks bodies by models, which may refer to each other by their URLs. */
export function modelValidator(models: readonly NamedSchema[]): ModelValidator {
  const ajv = new AjvDraft04.default({
    strict: false,
    allErrors: true,
    verbose: true,
    logger: false,
    validateFormats: false,
  });
  for (const { name, schema } of models) {
    const document = parsed(schema);
    if (typeof document !== 'object' || document === null) continue;
    const { id, $id, ...rest } = withLocalNames(document) as Record<string, unknown>;
    try {
      ajv.addSchema(rest, `model:${name}`);
    } catch {
      // A schema that is none accepts nothing: the look-up below finds none.
    }
  }
  return {
    problem(name, body) {
      let validate: ReturnType<typeof ajv.getSchema>;
      try {
        validate = ajv.getSchema(`model:${name}`);
      } catch {
        // It refers to what is not there.
      }
      if (!validate) return '[the model is no schema]';
      return validate(body) ? undefined : describe(validate.errors ?? []);
    },
  };
}

const json = (value: unknown): string => JSON.stringify(value) ?? 'null';

/** The type of a value, as JSON Schema calls it. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

const count = (value: unknown): number => Object.keys((value ?? {}) as object).length;

/** Types that a schema allows; a number may be whole. */
const allowed = (types: unknown): string[] =>
  [types]
    .flat()
    .flatMap((type) => (type === 'number' ? ['integer', 'number'] : [String(type)]))
    .sort();

/** What validators in Java say, which AWS uses, by the keyword that is broken. */
const WORDS: Readonly<Record<string, (error: ErrorObject) => string>> = {
  type: ({ data, schema }) =>
    `instance type (${typeOf(data)}) does not match any allowed primitive type (allowed: ${json(allowed(schema))})`,
  enum: ({ data, schema }) => `instance value (${json(data)}) not found in enum (possible values: ${json(schema)})`,
  maximum: ({ data, schema, parentSchema }) =>
    parentSchema?.exclusiveMaximum === true
      ? `numeric instance is not strictly lower than the required maximum ${json(schema)}`
      : `numeric instance is greater than the required maximum (maximum: ${json(schema)}, found: ${json(data)})`,
  minimum: ({ data, schema, parentSchema }) =>
    parentSchema?.exclusiveMinimum === true
      ? `numeric instance is not strictly greater than the required minimum ${json(schema)}`
      : `numeric instance is lower than the required minimum (minimum: ${json(schema)}, found: ${json(data)})`,
  multipleOf: ({ data, schema }) => `remainder of division is not zero (${json(data)} / ${json(schema)})`,
  minLength: ({ data, schema }) =>
    `string ${json(data)} is too short (length: ${String(data).length}, required minimum: ${schema})`,
  maxLength: ({ data, schema }) =>
    `string ${json(data)} is too long (length: ${String(data).length}, maximum allowed: ${schema})`,
  pattern: ({ data, schema }) => `ECMA 262 regex ${json(schema)} does not match input string ${json(data)}`,
  minItems: ({ data, schema }) =>
    `array is too short: must have at least ${schema} elements but instance has ${count(data)} elements`,
  maxItems: ({ data, schema }) =>
    `array is too long: must have at most ${schema} elements but instance has ${count(data)} elements`,
  uniqueItems: () => 'array must not contain duplicate elements',
  minProperties: ({ data, schema }) =>
    `object has too few properties (found ${count(data)} but schema requires at least ${schema})`,
  maxProperties: ({ data, schema }) =>
    `object has too many properties (found ${count(data)} but schema requires at most ${schema})`,
  anyOf: ({ schema }) => `instance failed to match at least one required schema among ${count(schema)}`,
  oneOf: ({ schema, params }) =>
    `instance failed to match exactly one schema (matched ${(params.passingSchemas ?? []).length} out of ${count(schema)})`,
  not: () => 'instance matched a schema which it should not have',
};

/** Keywords whose errors are told together, with the name of the property. */
const GROUPED: Readonly<Record<string, readonly [param: string, words: (names: string[]) => string]>> = {
  required: ['missingProperty', (names) => `object has missing required properties (${json(names)})`],
  additionalProperties: [
    'additionalProperty',
    (names) => `object instance has properties which are not allowed by the schema: ${json(names)}`,
  ],
};

/** What is wrong, as `$context.error.validationErrorString` has it. */
function describe(errors: readonly ErrorObject[]): string {
  const told = new Map<string, string>();
  for (const error of errors) {
    const { keyword, instancePath, schemaPath } = error;
    const group = GROUPED[keyword];
    if (!group) {
      told.set(`${instancePath} ${schemaPath}`, WORDS[keyword]?.(error) ?? error.message ?? keyword);
      continue;
    }
    const [param, words] = group;
    const key = `${instancePath} ${keyword}`;
    if (told.has(key)) continue;
    const names = errors.filter((one) => one.keyword === keyword && one.instancePath === instancePath);
    told.set(key, words(names.map(({ params }) => String(params[param])).sort()));
  }
  return `[${[...told.values()].join(', ')}]`;
}
