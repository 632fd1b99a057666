import type { ValidationFailure } from './codec.ts';
import { lazy, ShapeCompiler, shapeOf } from './compile.ts';
import { type AwsError, awsError } from './errors.ts';
import type { MemberModel, ServiceModel, Shape } from './model.ts';
import { Pattern } from './pattern.ts';
import { constraintOf, printNumber, printPath, printValue, type Step } from './validation-text.ts';

type Constraint = ValidationFailure['constraint'];

/** Limit of reported violations in AWS, which also limits the collected ones. */
export const MAX_FAILURES = 10;

/** State of a validation: position and violations. */
interface Walk {
  steps: Step[];
  failures: ValidationFailure[];
}

/** Validates a non-null value and its contents. */
type Validator = (value: unknown, walk: Walk) => void;

/** A constraint of a scalar or a collection, in AWS's words. */
interface Rule {
  constraint: Constraint;
  text: string;
  holds(value: unknown): boolean;
}

/** Returns a length as Smithy counts it: code points of a string, bytes of a blob, elements, entries. */
function lengthWithin(value: unknown, min: number, max: number): boolean {
  if (typeof value === 'string') {
    const units = value.length;
    if (units < min || units > max * 2) return false;
    if (units <= max && units >= min * 2) return true;
    let points = 0;
    for (const _ of value) points++;
    return points >= min && points <= max;
  }
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length >= min && value.length <= max;
  if (typeof value !== 'object' || value === null) return true;
  const entries = Object.keys(value).length;
  return entries >= min && entries <= max;
}

const isNumeric = (shape: Shape): boolean =>
  shape.type === 'integer' || shape.type === 'long' || shape.type === 'float' || shape.type === 'double';

/**
 * Returns the constraints of a shape in the order of AWS's bracketed messages: upper bound, lower bound, pattern, enum.
 */
function rulesOf(shape: Shape, streaming: boolean): Rule[] {
  const rules: Rule[] = [];
  if (streaming) return rules;
  const { min, max, pattern } = shape;
  if (isNumeric(shape)) {
    if (max !== undefined)
      rules.push({
        constraint: 'range',
        text: `Member must have value less than or equal to ${printNumber(shape, max)}`,
        holds: (value) => typeof value !== 'number' || value <= max,
      });
    if (min !== undefined)
      rules.push({
        constraint: 'range',
        text: `Member must have value greater than or equal to ${printNumber(shape, min)}`,
        holds: (value) => typeof value !== 'number' || value >= min,
      });
  } else {
    if (max !== undefined)
      rules.push({
        constraint: 'length',
        text: `Member must have length less than or equal to ${max}`,
        holds: (value) => lengthWithin(value, 0, max),
      });
    if (min !== undefined && min > 0)
      rules.push({
        constraint: 'length',
        text: `Member must have length greater than or equal to ${min}`,
        holds: (value) => lengthWithin(value, min, Number.POSITIVE_INFINITY),
      });
  }
  if (pattern !== undefined && shape.type === 'string') {
    const compiled = lazy(() => new Pattern(pattern));
    rules.push({
      constraint: 'pattern',
      text: `Member must satisfy regular expression pattern: ${pattern}`,
      holds: (value) => typeof value !== 'string' || compiled().matches(value),
    });
  }
  if (shape.enum) {
    const values = new Set<unknown>(shape.enum);
    rules.push({
      constraint: 'enum',
      text: `Member must satisfy enum value set: [${shape.enum.join(', ')}]`,
      holds: (value) => values.has(value),
    });
  }
  return rules;
}

/** Returns a member's constraints in AWS's order outside of brackets: pattern first. */
const memberOrder = (rules: Rule[]): Rule[] => [
  ...rules.filter(({ constraint }) => constraint === 'pattern'),
  ...rules.filter(({ constraint }) => constraint !== 'pattern'),
];

const isScalar = (shape: Shape): boolean => !['structure', 'list', 'map'].includes(shape.type);

/** Validates inputs against the constraints of a service's model. Operations are compiled at their first use. */
export class Validators {
  private readonly model: ServiceModel;
  private readonly compiler: ShapeCompiler<Validator>;
  private readonly operations = new Map<string, Validator | undefined>();
  private readonly constrained = new Map<string, boolean>();

