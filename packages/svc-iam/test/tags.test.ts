import type { Tag } from '@aws-sdk/client-iam';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ADMIN, failureOf, type IamTest, policy, startIam, trust } from './support.ts';

let t: IamTest;
let PolicyArn: string;
beforeEach(async () => {
  t = await startIam();
  await t.iam.createUser({ UserName: 'x' });
  await t.iam.createRole({ RoleName: 'x', AssumeRolePolicyDocument: trust() });
  await t.iam.createInstanceProfile({ InstanceProfileName: 'x' });
  PolicyArn = (await t.iam.createPolicy({ PolicyName: 'x', PolicyDocument: policy() })).Policy!.Arn!;
});
afterEach(() => t[Symbol.asyncDispose]());

interface Tagged {
  tag(Tags: Tag[]): Promise<unknown>;
  untag(TagKeys: string[]): Promise<unknown>;
  list(page?: { MaxItems?: number; Marker?: string | undefined }): Promise<{
    Tags: Tag[] | undefined;
    IsTruncated?: boolean;
    Marker?: string;
  }>;
}

const kinds: [string, () => Tagged][] = [
  [
    'user',
    () => ({
      tag: (Tags) => t.iam.tagUser({ UserName: 'x', Tags }),
      untag: (TagKeys) => t.iam.untagUser({ UserName: 'x', TagKeys }),
      list: (page) => t.iam.listUserTags({ UserName: 'x', ...page }),
    }),
  ],
  [
    'role',
    () => ({
      tag: (Tags) => t.iam.tagRole({ RoleName: 'x', Tags }),
      untag: (TagKeys) => t.iam.untagRole({ RoleName: 'x', TagKeys }),
      list: (page) => t.iam.listRoleTags({ RoleName: 'x', ...page }),
    }),
  ],
  [
    'instance profile',
    () => ({
      tag: (Tags) => t.iam.tagInstanceProfile({ InstanceProfileName: 'x', Tags }),
      untag: (TagKeys) => t.iam.untagInstanceProfile({ InstanceProfileName: 'x', TagKeys }),
      list: (page) => t.iam.listInstanceProfileTags({ InstanceProfileName: 'x', ...page }),
    }),
  ],
  [
    'policy',
    () => ({
      tag: (Tags) => t.iam.tagPolicy({ PolicyArn, Tags }),
      untag: (TagKeys) => t.iam.untagPolicy({ PolicyArn, TagKeys }),
      list: (page) => t.iam.listPolicyTags({ PolicyArn, ...page }),
    }),
  ],
];

describe.each(kinds)('tags of a %s', (_kind, make) => {
  test('are set, replaced case-insensitively, paginated and removed', async () => {
    const { tag, untag, list } = make();
    expect((await list()).Tags).toEqual([]);
    await tag([
      { Key: 'a', Value: '1' },
      { Key: 'b', Value: '' },
    ]);
    await tag([
      { Key: 'A', Value: '2' },
      { Key: 'c', Value: '3' },
    ]);
    const first = await list({ MaxItems: 2 });
    expect(first).toMatchObject({
      Tags: [
        { Key: 'A', Value: '2' },
        { Key: 'b', Value: '' },
      ],
      IsTruncated: true,
    });
    expect((await list({ Marker: first.Marker })).Tags).toEqual([{ Key: 'c', Value: '3' }]);
    await untag(['B', 'c', 'missing']);
    expect((await list()).Tags).toEqual([{ Key: 'A', Value: '2' }]);
  });

  test("are rejected if there are too many, duplicates or AWS's", async () => {
    const { tag } = make();
    expect(
      await failureOf(
        tag([
          { Key: 'a', Value: '1' },
          { Key: 'A', Value: '2' },
        ]),
      ),
    ).toBe('InvalidInput: Duplicate tag keys found. Please note that Tag keys are case insensitive.');
    expect(await failureOf(tag([{ Key: 'aws:a', Value: '1' }]))).toContain('InvalidInput: ');
    await tag(Array.from({ length: 50 }, (_, i) => ({ Key: `k${i}`, Value: '' })));
    expect(await failureOf(tag([{ Key: 'more', Value: '' }]))).toContain('LimitExceeded: ');
  });
});

test('of unknown resources', async () => {
  expect(await failureOf(t.iam.tagUser({ UserName: 'y', Tags: [] }))).toContain('The user with name y');
  expect(await failureOf(t.iam.untagRole({ RoleName: 'y', TagKeys: ['a'] }))).toContain('The role with name y');
  expect(await failureOf(t.iam.listInstanceProfileTags({ InstanceProfileName: 'y' }))).toContain('Instance Profile y');
  expect((await t.iam.listPolicyTags({ PolicyArn: ADMIN })).Tags).toEqual([]);
  expect(await failureOf(t.iam.tagPolicy({ PolicyArn: ADMIN, Tags: [] }))).toContain('AccessDenied');
});
