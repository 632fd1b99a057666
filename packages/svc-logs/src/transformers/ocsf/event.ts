import { isObject } from '@emu/wire';
import { type Json, type JsonObject, TransformError } from '../document.ts';
import { readJson } from '../vended.ts';

/** Supported target versions of the schema. */
export type SchemaVersion = '1.1.0' | '1.5.0';

/** An enumeration value of the schema: number and name. */
export type Enumerated = readonly [id: number, name: string];

export const UNKNOWN: Enumerated = [0, 'Unknown'];
const OTHER = 99;
const INFORMATIONAL: Enumerated = [1, 'Informational'];

/** Types of observables, by the schema's numbers. */
export const OBSERVABLE = {
  hostname: [1, 'Hostname'],
  ip: [2, 'IP Address'],
  user: [4, 'User Name'],
  url: [6, 'URL String'],
  resource: [10, 'Resource UID'],
} as const satisfies Readonly<Record<string, Enumerated>>;

/** An event class with its category. */
export interface EventClass {
  readonly uid: number;
  readonly name: string;
  readonly category: Enumerated;
}

/** Source of an event. */
export interface EventProduct {
  readonly name: string;
  readonly feature?: string | undefined;
  readonly profiles: readonly string[];
}

/** A service's log record. Fields that were not read remain unmapped. */
export class RawRecord {
  private readonly taken = new Set<string>();

  constructor(private readonly fields: JsonObject) {}

  /** @throws TransformError unless the message is a JSON object */
  static parse(message: string): RawRecord {
    const fields = readJson(message);
    if (!isObject(fields)) throw new TransformError('The message is not a JSON object');
    return new RawRecord(fields);
  }

  /** Reads the value at a path and marks it as mapped; undefined if missing or null. */
  take(path: string): Json | undefined {
    this.taken.add(path);
    let value: Json | undefined = this.fields;
    for (const step of path.split('.')) value = isObject(value) ? value[step] : undefined;
    return value === null ? undefined : value;
  }

  /** Reads the text at a path. */
  text(path: string): string | undefined {
    const value = this.take(path);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  }

  /** Reads the number at a path. */
  number(path: string): number | undefined {
    const value = Number(this.text(path));
    return this.text(path) === undefined || Number.isNaN(value) ? undefined : value;
  }

  /** Reads the objects of a list. */
  list(path: string): JsonObject[] {
    const value = this.take(path);
    return Array.isArray(value) ? value.filter((item) => isObject(item)) : [];
  }

  /** Returns unread fields as texts by path. */
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

/** An event of the Open Cybersecurity Schema Framework under construction. */
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

  /** Sets a value unless it is undefined. */
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

  /** Sets a value that is also an observable. */
  observe(path: string, value: string | undefined, [type_id, type]: Enumerated): void {
    this.set(path, value);
    this.note(path, value, [type_id, type]);
  }

  /** Adds an observable for a value in the event. */
  note(name: string, value: string | undefined, [type_id, type]: Enumerated): void {
    if (value !== undefined && value !== '-') this.observables.push({ name, value, type, type_id });
  }

  /** Sets name and number of an enumeration value. */
  enumerate(path: string, [id, name]: Enumerated): void {
    this.set(`${path}_id`, id);
    this.set(path, name);
  }

  /** Sets the activity; activities without a number in the class get their own name. */
  activity([id, name]: Enumerated): void {
    const { uid, name: className } = this.eventClass;
    this.set('activity_id', id);
    this.set('activity_name', name);
    this.set('type_uid', uid * 100 + id);
    this.set('type_name', `${className}: ${id === OTHER ? 'Other' : name}`);
  }

  /**
   * Sets a time.
   * @param name e.g. `time`
   * @param millis epoch milliseconds
   */
  time(name: string, millis: number | undefined): void {
    if (millis === undefined || !Number.isFinite(millis)) return;
    if (name === 'time') this.set(name, millis);
    this.set(`${name}_dt`, new Date(millis).toISOString());
  }

  /**
   * Completes the event.
   * @param raw the source record
   */
  finish(raw: RawRecord): JsonObject {
    if (this.observables.length) this.set('observables', this.observables);
    const unmapped = raw.unmapped();
    if (Object.keys(unmapped).length) this.set('unmapped', unmapped);
    return this.root;
  }
}

/** Returns an activity without a number in the class. */
export const otherActivity = (name: string): Enumerated => [OTHER, name];

/** Returns the JSON text of a value, as the schema stores opaque data. */
export const dataOf = (value: Json | undefined): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value);
