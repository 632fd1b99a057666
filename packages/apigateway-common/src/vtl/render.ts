import { WorkBudget, WorkLimitError } from '@emu/core/service';
import { callMethod, elementOf, memberOf, type Steps, setMember } from './methods.ts';
import { type Directive, type Expression, type Piece, type Reference, TemplateError, treeOf } from './parse.ts';
import { bounded, holds, isMap, JavaList, javaText, MAX_TEXT, same, TemplateObject } from './values.ts';

/**
 * Maximum iterations of a loop.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const MAX_TURNS = 1000;
/**
 * Limits of a rendering: pieces, expressions and elements that methods look at; nested blocks and expressions. API
 * Gateway documents none but the turns of a loop.
 */
const LIMITS = { steps: 200_000, depth: 200 };
/** Maximum nesting depth of macros. */
const DEEPEST_CALL = 20;

interface Macro {
  readonly names: readonly string[];
  readonly body: readonly Piece[];
}

type Block = readonly Piece[];
/** Steps between two points at which a rendering can be interrupted. */
const UNINTERRUPTED = 64;

const isBlock = (piece: Piece): piece is Block => Array.isArray(piece);
const headOf = (block: Block): Directive => block[0] as Directive;

/** One rendering of a template. */
class Rendering {
  private readonly macros = new Map<string, Macro>();
  private readonly defined = new Map<string, Block>();
  private readonly budget = new WorkBudget(LIMITS);
  /** Nesting of blocks and expressions, and of macros. */
  private level = 0;
  private depth = 0;
  private steps = 0;
  private size = 0;
  private broken = false;
  /** Whether `#stop` has ended the rendering. */
  private stopped = false;

  constructor(private readonly variables: Map<string, unknown>) {}

  /** @throws TemplateError */
  *whole(template: string): Steps<string> {
    try {
      return yield* this.render(treeOf(template));
    } catch (error) {
      if (error instanceof WorkLimitError) throw new TemplateError(`The template exceeds a limit: ${error.message}.`);
      throw error;
    }
  }

  /** Counts steps. @returns whether the rendering can be interrupted now */
  private step(count = 1): boolean {
    this.budget.step(count);
    this.steps += count;
    if (this.steps < UNINTERRUPTED) return false;
    this.steps = 0;
    return true;
  }

  /** Begins a nested block or expression. @throws WorkLimitError */
  private enter(): void {
    if (++this.level > LIMITS.depth) throw new WorkLimitError('depth', LIMITS.depth);
  }

  private *render(pieces: Iterable<Piece>): Steps<string> {
    this.enter();
    const output = yield* this.pieces(pieces);
    this.level--;
    return output;
  }

  private *pieces(pieces: Iterable<Piece>): Steps<string> {
    let output = '';
    for (const piece of pieces) {
      if (this.broken || this.stopped) break;
      if (this.step()) yield;
      const text = typeof piece === 'string' ? piece : yield* isBlock(piece) ? this.block(piece) : this.piece(piece);
      if (!isBlock(piece as Piece)) this.size += text.length;
      if (this.size > MAX_TEXT) throw new TemplateError('The output of the template is too long.');
      output += text;
    }
    return output;
  }

  private *piece(piece: Expression | Directive): Steps<string> {
    switch (piece.type) {
      case 'references':
        return piece.path === undefined && this.defined.has(piece.id)
          ? yield* this.nested(this.defined.get(piece.id)!)
          : javaText(yield* this.reference(piece));
      case 'set':
        yield* this.assign(piece.equal[0], yield* this.value(piece.equal[1]));
        return '';
      case 'break':
        this.broken = true;
        return '';
      case 'macro_call':
        return yield* this.call(piece.id, piece.args || []);
      case 'raw':
        return piece.value;
      default:
        return '';
    }
  }

  private *block(block: Block): Steps<string> {
    const head = headOf(block);
    switch (head.type) {
      case 'if':
        return yield* this.choose(block);
      case 'foreach':
        return yield* this.loop(head.to, yield* this.value(head.from), block.slice(1));
      case 'macro':
        this.macros.set(head.id, { names: (head.args || []).map(({ id }) => id), body: block.slice(1) });
        return '';
      case 'define':
        this.defined.set(head.id, block.slice(1));
        return '';
      default:
        return yield* this.render(block);
    }
  }

