import { isObject } from '@emu/wire';

/** What the syntax tree of an expression shows about its evaluation. */
export interface Plan {
  /**
   * Returns an upper bound of the work to evaluate the expression, in units of up to about a microsecond; undefined for
   * an expression without a bound.
   */
  readonly work: ((size: number) => number) | undefined;
  /** Names of the variables in the expression. */
  readonly variables: ReadonlySet<string>;
  /** Names of the members of `$states` in the expression; undefined if it may read all. */
  readonly states: ReadonlySet<string> | undefined;
}

type Node = Readonly<Record<string, unknown>>;

/** Coefficients of a polynomial of the size of the data, lowest degree first. */
type Bound = readonly number[];

/** Bounds of a part of an expression: work to evaluate it, and size of its result. */
interface Bounds {
  readonly work: Bound;
  readonly size: Bound;
}

/** The part has no bound, or one that is not worth proving. */
class Unbounded extends Error {}

/** Maximum nodes of an expression with a bound. */
const MAX_NODES = 500;

const add = (...bounds: readonly Bound[]): Bound =>
  Array.from({ length: Math.max(...bounds.map((bound) => bound.length)) }, (_, degree) =>
    bounds.reduce((sum, bound) => sum + (bound[degree] ?? 0), 0),
  );

const multiply = (left: Bound, right: Bound): Bound =>
  left.reduce<Bound>(
    (sum, coefficient, degree) =>
      add(sum, [...Array<number>(degree).fill(0), ...right.map((each) => each * coefficient)]),
    [0],
  );

const ONE: Bound = [1];
/** The size of the data, and number of items on a path through it. */
const DATA: Bound = [1, 1];

/** Functions of JSONata and AWS whose work and result are not larger than their arguments. */
const LINEAR_FUNCTIONS: ReadonlySet<string> = new Set([
  'abs',
  'append',
  'average',
  'boolean',
  'ceil',
  'contains',
  'count',
  'exists',
  'floor',
  'hash',
  'keys',
  'length',
  'lowercase',
  'max',
  'merge',
  'millis',
  'min',
  'not',
  'now',
  'number',
  'parse',
  'power',
  'random',
  'reverse',
  'round',
  'split',
  'sqrt',
  'string',
  'substring',
  'substringAfter',
  'substringBefore',
  'sum',
  'trim',
  'type',
  'uppercase',
  'uuid',
]);

/** Maximum arguments of functions that format with the others. */
const MAX_ARGUMENTS: Readonly<Record<string, number>> = { now: 0, string: 1 };

/** Members of nodes that do not change the bounds. */
const NEUTRAL: readonly string[] = [
  'type',
  'value',
  'position',
  'keepArray',
  'keepSingletonArray',
  'consarray',
  'cons',
];

function allow(node: Node, ...members: readonly string[]): void {
  for (const [member, value] of Object.entries(node))
    if (value !== undefined && !NEUTRAL.includes(member) && !members.includes(member)) throw new Unbounded();
}

/** Sum of the bounds of parts that are evaluated once. */
const total = (parts: readonly Bounds[]): Bounds => ({
  work: add(ONE, ...parts.map(({ work }) => work)),
  size: add(ONE, ...parts.map(({ size }) => size)),
});

/** Returns the work of the filters of a node, each evaluated for every item. */
function filters(node: Node, items: Bound): Bound {
  const list = [...((node.predicate as Node[]) ?? []), ...((node.stages as Node[]) ?? [])];
  return add(
    [0],
    ...list.map((stage) => {
      if (stage.type !== 'filter') throw new Unbounded();
      return multiply(items, bounds(stage.expr as Node).work);
    }),
  );
}

/** A path of names from a variable or the context: its items are distinct parts of the data. */
function path(node: Node): Bounds {
  allow(node, 'steps');
  const [first, ...rest] = node.steps as Node[];
  if (first!.type !== 'variable' && first!.type !== 'name') throw new Unbounded();
  let work = DATA;
  let size = DATA;
  for (const [index, step] of [first!, ...rest].entries()) {
    if (step.type === 'name' || (index === 0 && step.type === 'variable')) {
      allow(step, 'predicate', 'stages');
      work = add(work, DATA, filters(step, DATA));
    } else if (index === rest.length && index > 0) {
      // Evaluated for every item.
      const each = bounds(step);
      work = add(work, multiply(DATA, each.work));
      size = multiply(DATA, each.size);
    } else throw new Unbounded();
  }
  return { work, size };
}

