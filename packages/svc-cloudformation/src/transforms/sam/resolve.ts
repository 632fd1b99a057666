import { isObject } from '@emu/wire';
import { documentProblem } from './errors.ts';
import type { Obj } from './values.ts';
import { printed } from './words.ts';

/** Resolves references to parameters in `Ref` and `Fn::Sub`, and looks up mappings. */
export class Resolver {
  constructor(
    private readonly parameters: Readonly<Record<string, unknown>>,
    private readonly mappings: Obj,
  ) {}

  /** Resolves parameter references in a value at any depth. */
  resolve<T>(value: T): T {
    return this.walk(value) as T;
  }

  private walk(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((entry) => this.walk(entry));
    if (!isObject(value)) return value;
    const names = Object.keys(value);
    if (names.length === 1) {
      const resolved = this.call(names[0]!, value[names[0]!]);
      if (resolved !== undefined) return resolved;
    }
    return Object.fromEntries(names.map((name) => [name, this.walk(value[name])]));
  }

  private call(name: string, argument: unknown): unknown {
    if (name === 'Ref' && typeof argument === 'string') return this.parameters[argument];
    if (name === 'Fn::Sub') return this.sub(argument);
    if (name === 'Fn::FindInMap') return this.find(argument);
    return undefined;
  }

  private sub(argument: unknown): Obj | undefined {
    if (typeof argument === 'string') return { 'Fn::Sub': this.text(argument, {}) };
    if (!Array.isArray(argument) || typeof argument[0] !== 'string' || !isObject(argument[1])) return undefined;
    return { 'Fn::Sub': [this.text(argument[0], argument[1]), this.walk(argument[1])] };
  }

  private text(text: string, own: Obj): string {
    return text.replace(/\$\{([^!{}]+)\}/g, (whole, name: string) => {
      const value = Object.hasOwn(own, name) ? undefined : this.parameters[name];
      if (typeof value === 'object' && value !== null)
        throw documentProblem(
          `Invalid Fn::Sub variable value ${printed(value)}. Fn::Sub expects all variables to be strings.`,
        );
      return typeof value === 'string' || typeof value === 'number' ? String(value) : whole;
    });
  }

  private find(argument: unknown): unknown {
    if (!Array.isArray(argument)) return undefined;
    const [map, top, second] = argument.map((key) => this.walk(key));
    if (argument.length !== 3)
      throw documentProblem(
        `Invalid FindInMap value ${printed(this.walk(argument))}. FindInMap expects an array with 3 values.`,
      );
    if (typeof map !== 'string' || typeof top !== 'string' || typeof second !== 'string') return undefined;
    const entries = this.mappings[map];
    const entry = isObject(entries) ? entries[top] : undefined;
    if (entry !== undefined && !isObject(entry))
      throw documentProblem(`Cannot use Fn::FindInMap on Mapping '${map}' which is not a a two-level map.`);
    return isObject(entry) ? entry[second] : undefined;
  }
}

/** Replacements of references to parts of SAM resources, such as `MyFunction.Alias`. */
export class References {
  private readonly parts = new Map<string, string>();

  /** Registers the replacement of `${id}.${part}`, or of the id alone. */
  add(id: string, part: string | undefined, target: string): void {
    this.parts.set(part === undefined ? id : `${id}.${part}`, target);
  }

  /** Replaces all registered references in a value. */
  replace(value: unknown): unknown {
    if (!this.parts.size) return value;
    if (Array.isArray(value)) return value.map((entry) => this.replace(entry));
    if (!isObject(value)) return value;
    const names = Object.keys(value);
    if (names.length === 1) {
      const argument = value[names[0]!];
      if (names[0] === 'Ref' && typeof argument === 'string') return { Ref: this.parts.get(argument) ?? argument };
      if (names[0] === 'Fn::GetAtt' && Array.isArray(argument)) return { 'Fn::GetAtt': this.attribute(argument) };
      if (names[0] === 'Fn::Sub') return { 'Fn::Sub': this.sub(argument) };
    }
    return Object.fromEntries(names.map((name) => [name, this.replace(value[name])]));
  }

  /** Returns the dependencies of a resource with replaced ids. */
  dependencies(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((id) => this.dependencies(id));
    return typeof value === 'string' ? (this.parts.get(value) ?? value) : value;
  }

  private attribute(path: unknown[]): unknown[] {
    const [id, ...rest] = path.join('.').split('.');
    const part = rest.length > 1 ? this.parts.get(`${id}.${rest[0]}`) : undefined;
    if (part !== undefined) return [part, rest.slice(1).join('.')];
    const whole = this.parts.get(String(id));
    return whole !== undefined ? [whole, ...path.slice(1)] : path;
  }

  private sub(argument: unknown): unknown {
    if (typeof argument === 'string') return this.text(argument);
    if (!Array.isArray(argument)) return argument;
    const [text, variables] = argument;
    return [typeof text === 'string' ? this.text(text) : text, this.replace(variables)];
  }

  private text(text: string): string {
    return text.replace(/\$\{([^!{}]+)\}/g, (whole, name: string) => {
      const target = this.parts.get(name);
      if (target !== undefined) return `\${${target}}`;
      const [id, part, ...rest] = name.split('.');
      const deeper = rest.length ? this.parts.get(`${id}.${part}`) : undefined;
      if (deeper !== undefined) return `\${${deeper}.${rest.join('.')}}`;
      const whose = part === undefined ? undefined : this.parts.get(id!);
      return whose === undefined ? whole : `\${${whose}.${[part, ...rest].join('.')}}`;
    });
  }
}
