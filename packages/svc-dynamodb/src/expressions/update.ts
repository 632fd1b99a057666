import type { AttributeValue } from '@emu/service-types/dynamodb';
import type { AwsError } from '@emu/wire';
import { addNumbers, subtractNumbers } from '../attributes/numbers.ts';
import { checkDepth, type Item, inOrder, typeOf } from '../attributes/values.ts';
import { dynamodbError } from '../errors.ts';
import type { ActionNode, FunctionNode, PathNode, SectionName, SetValueNode, UpdateNode, ValueNode } from './nodes.ts';
import { checkApart, valueAt } from './paths.ts';
import type { DocumentPath, Placeholders } from './placeholders.ts';
import { expressionError, parseUpdate } from './syntax.ts';

/** A bound update, which changes a draft of the item in place. */
export interface Update {
  /**
   * Applies the update.
   * @param draft the item to change; nested values may be shared and are never mutated
   * @throws AwsError `ValidationException` if the item does not support the update
   */
  apply(draft: Item): void;
  /** Whether it creates a missing item; an update that only removes does not. */
  readonly creates: boolean;
  /** Paths that it writes, in order. */
  readonly targets: readonly DocumentPath[];
  /** Top-level attributes whose parts it reads or writes. */
  readonly nested: ReadonlySet<string>;
}

const KIND = 'UpdateExpression';
const error = (problem: string): AwsError => expressionError(KIND, problem);
const invalid = (message: string): AwsError => dynamodbError('ValidationException', message);

type Source = (item: Item) => AttributeValue;
type Action = { path: DocumentPath; change: (before: Item, draft: Item) => void };

/** Long type names, used by a few messages of update expressions. */
const LONG_NAMES: Record<string, string> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  SS: 'STRING_SET',
  NS: 'NUMBER_SET',
  BS: 'BINARY_SET',
  M: 'MAP',
  L: 'LIST',
  NULL: 'NULL',
  BOOL: 'BOOLEAN',
};

/**
 * Parses an update expression and binds its placeholders.
 * @throws AwsError `ValidationException` with DynamoDB's message
 */
export function bindUpdate(text: string, placeholders: Placeholders): Update {
  placeholders.check();
  return bindUpdateNode(parseUpdate(text), placeholders);
}

/** Binds the placeholders of an update, parsed or translated from a PartiQL statement. */
export function bindUpdateNode({ sections }: UpdateNode, placeholders: Placeholders): Update {
  // DynamoDB checks in this order over the whole expression: undefined names, undefined values, overlapping paths,
  // operands of ADD and DELETE, operands of SET.
  const nested = new Set<string>();
  const bound = sections.flatMap(({ type, actions }) =>
    actions.map(({ path, value }) => ({ type, path: resolveNames({ path, value }, placeholders, nested), value })),
  );
  for (const { actions } of sections) for (const { value } of actions) if (value) resolveValues(value, placeholders);
  const targets = bound.map(({ path }) => path);
  checkApart(KIND, targets);
  for (const { type, value } of bound)
    if (type === 'ADD' || type === 'DELETE') checkOperand(type, placeholders.value(KIND, value as ValueNode));
  const actions: Record<SectionName, Action[]> = { SET: [], REMOVE: [], ADD: [], DELETE: [] };
  for (const { type, path, value } of bound)
    actions[type].push({ path, change: bindAction(type, path, value, placeholders) });
  // Removes list elements from last to first, so that indexes stay valid.
  actions.REMOVE.sort((a, b) => byDescendingIndex(a.path, b.path));
  const ordered = [...inListOrder([...actions.SET, ...actions.ADD]), ...actions.DELETE, ...actions.REMOVE];
  return {
    creates: bound.some(({ type }) => type === 'SET' || type === 'ADD'),
    targets,
    nested,
    apply(draft) {
      // Every value is computed from the item before the update.
      const before = { ...draft };
      for (const action of ordered) action.change(before, draft);
    },
  };
}

function childrenOf(node: SetValueNode): SetValueNode[] {
  if (node.type === 'arithmetic') return [node.left, node.right];
  return node.type === 'function' ? node.args : [];
}

/**
 * Resolves the names of an action's paths.
 * @param nested receives the attributes whose parts it reads or writes
 * @returns the path that it writes
 */