  constructor(model: ServiceModel) {
    this.model = model;
    this.compiler = new ShapeCompiler(
      (member) => this.make(member),
      (member) => `${member.shape}|${member.streaming ?? ''}|${member.jsonvalue ?? ''}`,
    );
  }

  /** Returns the violated constraints of an operation's input, at most ten, in the order of the model. */
  validate(operation: string, input: unknown): ValidationFailure[] {
    const validator = this.operation(operation);
    if (!validator) return [];
    const walk: Walk = { steps: [], failures: [] };
    validator(input, walk);
    return walk.failures;
  }

  private operation(name: string): Validator | undefined {
    if (this.operations.has(name)) return this.operations.get(name);
    const input = this.model.operations[name]?.input;
    const validator = input && this.isConstrained(input) ? this.compiler.compile(input) : undefined;
    this.operations.set(name, validator);
    return validator;
  }

  /** Whether anything below a use of a shape has constraints. */
  private isConstrained(member: MemberModel): boolean {
    if (member.jsonvalue) return false;
    const known = this.constrained.get(member.shape);
    if (known !== undefined) return known;
    const seen = new Set<string>();
    const reaches = (use: MemberModel): boolean => {
      if (use.jsonvalue || seen.has(use.shape)) return false;
      seen.add(use.shape);
      const shape = shapeOf(this.model, use.shape);
      if (shape.document || shape.eventstream) return false;
      if (shape.required?.length || shape.union || rulesOf(shape, shape.streaming === true).length > 0) return true;
      if ((shape.type === 'list' || shape.type === 'map') && !shape.sparse) return true;
      const below = [...Object.values(shape.members ?? {}), shape.member, shape.key, shape.value];
      return below.some((next) => next !== undefined && reaches(next));
    };
    const result = reaches(member);
    this.constrained.set(member.shape, result);
    return result;
  }

  private make(member: MemberModel): Validator {
    const shape = shapeOf(this.model, member.shape);
    if (shape.document || shape.eventstream) return () => {};
    const rules = memberOrder(rulesOf(shape, member.streaming === true || shape.streaming === true));
    const own: Validator = (value, walk) => {
      for (const rule of rules) if (!rule.holds(value)) this.fail(walk, rule.constraint, rule.text, member, value);
    };
    switch (shape.type) {
      case 'structure':
        return this.structure(member, shape);
      case 'list':
        return this.list(member, shape, own);
      case 'map':
        return this.map(member, shape, own);
      default:
        return own;
    }
  }

  private structure(use: MemberModel, shape: Shape): Validator {
    const required = new Set(shape.required);
    const members = Object.entries(shape.members ?? {})
      .filter(([name, member]) => required.has(name) || this.isConstrained(member))
      .map(([name, member]) => ({
        name,
        member,
        required: required.has(name),
        validator: this.isConstrained(member) ? this.compiler.compile(member) : undefined,
      }));
    const all = Object.keys(shape.members ?? {});
    return (value, walk) => {
      const source = value as Record<string, unknown>;
      for (const { name, member, required, validator } of members) {
        const item = source[name];
        if (item === undefined || item === null) {
          if (!required) continue;
          walk.steps.push(name);
          this.fail(walk, 'required', 'Member must not be null', member, undefined);
          walk.steps.pop();
        } else if (validator) {
          walk.steps.push(name);
          validator(item, walk);
          walk.steps.pop();
        }
      }
      if (!shape.union) return;
      const set = all.filter((name) => source[name] !== undefined && source[name] !== null);
      if (set.length !== 1) this.fail(walk, 'union', 'Member must have exactly one of its members set', use, value);
    };
  }

