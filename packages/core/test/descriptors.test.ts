import { describe, expect, test } from 'vitest';
import { compileFilters } from '../src/descriptors/filters.ts';
import { filterName, hexId, lowerId, memberFilters, stateAt } from '../src/descriptors/index.ts';
import { isGone, lifeAtEnd, lifeIn } from '../src/descriptors/lifecycle.ts';
import { createIds } from '../src/index.ts';

describe('ids', () => {
  test('have a prefix and 17 digits, or 8 for old ones', () => {
    const form = hexId('vpc-');
    expect(form.make(createIds())).toMatch(/^vpc-[0-9a-f]{17}$/);
    expect(['vpc-01234567', 'vpc-0123456789abcdef0'].every((id) => form.matches(id))).toBe(true);
    expect(['vpc-0123456', 'subnet-01234567', 'vpc-0123456G', ' vpc-01234567'].some((id) => form.matches(id))).toBe(
      false,
    );
  });

  test('are lower-case letters and digits', () => {
    expect(lowerId(10).make(createIds())).toMatch(/^[a-z0-9]{10}$/);
  });
});

describe('filters', () => {
  interface Item {
    name: string;
    size: number;
    on: boolean;
    parts?: readonly string[];
  }
  const item: Item = { name: 'a*b', size: 16, on: false, parts: ['x', 'y'] };
  const filters = {
    ...memberFilters('name', 'size', 'on', 'parts'),
    length: ({ name }: Readonly<Item>) => name.length,
  };
  const unknown = (name: string) => Object.assign(new Error(name), { code: 'Unknown' }) as never;
  const passes = (...requested: [name: string, ...values: string[]][]): boolean | undefined =>
    compileFilters<Item, undefined, string>(
      requested.map(([Name, ...Values]) => ({ Name, Values })),
      { filters, tags: () => [['Team', 'blue']] },
      { member: 'Filters', mostValues: 3, unknown },
    )?.(item, undefined, '');

  test.each<[filter: string, value: string, passes: boolean]>([
    ['name', 'a*', true],
    ['name', '*b', true],
    ['name', 'a\\*b', true],
    ['name', 'a?b', true],
    ['name', 'a\\?b', false],
    ['name', 'A*', false],
    ['name', 'a', false],
    ['size', '16', true],
    ['size', '1?', true],
    ['on', 'false', true],
    ['parts', 'y', true],
    ['parts', 'z', false],
    ['length', '3', true],
    ['tag:Team', 'bl*', true],
    ['tag:team', 'blue', false],
    ['tag-key', 'Team', true],
    ['tag-key', 'blue', false],
  ])('%s=%s: %s', (name, value, expected) => {
    expect(passes([name, value])).toBe(expected);
  });

  test('match records with one value of every filter', () => {
    expect(passes()).toBeUndefined();
    expect(passes(['name', 'x', 'a*'], ['size', '16'])).toBe(true);
    expect(passes(['name', 'a*'], ['size', '17'])).toBe(false);
    expect(passes(['name'])).toBe(false);
  });

  test('are rejected if unknown or with too many values', () => {
    for (const name of ['names', 'constructor', 'tag', '']) expect(() => passes([name, 'a'])).toThrow(name);
    expect(() => passes(['name', '1', '2', '3', '4'])).toThrow('name');
  });

  test("have the names of AWS's members in kebab case", () => {
    expect(['VpcId', 'CidrBlock', 'MapPublicIpOnLaunch', 'EnableDNSSupport', 'Ipv6Native'].map(filterName)).toEqual([
      'vpc-id',
      'cidr-block',
      'map-public-ip-on-launch',
      'enable-dns-support',
      'ipv6-native',
    ]);
  });
});

describe('states', () => {
  const states = {
    ready: 'available',
    deleting: { state: 'deleting', lasts: 10, next: 'deleted', visible: 100 },
  } as const;

  test('are computed from the record and the time', () => {
    const life = lifeIn({ state: 'pending', lasts: 50 }, 1000, true)!;
    expect([1000, 1049, 1050].map((now) => stateAt(states, { life }, now))).toEqual([
      'pending',
      'pending',
      'available',
    ]);
    expect(stateAt(states, {}, 0)).toBe('available');
    expect(stateAt(states, { life: { state: 'failed' } }, 5000)).toBe('failed');
  });

  test('are skipped if they do not last', () => {
    expect(lifeIn({ state: 'pending', lasts: 50 }, 1000, false)).toBeUndefined();
    const life = lifeAtEnd(states.deleting, 1000, false)!;
    expect([1000, 1099].map((now) => stateAt(states, { life }, now))).toEqual(['deleted', 'deleted']);
    expect([1099, 1100].map((now) => isGone({ life }, now))).toEqual([false, true]);
    expect(lifeAtEnd({ state: 'deleting', lasts: 10 }, 1000, false)).toBeUndefined();
  });

  test("of a deletion end with the record's removal", () => {
    const life = lifeAtEnd(states.deleting, 1000, true)!;
    expect([1009, 1010].map((now) => stateAt(states, { life }, now))).toEqual(['deleting', 'deleted']);
    expect(isGone({ life }, 1110)).toBe(true);
    expect(isGone({ life: lifeAtEnd({ state: 'deleting', lasts: 10 }, 1000, true)! }, 1010)).toBe(true);
  });
});
