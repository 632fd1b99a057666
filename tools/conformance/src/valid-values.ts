import type { MemberModel, ServiceModel, Shape } from '@emu/wire';
import type { Facts, Scenario } from './scenario.ts';
import { fits, sampleOf } from './values.ts';

/** Maximum number of structures per member, and of other values. */
const MAX_STRUCTURES = 6;
const MAX_VALUES = 2;
/** Maximum nesting of generated structures. */
const MAX_DEPTH = 4;

/** Strings that match rarer patterns. The first match is used. */
const SAMPLES = [
  'arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab',
  'arn:aws:lambda:us-east-1:123456789012:function:sample',
  'arn:aws:secretsmanager:us-east-1:123456789012:secret:sample-a1b2c3',
  'arn:aws:sqs:us-east-1:123456789012:sample',
  'arn:aws:sns:us-east-1:123456789012:sample',
  'arn:aws:s3:::sample',
  'arn:aws:es:us-east-1:123456789012:domain/sample',
  'arn:aws:ses:us-east-1:123456789012:mailmanager-archive/a-0123456789abcdef',
  'https://example.com/sample',
  's3://sample/key',
  'Your code is {####}',
  '{username} {####}',
  'broker.example.com:9092',
  '$.sample',
  'subnet-0123456789abcdef0',
  'sg-0123456789abcdef0',
  'cluster-abcdefghijk',
  'com.amazonaws.vpce.us-east-1.vpce-svc-0123456789abcdef0',
  '0123456789abcdefghij-abc',
  'p-0123456789',
  'o-0123456789',
  'ou-ab12-0123456789',
  '1.0.0',
  'sample@example.com',
];

/** Values of members and shapes in the valid inputs of a scenario, for members that another input lacks. */
export class ValidValues {
  private readonly byShape = new Map<string, Set<unknown>>();
  private readonly byMember = new Map<string, Set<unknown>>();

  private constructor(private readonly model: ServiceModel) {}

  /**
   * Collects the values of all inputs.
   * @param own operation to whose state the facts belong; inputs of others with a state of their own are left out
   */
  static of({ model, inputs, also = {}, before = {} }: Scenario, own: string, facts: Facts): ValidValues {
    const values = new ValidValues(model);
    for (const [operation, { input }] of Object.entries(model.operations)) {
      if (!input || (before[operation] && operation !== own)) continue;
      for (const make of [inputs[operation], ...(also[operation] ?? [])])
        if (make) values.collect({ shape: input.shape }, '', make(facts));
    }
    return values;
  }

  /**
   * Returns values of a member that its service accepts in another place, generated ones with such values, and one of
   * the model alone; the most likely first.
   */
  candidatesFor(name: string, member: MemberModel): unknown[] {
    const { type } = this.model.shapes[member.shape]!;
    const found = [...this.known(name, member), ...this.generated(name, member)];
    return distinct(found).slice(0, type === 'structure' || type === 'list' ? MAX_STRUCTURES : MAX_VALUES);
  }

  private known(name: string, { shape }: MemberModel): unknown[] {
    return [...(this.byMember.get(`${name} ${shape}`) ?? []), ...(this.byShape.get(shape) ?? [])];
  }

  private generated(name: string, member: MemberModel): unknown[] {
    const all = this.sample(name, member, true, 0);
    const required = this.sample(name, member, false, 0);
    return [required, all].filter((value) => value !== undefined);
  }

  /** Returns a value with the known values of its members; optional members are included on demand. */
  private sample(name: string, member: MemberModel, whole: boolean, depth: number): unknown {
    if (depth > MAX_DEPTH) return undefined;
    const [known] = depth > 0 ? this.known(name, member) : [];
    if (known !== undefined) return known;
    const shape = this.model.shapes[member.shape]!;
    if (shape.type === 'list' && shape.member) {
      const element = this.sample(name, shape.member, whole, depth + 1);
      return element === undefined ? undefined : [element];
    }
    if (shape.type !== 'structure' || shape.document) return this.leaf(member, shape);
    return this.structure(shape, whole, depth);
  }

  private leaf(member: MemberModel, shape: Shape): unknown {
    const sample = sampleOf(this.model, member);
    if (sample !== undefined || shape.type !== 'string') return sample;
    return SAMPLES.find((text) => fits(shape, text));
  }

  private structure({ members = {}, required = [], union }: Shape, whole: boolean, depth: number): unknown {
    const names = Object.keys(members);
    const least = required.length > 0 ? required : names.slice(0, 1);
    const structure: Record<string, unknown> = {};
    for (const name of whole && !union ? names : least) {
      const value = this.sample(name, members[name]!, whole, depth + 1);
      if (value !== undefined) structure[name] = value;
      else if (required.includes(name)) return undefined;
    }
    return structure;
  }

  private collect({ shape: use }: MemberModel, name: string, value: unknown): void {
    if (value === undefined) return;
    const shape = this.model.shapes[use]!;
    // Most structures and lists are valid anywhere; texts and numbers only in members of one name.
    if (shape.type === 'structure' || shape.type === 'list') add(this.byShape, use, value);
    add(this.byMember, `${name} ${use}`, value);
    if (shape.type === 'list') for (const element of value as unknown[]) this.collect(shape.member!, name, element);
    else if (shape.type === 'structure' && !shape.document)
      for (const [inner, one] of Object.entries(value as Record<string, unknown>)) {
        const member = shape.members?.[inner];
        if (member) this.collect(member, inner, one);
      }
  }
}

function add(map: Map<string, Set<unknown>>, key: string, value: unknown): void {
  const values = map.get(key);
  if (values) values.add(value);
  else map.set(key, new Set([value]));
}

/** Returns the first of equal values. */
function distinct(values: readonly unknown[]): unknown[] {
  const texts = new Set<string>();
  return values.filter((value) => {
    const text = JSON.stringify(value);
    return !texts.has(text) && texts.add(text);
  });
}
