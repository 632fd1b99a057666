import { javaReplacement, LinearRegex, RegexError, WholeRegex } from '@emu/core/regex';
import type { WorkBudget } from '@emu/core/service';
import { TemplateError } from './parse.ts';
import { bounded, isMap, JavaList, javaText, same, TemplateObject } from './values.ts';

/** Work that can be interrupted at each `yield`. */
export type Steps<Result> = Generator<undefined, Result>;
/** Returns a value, or the steps of a long method. */
type Method<Self> = (self: Self, args: readonly unknown[], budget: WorkBudget) => unknown;
type Methods<Self> = Readonly<Record<string, Method<Self>>>;

const text = (value: unknown): string => javaText(value);
const whole = (value: unknown): number => Math.trunc(Number(value));

/** Units of work of a regular expression that count as one step. */
const WORK_PER_STEP = 40;
/** Steps that the compilation of one unit of a regular expression counts as. */
const COMPILE_STEPS = 4;
/** Characters that an expression can match one by one in the time of a step. */
const MATCHED_PER_STEP = 4;
/** Characters in which `replace` looks for a text in the time of a step. */
const REPLACED_PER_STEP = 100;

/**
 * Returns a method that uses a regular expression.
 * @returns a function that throws TemplateError if the expression is invalid or too complex
 */
const withRegex = <Regex extends LinearRegex | WholeRegex>(
  compile: (source: string) => Regex,
  method: (self: string, regex: Regex, replacement: string) => unknown,
): Method<string> =>
  function* (self, [source, replacement], budget): Steps<unknown> {
    try {
      const regex = compile(text(source));
      budget.step(regex.work(1) * COMPILE_STEPS + regex.work(self.length) / WORK_PER_STEP);
      if (regex instanceof LinearRegex) budget.step(self.length / MATCHED_PER_STEP);
      const value = method(self, regex, text(replacement));
      return isSteps(value) ? yield* value : value;
    } catch (error) {
      if (error instanceof RegexError)
        throw new TemplateError(`${text(source)} is not a regular expression: ${error.message}`);
      throw error;
    }
  };

/** Whether a method returned its steps instead of a value of a template. */
const isSteps = (value: unknown): value is Steps<unknown> =>
  typeof value === 'object' && value !== null && Object.prototype.toString.call(value) === '[object Generator]';

const linear = (source: string): LinearRegex => new LinearRegex(source);

/** Methods of Java's `String`. */
const STRING: Methods<string> = {
  charAt: (self, [at]) => self.charAt(whole(at)),
  compareTo: (self, [other]) => (self < text(other) ? -1 : self > text(other) ? 1 : 0),
  concat: (self, [other]) => bounded(self + text(other)),
  contains: (self, [part]) => self.includes(text(part)),
  endsWith: (self, [part]) => self.endsWith(text(part)),
  equals: (self, [other]) => self === other,
  equalsIgnoreCase: (self, [other]) => self.toLowerCase() === text(other).toLowerCase(),
  indexOf: (self, [part, from]) => self.indexOf(text(part), from === undefined ? 0 : whole(from)),
  isEmpty: (self) => self === '',
  lastIndexOf: (self, [part]) => self.lastIndexOf(text(part)),
  length: (self) => self.length,
  matches: withRegex(
    (source) => new WholeRegex(source, { dotAll: true }),
    (self, regex) => regex.test(self),
  ),
  replace(self, [part, other], budget) {
    budget.step(self.length / REPLACED_PER_STEP);
    return bounded(self.split(text(part)).join(text(other)));
  },
  replaceAll: withRegex(linear, function* (self, regex, other): Steps<string> {
    return bounded(yield* regex.replacing(self, javaReplacement(other)));
  }),
  replaceFirst: withRegex(linear, (self, regex, other) => bounded(regex.replaceFirst(self, javaReplacement(other)))),
  split: withRegex(linear, function* (self, regex): Steps<JavaList> {
    const parts = yield* regex.splitting(self);
    while (parts.length > 1 && parts.at(-1) === '') parts.pop();
    return JavaList.of(...parts);
  }),
  startsWith: (self, [part]) => self.startsWith(text(part)),
  substring: (self, [from, to]) => {
    const [begin, end] = [whole(from), to === undefined ? self.length : whole(to)];
    if (!(begin >= 0 && begin <= end && end <= self.length))
      throw new TemplateError(`String index out of range: ${to === undefined ? begin : end}`);
    return self.slice(begin, end);
  },
  toLowerCase: (self) => self.toLowerCase(),
  toString: (self: string) => self,
  toUpperCase: (self) => self.toUpperCase(),
  trim: (self) => self.trim(),
};

/** Methods of Java's `Integer`, `Double` and `Boolean`, including their text parsers. */
const SCALAR: Methods<number | boolean> = {
  compareTo: (self, [other]) => Math.sign(Number(self) - Number(other)),
  doubleValue: (self) => Number(self),
  equals: (self, [other]) => self === other,
  intValue: whole,
  longValue: whole,
  parseBoolean: (_self, [given]) => text(given).toLowerCase() === 'true',
  parseDouble: (_self, [given]) => numberOf(given),
  parseInt: (_self, [given]) => whole(numberOf(given)),
  parseLong: (_self, [given]) => whole(numberOf(given)),
  toString: (self: number | boolean) => String(self),
  valueOf: (_self: number | boolean, [given]: readonly unknown[]) => numberOf(given),
};