function resolveNames({ path, value }: ActionNode, placeholders: Placeholders, nested: Set<string>): DocumentPath {
  const resolve = (node: PathNode): DocumentPath => {
    const resolved = placeholders.path(KIND, node);
    if (resolved.length > 1) nested.add(resolved[0] as string);
    return resolved;
  };
  const visit = (node: SetValueNode): void => {
    if (node.type === 'path') resolve(node);
    for (const child of childrenOf(node)) visit(child);
  };
  const target = resolve(path);
  if (value) visit(value);
  return target;
}

function resolveValues(node: SetValueNode, placeholders: Placeholders): void {
  if (node.type === 'value') placeholders.value(KIND, node);
  for (const child of childrenOf(node)) resolveValues(child, placeholders);
}

function byDescendingIndex(left: DocumentPath, right: DocumentPath): number {
  const a = left.at(-1)!;
  const b = right.at(-1)!;
  return typeof a === 'number' && typeof b === 'number' ? b - a : 0;
}

/**
 * Orders actions so that elements beyond the end of a list are appended by index, independent of the order in the
 * expression.
 */
function inListOrder(actions: readonly Action[]): Action[] {
  const indexOf = ({ path }: Action): number => (typeof path.at(-1) === 'number' ? (path.at(-1) as number) : -1);
  return actions.toSorted((a, b) => indexOf(a) - indexOf(b));
}

function checkOperand(section: 'ADD' | 'DELETE', literal: AttributeValue): void {
  const type = typeOf(literal);
  const allowed = section === 'ADD' ? ['N', 'SS', 'NS', 'BS'] : ['SS', 'NS', 'BS'];
  if (!allowed.includes(type))
    throw error(
      `Incorrect operand type for operator or function; operator: ${section}, operand type: ${LONG_NAMES[type]}, typeSet: ALLOWED_FOR_${section}_OPERAND`,
    );
}

function bindAction(
  section: SectionName,
  path: DocumentPath,
  node: SetValueNode | undefined,
  placeholders: Placeholders,
): Action['change'] {
  if (section === 'SET') {
    const source = bindSource(node!, placeholders);
    return (before, draft) => setAt(draft, path, source(before));
  }
  if (section === 'REMOVE') return (_before, draft) => removeAt(draft, path);
  const literal = placeholders.value(KIND, node as ValueNode);
  return section === 'ADD'
    ? (before, draft) => setAt(draft, path, added(valueAt(before, path), literal))
    : (before, draft) => {
        const current = valueAt(before, path);
        const rest = current && withoutElements(current, literal);
        if (rest) setAt(draft, path, rest);
        else removeAt(draft, path);
      };
}

function bindSource(node: SetValueNode, placeholders: Placeholders): Source {
  switch (node.type) {
    case 'value': {
      const literal = placeholders.value(KIND, node);
      return () => literal;
    }
    case 'path': {
      const path = placeholders.path(KIND, node);
      return (item) => {
        const value = valueAt(item, path);
        if (!value) throw invalid('The provided expression refers to an attribute that does not exist in the item');
        return value;
      };
    }
    case 'arithmetic':
      return bindArithmetic(node, placeholders);
    case 'function':
      return bindFunction(node, placeholders);
  }
}

function bindArithmetic(node: SetValueNode & { type: 'arithmetic' }, placeholders: Placeholders): Source {
  const operands = [node.left, node.right].map((operand) => {
    const source = bindSource(operand, placeholders);
    if (operand.type === 'value') {
      const literal = placeholders.value(KIND, operand);
      if (literal.N === undefined)
        throw error(
          `Incorrect operand type for operator or function; operator or function: ${node.operator}, operand type: ${typeOf(literal)}`,
        );
    }
    return source;
  });
  const combine = node.operator === '+' ? addNumbers : subtractNumbers;
  return (item) => {
    const [left, right] = operands.map((operand) => operand(item).N);
    if (left === undefined || right === undefined)
      throw invalid('An operand in the update expression has an incorrect data type');
    return { N: combine(left, right) };
  };
}