  private list(use: MemberModel, shape: Shape, own: Validator): Validator {
    const element = shape.member!;
    const elementShape = shapeOf(this.model, element.shape);
    const nullable = shape.sparse === true;
    // Scalar elements are reported together with their list, structures individually.
    if (isScalar(elementShape)) {
      const rules = rulesOf(elementShape, false);
      const text = `Member must satisfy constraint: ${this.together(rules, nullable)}`;
      return (value, walk) => {
        own(value, walk);
        const broken = this.firstBroken(value as unknown[], rules, nullable);
        if (broken) this.fail(walk, broken, text, use, value);
      };
    }
    const validator = this.isConstrained(element) ? this.compiler.compile(element) : undefined;
    return (value, walk) => {
      own(value, walk);
      const list = value as unknown[];
      for (let index = 0; index < list.length; index++) {
        const item = list[index];
        if (item === null || item === undefined) {
          if (nullable) continue;
          walk.steps.push(index);
          this.fail(walk, 'null', 'Member must not be null', element, undefined);
          walk.steps.pop();
        } else if (validator) {
          walk.steps.push(index);
          validator(item, walk);
          walk.steps.pop();
        }
        if (walk.failures.length >= MAX_FAILURES) return;
      }
    };
  }

  private map(use: MemberModel, shape: Shape, own: Validator): Validator {
    const keyRules = rulesOf(shapeOf(this.model, shape.key!.shape), false);
    const keyText = `Map keys must satisfy constraint: ${this.together(keyRules, true)}`;
    const valueUse = shape.value!;
    const valueShape = shapeOf(this.model, valueUse.shape);
    const nullable = shape.sparse === true;
    const scalar = isScalar(valueShape);
    // Lengths of lists are reported with the map like constraints of scalars, without mentioning null.
    const list = valueShape.type === 'list' && rulesOf(valueShape, false).length > 0;
    const valueRules = scalar || list ? rulesOf(valueShape, false) : [];
    const valueText = `Map value must satisfy constraint: ${this.together(valueRules, nullable || list)}`;
    const inList = list ? this.list(valueUse, valueShape, () => {}) : undefined;
    const validator = inList ?? (!scalar && this.isConstrained(valueUse) ? this.compiler.compile(valueUse) : undefined);
    return (value, walk) => {
      own(value, walk);
      const source = value as Record<string, unknown>;
      const keys = Object.keys(source);
      const brokenKey = keyRules.length > 0 ? this.firstBroken(keys, keyRules, true) : undefined;
      if (brokenKey) this.fail(walk, brokenKey, keyText, use, value);
      const values = keys.map((key) => source[key]);
      const brokenValue = this.firstBroken(values, valueRules, nullable);
      if (brokenValue) this.fail(walk, brokenValue, valueText, use, value);
      if (!validator) return;
      for (const key of keys) {
        if (source[key] === null || source[key] === undefined) continue;
        walk.steps.push({ key });
        validator(source[key], walk);
        walk.steps.pop();
        if (walk.failures.length >= MAX_FAILURES) return;
      }
    };
  }

  /** Returns the first constraint violated by any of the values; undefined without one. */
  private firstBroken(values: readonly unknown[], rules: Rule[], nullable: boolean): Constraint | undefined {
    for (const value of values) {
      if (value === null || value === undefined) {
        if (!nullable) return 'null';
        continue;
      }
      for (const rule of rules) if (!rule.holds(value)) return rule.constraint;
    }
    return undefined;
  }

  /** Formats all constraints of an element in brackets, as AWS does for any violation. */
  private together(rules: Rule[], nullable: boolean): string {
    const texts = rules.map(({ text }) => text);
    return `[${(nullable ? texts : [...texts, 'Member must not be null']).join(', ')}]`;
  }

  private fail(walk: Walk, constraint: Constraint, text: string, use: MemberModel, value: unknown): void {
    if (walk.failures.length >= MAX_FAILURES) return;
    const path = printPath(walk.steps);
    const shape = shapeOf(this.model, use.shape);
    const shown = value === undefined ? null : shape.sensitive ? undefined : printValue(this.model, use, value);
    walk.failures.push({
      constraint,
      path,
      members: walk.steps.map((step) => (typeof step === 'object' ? step.key : step)),
      value,
      reason: text,
      message: constraintOf(path, text, shown),
    });
  }
}

/**
 * Creates the error for violated constraints, in AWS's common wording: `2 validation errors detected: …; …`.
 * @param code error code, if the service uses one other than `ValidationException`
 */
export function validationError(failures: readonly ValidationFailure[], code = 'ValidationException'): AwsError {
  const detected =
    failures.length === 1 ? '1 validation error detected' : `${failures.length} validation errors detected`;
  return awsError(code, `${detected}: ${failures.map(({ message }) => message).join('; ')}`, { status: 400 });
}
