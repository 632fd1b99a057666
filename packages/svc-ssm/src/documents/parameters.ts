import { RegexError, WholeRegex } from '@emu/core/regex';
import type { DocumentParameter } from '@emu/service-types/ssm';
import { isObject, parseJson, textOf } from '@emu/wire';
import type { Json, JsonObject } from './content.ts';
import { invalidContent } from './errors.ts';

/** Parameter values in the shape of requests. */
export type ParameterValues = Readonly<Record<string, readonly string[]>>;

/** Parameter types besides those of AWS resources. */
const TYPES = new Set(['String', 'StringList', 'Boolean', 'Integer', 'MapList', 'StringMap']);
const RESOURCE_TYPE = /^(?:List<)?AWS::[A-Za-z0-9]+(?:::[A-Za-z0-9]+)*>?$/;
const NAME = /^[a-zA-Z0-9._-]{1,}$/;

/** Whether a type holds several values. */
const isList = (type: string): boolean => type === 'StringList' || type.startsWith('List<');

/** Returns the declarations of a document's parameters by name. */
export const declaredParameters = (content: JsonObject): Record<string, JsonObject> =>
  isObject(content.parameters)
    ? Object.fromEntries(
        Object.entries(content.parameters).filter((entry): entry is [string, JsonObject] => isObject(entry[1])),
      )
    : {};

/**
 * Validates parameter declarations.
 * @throws AwsError `InvalidDocumentContent` if one is invalid
 */
export function checkDeclarations(content: JsonObject): void {
  if (content.parameters === undefined) return;
  if (!isObject(content.parameters)) throw invalidContent('The parameters of a document are an object.');
  for (const [name, declared] of Object.entries(content.parameters)) {
    if (!NAME.test(name)) throw invalidContent(`Parameter name "${name}" is not valid.`);
    if (!isObject(declared)) throw invalidContent(`Parameter "${name}" is not an object.`);
    const { type, allowedValues, allowedPattern } = declared;
    if (typeof type !== 'string') throw invalidContent(`Parameter "${name}" has no type.`);
    if (!TYPES.has(type) && !RESOURCE_TYPE.test(type))
      throw invalidContent(`Parameter "${name}" has an unsupported type: ${type}.`);
    if (allowedValues !== undefined && !Array.isArray(allowedValues))
      throw invalidContent(`The allowedValues of parameter "${name}" are a list.`);
    if (allowedPattern !== undefined && !isExpression(allowedPattern))
      throw invalidContent(`The allowedPattern of parameter "${name}" is not a valid regular expression.`);
    if (declared.default === undefined) continue;
    const problem = problemOf(name, declared, textsOf(declared.default));
    // An empty default means no value, so that the pattern does not apply.
    if (problem !== undefined && declared.default !== '') throw invalidContent(problem);
  }
}

/** Returns a default value in the shape of requests. */
function textsOf(value: Json): string[] {
  if (Array.isArray(value)) return value.map((item) => textOf(item));
  return [textOf(value)];
}

const isExpression = (pattern: Json): boolean =>
  typeof pattern === 'string' && WholeRegex.problem(pattern) === undefined;

/** Whether a value matches an allowed pattern; false for a pattern that cannot be used, or a value too long for it. */
function matches(pattern: Json, value: string): boolean {
  if (typeof pattern !== 'string') return false;
  try {
    return new WholeRegex(pattern, { dotAll: true }).test(value);
  } catch (error) {
    if (error instanceof RegexError) return false;
    throw error;
  }
}

const isReference = (text: string): boolean => /^\s*\{\{.*\}\}\s*$/s.test(text);

