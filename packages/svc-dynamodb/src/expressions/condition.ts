import type { AttributeValue } from '@emu/service-types/dynamodb';
import { type AttributeType, compareValues, equalValues, type Item, typeOf } from '../attributes/values.ts';
import { CONDITION_FUNCTIONS } from './checks.ts';
import type { Comparator, ConditionNode, FunctionNode, OperandNode } from './nodes.ts';
import { describePath, valueAt } from './paths.ts';
import type { DocumentPath, Placeholders } from './placeholders.ts';
import { type ExpressionKind, expressionError, parseCondition } from './syntax.ts';

/** A bound condition that tests an item. */
export interface Condition {
  matches(item: Item): boolean;
  /** Top-level attributes that it reads. */
  readonly attributes: ReadonlySet<string>;
  /** Top-level attributes whose parts it reads. */
  readonly nested: ReadonlySet<string>;
}

type Test = (item: Item) => boolean;

/** An operand: the source of its value, and what is known of the value without an item. */
interface Operand {
  of: (item: Item) => AttributeValue | undefined;
  literal?: AttributeValue;
  /** Whether it is the number returned by `size`. */
  isSize?: true;
  path?: DocumentPath;
}

const TYPE_NAMES: readonly string[] = ['S', 'N', 'B', 'SS', 'NS', 'BS', 'M', 'L', 'NULL', 'BOOL'];
const ORDERED: readonly AttributeType[] = ['S', 'N', 'B'];
const MAX_IN_OPERANDS = 100;
const MAX_OPERATORS = 300;

/** Problems of one comparison or function: the first of each kind, reported in this order of kinds. */
type LeafProblems = Partial<Record<'operands' | 'distinct' | 'types', string>>;

/**
 * Parses a condition and binds its placeholders.
 * @throws AwsError `ValidationException` with DynamoDB's message
 */
export function bindCondition(kind: ExpressionKind, text: string, placeholders: Placeholders): Condition {
  placeholders.check();
  return bindConditionNode(kind, parseCondition(kind, text), placeholders);
}

/** Binds the placeholders of a condition, parsed or translated from a PartiQL statement. */
export function bindConditionNode(kind: ExpressionKind, node: ConditionNode, placeholders: Placeholders): Condition {
  const binder = new Binder(kind, placeholders);
  const matches = binder.condition(node);
  return { matches, attributes: binder.attributes, nested: binder.nested };
}

class Binder {
  readonly attributes = new Set<string>();
  readonly nested = new Set<string>();
  private operators = 0;
  private problems: LeafProblems = {};

  constructor(
    private readonly kind: ExpressionKind,
    private readonly placeholders: Placeholders,
  ) {}

  condition(node: ConditionNode): Test {
    switch (node.type) {
      case 'or': {
        const terms = this.terms(node.terms);
        return (item) => terms.some((term) => term(item));
      }
      case 'and': {
        const terms = this.terms(node.terms);
        return (item) => terms.every((term) => term(item));
      }
      case 'not': {
        this.count();
        const term = this.condition(node.term);
        return (item) => !term(item);
      }
      case 'parentheses':
        return this.condition(node.term);
      default: {
        this.problems = {};
        const test = this.leaf(node);
        const problem = this.problems.operands ?? this.problems.distinct ?? this.problems.types;
        if (problem !== undefined) throw this.error(problem);
        return test;
      }
    }
  }

  /** Binds one comparison or function. Placeholders are resolved before other checks. */
  private leaf(node: Exclude<ConditionNode, { type: 'or' | 'and' | 'not' | 'parentheses' }>): Test {
    switch (node.type) {
      case 'compare':
        return this.comparison(node.operator, this.operand(node.left), this.operand(node.right));
      case 'between':
        return this.between(this.operand(node.operand), this.operand(node.low), this.operand(node.high));
      case 'in':
        return this.membership(this.operand(node.operand), node.candidates);
      case 'function':
        return this.predicate(node);
    }
  }

  private error(problem: string) {
    return expressionError(this.kind, problem);
  }

  private terms(nodes: readonly ConditionNode[]): Test[] {
    for (let index = 1; index < nodes.length; index++) this.count();
    return nodes.map((node) => this.condition(node));
  }

