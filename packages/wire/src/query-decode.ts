import { fromBase64 } from './bytes.ts';
import { lazy, ShapeCompiler, setOwn, shapeOf } from './compile.ts';
import type { MemberModel, ServiceModel, Shape } from './model.ts';
import { FormBranch, type FormNode, malformedInput } from './query-form.ts';
import { parseAnyTimestamp } from './timestamps.ts';

/**
 * Decodes a node of a form for handlers; undefined if it contains nothing of the shape.
 * @throws AwsError MalformedInput
 */
export type FormDecoder = (node: FormNode) => unknown;

/** Naming rules of a query protocol for requests. */
export interface FormNames {
  /** Returns the name of a structure's member. */
  member(model: ServiceModel, name: string, member: MemberModel): string;
  /** Returns an alternative name of a structure's member; undefined without one. */
  alias?(model: ServiceModel, name: string, member: MemberModel): string | undefined;
  /** Returns the name between a list and an element index; undefined if the index follows directly. */
  element(list: Shape, member: MemberModel): string | undefined;
}

/** Returns the value of a node as text. */
function nodeText(node: FormNode): string {
  if (typeof node === 'string') return node;
  if (node.value !== undefined) return node.value;
  throw malformedInput('Start of structure or map found where not expected.');
}

/** Values except strings may have surrounding white space. */
function present(node: FormNode, type: string): string {
  const text = nodeText(node).trim();
  if (text === '') throw malformedInput(`missing value for ${type} type`);
  return text;
}

const decodeBoolean: FormDecoder = (node) => {
  switch (present(node, 'boolean')) {
    case 'true':
    case '1':
      return true;
    case 'false':
    case '0':
      return false;
    default:
      throw malformedInput('boolean must follow xsd1.1 definition');
  }
};

const INTEGER = /^[+-]?\d{1,40}$/;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?$/;

const integerDecoder =
  (type: string, target: string, bits: number): FormDecoder =>
  (node) => {
    const text = present(node, type);
    const value = INTEGER.test(text) ? Number(text) : Number.NaN;
    // The largest long is not exact in JavaScript and is represented by the next power of two.
    if (value >= -(2 ** bits) && (value < 2 ** bits || (bits === 63 && value === 2 ** bits))) return value;
    throw malformedInput(`'${text}' can not be converted to ${target}`);
  };

const floatDecoder =
  (type: string, target: string): FormDecoder =>
  (node) => {
    const text = present(node, type);
    if (DECIMAL.test(text)) return Number(text);
    if (text === 'NaN') return Number.NaN;
    if (text === 'Infinity' || text === 'INF') return Number.POSITIVE_INFINITY;
    if (text === '-Infinity' || text === '-INF') return Number.NEGATIVE_INFINITY;
    throw malformedInput(`'${text}' can not be converted to ${target}`);
  };

const decodeBlob: FormDecoder = (node) => {
  const text = nodeText(node);
  // Clients that do not escape `+` sent it as a space.
  const bytes = fromBase64(text.includes(' ') ? text.replaceAll(' ', '+') : text);
  if (typeof bytes === 'string') throw malformedInput(bytes);
  return bytes;
};

/** Returns elements of a list or map by ascending index. */
function indexed(branch: FormBranch): FormNode[] {
  const indexes: number[] = [];
  const nodes: FormNode[] = [];
  let ascending = true;
  for (const [key, node] of branch.children) {
    if (!/^\d{1,10}$/.test(key)) throw malformedInput(`${key} is not a valid index of a list`);
    const index = Number(key);
    if (index < (indexes.at(-1) ?? 0)) ascending = false;
    indexes.push(index);
    nodes.push(node);
  }
  if (ascending) return nodes;
  // Indexes are sorted instead of used as array positions, because the client chooses them.
  const order = indexes.map((_, position) => position).sort((a, b) => indexes[a]! - indexes[b]!);
  return order.map((position) => nodes[position]!);
}

/** Returns the branch with a collection's elements; an array for an empty collection, undefined for a missing one. */
function elementsOf(node: FormNode, below: string | undefined): FormNode[] | undefined {
  if (typeof node === 'string' || node.children.size === 0) {
    const text = typeof node === 'string' ? node : node.value;
    if (text === '' || text === undefined) return [];
    throw malformedInput('Unexpected list element termination');
  }
  if (below === undefined) return indexed(node);
  const inner = node.children.get(below);
  if (inner === undefined) {
    if (/^\d+$/.test(node.children.keys().next().value ?? ''))
      throw malformedInput('Top level element may not be treated as a list');
    return undefined;
  }
  return elementsOf(inner, undefined);
}

