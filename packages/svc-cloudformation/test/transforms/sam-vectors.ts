import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isScalar, type Node, parseDocument, type Scalar, visit } from 'yaml';
import { sharedPath } from '../../../../tools/testing/shared.ts';

/** Templates and translations of AWS's own translator. */
const folder = sharedPath('sam-vectors');

/** Whether the vectors are installed. */
export const hasVectors: boolean = folder !== undefined;

const FUNCTIONS = [
  'And',
  'Base64',
  'Cidr',
  'Equals',
  'FindInMap',
  'GetAZs',
  'If',
  'ImportValue',
  'Join',
  'Not',
  'Or',
  'Select',
  'Split',
  'Sub',
  'Transform',
  'GetAtt',
];

const tag = (name: string, collection?: 'seq' | 'map') => ({
  tag: `!${name}`,
  ...(collection && { collection }),
  resolve(value: unknown) {
    // Python reads a single dot as text.
    if (typeof value === 'object')
      visit(value as Node, {
        Scalar(_, node) {
          if (Number.isNaN(node.value)) node.value = node.source;
        },
      });
    const json = typeof value === 'string' ? value : (value as { toJSON(): unknown }).toJSON();
    if (name === 'Ref' || name === 'Condition') return { [name]: json };
    if (name === 'GetAtt' && typeof json === 'string') {
      const dot = json.indexOf('.');
      return { 'Fn::GetAtt': [json.slice(0, dot), json.slice(dot + 1)] };
    }
    return { [`Fn::${name}`]: json };
  },
});

const TAGS = ['Ref', 'Condition', ...FUNCTIONS].flatMap((name) => [tag(name), tag(name, 'seq'), tag(name, 'map')]);

/** One template with its translation. */
export interface Vector {
  readonly name: string;
  readonly template: Record<string, unknown>;
  readonly expected: Record<string, unknown>;
}

/** Returns all vectors, by name. */
export function vectors(): Vector[] {
  const names = readdirSync(`${folder}/output`).map((file) => file.replace(/\.json$/, ''));
  return names.sort().flatMap((name) => {
    const input = `${folder}/input/${name}.yaml`;
    if (!existsSync(input)) return [];
    const document = parseDocument(readFileSync(input, 'utf8'), {
      customTags: TAGS as never,
      version: '1.1',
      merge: true,
    });
    // emu's parser keeps versions as written, too.
    visit(document, {
      Pair(_, { key, value }) {
        if ((key as Scalar).value === 'OpenApiVersion' && isScalar(value) && value.source?.includes('.'))
          value.value = value.source;
      },
    });
    const template = document.toJS() as Vector['template'];
    return [{ name, template, expected: JSON.parse(readFileSync(`${folder}/output/${name}.json`, 'utf8')) }];
  });
}
