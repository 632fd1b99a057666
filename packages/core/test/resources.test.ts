import { awsError } from '@emu/wire';
import { describe, expect, it } from 'vitest';
import { arnFormat } from '../src/resources/arn-format.ts';
import { defineResource, namedResource, parseArn, Tagging, tagsAsList, tagsAsMap } from '../src/service.ts';

const place = { accountId: '123456789012', region: 'eu-west-1' };

describe('the format of an ARN', () => {
  it.each([
    ['{name}', { name: 'jobs' }, 'jobs'],
    ['function:{name}[:{qualifier}]', { name: 'f', qualifier: undefined }, 'function:f'],
    ['function:{name}[:{qualifier}]', { name: 'f', qualifier: '$LATEST' }, 'function:f:$LATEST'],
    ['user{path/}{name}', { path: '/', name: 'ann' }, 'user/ann'],
    ['user{path/}{name}', { path: '/a/b/', name: 'ann' }, 'user/a/b/ann'],
    ['alias/{name+}', { name: 'app/a:b' }, 'alias/app/a:b'],
    ['table/{table}/index/{index}', { table: 't', index: 'i' }, 'table/t/index/i'],
    ['access-grants/default', {}, 'access-grants/default'],
  ] as const)('%s formats %o and parses it', (format, key, resource) => {
    const compiled = arnFormat(format as '{name}');
    expect(compiled.write(key as { name: string })).toBe(resource);
    expect({ ...compiled.read(resource) }).toEqual(key);
  });

  it.each([
    ['{name}', 'a/b'],
    ['function:{name}[:{qualifier}]', 'function:f:1:2'],
    ['function:{name}[:{qualifier}]', 'functions:f'],
    ['user{path/}{name}', 'usera'],
    ['table/{table}', 'table/t/index/i'],
    ['a.b/{name}', 'axb/c'],
  ])('%s does not parse %s', (format, resource) => {
    expect(arnFormat(format).read(resource)).toBeUndefined();
  });

  it('omits a missing path', () => {
    expect(arnFormat('role{path/}{name}').write({ name: 'r' } as never)).toBe('role/r');
  });
});

describe('a type of resources', () => {
  const queue = defineResource({ name: 'queue', service: 'sqs', scope: 'region', format: '{name}' });
  const user = defineResource({ name: 'user', service: 'iam', scope: 'account', format: 'user{path/}{name}' });
  const bucket = defineResource({ name: 'bucket', service: 's3', scope: 'partition', format: '{name}' });
  const source = defineResource({
    name: 'event-source',
    service: 'events',
    scope: 'region-only',
    format: 'event-source/{name+}',
  });

  it('finds, lists and counts the records of its only variable', () => {
    const records = new Map([
      ['b', 1],
      ['a', 2],
    ]);
    const type = defineResource({
      name: 'queue',
      service: 'sqs',
      scope: 'region',
      format: '{name}',
      records: (state: { queues: Map<string, number> }) => state.queues,
    });
    const state = { queues: records };
    expect(type.find(state, { name: 'a' })).toEqual({ name: 'a' });
    expect(type.find(state, { name: 'c' })).toBeUndefined();
    expect(type.list(state)).toEqual([{ name: 'b' }, { name: 'a' }]);
    expect(type.count(state)).toBe(2);
    expect(() => queue.count(state)).toThrow('resources of the type queue are not counted');
  });

  it('has ARNs with the account and region of its scope', () => {
    expect(queue.arn({ name: 'q' }, place)).toBe('arn:aws:sqs:eu-west-1:123456789012:q');
    expect(user.arn({ path: '/', name: 'u' }, place)).toBe('arn:aws:iam::123456789012:user/u');
    expect(bucket.arn({ name: 'b' }, place)).toBe('arn:aws:s3:::b');
    expect(source.arn({ name: 'a.com/x' }, place)).toBe('arn:aws:events:eu-west-1::event-source/a.com/x');
    expect(queue.arn({ name: 'q' }, { ...place, region: 'cn-north-1' })).toBe(
      'arn:aws-cn:sqs:cn-north-1:123456789012:q',
    );
  });

  it('parses its own ARNs and no others', () => {
    expect(queue.parse('arn:aws:sqs:eu-west-1:123456789012:q')).toMatchObject({ key: { name: 'q' }, place });
    for (const text of ['q', 'arn:aws:sqs:eu-west-1::q', 'arn:aws:sns:eu-west-1:123456789012:q', 'arn:aws:sqs:::q'])
      expect(queue.parse(text)).toBeUndefined();
    expect(bucket.parse('arn:aws:s3:::b')).toMatchObject({ key: { name: 'b' } });
    expect(bucket.parse('arn:aws:s3:eu-west-1:123456789012:b')).toBeUndefined();
  });

  it('is identified by ARNs in input members, completed by the request', () => {
    const role = defineResource({
      name: 'role',
      service: 'iam',
      scope: 'account',
      format: 'role{path/}{name}',
      arnMembers: ['Role', 'Arn'],
      identify: ({ RoleName }, at) =>
        typeof RoleName === 'string' ? { key: { path: '/', name: RoleName }, place: at } : undefined,
    });
    const address = { key: { path: '/a/', name: 'r' }, place: { accountId: '000000000001', region: 'eu-west-1' } };
    const Arn = 'arn:aws:iam::000000000001:role/a/r';
    expect(role.identify({ Arn }, place)).toMatchObject(address);
    expect(role.identify({ Role: 'no ARN', Arn }, place)).toMatchObject(address);
    expect(role.identify({ Arn, RoleName: 'x' }, place)).toEqual({ key: { path: '/', name: 'x' }, place });
    expect(role.identify({ Role: 'r', Other: Arn }, place)).toBeUndefined();
  });

  it('is in the account and region of the request where an ARN has none', () => {
    const note = defineResource({
      name: 'note',
      service: 'notes',
      scope: 'region',
      format: '{name}',
      identify({ Note }) {
        const arn = parseArn(Note as string)!;
        return { key: { name: arn.resource }, place: { accountId: arn.accountId, region: arn.region } };
      },
    });
    const placeOf = (Note: string) => note.identify({ Note }, place)?.place;
    expect(placeOf('arn:aws:notes:::n')).toEqual(place);
    expect(placeOf('arn:aws:notes:us-east-1::n')).toEqual({ ...place, region: 'us-east-1' });
    expect(placeOf('arn:aws:notes::000000000001:n')).toEqual({ ...place, accountId: '000000000001' });
  });

  it('may be distinguished by the operation', () => {
    const named = (name: string, of: RegExp) =>
      defineResource({
        name,
        service: 'notes',
        scope: 'region',
        format: `${name}/{id}` as 'note/{id}',
        identify: ({ Name: id }, where, operation) =>
          typeof id === 'string' && of.test(operation) ? { key: { id }, place: where } : undefined,
      });
    const types = [named('note', /Note$/), named('book', /Book$/)];
    expect(namedResource(types, { Name: 'a' }, place, 'GetBook')?.type.name).toBe('book');
    expect(namedResource(types, { Name: 'a' }, place, 'GetNote')?.type.name).toBe('note');
    expect(namedResource(types, { Name: 'a' }, place, 'ListNotes')).toBeUndefined();
  });

  it('is looked up only in the state of its account and region', () => {
    const named = defineResource({
      name: 'note',
      service: 'notes',
      scope: 'region',
      format: '{name}',
      find: (state: Set<string>, key) => (state.has(key.name) ? key : undefined),
    });
    const states = {
      existingState: (accountId: string) => (accountId === place.accountId ? new Set(['a']) : undefined),
      states: () => [],
    };
    const located = named.locate(states, { key: { name: 'a' }, place });
    expect(located && named.find(located.state, { name: 'a' })).toEqual({ name: 'a' });
    expect(
      named.locate(states, { key: { name: 'a' }, place: { ...place, accountId: '000000000001' } }),
    ).toBeUndefined();
  });
});