function bindFunction(node: FunctionNode, placeholders: Placeholders): Source {
  if (node.args.length !== 2)
    throw error(
      `Incorrect number of operands for operator or function; operator or function: ${node.name}, number of operands: ${node.args.length}`,
    );
  const [first, second] = node.args;
  if (node.name === 'if_not_exists') {
    if (first!.type !== 'path')
      throw error(`Operator or function requires a document path; operator or function: ${node.name}`);
    const path = placeholders.path(KIND, first!);
    const fallback = bindSource(second!, placeholders);
    return (item) => valueAt(item, path) ?? fallback(item);
  }
  const parts = node.args.map((argument) => {
    if (argument.type === 'value') {
      const literal = placeholders.value(KIND, argument);
      if (!literal.L)
        throw error(
          `Incorrect operand type for operator or function; operator or function: list_append, operand type: ${typeOf(literal)}`,
        );
    }
    return bindSource(argument, placeholders);
  });
  return (item) => {
    const [head, tail] = parts.map((part) => part(item).L);
    if (!head || !tail) throw invalid('An operand in the update expression has an incorrect data type');
    return { L: [...head, ...tail] };
  };
}

/** Computes ADD: numbers are summed, sets united; a missing attribute counts as zero or the empty set. */
export function added(current: AttributeValue | undefined, operand: AttributeValue): AttributeValue {
  if (!current) return operand;
  const type = typeOf(operand);
  if (typeOf(current) !== type) throw invalid('An operand in the update expression has an incorrect data type');
  if (type === 'N') return { N: addNumbers(current.N!, operand.N!) };
  const elements = (type === 'SS' ? current.SS : type === 'NS' ? current.NS : current.BS) as (string | Uint8Array)[];
  const more = operand[type as 'SS' | 'NS' | 'BS'] as (string | Uint8Array)[];
  const fresh = more.filter((element) => !elements.some((known) => sameElement(known, element)));
  return { [type]: inOrder(type as 'SS' | 'NS' | 'BS', [...elements, ...fresh]) } as AttributeValue;
}

/** Computes DELETE: the set without the operand's elements; undefined if it becomes empty. */
export function withoutElements(current: AttributeValue, operand: AttributeValue): AttributeValue | undefined {
  const type = typeOf(operand) as 'SS' | 'NS' | 'BS';
  if (typeOf(current) !== type) throw invalid('An operand in the update expression has an incorrect data type');
  const gone = operand[type] as (string | Uint8Array)[];
  const rest = (current[type] as (string | Uint8Array)[]).filter(
    (element) => !gone.some((other) => sameElement(other, element)),
  );
  return rest.length ? ({ [type]: rest } as AttributeValue) : undefined;
}

const sameElement = (left: string | Uint8Array, right: string | Uint8Array): boolean =>
  typeof left === 'string' ? left === right : Buffer.compare(left, right as Uint8Array) === 0;

/**
 * Copies the containers along a path, so that the stored item is not mutated.
 * @returns the innermost container
 */
function containerOf(draft: Item, path: DocumentPath): Item | AttributeValue[] | undefined {
  let container: Item | AttributeValue[] = draft;
  for (let index = 0; index < path.length - 1; index++) {
    const step = path[index]!;
    const value: AttributeValue | undefined = Array.isArray(container)
      ? container[step as number]
      : Object.hasOwn(container, step)
        ? container[step as string]
        : undefined;
    const isIndex = typeof path[index + 1] === 'number';
    if (isIndex ? !value?.L : !value?.M) return undefined;
    const copy: AttributeValue = isIndex ? { L: [...value!.L!] } : { M: { ...value!.M! } };
    (container as Record<string | number, AttributeValue>)[step] = copy;
    container = (copy.L ?? copy.M)!;
  }
  return container;
}

/**
 * Sets the value at a path.
 * @throws AwsError if the parent does not exist
 */
function setAt(draft: Item, path: DocumentPath, value: AttributeValue): void {
  const container = containerOf(draft, path);
  if (!container) throw invalid('The document path provided in the update expression is invalid for update');
  checkDepth(value, path.length);
  const last = path.at(-1)!;
  // An index past the end appends.
  if (Array.isArray(container)) container[Math.min(last as number, container.length)] = value;
  else if (last === '__proto__')
    Object.defineProperty(container, last, { value, enumerable: true, writable: true, configurable: true });
  else container[last as string] = value;
}

/** Removes the value at a path; a missing value is ignored, a missing parent is an error. */
function removeAt(draft: Item, path: DocumentPath): void {
  const container = containerOf(draft, path);
  if (!container) throw invalid('The document path provided in the update expression is invalid for update');
  const last = path.at(-1)!;
  if (Array.isArray(container)) container.splice(last as number, 1);
  else delete container[last as string];
}
