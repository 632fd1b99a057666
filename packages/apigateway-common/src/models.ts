import { LinearRegex, RegexError } from '@emu/core/regex';
import { canonicalJson, percentDecoded } from '@emu/core/service';
import { parseJson } from '@emu/wire';
import AjvDraft04 from 'ajv-draft-04';
import { MODEL_FORMATS } from './model-formats.ts';
import { ModelReport } from './model-report.ts';

/** A model: a named schema. */
export interface NamedSchema {
  readonly name?: string | undefined;
  /** JSON Schema, draft 4, as JSON. */
  readonly schema?: string | undefined;
}

/** Validates bodies with the models of an API. */
export interface ModelValidator {
  /**
   * Validates a body.
   * @param name of the model
   * @param body parsed body
   * @returns AWS's error message; undefined for a valid body
   */
  problem(name: string, body: unknown): string | undefined;
}

/** URL of a model in references, with any host. */
const MODEL_URL = /^https?:\/\/apigateway\.[^/]+\/restapis\/[^/]+\/models\/([^/#]+)(#.*)?$/;

/** Replaces references to other models by their names. */
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
    return parseJson(schema ?? '');
  } catch {
    return undefined;
  }
}

/** Compiles the patterns of schemas, which Ajv tells apart by their texts. */
const compile = (source: string) => {
  const regex = new LinearRegex(source);
  return { test: (text: string) => regex.test(text), toString: () => source };
};
const linearRegex = Object.assign(compile, { code: 'linearRegex' });

/** Whether a schema allows the items of an array. Ajv compares each item with each other one. */
function hasUniqueItems(isRequired: boolean, items: readonly unknown[]): boolean {
  return !isRequired || new Set(items.map((item) => canonicalJson(item))).size === items.length;
}

/** Creates a validator for models, which may refer to each other by URL. */
export function modelValidator(models: readonly NamedSchema[]): ModelValidator {
  const ajv = new AjvDraft04.default({
    strict: false,
    allErrors: true,
    verbose: true,
    logger: false,
    code: { regExp: linearRegex },
    formats: Object.fromEntries(Object.entries(MODEL_FORMATS).map(([name, { validate }]) => [name, validate])),
  });
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: hasUniqueItems });
  const documents = new Map<string, unknown>();
  for (const { name, schema } of models) {
    const document = parsed(schema);
    if (typeof document !== 'object' || document === null) continue;
    const { id, $id, ...rest } = withLocalNames(document) as Record<string, unknown>;
    try {
      ajv.addSchema(rest, `model:${name}`);
      documents.set(`model:${name}`, rest);
    } catch {
      // An invalid schema accepts nothing: the look-up below does not find it.
    }
  }
  const report = new ModelReport(ajv, (ref, base) => {
    const [document, pointer = ''] = ref.split('#');
    const home = document || base;
    let target = documents.get(home);
    for (const step of pointer.split('/').slice(1))
      target = (target as Record<string, unknown> | undefined)?.[
        percentDecoded(step).replace(/~1/g, '/').replace(/~0/g, '~')
      ];
    return [target, home];
  });
  return {
    problem(name, body) {
      let validate: ReturnType<typeof ajv.getSchema>;
      try {
        validate = ajv.getSchema(`model:${name}`);
      } catch {
        // The schema has an unknown reference.
      }
      if (!validate) return '[the model is not a valid schema]';
      try {
        if (validate(body)) return undefined;
        return `[${report.problems(documents.get(`model:${name}`), body, `model:${name}`).join(', ')}]`;
      } catch (error) {
        if (error instanceof RegexError) return `[${error.message}]`;
        // A schema that refers to itself for the same value recurses without end.
        if (error instanceof RangeError) return '[the model refers to itself]';
        throw error;
      }
    },
  };
}
