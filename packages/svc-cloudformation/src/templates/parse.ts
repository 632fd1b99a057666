import { parseYamlDocument, VERSION_MEMBERS } from '@emu/core/yaml';
import { isObject, refuseCrowded } from '@emu/wire';
import { isAlias, isMap, isScalar, isSeq, type Node, type ParsedNode } from 'yaml';
import { badTemplate, invalid } from '../errors.ts';
import { type JsonObject, setMember } from './values.ts';

/** Maximum nesting depth of a template. */
const MAX_DEPTH = 200;
const tooDeep = () => badTemplate('the template is nested too deeply.');
/**
 * Maximum number of values in a template. The parser needs about 700 bytes for each, and four templates may be parsed
 * at once.
 */
const MAX_VALUES = 80_000;
/** Tags of YAML 1.1 that CloudFormation does not support; such values are text. */
const UNKNOWN_TAGS = /(timestamp|binary|omap|pairs|set|merge)$/;

/** Booleans as CloudFormation's parser reads them: the letters `y` and `n` of YAML 1.1 are text. */
const TRUE = /^(?:[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON)$/;
const FALSE = /^(?:[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF)$/;

/**
 * Parses a template: JSON, or YAML with short forms of functions. Dates stay text, duplicate keys are rejected, and null
 * values are kept for transforms.
 * @throws AwsError `ValidationError` with CloudFormation's message; for too many values, the error of `refuseCrowded`
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/template-formats.html
 */
export function parseTemplate(text: string): JsonObject {
  // The YAML parser reads JSON, too.
  refuseCrowded(text, 'yaml', MAX_VALUES);
  const template = /^\s*\{/.test(text) ? parseJson(text) : parseYaml(text);
  if (!isObject(template)) throw badTemplate('unsupported structure.');
  return template;
}

/**
 * Rejects null values in a template without transforms, or in the result of its transforms.
 * @throws AwsError `ValidationError` with the place of the first one
 * @see https://github.com/getmoto/moto/pull/4221
 */
export function refuseNulls(template: JsonObject): void {
  const place = nullPlace(template);
  // AWS's places have the type of a resource before its properties.
  const shown = place?.replace(/^(\/Resources\/[^/]+)\/Properties(?=\/)/, '$1/Type');
  if (shown !== undefined) throw invalid(`[${shown}] 'null' values are not allowed in templates`);
}

function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // YAML flow mappings start like JSON.
    const yaml = documentOf(text);
    if (!yaml.errors.length && /^\s*\{\s*[^"\s}]/.test(text)) return valueOfNode(yaml.contents, 0);
    throw badTemplate(`JSON not well-formed. ${placeOf(text, error as Error, yaml.errors[0]?.linePos?.[0])}`);
  }
  // The YAML parser is about 50 times slower, but has the places of duplicate keys and the source of numbers.
  return isComplete(text, value) ? value : parseYaml(text, 'JSON not well-formed.');
}

/** A string in a JSON text, with the colon behind it if it is a key. */
const JSON_STRING = /"[^"\\]*(?:\\.[^"\\]*)*"\s*(:)?/g;

/** Whether a JSON text has no duplicate keys, no value nested too deeply and no version whose source counts. */
function isComplete(text: string, value: unknown): boolean {
  let keys = 0;
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: inner, depth } = next;
    if (depth > MAX_DEPTH) return false;
    if (typeof inner !== 'object' || inner === null) continue;
    const members = Object.entries(inner);
    if (!Array.isArray(inner)) keys += members.length;
    for (const [name, member] of members) {
      if (isVersion(name) && typeof member === 'number') return false;
      open.push({ value: member, depth: depth + 1 });
    }
  }
  for (const [, colon] of text.matchAll(JSON_STRING)) if (colon) keys--;
  return keys === 0;
}

/** Returns line and column of a JSON syntax error. */
function placeOf(text: string, error: Error, other: { line: number; col: number } | undefined): string {
  const position = /at position (\d+)/.exec(error.message)?.[1];
  if (position === undefined) return other ? `(line ${other.line}, column ${other.col})` : '';
  const before = text.slice(0, Number(position)).split('\n');
  // The column after the unexpected character.
  const read = error.message.startsWith('Unexpected end') ? 0 : 1;
  return `(line ${before.length}, column ${before.at(-1)!.length + 1 + read})`;
}

function documentOf(text: string) {
  try {
    return parseYamlDocument(text, {
      schema: 'yaml-1.1',
      merge: false,
      logLevel: 'silent',
      customTags: (tags) =>
        tags
          .filter(
            (tag) =>
              typeof tag === 'string' || !(UNKNOWN_TAGS.test(tag.tag) || ('format' in tag && tag.format === 'TIME')),
          )
          .map((tag) => {
            const pattern = typeof tag !== 'string' && tag.tag.endsWith(':bool') && 'test' in tag && tag.test;
            return pattern ? { ...tag, test: pattern.test('y') ? TRUE : FALSE } : tag;
          }),
    });
  } catch (error) {
    throw error instanceof SyntaxError ? tooDeep() : error;
  }
}

function parseYaml(text: string, problem = 'YAML not well-formed.'): unknown {
  const document = documentOf(text);
  const error = document.errors[0];
  if (error) {
    const place = error.linePos?.[0];
    throw badTemplate(place ? `${problem} (line ${place.line}, column ${place.col})` : problem);
  }
  return valueOfNode(document.contents, 0);
}

/** Converts a node to a value, with short forms of functions expanded. */
function valueOfNode(node: Node | ParsedNode | null, depth: number): unknown {
  if (depth > MAX_DEPTH) throw tooDeep();
  if (!node) return null;
  if (isAlias(node)) throw badTemplate('YAML aliases are not allowed in CloudFormation templates');
  const tag = node.tag?.startsWith('!') ? node.tag.slice(1) : undefined;
  const value = plainValue(node, depth);
  if (tag === undefined || tag === '') return value;
  return longForm(tag, value);
}

function plainValue(node: Node, depth: number): unknown {
  if (isScalar(node)) {
    // The parser reads a single dot as a number without digits.
    if (Number.isNaN(node.value)) return node.source;
    // A number in a short form is text, as in `!Ref 1`.
    return typeof node.value === 'bigint' ? Number(node.value) : node.value;
  }
  if (isSeq(node)) return node.items.map((item) => valueOfNode(item as Node, depth + 1));
  if (isMap(node)) {
    const object: JsonObject = {};
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.source ?? key.value) : undefined;
      if (name === undefined) throw badTemplate('YAML not well-formed.');
      setMember(object, name, versionText(name, value) ?? valueOfNode(value as Node | null, depth + 1));
    }
    return object;
  }
  throw badTemplate('YAML not well-formed.');
}

/** Whether a member is a version: in an API definition, or of the definition that SAM makes. */
const isVersion = (name: string): boolean => name === 'OpenApiVersion' || VERSION_MEMBERS.has(name);

/** Returns the source text of a version that YAML reads as a number: 3.0 is another version than 3. */
const versionText = (name: string, value: unknown): string | undefined =>
  isVersion(name) && isScalar(value) && typeof value.value === 'number' && value.source?.includes('.')
    ? value.source
    : undefined;

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/intrinsic-function-reference.html */
function longForm(tag: string, value: unknown): JsonObject {
  if (tag === 'Ref' || tag === 'Condition') return { [tag]: value };
  if (tag === 'GetAtt' && typeof value === 'string') {
    const dot = value.indexOf('.');
    return { 'Fn::GetAtt': dot < 0 ? [value] : [value.slice(0, dot), value.slice(dot + 1)] };
  }
  return { [`Fn::${tag}`]: value };
}

/** Returns the path of the first null value, with slashes; undefined if there is none. */
function nullPlace(value: unknown): string | undefined {
  const open: { value: unknown; path: string }[] = [{ value, path: '' }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: inner, path } = next;
    if (inner === null) return path;
    if (typeof inner === 'object')
      for (const [name, member] of Object.entries(inner as object).reverse())
        open.push({ value: member, path: `${path}/${name}` });
  }
  return undefined;
}
