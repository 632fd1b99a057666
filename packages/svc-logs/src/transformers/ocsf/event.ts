import { isObject } from '@emu/wire';
import { type Json, type JsonObject, TransformError } from '../document.ts';
import { parseJson } from '../vended.ts';

/** Versions of the schema that events can be converted to. */
export type SchemaVersion = '1.1.0' | '1.5.0';

/** A value of an enumeration of the schema: its number and its name. */
export type Enumerated = readonly [id: number, name: string];

export const UNKNOWN: Enumerated = [0, 'Unknown'];
const OTHER = 99;
const INFORMATIONAL: Enumerated = [1, 'Informational'];

/** Kinds of values that are told as observables, by the numbers that the schema gives them. */
export const OBSERVABLE = {
  hostname: [1, 'Hostname'],
  ip: [2, 'IP Address'],
  user: [4, 'User Name'],
  url: [6, 'URL String'],
  resource: [10, 'Resource UID'],
} as const satisfies Readonly<Record<string, Enumerated>>;

/** A class of events with its category. */
export interface EventClass {
  readonly uid: number;
  readonly name: string;
  readonly category: Enumerated;
}

/** Where an event comes from. */
export interface EventProduct {
  readonly name: string;
  readonly feature?: string | undefined;
  readonly profiles: readonly string[];
}

/** A record as its service logs it. Fields that nobody has taken are what the mapping leaves over. */
export class RawRecord {
  private readonly taken = new Set<string>();

  constructor(private readonly fields: JsonObject) {}

  /** @throws TransformError for a message that is no JSON object */
  static parse(message: string): RawRecord {
    const fields = parseJson(message);
    if (!isObject(fields)) throw new TransformError('The message is no JSON object');
    return new RawRecord(fields);
  }

  /** The value at a path, which is mapped; undefined for what is missing or null. */
  take(path: string): Json | undefined {
    this.taken.add(path);
    let value: Json | undefined = this.fields;
    for (const step of path.split('.')) value = isObject(value) ? value[step] : undefined;
    return value === null ? undefined : value;
  }

  /** The text at a path. */
  text(path: string): string | undefined {
    const value = this.take(path);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  }

  /** The number at a path. */
  number(path: string): number | undefined {
    const value = Number(this.text(path));
    return this.text(path) === undefined || Number.isNaN(value) ? undefined : value;
  }

  /** The objects of a list. */
  list(path: string): JsonObject[] {
    const value = this.take(path);
    return Array.isArray(value) ? value.filter((item) => isObject(item)) : [];
  }

  /** What was not taken, as texts by their paths. */
  unmapped(): JsonObject {
    const found = new Map<string, string[]>();
    const visit = (value: Json, path: string): void => {
      if (value === null || this.taken.has(path)) return;
      if (Array.isArray(value)) for (const item of value) visit(item, isObject(item) ? `${path}[]` : path);
      else if (isObject(value))
        for (const [name, inner] of Object.entries(value)) visit(inner, path ? `${path}.${name}` : name);
      else found.set(path, [...(found.get(path) ?? []), String(value)]);
    };
    visit(this.fields, '');
    return Object.fromEntries([...found].map(([path, values]) => [path, values.join(',')]));
  }
}

/** An event of the Open Cybersecurity Schema Framework, while it is made. */
export class OcsfEvent {
  readonly root: JsonObject = {};
  private readonly observables: JsonObject[] = [];

  constructor(
    private readonly eventClass: EventClass,
    product: EventProduct,
    readonly version: SchemaVersion,
  ) {
    const { uid, name, category } = eventClass;
    this.enumerate('severity', INFORMATIONAL);
    this.set('class_uid', uid);
    this.set('class_name', name);
    this.set('category_uid', category[0]);
    this.set('category_name', category[1]);
    this.set('cloud.provider', 'AWS');
    this.set('metadata.version', version);
    this.set('metadata.profiles', [...product.profiles]);
    this.set('metadata.product.name', product.name);
    this.set('metadata.product.vendor_name', 'AWS');
    this.set('metadata.product.feature.name', product.feature);
  }

  /** Sets a value, unless there is none. */
  set(path: string, value: Json | undefined): void {
    if (value === undefined) return;
    const steps = path.split('.');
    const last = steps.pop()!;
    let parent = this.root;
    for (const step of steps) {
      const next = parent[step];
      if (isObject(next)) parent = next;
      else {
        const made: JsonObject = {};
        parent[step] = made;
        parent = made;
      }
    }
    parent[last] = value;
  }

  /** Sets a value that is looked for as well. */
  observe(path: string, value: string | undefined, [type_id, type]: Enumerated): void {
    this.set(path, value);
    this.note(path, value, [type_id, type]);
  }

  /** Tells of a value that is somewhere in the event. */
  note(name: string, value: string | undefined, [type_id, type]: Enumerated): void {
    if (value !== undefined && value !== '-') this.observables.push({ name, value, type, type_id });
  }

  /** Sets the name of an enumeration's value and its number. */
  enumerate(path: string, [id, name]: Enumerated): void {
    this.set(`${path}_id`, id);
    this.set(path, name);
  }

  /** Sets what has happened; other activities of a class are told by a name of their own. */
  activity([id, name]: Enumerated): void {
    const { uid, name: className } = this.eventClass;
    this.set('activity_id', id);
    this.set('activity_name', name);
    this.set('type_uid', uid * 100 + id);
    this.set('type_name', `${className}: ${id === OTHER ? 'Other' : name}`);
  }

  /** Sets a point in time. @param name e.g. `time` @param millis epoch milliseconds */
  time(name: string, millis: number | undefined): void {
    if (millis === undefined || !Number.isFinite(millis)) return;
    if (name === 'time') this.set(name, millis);
    this.set(`${name}_dt`, new Date(millis).toISOString());
  }

  /** Ends it. @param raw the record that it was made of */
  finish(raw: RawRecord): JsonObject {
    if (this.observables.length) this.set('observables', this.observables);
    const unmapped = raw.unmapped();
    if (Object.keys(unmapped).length) this.set('unmapped', unmapped);
    return this.root;
  }
}

/** An activity that a class has no number for. */
export const otherActivity = (name: string): Enumerated => [OTHER, name];

/** JSON text of a value, as the schema keeps what it does not look into. */
export const dataOf = (value: Json | undefined): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value);
