import type { ValidationFailure } from './codec.ts';
import { shapeOf } from './compile.ts';
import type { MemberModel, ServiceModel, Shape } from './model.ts';
import { startOf } from './shortened.ts';

/** One step from the input to a value: a member, an element index (from 0), or a map key. */
export type Step = string | number | { key: string };

/** Path as AWS prints it: `entries.1.member.id`, `attributes.color.member.dataType`. */
export function printPath(steps: readonly Step[]): string {
  return steps
    .map((step) => {
      if (typeof step === 'number') return `${step + 1}.member`;
      if (typeof step === 'object') return `${step.key}.member`;
      return step.slice(0, 1).toLowerCase() + step.slice(1);
    })
    .join('.');
}

/** Formats a number like Java: doubles always have a decimal point. */
export function printNumber(shape: Shape, value: number): string {
  const floating = shape.type === 'double' || shape.type === 'float';
  return floating && Number.isInteger(value) && Math.abs(value) < 1e7 ? value.toFixed(1) : String(value);
}

/** Limit of the characters of a value in an error: more than any name, and few enough for logs. */
export const MAX_SHOWN = 2048;

/**
 * Names a violated constraint in AWS's common wording: `Value 'x' at 'name' failed to satisfy constraint: …`.
 * @param path of the value: `entries.1.member.id`
 * @param shown text of the value, of which 2,048 characters are shown; null if it is missing, undefined to omit it
 */
export const constraintText = (path: string, constraint: string, shown?: string | null): string =>
  constraintOf(path, constraint, typeof shown === 'string' ? startOf(shown, MAX_SHOWN) : shown);

/** {@link constraintText} with the whole text of a value, as `printValue` returns it. */
export function constraintOf(path: string, constraint: string, shown: string | null | undefined): string {
  const value = shown === undefined ? '' : shown === null ? ' null' : ` '${shown}'`;
  return `Value${value} at '${path}' failed to satisfy constraint: ${constraint}`;
}

/** Returns the message for one violated constraint; see {@link constraintText}. */
export const violationText = (path: string, constraint: string, shown?: string | null): string =>
  `1 validation error detected: ${constraintText(path, constraint, shown)}`;

/** Returns a failure with a message that omits the value. */
export const withoutValue = (failure: ValidationFailure): ValidationFailure => ({
  ...failure,
  message: constraintText(failure.path, failure.reason),
});

/**
 * Formats a value like AWS's services (Java) in validation errors: `[a, b]`, `{key=value}`, `Shape(member=value)`.
 * Sensitive values are masked. Members and elements that begin after 2,048 characters are shown as dots.
 */
export function printValue(model: ServiceModel, member: MemberModel, value: unknown): string {
  return new ValuePrinter(model).print(member, value);
}

class ValuePrinter {
  /** Characters that can still be shown. */
  private left = MAX_SHOWN;

  constructor(private readonly model: ServiceModel) {}

  print(member: MemberModel, value: unknown): string {
    const shape = shapeOf(this.model, member.shape);
    if (value === null || value === undefined) return this.take('null');
    if (shape.sensitive) return this.take('***Sensitive Data Redacted***');
    if (shape.document || member.jsonvalue) return this.take(JSON.stringify(value) ?? '');
    if (value instanceof Date) return this.take(value.toISOString());
    if (value instanceof Uint8Array)
      return this.take(`java.nio.HeapByteBuffer[pos=0 lim=${value.length} cap=${value.length}]`);
    if (Array.isArray(value)) return `[${this.joined(value, (item) => this.print(shape.member!, item))}]`;
    if (typeof value === 'number') return this.take(printNumber(shape, value));
    if (typeof value !== 'object') return this.take(String(value));
    const source = value as Record<string, unknown>;
    if (shape.type === 'map')
      return `{${this.joined(Object.keys(source), (key) => `${this.take(key)}=${this.print(shape.value!, source[key])}`)}}`;
    const members = Object.entries(shape.members ?? {});
    const texts = this.joined(
      members,
      ([name, use]) =>
        `${this.take(`${name.slice(0, 1).toLowerCase()}${name.slice(1)}`)}=${this.print(use, source[name])}`,
    );
    return `${member.shape}(${texts})`;
  }

  /** Returns as much of a text as can still be shown. */
  private take(text: string): string {
    const shown = startOf(text, Math.max(this.left, 0));
    this.left -= text.length;
    return shown;
  }

  private joined<T>(items: readonly T[], print: (item: T) => string): string {
    const texts: string[] = [];
    // Brackets, and dots after the last element.
    this.left -= 8;
    for (const item of items) {
      if (this.left <= 0) {
        texts.push('...');
        break;
      }
      texts.push(print(item));
      this.left -= 2;
    }
    return texts.join(', ');
  }
}
