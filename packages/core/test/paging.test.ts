import { awsError } from '@emu/wire';
import { describe, expect, it } from 'vitest';
import { numericKey, Pager } from '../src/paging/pager.ts';
import { Paging } from '../src/paging/paging.ts';
import { listIdentity } from '../src/paging/spellings.ts';

describe('a pager', () => {
  const pager = new Pager({ defaultLimit: 2, invalidToken: (token) => awsError('BadToken', token) });
  const list = () => 'List';
  const page = (items: string[], token?: string, limit?: number) =>
    pager.page(list, items, (item) => item, { token, limit, maxLimit: 3 });

  it('pages through a list during additions and deletions', () => {
    const first = page(['c', 'a', 'b', 'd', 'e']);
    expect(first.items).toEqual(['a', 'b']);
    const second = page(['a', 'aa', 'c', 'd', 'e'], first.nextToken);
    expect(second.items).toEqual(['c', 'd']);
    const third = page(['a', 'e'], second.nextToken);
    expect(third).toEqual({ items: ['e'], nextToken: undefined });
  });

  it('supports descending order', () => {
    const back = (items: string[], token?: string) =>
      pager.page(list, items, (item) => item, { token, descending: true });
    const first = back(['b', 'a', 'c', 'd']);
    expect(first.items).toEqual(['d', 'c']);
    expect(back(['a', 'e', 'b'], first.nextToken)).toEqual({ items: ['b', 'a'], nextToken: undefined });
  });

  it('returns as many items as requested and allowed', () => {
    expect(page(['a', 'b', 'c', 'd'], undefined, 1).items).toHaveLength(1);
    expect(page(['a', 'b', 'c', 'd'], undefined, 9).items).toHaveLength(3);
    expect(page(['a', 'b']).nextToken).toBeUndefined();
    expect(page([])).toEqual({ items: [], nextToken: undefined });
  });

  it('rejects invalid tokens, and tokens of other lists', () => {
    for (const token of ['garbage', Buffer.from('after:a').toString('base64'), pager.write('Other', 'a'), '\u{1f600}'])
      expect(() => page(['a'], token)).toThrow(expect.objectContaining({ code: 'BadToken' }));
    expect(page(['a', 'b'], '').items).toEqual(['a', 'b']);
  });

  it('sorts numbers by their keys', () => {
    expect([10, 9, 100].map(numericKey).sort()).toEqual([9, 10, 100].map(numericKey));
  });
});

interface Input {
  Prefix?: string | undefined;
  Marker?: string | undefined;
  MaxItems?: number | undefined;
}

interface Operations {
  ListThings: { input: Input; output: { Things: { Name: string }[]; NextMarker?: string; Truncated?: boolean } };
  ListAnything: { input: Input; output: { Names?: string[] | undefined; NextMarker?: string } };
  GetBoth: { input: Input; output: { Cats?: string[]; Dogs?: string[]; NextMarker?: string } };
}

const pagination = {
  ListThings: { token: 'Marker', next: 'NextMarker', limit: 'MaxItems', more: 'Truncated', result: 'Things' },
  ListAnything: { token: 'Marker', next: 'NextMarker', result: 'Names' },
  GetBoth: { token: 'Marker', next: 'NextMarker', limit: 'MaxItems', result: ['Cats', 'Dogs'] },
} as const;

