import { awsError } from '@emu/wire';
import { describe, expect, it } from 'vitest';
import { arnFormat, defineResource, namedResource, numericKey, Pager, Tagging, tagList, tagMap } from '../src/index.ts';

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
  ] as const)('%s writes %o and reads it back', (format, key, resource) => {
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
  ])('%s does not read %s', (format, resource) => {
    expect(arnFormat(format).read(resource)).toBeUndefined();
  });

  it('leaves out a missing path', () => {
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

  it('has ARNs with what its scope says', () => {
    expect(queue.arn({ name: 'q' }, place)).toBe('arn:aws:sqs:eu-west-1:123456789012:q');
    expect(user.arn({ path: '/', name: 'u' }, place)).toBe('arn:aws:iam::123456789012:user/u');
    expect(bucket.arn({ name: 'b' }, place)).toBe('arn:aws:s3:::b');
    expect(source.arn({ name: 'a.com/x' }, place)).toBe('arn:aws:events:eu-west-1::event-source/a.com/x');
    expect(queue.arn({ name: 'q' }, { ...place, region: 'cn-north-1' })).toBe(
      'arn:aws-cn:sqs:cn-north-1:123456789012:q',
    );
  });

  it('reads its own ARNs and no others', () => {
    expect(queue.parse('arn:aws:sqs:eu-west-1:123456789012:q')).toMatchObject({ key: { name: 'q' }, place });
    for (const text of ['q', 'arn:aws:sqs:eu-west-1::q', 'arn:aws:sns:eu-west-1:123456789012:q', 'arn:aws:sqs:::q'])
      expect(queue.parse(text)).toBeUndefined();
    expect(bucket.parse('arn:aws:s3:::b')).toMatchObject({ key: { name: 'b' } });
    expect(bucket.parse('arn:aws:s3:eu-west-1:123456789012:b')).toBeUndefined();
  });

  it('may depend on the operation, where inputs call several types alike', () => {
    const note = defineResource({
      name: 'note',
      service: 'notes',
      scope: 'region',
      format: 'note/{name}',
      identify: ({ Name }, at, operation) =>
        operation === 'GetNote' ? { key: { name: String(Name) }, place: at } : undefined,
    });
    expect(namedResource([note], { Name: 'n' }, place, 'GetNote')?.address).toEqual({ key: { name: 'n' }, place });
    expect(namedResource([note], { Name: 'n' }, place, 'GetBook')).toBeUndefined();
    expect(note.identify({ Name: 'n' }, place)).toBeUndefined();
  });

  it('is looked for in the state of its place only', () => {
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

describe('a pager', () => {
  const pager = new Pager({ defaultLimit: 2, maxLimit: 3, invalidToken: (token) => awsError('BadToken', token) });
  const page = (items: string[], token?: string, limit?: number) =>
    pager.page('List', items, (item) => item, { token, limit });

  it('goes through a list whatever is made and deleted in between', () => {
    const first = page(['c', 'a', 'b', 'd', 'e']);
    expect(first.items).toEqual(['a', 'b']);
    const second = page(['a', 'aa', 'c', 'd', 'e'], first.nextToken);
    expect(second.items).toEqual(['c', 'd']);
    const third = page(['a', 'e'], second.nextToken);
    expect(third).toEqual({ items: ['e'], nextToken: undefined });
  });

  it('gives as many as are asked for and allowed', () => {
    expect(page(['a', 'b', 'c', 'd'], undefined, 1).items).toHaveLength(1);
    expect(page(['a', 'b', 'c', 'd'], undefined, 9).items).toHaveLength(3);
    expect(page(['a', 'b']).nextToken).toBeUndefined();
    expect(page([])).toEqual({ items: [], nextToken: undefined });
  });

  it('refuses garbage, and the tokens of other lists', () => {
    for (const token of ['garbage', Buffer.from('after:a').toString('base64'), pager.write('Other', 'a'), '\u{1f600}'])
      expect(() => page(['a'], token)).toThrow(expect.objectContaining({ code: 'BadToken' }));
    expect(page(['a', 'b'], '').items).toEqual(['a', 'b']);
  });

  it('orders numbers by their keys', () => {
    expect([10, 9, 100].map(numericKey).sort()).toEqual([9, 10, 100].map(numericKey));
  });
});

describe('tagging', () => {
  const refuse = ({ code }: { code: string }) => awsError(code, code);
  const tagging = new Tagging({ form: tagList('Key', 'Value'), refuse });
  const tag = (Key: string, Value = 'v') => ({ Key, Value });

  it('adds, replaces and removes in the form of the service', () => {
    const tags = tagging.merge([tag('a'), tag('b')], [tag('b', 'new'), tag('c')]);
    expect(tags).toEqual([tag('a'), tag('b', 'new'), tag('c')]);
    expect(tagging.remove(tags, ['a', 'x'])).toEqual([tag('b', 'new'), tag('c')]);
    expect(tagging.record(tags)).toEqual({ a: 'v', b: 'new', c: 'v' });
    expect(tagging.record(undefined)).toBeUndefined();
    expect(new Tagging({ form: tagMap, refuse }).merge({ a: '1' }, { b: '2' })).toEqual({ a: '1', b: '2' });
  });

  it('regards case where the service does', () => {
    expect(tagging.merge([tag('a')], [tag('A')])).toHaveLength(2);
    const insensitive = new Tagging({ form: tagList('Key', 'Value'), ignoresCase: true, refuse });
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
  ])('refuses what is %s', (code, tags) => {
    expect(() => tagging.merge([], tags)).toThrow(code);
  });

  it('lets pass what the service lets pass', () => {
    const lenient = new Tagging({ form: tagList('Key', 'Value'), repeats: true, refuse: () => undefined });
    expect(lenient.merge([], [tag('a'), tag('a', '2'), tag('aws:b')])).toEqual([tag('a', '2'), tag('aws:b')]);
  });
});