  private *choose(block: Block): Steps<string> {
    let chosen = false;
    let from = 0;
    for (let at = 0; at < block.length; at++) {
      const piece = block[at]!;
      const type = typeof piece === 'string' || isBlock(piece) ? undefined : piece.type;
      if (type !== 'if' && type !== 'elseif' && type !== 'else') continue;
      if (chosen) return yield* this.render(block.slice(from, at));
      from = at + 1;
      chosen = type === 'else' || holds(yield* this.value((piece as { condition: Expression }).condition));
    }
    return chosen ? yield* this.render(block.slice(from)) : '';
  }

  private *loop(name: string, over: unknown, body: Block): Steps<string> {
    const items = Array.isArray(over) ? Array.from(over) : isMap(over) ? Object.values(over) : [];
    const { variables } = this;
    const names = [name, 'foreach', 'velocityCount', 'velocityHasNext'];
    const before = names.map((one) => variables.get(one));
    let output = '';
    const last = Math.min(items.length, MAX_TURNS);
    for (let index = 0; index < last && !this.broken && !this.stopped; index++) {
      const hasNext = index + 1 < last;
      variables.set(name, items[index]);
      variables.set('foreach', { count: index + 1, index, hasNext, first: index === 0, last: !hasNext });
      variables.set('velocityCount', index + 1);
      variables.set('velocityHasNext', hasNext);
      output += yield* this.render(body);
    }
    this.broken = false;
    names.forEach((one, at) => {
      if (before[at] === undefined) variables.delete(one);
      else variables.set(one, before[at]);
    });
    return output;
  }

  private *call(id: string, args: readonly Expression[]): Steps<string> {
    if (id === 'stop') {
      this.stopped = true;
      return '';
    }
    const macro = this.macros.get(id);
    if (!macro) throw new TemplateError(`There is no directive #${id}.`);
    const values = yield* this.values(args);
    const { variables } = this;
    const before = macro.names.map((name) => variables.get(name));
    for (const [at, name] of macro.names.entries()) variables.set(name, values[at]);
    const output = yield* this.nested(macro.body);
    for (const [at, name] of macro.names.entries()) variables.set(name, before[at]);
    return output;
  }

  private *nested(pieces: Block): Steps<string> {
    if (++this.depth > DEEPEST_CALL) throw new TemplateError('Max calling depth of macros exceeded.');
    const output = yield* this.render(pieces);
    this.depth--;
    return output;
  }

  private *reference({ id, path }: Reference): Steps<unknown> {
    let value: unknown = this.variables.get(id);
    for (const step of path ?? []) {
      if (value === null || value === undefined) return null;
      if (step.type === 'method') {
        const args = yield* this.values(step.args || []);
        if (!QUICK.has(step.id) && this.step(costOf(value, args))) yield;
        value = yield* callMethod(value, step.id, args, this.budget);
        if (typeof value === 'string' && this.step(value.length / PRODUCED_PER_STEP)) yield;
      } else value = member(value, step.type === 'index' ? yield* this.value(step.id) : step.id);
    }
    return value ?? null;
  }

  private *assign(target: Reference, value: unknown): Steps<void> {
    const { id, path = [] } = target;
    const last = path.at(-1);
    if (!last) {
      this.variables.set(id, value);
      return;
    }
    const owner = yield* this.reference({ type: 'references', id, path: path.slice(0, -1) });
    if (last.type === 'method') return;
    const key = last.type === 'index' ? yield* this.value(last.id) : last.id;
    if (Array.isArray(owner) && typeof key === 'number') {
      elementOf(owner, key);
      owner[key < 0 ? owner.length + key : key] = value;
    } else if (isMap(owner)) setMember(owner, javaText(key), value);
  }

  private *value(expression: Expression): Steps<unknown> {
    if (this.step()) yield;
    this.enter();
    const value = yield* this.evaluate(expression);
    this.level--;
    return value;
  }

  private *values(expressions: readonly Expression[]): Steps<unknown[]> {
    const values: unknown[] = [];
    for (const expression of expressions) values.push(yield* this.value(expression));
    return values;
  }