/** A member of a structure. */
interface Field {
  readonly name: string;
  readonly decode: () => FormDecoder;
}

/** Compiles decoders for the shapes of one service, from forms of a query protocol. */
export class FormDecoders {
  private readonly model: ServiceModel;
  private readonly names: FormNames;
  private readonly compiler: ShapeCompiler<FormDecoder>;

  constructor(model: ServiceModel, names: FormNames) {
    this.model = model;
    this.names = names;
    this.compiler = new ShapeCompiler(
      (member) => this.make(member),
      ({ shape, timestampFormat, flattened }) => `${shape}|${timestampFormat ?? ''}|${flattened ?? ''}`,
    );
  }

  /** Returns the decoder of one use of a shape. */
  of(member: MemberModel): FormDecoder {
    return this.compiler.compile(member);
  }

  private make(member: MemberModel): FormDecoder {
    const shape = shapeOf(this.model, member.shape);
    switch (shape.type) {
      case 'structure':
        return this.structure(shape);
      case 'list':
        return this.list(shape, member);
      case 'map':
        return this.map(shape, member);
      case 'string':
        return nodeText;
      case 'boolean':
        return decodeBoolean;
      case 'integer':
        return integerDecoder('integer', 'an Integer', 31);
      case 'long':
        return integerDecoder('long', 'a Long', 63);
      case 'float':
        return floatDecoder('float', 'a Float');
      case 'double':
        return floatDecoder('double', 'a Double');
      case 'blob':
        return decodeBlob;
      case 'timestamp': {
        const format = member.timestampFormat ?? shape.timestampFormat ?? 'iso8601';
        return (node) => {
          const text = present(node, 'timestamp');
          const date = parseAnyTimestamp(format, text);
          if (!date) throw malformedInput(`timestamp must follow ISO8601: ${text}`);
          return date;
        };
      }
    }
  }

  private structure(shape: Shape): FormDecoder {
    // Two members can share a name: SQS uses `AttributeName` for the old and the new list of attributes.
    const fields = new Map<string, Field[]>();
    const aliases: [alias: string, field: Field][] = [];
    for (const [name, member] of Object.entries(shape.members ?? {})) {
      const wire = this.names.member(this.model, name, member);
      const field = { name, decode: lazy(() => this.of(member)) };
      fields.set(wire, [...(fields.get(wire) ?? []), field]);
      const alias = this.names.alias?.(this.model, name, member);
      if (alias !== undefined && alias !== wire) aliases.push([alias, field]);
    }
    for (const [alias, field] of aliases) if (!fields.has(alias)) fields.set(alias, [field]);
    return (node) => {
      const out: Record<string, unknown> = {};
      if (typeof node === 'string') {
        if (node !== '') throw malformedInput('Unexpected complex element termination');
        return out;
      }
      for (const [key, child] of node.children)
        for (const { name, decode } of fields.get(key) ?? []) {
          const value = decode()(child);
          if (value !== undefined) out[name] = value;
        }
      return out;
    };
  }

  private list(shape: Shape, member: MemberModel): FormDecoder {
    const below = this.names.element(shape, member);
    const decode = this.of(shape.member!);
    return (node) => elementsOf(node, below)?.map(decode);
  }

  private map(shape: Shape, member: MemberModel): FormDecoder {
    const below = member.flattened || shape.flattened ? undefined : 'entry';
    const keyName = shape.key!.locationName ?? 'key';
    const valueName = shape.value!.locationName ?? 'value';
    const decode = this.of(shape.value!);
    return (node) => {
      const entries = elementsOf(node, below);
      if (!entries) return undefined;
      const out: Record<string, unknown> = {};
      for (const entry of entries) {
        const key = entry instanceof FormBranch ? entry.children.get(keyName) : undefined;
        const value = entry instanceof FormBranch ? entry.children.get(valueName) : undefined;
        if (key === undefined || value === undefined) throw malformedInput('Unexpected map element termination');
        setOwn(out, nodeText(key), decode(value));
      }
      return out;
    };
  }
}
