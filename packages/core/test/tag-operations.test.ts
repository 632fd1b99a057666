import { type AwsError, awsError } from '@emu/wire';
import { describe, expect, it } from 'vitest';
import {
  defineResource,
  Tagging,
  taggable,
  taggedByArn,
  taggedRecord,
  taggedResource,
  tagOperations,
  tagsAsList,
  tagsAsMap,
} from '../src/service.ts';

interface Tag {
  Key: string;
  Value: string;
}

interface Operations {
  TagResource: { input: { Arn: string; Tags: Tag[] }; output: { Arn?: string } };
  UntagResource: { input: { Arn: string; TagKeys: string[] }; output: Record<string, never> };
  ListTags: { input: { Arn: string }; output: { Tags: Tag[] } };
}

type Records = Map<string, { tags?: Record<string, string> }>;

const HERE = { accountId: '123456789012', region: 'eu-west-1' };
const ARN = 'arn:aws:shop:eu-west-1:123456789012:order/one';

const tagging = new Tagging<Tag[], Record<string, string>>({
  form: tagsAsList('Key', 'Value'),
  kept: tagsAsMap,
  refuse: ({ code }, resource) => awsError('InvalidTag', `${code} of ${resource}`),
});

const collection = (records: Records) => ({
  get: (key: string) => records.get(key),
  update(key: string, change: (draft: { tags?: Record<string, string> }) => void) {
    const changed = { ...records.get(key) };
    change(changed);
    records.set(key, changed);
  },
});

const orderType = defineResource({
  name: 'order',
  service: 'shop',
  scope: 'region',
  format: 'order/{id}',
  find: (records: Records, { id }) => (records.has(id) ? { id } : undefined),
  tagged: { tagging, find: (records, { id }) => taggedRecord(collection(records), id) },
});

/** A context with one state for each region, in which the order `one` exists. */
function context(place = HERE) {
  const state: Records = new Map([['one', {}]]);
  const handle = { existingState: () => state, states: () => [] };
  return { ...place, state, handle };
}
type Context = ReturnType<typeof context>;

const error = (code: string) => (): AwsError => awsError(code, code);
const byArn = {
  member: 'Arn',
  types: [taggable(orderType, error('Missing'))],
  unknown: error('Unknown'),
} as const;

const declared = tagOperations<Operations, Context>()({
  tagging,
  tag: ['TagResource', 'Tags', ({ Arn }) => ({ Arn })],
  untag: ['UntagResource', 'TagKeys'],
  list: ['ListTags', 'Tags'],
  resource: taggedByArn(byArn),
  check({ added }) {
    if (added?.length === 0) throw awsError('Empty', 'no tags');
  },
});

describe('operations on tags', () => {
  it('add, list and remove the tags of the resource of an ARN', () => {
    const ctx = context();
    expect(declared.TagResource({ Arn: ARN, Tags: [{ Key: 'a', Value: '1' }] }, ctx)).toEqual({ Arn: ARN });
    declared.TagResource({ Arn: ARN, Tags: [{ Key: 'b', Value: '2' }] }, ctx);
    expect(ctx.state.get('one')).toEqual({ tags: { a: '1', b: '2' } });
    expect(declared.UntagResource({ Arn: ARN, TagKeys: ['a', 'c'] }, ctx)).toEqual({});
    expect(declared.ListTags({ Arn: ARN }, ctx)).toEqual({ Tags: [{ Key: 'b', Value: '2' }] });
    expect(orderType.tags(ctx.state, { id: 'one' })).toEqual({ b: '2' });
  });

  it('check changes after the resource and before the tags', () => {
    expect(() => declared.TagResource({ Arn: `${ARN}x`, Tags: [] }, context())).toThrow('Missing');
    expect(() => declared.TagResource({ Arn: ARN, Tags: [] }, context())).toThrow('no tags');
    expect(() => declared.TagResource({ Arn: ARN, Tags: [{ Key: '', Value: '' }] }, context())).toThrow('key-length');
  });

  it('check first what the declaration says', () => {
    const first = tagOperations<Operations, Context>()({
      tagging,
      tag: ['TagResource', 'Tags'],
      untag: ['UntagResource', 'TagKeys'],
      resource: taggedByArn(byArn),
      checkFirst: ({ removed }) => {
        if (removed?.length === 0) throw awsError('Empty', 'no keys');
      },
    });
    expect(() => first.UntagResource({ Arn: 'none', TagKeys: [] }, context())).toThrow('no keys');
    expect(first).not.toHaveProperty('ListTags');
  });

  it('read the tags when they change, so that concurrent changes lose none', async () => {
    const ctx = context();
    const late = tagOperations<Operations, Context>()({
      tagging,
      tag: ['TagResource', 'Tags'],
      untag: ['UntagResource', 'TagKeys'],
      list: ['ListTags', 'Tags'],
      resource: async ({ Arn }, { state }, purpose) => {
        await Promise.resolve();
        return taggedByArn(byArn)({ Arn }, { ...ctx, state }, purpose);
      },
    });
    const tag = (Key: string) => late.TagResource({ Arn: ARN, Tags: [{ Key, Value: 'v' }] }, ctx);
    await Promise.all(['a', 'b', 'c'].map(tag));
    expect(Object.keys(ctx.state.get('one')!.tags!)).toEqual(['a', 'b', 'c']);
  });

  it('name the resource in refusals if it has a name', () => {
    const named = tagOperations<Operations, Context>()({
      tagging,
      tag: ['TagResource', 'Tags'],
      untag: ['UntagResource', 'TagKeys'],
      resource: () => ({ name: 'one', tags: {}, replace: () => undefined }),
    });
    const Tags = [{ Key: 'aws:a', Value: '' }];
    expect(() => named.TagResource({ Arn: ARN, Tags }, context())).toThrow('reserved of one');
  });
});

describe('resources of ARNs', () => {
  const find = (rules: Partial<Parameters<typeof taggedByArn>[0]>, Arn: string, purpose: 'tag' | 'list' = 'tag') =>
    taggedByArn({ ...byArn, ...rules } as typeof byArn)({ Arn }, context(), purpose);
  const ABROAD = ARN.replace('eu-west-1', 'us-east-1');
  const FOREIGN = ARN.replace('123456789012', '111122223333');

  it('are in the account and region of the request', () => {
    expect(() => find({}, 'arn:aws:shop:eu-west-1:123456789012:cart/one')).toThrow('Unknown');
    for (const arn of [ABROAD, FOREIGN]) {
      expect(() => find({}, arn)).toThrow('Missing');
      expect(() => find({ elsewhere: error('Elsewhere') }, arn)).toThrow('Elsewhere');
    }
    expect(() => find({ foreign: true }, ABROAD)).toThrow('Missing');
    expect(find({ foreign: true }, FOREIGN).tags).toBeUndefined();
  });

  it('have no tags if they are unknown and the service lists them', () => {
    expect(find({ listsUnknown: true }, `${ARN}x`, 'list').tags).toBeUndefined();
    expect(() => find({ listsUnknown: true }, `${ARN}x`)).toThrow('Missing');
  });
});

it('a record that does not exist is no resource', () => {
  expect(
    taggedResource(
      () => undefined,
      () => undefined,
    ),
  ).toBeUndefined();
});