  private *evaluate(expression: Expression): Steps<unknown> {
    switch (expression.type) {
      case 'references':
        return yield* this.reference(expression);
      case 'string':
        return expression.isEval && /[$#]/.test(expression.value)
          ? bounded(yield* this.nested(treeOf(expression.value)))
          : expression.value;
      case 'integer':
      case 'decimal':
        return Number(expression.value);
      case 'bool':
        return expression.value === 'null' ? null : String(expression.value) === 'true';
      case 'array':
        return expression.isRange
          ? yield* this.range(expression.value)
          : JavaList.of(...(yield* this.values(expression.value as readonly Expression[])));
      case 'map': {
        const map: Record<string, unknown> = {};
        for (const [key, one] of Object.entries(expression.value ?? {})) setMember(map, key, yield* this.value(one));
        return map;
      }
      case 'math':
        return yield* this.compute(expression.operator, expression.expression);
      default:
        return null;
    }
  }

  private *range(ends: readonly (Expression | string | number)[]): Steps<JavaList> {
    const limits: number[] = [];
    for (const end of ends) limits.push(Number(typeof end === 'object' ? yield* this.value(end) : end));
    const [from = 0, to = 0] = limits;
    const list = new JavaList();
    const step = from <= to ? 1 : -1;
    for (let at = from; step > 0 ? at <= to : at >= to; at += step) {
      if (list.length >= MAX_TURNS) break;
      list.push(at);
    }
    return list;
  }

  private *compute(operator: string, operands: readonly Expression[]): Steps<unknown> {
    const [first, second] = operands as [Expression, Expression];
    if (operator === '&&') return holds(yield* this.value(first)) && holds(yield* this.value(second));
    if (operator === '||') return holds(yield* this.value(first)) || holds(yield* this.value(second));
    const left = yield* this.value(first);
    if (operator === 'not') return !holds(left);
    if (operator === 'parenthesis') return left;
    if (operator === 'minus') return typeof left === 'number' ? -left : null;
    const right = yield* this.value(second);
    if (operator === '==') return same(left, right);
    if (operator === '!=') return !same(left, right);
    return arithmetic(operator, left, right);
  }
}

/** Methods that do not look at the whole list or text. */
const QUICK: ReadonlySet<string> = new Set(
  'add charAt containsKey get getOrDefault isEmpty length put set size substring'.split(' '),
);
/** Characters that methods of texts look at in the time of a step. */
const CHARACTERS_PER_STEP = 1000;

/** Characters that methods produce in the time of a step. */
const PRODUCED_PER_STEP = 200;

/** Returns the number of steps of a method: it may look at each element of a list, and at each character of texts. */
const costOf = (self: unknown, args: readonly unknown[]): number =>
  [self, ...args].reduce<number>(
    (cost, value) =>
      cost +
      (Array.isArray(value) ? value.length / 10 : typeof value === 'string' ? value.length / CHARACTERS_PER_STEP : 0),
    1,
  );

/** Computes an operator: numbers are calculated, text is concatenated, other operands have no result. */
function arithmetic(operator: string, left: unknown, right: unknown): unknown {
  if (typeof left !== 'number' || typeof right !== 'number')
    return operator === '+' && (typeof left === 'string' || typeof right === 'string')
      ? bounded(javaText(left) + javaText(right))
      : null;
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      if (right === 0) return null;
      return Number.isInteger(left) && Number.isInteger(right) ? Math.trunc(left / right) : left / right;
    case '%':
      return right === 0 ? null : left % right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    default:
      return null;
  }
}

function member(owner: unknown, key: unknown): unknown {
  if (owner instanceof TemplateObject) return owner.property(javaText(key));
  if (Array.isArray(owner)) return typeof key === 'number' ? elementOf(owner, key) : null;
  if (!isMap(owner)) return null;
  const name = javaText(key);
  return Object.hasOwn(owner, name)
    ? owner[name]
    : name === 'empty'
      ? Object.keys(owner).length === 0
      : memberOf(owner, name);
}

/** Milliseconds of a rendering in one turn of the event loop. */
const SLICE = 5;
/** Interrupted renderings; one continues in each turn. */
const interrupted: (() => void)[] = [];

function continueOne(): void {
  interrupted.shift()!();
  if (interrupted.length > 0) setImmediate(continueOne);
}

/** Resolves in a later turn, after the renderings that were interrupted before. */
const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    interrupted.push(resolve);
    if (interrupted.length === 1) setImmediate(continueOne);
  });

/**
 * Renders a mapping template in API Gateway's VTL, with methods of Java's strings, lists and maps. A long rendering
 * continues in later turns of the event loop.
 * @param variables by name; templates may change maps in them
 * @throws TemplateError if it cannot be parsed, fails, or exceeds a limit
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html
 */
export async function renderTemplate(template: string, variables: Readonly<Record<string, unknown>>): Promise<string> {
  if (!template.includes('$') && !template.includes('#')) return template;
  const steps = new Rendering(new Map(Object.entries(variables))).whole(template);
  if (interrupted.length > 0) await nextTurn();
  for (let end = performance.now() + SLICE; ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < end) continue;
    await nextTurn();
    end = performance.now() + SLICE;
  }
}