/** Returns the validation error of a parameter's values. */
function problemOf(name: string, declared: JsonObject, values: readonly string[]): string | undefined {
  const type = String(declared.type);
  const { allowedValues, allowedPattern, minItems, maxItems, minChars, maxChars } = declared;
  if (!isList(type) && type !== 'MapList' && type !== 'StringMap' && values.length > 1)
    return `Parameter "${name}" takes one value only.`;
  if (typeof minItems === 'number' && values.length < minItems)
    return `Parameter "${name}" needs at least ${minItems} items.`;
  if (typeof maxItems === 'number' && values.length > maxItems)
    return `Parameter "${name}" takes at most ${maxItems} items.`;
  for (const value of values) {
    if (isReference(value)) continue;
    if (Array.isArray(allowedValues) && !allowedValues.some((allowed) => String(allowed) === value))
      return `Parameter "${name}" has value "${value}" not found in [${allowedValues.join(', ')}].`;
    if (allowedPattern !== undefined && !matches(allowedPattern, value))
      return `Parameter "${name}" has value "${value}" not matching "${String(allowedPattern)}".`;
    if (typeof minChars === 'number' && value.length < minChars)
      return `Parameter "${name}" needs at least ${minChars} characters.`;
    if (typeof maxChars === 'number' && value.length > maxChars)
      return `Parameter "${name}" takes at most ${maxChars} characters.`;
    if (type === 'Boolean' && !/^(true|false)$/i.test(value)) return `Parameter "${name}" is not a Boolean: ${value}.`;
    if (type === 'Integer' && !/^-?\d+$/.test(value)) return `Parameter "${name}" is not an Integer: ${value}.`;
    if ((type === 'StringMap' || type === 'MapList') && !isJson(value))
      return `Parameter "${name}" is not valid JSON: ${value}.`;
  }
  return undefined;
}

const isJson = (text: string): boolean => {
  try {
    return typeof parseJson(text) === 'object';
  } catch {
    return false;
  }
};

/** Validation error of a request's parameters. */
export type ParameterProblem =
  | { readonly code: 'missing' | 'unknown'; readonly name: string }
  | { readonly code: 'value'; readonly message: string };

/**
 * Validates the parameter values of a request.
 * @returns undefined if they are valid
 */
export function parameterProblem(content: JsonObject, given: ParameterValues): ParameterProblem | undefined {
  const declared = declaredParameters(content);
  for (const name of Object.keys(given)) if (!Object.hasOwn(declared, name)) return { code: 'unknown', name };
  for (const [name, declaration] of Object.entries(declared)) {
    const values = given[name];
    if (values === undefined) {
      if (declaration.default === undefined) return { code: 'missing', name };
      continue;
    }
    const message = problemOf(name, declaration, values);
    if (message !== undefined) return { code: 'value', message };
  }
  return undefined;
}

/** Converts a parameter value to its type. */
function typed(type: string, values: readonly string[]): Json {
  if (isList(type)) return [...values];
  const [first = ''] = values;
  if (isReference(first)) return first;
  switch (type) {
    case 'Boolean':
      return /^true$/i.test(first);
    case 'Integer':
      return Number(first);
    case 'StringMap':
      return parseJson(first) as Json;
    case 'MapList': {
      const items = values.map((value) => parseJson(value) as Json);
      return items.length === 1 && Array.isArray(items[0]) ? items[0] : items;
    }
    default:
      return first;
  }
}

/** Returns the values of all parameters of a document, with defaults for missing ones. */
export function boundParameters(content: JsonObject, given: ParameterValues): JsonObject {
  return Object.fromEntries(
    Object.entries(declaredParameters(content)).map(([name, declared]) => {
      const values = given[name];
      return [name, values ? typed(String(declared.type), values) : (declared.default ?? '')];
    }),
  );
}

/** Returns a document's parameters as in DescribeDocument. */
export const describeParameters = (content: JsonObject): DocumentParameter[] =>
  Object.entries(declaredParameters(content)).map(([Name, { type, description, default: value }]) => ({
    Name,
    Type: String(type) as NonNullable<DocumentParameter['Type']>,
    ...(typeof description === 'string' && { Description: description }),
    ...(value !== undefined && { DefaultValue: textOf(value) }),
  }));
