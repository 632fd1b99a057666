import type { ServiceModel, Shape } from '@emu/wire';

/** Returns the model with each operation's output as its input, so that outputs can be converted and validated. */
export function outputModel(model: ServiceModel): ServiceModel {
  const operations = Object.fromEntries(
    Object.entries(model.operations).map(([name, { http, output }]) => [
      name,
      output ? { http, input: output } : { http },
    ]),
  );
  return { ...model, operations };
}

/** Whether a value is a structure, list or map with members, and no date, bytes or stream. */
export const isCompound = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Date) &&
  !ArrayBuffer.isView(value) &&
  !(Symbol.asyncIterator in value);

/** Members of a service's outputs by operation. */
export class ReturnedMembers {
  /** Members of structures in any output, e.g. `Stage.tags`. */
  readonly ofShapes = new Set<string>();
  private readonly byOperation = new Map<string, Map<string, string>>();

  constructor(private readonly model: ServiceModel) {}

  /** Adds the members of an output. Operations of other services are ignored. */
  add(operation: string, output: Record<string, unknown>): void {
    const shape = this.model.operations[operation]?.output?.shape;
    if (shape === undefined) return;
    const members = this.byOperation.get(operation) ?? new Map<string, string>();
    this.byOperation.set(operation, members);
    this.walk(shape, output, members, '');
  }

  /** Returns the member of a structure for each path in an operation's outputs, e.g. for `Rules[].Filter.Prefix`. */
  of(operation: string): ReadonlyMap<string, string> {
    return this.byOperation.get(operation) ?? new Map();
  }

  private walk(shapeName: string, value: unknown, into: Map<string, string>, path: string): void {
    const shape = this.model.shapes[shapeName]!;
    if (shape.document || !isCompound(value)) return;
    const add = (name: string): string => {
      const here = path ? `${path}.${name}` : name;
      into.set(here, `${shapeName}.${name}`);
      this.ofShapes.add(`${shapeName}.${name}`);
      return here;
    };
    switch (shape.type) {
      case 'structure':
        for (const [name, member] of Object.entries(shape.members ?? {}))
          if (value[name] !== undefined && value[name] !== null) this.walk(member.shape, value[name], into, add(name));
        break;
      case 'list':
        for (const item of Object.values(value)) this.walk(shape.member!.shape, item, into, `${path}[]`);
        break;
      case 'map':
        for (const [key, item] of Object.entries(value)) {
          if (ofService(this.model, shape, path)) add(key);
          this.walk(shape.value!.shape, item, into, `${path}{}`);
        }
        break;
    }
  }
}

/** Whether the service chooses the keys of a map, as those of SNS's and SQS's attributes. Others belong to the caller. */
const ofService = (model: ServiceModel, { key }: Shape, path: string): boolean =>
  model.shapes[key!.shape]!.enum !== undefined || path === 'Attributes';