function numberOf(given: unknown): number {
  const value = Number(text(given));
  if (text(given).trim() === '' || Number.isNaN(value)) throw new TemplateError(`For input string: "${text(given)}"`);
  return value;
}

const entry = (key: string, value: unknown): unknown => new MapEntry(key, value);

/** An entry of a map. */
class MapEntry extends TemplateObject {
  constructor(
    private readonly key: string,
    private readonly value: unknown,
  ) {
    super();
  }
  override property(name: string): unknown {
    return name === 'key' ? this.key : name === 'value' ? this.value : undefined;
  }
  override method(name: string): unknown {
    return name === 'getKey' ? this.key : name === 'getValue' ? this.value : undefined;
  }
  override text(): string {
    return `${this.key}=${javaText(this.value)}`;
  }
}

/**
 * Sets a member with any name.
 * @returns its previous value
 */
export function setMember(map: Record<string, unknown>, key: string, value: unknown): unknown {
  const previous = Object.hasOwn(map, key) ? map[key] : null;
  Object.defineProperty(map, key, { value, writable: true, enumerable: true, configurable: true });
  return previous;
}

/** Returns a member of a map; null if missing. */
export const memberOf = (map: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(map, key) ? map[key] : null;

/** Methods of Java's `Map`. */
const MAP: Methods<Record<string, unknown>> = {
  clear: (self) => {
    for (const key of Object.keys(self)) delete self[key];
    return null;
  },
  containsKey: (self, [key]) => Object.hasOwn(self, text(key)),
  containsValue: (self, [value]) => Object.values(self).some((one) => same(one, value)),
  entrySet: (self) => JavaList.of(...Object.entries(self).map(([key, value]) => entry(key, value))),
  equals: (self, [other]) => same(self, other),
  get: (self, [key]) => memberOf(self, text(key)),
  getOrDefault: (self, [key, value]) => (Object.hasOwn(self, text(key)) ? self[text(key)] : value),
  isEmpty: (self) => Object.keys(self).length === 0,
  keySet: (self) => JavaList.of(...Object.keys(self)),
  put: (self, [key, value]) => setMember(self, text(key), value),
  putAll: (self, [other]) => {
    if (isMap(other)) for (const [key, value] of Object.entries(other)) setMember(self, key, value);
    return null;
  },
  remove: (self, [key]) => {
    const previous = memberOf(self, text(key));
    delete self[text(key)];
    return previous;
  },
  size: (self) => Object.keys(self).length,
  toString: (self: Record<string, unknown>) => text(self),
  values: (self) => JavaList.of(...Object.values(self)),
};

/** Maximum number of list elements that a template creates. */
const MAX_ELEMENTS = 100_000;

function grown(list: readonly unknown[]): void {
  if (list.length > MAX_ELEMENTS) throw new TemplateError('The template makes a list that is too long.');
}

/** Methods of Java's `List`. */
const LIST: Methods<unknown[]> = {
  add: (self, args) => {
    if (args.length > 1) self.splice(whole(args[0]), 0, args[1]);
    else self.push(args[0]);
    grown(self);
    return true;
  },
  addAll: (self, [other]) => {
    for (const one of Array.isArray(other) ? [...other] : []) self.push(one);
    grown(self);
    return true;
  },
  clear: (self) => {
    self.length = 0;
    return null;
  },
  contains: (self, [value]) => self.some((one) => same(one, value)),
  equals: (self, [other]) => same(self, other),
  get: (self, [at]) => elementOf(self, whole(at)),
  indexOf: (self, [value]) => self.findIndex((one) => same(one, value)),
  isEmpty: (self) => self.length === 0,
  remove: (self, [at]) => {
    if (typeof at === 'number') return self.splice(at, 1)[0] ?? null;
    const found = self.findIndex((one) => same(one, at));
    if (found >= 0) self.splice(found, 1);
    return found >= 0;
  },
  set: (self, [at, value]) => {
    const previous = elementOf(self, whole(at));
    self[whole(at)] = value;
    return previous;
  },
  size: (self) => self.length,
  subList: (self, [from, to]) => JavaList.of(...self.slice(whole(from), whole(to))),
  toString: (self: unknown[]) => text(self),
};

/**
 * Returns an element of a list; a negative index counts from the end.
 * @throws TemplateError if it does not exist
 */
export function elementOf(list: readonly unknown[], at: number): unknown {
  const index = at < 0 ? list.length + at : at;
  if (!(index >= 0 && index < list.length)) throw new TemplateError(`Index: ${at}, Size: ${list.length}`);
  return list[index];
}

/**
 * Calls a Java method on a template value.
 * @param budget counts the work of methods for which that of their operands is too little
 * @returns null if the value has no such method, in which case the reference has no value
 * @throws TemplateError if the method fails
 */
export function* callMethod(self: unknown, name: string, args: readonly unknown[], budget: WorkBudget): Steps<unknown> {
  if (self instanceof TemplateObject) return self.method(name, args);
  const methods: Methods<never> | undefined =
    typeof self === 'string'
      ? STRING
      : typeof self === 'number' || typeof self === 'boolean'
        ? SCALAR
        : Array.isArray(self)
          ? LIST
          : isMap(self)
            ? MAP
            : undefined;
  if (!methods || !Object.hasOwn(methods, name)) return null;
  const value = methods[name]!(self as never, args, budget);
  return (isSteps(value) ? yield* value : value) ?? null;
}