  private count(): void {
    if (++this.operators > MAX_OPERATORS)
      throw this.error(`The expression contains too many operators; operator count: ${this.operators}`);
  }

  private operand(node: OperandNode): Operand {
    if (node.type === 'value') {
      const literal = this.placeholders.value(this.kind, node);
      return { of: () => literal, literal };
    }
    if (node.type === 'path') {
      const path = this.placeholders.path(this.kind, node);
      const [name] = path;
      this.attributes.add(name as string);
      // Fast path: most paths are a single attribute.
      if (path.length === 1)
        return { of: (item) => (Object.hasOwn(item, name as string) ? item[name as string] : undefined), path };
      this.nested.add(name as string);
      return { of: (item) => valueAt(item, path), path };
    }
    return this.size(node);
  }

  private size(node: FunctionNode): Operand {
    const [operand] = node.args.map((argument) => this.operand(argument)) as [Operand];
    if (!this.checkArity(node)) return { isSize: true, of: () => undefined };
    if (operand.isSize) this.wrongType('size', 'N');
    if (operand.literal && ['N', 'BOOL', 'NULL'].includes(typeOf(operand.literal)))
      this.wrongType('size', typeOf(operand.literal));
    return {
      isSize: true,
      of: (item) => {
        const value = operand.of(item);
        const size = value && sizeOf(value);
        return size === undefined ? undefined : { N: String(size) };
      },
    };
  }

  private checkArity(node: FunctionNode): boolean {
    if (node.args.length === CONDITION_FUNCTIONS[node.name]) return true;
    this.problems.operands ??= `Incorrect number of operands for operator or function; operator or function: ${node.name}, number of operands: ${node.args.length}`;
    return false;
  }

  private wrongType(operator: string, type: string): void {
    this.problems.types ??= `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`;
  }

  private distinct(operator: string, first: Operand, others: readonly Operand[]): void {
    const path = first.path;
    if (!path) return;
    const shown = describePath(path);
    if (others.some((other) => other.path && describePath(other.path) === shown))
      this.problems.distinct ??= `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: ${shown}`;
  }

  private comparison(operator: Comparator, left: Operand, right: Operand): Test {
    this.count();
    this.distinct(operator, left, [right]);
    if (operator === '=' || operator === '<>') {
      const expected = operator === '=';
      return (item) => {
        const a = left.of(item);
        const b = right.of(item);
        return (a !== undefined && b !== undefined && equalValues(a, b)) === expected;
      };
    }
    this.checkOrdered(operator, [left, right]);
    const accepts = ORDER_TESTS[operator];
    return (item) => {
      const order = orderOf(left.of(item), right.of(item));
      return order !== undefined && accepts(order);
    };
  }

  private checkOrdered(operator: string, operands: readonly Operand[]): void {
    for (const { literal } of operands)
      if (literal && !ORDERED.includes(typeOf(literal))) this.wrongType(operator, typeOf(literal));
  }

  private between(operand: Operand, low: Operand, high: Operand): Test {
    this.count();
    if (low.literal && high.literal) {
      const bounds = `lower bound operand: AttributeValue: ${describeValue(low.literal)}, upper bound operand: AttributeValue: ${describeValue(high.literal)}`;
      if (typeOf(low.literal) !== typeOf(high.literal))
        this.problems.types ??= `The BETWEEN operator requires same data type for lower and upper bounds; ${bounds}`;
      else if ((compareValues(low.literal, high.literal) ?? 0) > 0)
        this.problems.types ??= `The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ${bounds}`;
    }
    this.checkOrdered('BETWEEN', [operand, low, high]);
    return (item) => {
      const value = operand.of(item);
      const fromLow = orderOf(value, low.of(item));
      const toHigh = orderOf(value, high.of(item));
      return fromLow !== undefined && toHigh !== undefined && fromLow >= 0 && toHigh <= 0;
    };
  }

  private membership(operand: Operand, nodes: readonly OperandNode[]): Test {
    this.count();
    if (nodes.length > MAX_IN_OPERANDS)
      throw this.error(`The IN operator is provided with too many operands; number of operands: ${nodes.length}`);
    const candidates = nodes.map((node) => this.operand(node));
    return (item) => {
      const value = operand.of(item);
      return (
        value !== undefined &&
        candidates.some((candidate) => {
          const other = candidate.of(item);
          return other !== undefined && equalValues(value, other);
        })
      );
    };
  }