describe('pages of operations', () => {
  const paging = new Paging<Operations, typeof pagination>(pagination, {
    defaultLimit: 2,
    invalidToken: (token, operation) => awsError('BadToken', `${operation} did not give ${token}`),
    anyParameters: ['ListAnything'],
  });
  const names = ['a', 'b', 'c'];
  const self = (name: string) => name;
  const things = (input: Input) => paging.page('ListThings', input, names, self).list((Name) => ({ Name }));
  const anything = (input: Input) => paging.page('ListAnything', input, names, self).list(self);

  it('read token and limit from the input, and set the members of the output', () => {
    const first = things({ MaxItems: 1 });
    expect(first).toEqual({ Things: [{ Name: 'a' }], NextMarker: expect.any(String), Truncated: true });
    expect(things({ Marker: first.NextMarker })).toEqual({ Things: [{ Name: 'b' }, { Name: 'c' }], Truncated: false });
  });

  it('have the size that the service, the operation or the request sets', () => {
    expect(things({}).Things).toHaveLength(2);
    expect(anything({ MaxItems: 1 }).Names).toEqual(['a', 'b']);
    const page = (input: Input) => paging.page('GetBoth', input, names, self, { defaultLimit: 1, maxLimit: 2 });
    expect(page({}).items).toHaveLength(1);
    expect(page({ MaxItems: 3 }).items).toHaveLength(2);
    expect(page({ MaxItems: 3 }).next).toEqual({ NextMarker: expect.any(String) });
  });

  it('reject tokens of other operations and of other parameters, unless these are allowed', () => {
    const { NextMarker: Marker } = things({ Prefix: '' });
    const refused = expect.objectContaining({ code: 'BadToken', message: `ListThings did not give ${Marker}` });
    expect(() => things({ Marker, Prefix: 'a' })).toThrow(refused);
    expect(() => things({ Marker })).toThrow(refused);
    expect(things({ Marker, Prefix: '', MaxItems: 9 }).Things).toEqual([{ Name: 'c' }]);
    expect(() => anything({ Marker })).toThrow(expect.objectContaining({ code: 'BadToken' }));
    expect(anything({ Marker: anything({}).NextMarker!, Prefix: 'a' })).toEqual({ Names: ['c'] });
  });

  it('can be looked up by the key in a token', () => {
    expect(paging.after('ListThings', {})).toBeUndefined();
    expect(paging.next('ListThings', {}, undefined)).toEqual({ Truncated: false });
    const { NextMarker: Marker } = paging.next('ListThings', {}, 'b');
    expect(paging.after('ListThings', { Marker })).toBe('b');
    expect(() => paging.after('ListAnything', { Marker })).toThrow(expect.objectContaining({ code: 'BadToken' }));
  });
});

describe('spellings of a resource', () => {
  const arn = (service: string, resource: string) => `arn:aws:${service}:us-east-1:123456789012:${resource}`;
  const uuid = '01234567-89ab-cdef-0123-456789abcdef';

  it.each([
    [{ FunctionName: 'f' }, { FunctionName: arn('lambda', 'function:f') }, { FunctionName: '123456789012:function:f' }],
    [{ StackName: 's' }, { StackName: arn('cloudformation', `stack/s/${uuid}`) }],
    [
      { StackName: 's', ChangeSetName: 'c' },
      {
        StackName: arn('cloudformation', `stack/s/${uuid}`),
        ChangeSetName: arn('cloudformation', `changeSet/c/${uuid}`),
      },
    ],
    [
      { logGroupName: '/a/b' },
      { logGroupIdentifier: arn('logs', 'log-group:/a/b') },
      { logGroupIdentifier: arn('logs', 'log-group:/a/b:*') },
    ],
    [{ SecretId: 'a/b-c' }, { SecretId: arn('secretsmanager', 'secret:a/b-c-AbCd12') }],
    [{ StreamName: 's' }, { StreamARN: arn('kinesis', 'stream/s') }],
    [{ Name: '/a/b' }, { Name: arn('ssm', 'parameter/a/b') }],
    [{ KeyId: uuid }, { KeyId: arn('kms', `key/${uuid}`) }],
    [{ TableName: 't' }, { TableName: arn('dynamodb', 'table/t') }],
  ])('%j identifies the same list as the others', (...spellings) => {
    const identities = new Set(spellings.map((spelling) => listIdentity(Object.entries(spelling))));
    expect(identities.size).toBe(1);
  });

  it('identifies other lists by names, and by values of members without a name', () => {
    const lists = [
      { Name: 'a' },
      { Name: 'b' },
      { Prefix: 'a' },
      { Name: 'a', Prefix: 'a' },
      { Name: 'a', Prefix: '/a' },
    ];
    expect(new Set(lists.map((list) => listIdentity(Object.entries(list)))).size).toBe(lists.length);
  });
});
