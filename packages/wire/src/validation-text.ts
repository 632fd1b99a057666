import { shapeOf } from './compile.ts';
import type { MemberModel, ServiceModel, Shape } from './model.ts';

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

/** Limit of values shown in an error: more than any operation accepts, and few enough for the memory. */
const MAX_SHOWN = 20_000;

/**
 * Formats a value like AWS's services (Java) in validation errors: `[a, b]`, `{key=value}`, `Shape(member=value)`.
 * Sensitive values are masked. After 20,000 values the rest is shown as dots.
 */
export function printValue(model: ServiceModel, member: MemberModel, value: unknown): string {
  return new ValuePrinter(model).print(member, value);
}

class ValuePrinter {
  private shown = 0;

  constructor(private readonly model: ServiceModel) {}

  print(member: MemberModel, value: unknown): string {
    const shape = shapeOf(this.model, member.shape);
    this.shown++;
    if (value === null || value === undefined) return 'null';
    if (shape.sensitive) return '***Sensitive Data Redacted***';
    if (shape.document || member.jsonvalue) return JSON.stringify(value) ?? '';
    if (value instanceof Date) return value.toISOString();
    if (value instanceof Uint8Array) return `java.nio.HeapByteBuffer[pos=0 lim=${value.length} cap=${value.length}]`;
    if (Array.isArray(value)) return `[${this.joined(value, (item) => this.print(shape.member!, item))}]`;
    if (typeof value === 'number') return printNumber(shape, value);
    if (typeof value !== 'object') return String(value);
    const source = value as Record<string, unknown>;
    if (shape.type === 'map')
      return `{${this.joined(Object.keys(source), (key) => `${key}=${this.print(shape.value!, source[key])}`)}}`;
    const texts = Object.entries(shape.members ?? {}).map(
      ([name, use]) => `${name.slice(0, 1).toLowerCase()}${name.slice(1)}=${this.print(use, source[name])}`,
    );
    return `${member.shape}(${texts.join(', ')})`;
  }

  private joined<T>(items: readonly T[], print: (item: T) => string): string {
    const texts: string[] = [];
    for (const item of items) {
      if (this.shown >= MAX_SHOWN) {
        texts.push('...');
        break;
      }
      texts.push(print(item));
    }
    return texts.join(', ');
  }
}