  private predicate(node: FunctionNode): Test {
    this.count();
    const operands = node.args.map((argument) => this.operand(argument));
    if (!this.checkArity(node)) return () => false;
    const [first, second] = operands as [Operand, Operand];
    switch (node.name) {
      case 'attribute_exists':
      case 'attribute_not_exists': {
        if (!first.path)
          this.problems.types ??= `Operator or function requires a document path; operator or function: ${node.name}`;
        const expected = node.name === 'attribute_exists';
        return (item) => (first.of(item) !== undefined) === expected;
      }
      case 'attribute_type':
        this.distinct(node.name, first, [second]);
        return this.attributeType(first, second);
      case 'begins_with':
        this.distinct(node.name, first, [second]);
        return this.beginsWith(first, second);
      default:
        this.distinct(node.name, first, [second]);
        return (item) => containsValue(first.of(item), second.of(item));
    }
  }

  private attributeType(operand: Operand, expected: Operand): Test {
    const type = expected.literal;
    if (type?.S === undefined)
      this.wrongType('attribute_type', type ? typeOf(type) : expected.isSize ? 'N' : '{NS,SS,L,BS,N,M,B,BOOL,NULL,S}');
    else if (!TYPE_NAMES.includes(type.S))
      this.problems.types ??= `Invalid attribute type name found; type: ${type.S}, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}`;
    return (item) => {
      const value = operand.of(item);
      return value !== undefined && typeOf(value) === type?.S;
    };
  }

  private beginsWith(operand: Operand, prefix: Operand): Test {
    for (const { literal, isSize } of [operand, prefix]) {
      const type = isSize ? 'N' : literal && typeOf(literal);
      if (type && type !== 'S' && type !== 'B') this.wrongType('begins_with', type);
    }
    return (item) => startsWith(operand.of(item), prefix.of(item));
  }
}

const ORDER_TESTS: Record<'<' | '<=' | '>' | '>=', (order: number) => boolean> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

const orderOf = (left: AttributeValue | undefined, right: AttributeValue | undefined): number | undefined =>
  left && right ? compareValues(left, right) : undefined;

/** Whether a string or binary value starts with another. */
export function startsWith(value: AttributeValue | undefined, prefix: AttributeValue | undefined): boolean {
  if (value?.S !== undefined) return prefix?.S !== undefined && value.S.startsWith(prefix.S);
  if (value?.B !== undefined && prefix?.B !== undefined)
    return Buffer.compare(value.B.subarray(0, prefix.B.byteLength), prefix.B) === 0;
  return false;
}

/** Whether a value contains another: a substring, part of binary data, or an element of a set or list. */
export function containsValue(value: AttributeValue | undefined, part: AttributeValue | undefined): boolean {
  if (!value || !part) return false;
  if (value.S !== undefined) return part.S !== undefined && value.S.includes(part.S);
  if (value.B !== undefined) return part.B !== undefined && Buffer.from(value.B).includes(Buffer.from(part.B));
  if (value.SS) return part.S !== undefined && value.SS.includes(part.S);
  if (value.NS) return part.N !== undefined && value.NS.includes(part.N);
  if (value.BS) return part.B !== undefined && value.BS.some((element) => Buffer.compare(element, part.B!) === 0);
  return value.L?.some((element) => equalValues(element, part)) ?? false;
}

/** Returns the result of `size`: characters of a string, bytes of binary data, elements of a collection. */
function sizeOf(value: AttributeValue): number | undefined {
  if (value.S !== undefined) return value.S.length;
  if (value.B !== undefined) return value.B.byteLength;
  const elements = value.SS ?? value.NS ?? value.BS ?? value.L;
  if (elements) return elements.length;
  return value.M ? Object.keys(value.M).length : undefined;
}

/** Formats a value as in error messages: `{S:text}`. */
function describeValue(value: AttributeValue): string {
  const type = typeOf(value);
  const content = value[type];
  const shown = content instanceof Uint8Array ? Buffer.from(content).toString('base64') : String(content);
  return `{${type}:${shown}}`;
}
