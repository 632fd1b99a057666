import type { DeepReadonly } from '@emu/core/service';
import type { ModelRecord } from '../records.ts';

type View = DeepReadonly<ModelRecord>;

const REFERENCE = /^https?:\/\/apigateway\.[^/]+\/restapis\/[^/]+\/models\/([^/#]+)$/;

const parsed = ({ schema }: View): Record<string, unknown> => JSON.parse(schema ?? '{}') as Record<string, unknown>;

/** Returns what is wrong with a model's name, in AWS's words, if anything is. */
export const nameProblem = (name: string): string | undefined =>
  /^[A-Za-z0-9]+$/.test(name) ? undefined : `Model name must be alphanumeric: ${name}`;

/**
 * Returns the schema of a model, with the models that it refers to as its definitions.
 * @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetModel.html
 */
export function flattened(model: View, all: readonly View[]): string {
  const definitions: Record<string, unknown> = {};
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        const name = key === '$ref' && typeof one === 'string' ? REFERENCE.exec(one)?.[1] : undefined;
        if (name === undefined) return [key, resolve(one)];
        const other = all.find((candidate) => candidate.name === name);
        if (other && !Object.hasOwn(definitions, name)) {
          definitions[name] = {};
          definitions[name] = resolve(parsed(other));
        }
        return [key, `#/definitions/${name}`];
      }),
    );
  };
  const schema = resolve(parsed(model)) as Record<string, unknown>;
  return JSON.stringify(Object.keys(definitions).length > 0 ? { ...schema, definitions } : schema);
}

/** Returns a mapping template that copies the properties of a model from an input of the same shape. */
export function templateOf(model: View): string {
  const lines: string[] = ["#set($inputRoot = $input.path('$'))"];
  let loops = 0;
  const write = (schema: Record<string, unknown>, place: string, indent: string): string => {
    const {
      type,
      properties = {},
      items,
    } = schema as {
      type?: string;
      properties?: Record<string, Record<string, unknown>>;
      items?: Record<string, unknown>;
    };
    if (type === 'array' && items) {
      const name = `elem${loops++ || ''}`;
      const inner = write(items, `$${name}`, `${indent}  `);
      return `[\n#foreach($${name} in ${place})\n${indent}  ${inner}#if($foreach.hasNext),#end\n#end\n${indent}]`;
    }
    if (type === 'object' || Object.keys(properties).length > 0) {
      const members = Object.entries(properties).map(
        ([name, one]) => `${indent}  "${name}" : ${write(one, `${place}.${name}`, `${indent}  `)}`,
      );
      return members.length > 0 ? `{\n${members.join(',\n')}\n${indent}}` : '{ }';
    }
    return type === 'string' || type === undefined ? `"${place}"` : place;
  };
  lines.push(write(parsed(model), '$inputRoot', ''));
  return lines.join('\n');
}