/** `$map` or `$filter` with a function of its own for each item. */
function loop(isMap: boolean, [list, each, ...more]: readonly Node[]): Bounds {
  if (list === undefined || each?.type !== 'lambda' || more.length > 0) throw new Unbounded();
  allow(each, 'arguments', 'body');
  let body = each.body as Node;
  // A call at the end of a function.
  if (body.type === 'lambda' && body.thunk === true) body = body.body as Node;
  const [items, item] = [bounds(list), bounds(body)];
  return {
    work: add(items.work, multiply(items.size, add(ONE, item.work))),
    size: isMap ? multiply(items.size, item.size) : items.size,
  };
}

function call(node: Node): Bounds {
  allow(node, 'arguments', 'procedure');
  const { type, value: name } = node.procedure as Node;
  if (type === 'variable' && (name === 'map' || name === 'filter'))
    return loop(name === 'map', node.arguments as Node[]);
  const given = node.arguments as Node[];
  if (type !== 'variable' || !LINEAR_FUNCTIONS.has(name as string)) throw new Unbounded();
  if (given.length > (MAX_ARGUMENTS[name as string] ?? given.length)) throw new Unbounded();
  const { work, size } = total(given.map(bounds));
  return { work: add(work, size), size };
}

function bounds(node: Node): Bounds {
  switch (node.type) {
    case 'string':
    case 'number':
    case 'value':
      allow(node);
      return { work: ONE, size: [1 + (typeof node.value === 'string' ? node.value.length : 0)] };
    case 'variable':
      allow(node, 'predicate');
      return { work: add(ONE, filters(node, DATA)), size: DATA };
    case 'path':
      return path(node);
    case 'condition':
      allow(node, 'condition', 'then', 'else');
      return total([node.condition, node.then, node.else].filter(isObject).map(bounds));
    case 'block':
      allow(node, 'expressions');
      return total((node.expressions as Node[]).map(bounds));
    case 'function':
      return call(node);
    case 'binary': {
      if (node.value === '..') throw new Unbounded();
      allow(node, 'lhs', 'rhs');
      const sides = total([bounds(node.lhs as Node), bounds(node.rhs as Node)]);
      return { work: add(sides.work, sides.size), size: sides.size };
    }
    case 'unary': {
      allow(node, 'expression', 'expressions', 'lhs');
      if (node.value === '-') return total([bounds(node.expression as Node)]);
      const parts = node.value === '[' ? (node.expressions as Node[]) : (node.lhs as Node[][]).flat();
      return total(parts.map(bounds));
    }
    default:
      throw new Unbounded();
  }
}

function workOf(tree: Node, nodes: number): Plan['work'] {
  if (nodes > MAX_NODES) return undefined;
  try {
    const { work, size } = bounds(tree);
    const all = add(work, size);
    return (of) => all.reduceRight((sum, coefficient) => sum * of + coefficient, 0);
  } catch (error) {
    if (error instanceof Unbounded) return undefined;
    throw error;
  }
}

/** Whether a node is `$states` without filters. */
const isStates = (node: unknown): boolean =>
  isObject(node) &&
  node.type === 'variable' &&
  node.value === 'states' &&
  Object.keys(node).every((key) => NEUTRAL.includes(key));

/** Returns the plan of an expression. @param tree its syntax tree */
export function planOf(tree: object): Plan {
  const variables = new Set<string>();
  const states = new Set<string>();
  let [all, nodes] = [false, 0];
  const waiting: unknown[] = [tree];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (!isObject(node)) {
      if (Array.isArray(node)) waiting.push(...node);
      continue;
    }
    nodes++;
    const steps = Array.isArray(node.steps) ? (node.steps as Node[]) : [];
    const member = isStates(steps[0]) && steps[1]?.type === 'name' ? (steps[1].value as string) : undefined;
    if (member !== undefined) states.add(member);
    if (node.type === 'variable') {
      variables.add(node.value as string);
      all ||= node.value === 'states';
    }
    // A parent step may lead from a member to `$states`.
    all ||= node.type === 'parent';
    for (const value of Object.values(member === undefined ? node : { ...node, steps: steps.slice(1) }))
      waiting.push(value);
  }
  return { work: workOf(tree as Node, nodes), variables, states: all ? undefined : states };
}