describe('tagging', () => {
  const refuse = ({ code }: { code: string }) => awsError(code, code);
  const tagging = new Tagging({ form: tagsAsList('Key', 'Value'), refuse });
  const tag = (Key: string, Value = 'v') => ({ Key, Value });

  it('adds, replaces and removes in the form of the service', () => {
    const tags = tagging.merge([tag('a'), tag('b')], [tag('b', 'new'), tag('c')]);
    expect(tags).toEqual([tag('a'), tag('b', 'new'), tag('c')]);
    expect(tagging.remove(tags, ['a', 'x'])).toEqual([tag('b', 'new'), tag('c')]);
    expect(tagging.record(tags)).toEqual({ a: 'v', b: 'new', c: 'v' });
    expect(tagging.record(undefined)).toBeUndefined();
    expect(new Tagging({ form: tagsAsMap, refuse }).merge({ a: '1' }, { b: '2' })).toEqual({ a: '1', b: '2' });
  });

  it('compares case if the service does', () => {
    expect(tagging.merge([tag('a')], [tag('A')])).toHaveLength(2);
    const insensitive = new Tagging({ form: tagsAsList('Key', 'Value'), ignoresCase: true, refuse });
    expect(insensitive.merge([tag('a')], [tag('A', 'new')])).toEqual([tag('A', 'new')]);
    expect(() => insensitive.merge([], [tag('a'), tag('A')])).toThrow('duplicate');
  });

  it.each([
    ['reserved', [tag('aws:x')]],
    ['duplicate', [tag('a'), tag('a')]],
    ['key-length', [tag('')]],
    ['key-length', [tag('k'.repeat(129))]],
    ['value-length', [tag('k', 'v'.repeat(257))]],
    ['characters', [tag('k', 'a\u0007')]],
    ['too-many', Array.from({ length: 51 }, (_, index) => tag(`k${index}`))],
  ])('rejects tags with the problem %s', (code, tags) => {
    expect(() => tagging.merge([], tags)).toThrow(code);
  });

  it('distinguishes invalid characters of the key from those of the value', () => {
    const problems: unknown[] = [];
    const told = new Tagging({ form: tagsAsMap, refuse: (problem) => void problems.push(problem) as undefined });
    told.merge({}, { 'k\u0007': 'v', k: 'v\u0007' });
    expect(problems).toEqual([
      { code: 'characters', key: 'k\u0007' },
      { code: 'characters', key: 'k', value: 'v\u0007' },
    ]);
  });

  it('accepts problems that the service accepts', () => {
    const lenient = new Tagging({ form: tagsAsList('Key', 'Value'), repeats: true, refuse: () => undefined });
    expect(lenient.merge([], [tag('a'), tag('a', '2'), tag('aws:b')])).toEqual([tag('a', '2'), tag('aws:b')]);
  });
});
