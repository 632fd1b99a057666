import { CreateBucketCommand, GetBucketTaggingCommand, PutBucketTaggingCommand } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { ACCOUNT as AccountId, errorOf, start } from './support.ts';

const Bucket = 'a-bucket';
const bucketArn = `arn:aws:s3:::${Bucket}`;

// As recorded from AWS.
it("tags buckets, which share S3's tags, and access points", async () => {
  await using test = await start();
  const { control, s3 } = test;
  await s3.send(new CreateBucketCommand({ Bucket }));
  const Tags = [
    { Key: 'key1', Value: 'value1' },
    { Key: 'key2', Value: 'value2' },
  ];
  const { AccessPointArn } = await control.createAccessPoint({ AccountId, Name: 'point', Bucket, Tags });
  expect((await control.listTagsForResource({ AccountId, ResourceArn: AccessPointArn! })).Tags).toEqual(Tags);
  expect((await control.listTagsForResource({ AccountId, ResourceArn: bucketArn })).Tags).toEqual([]);
  for (const ResourceArn of [bucketArn, AccessPointArn!]) {
    expect((await control.tagResource({ AccountId, ResourceArn, Tags })).$metadata.httpStatusCode).toBe(204);
    const key3 = { Key: 'key3', Value: 'value3' };
    await control.tagResource({ AccountId, ResourceArn, Tags: [key3] });
    expect((await control.listTagsForResource({ AccountId, ResourceArn })).Tags).toEqual([...Tags, key3]);
    for (let i = 0; i < 2; i++) {
      const removed = await control.untagResource({ AccountId, ResourceArn, TagKeys: ['key3'] });
      expect(removed.$metadata.httpStatusCode).toBe(204);
    }
    expect((await control.listTagsForResource({ AccountId, ResourceArn })).Tags).toEqual(Tags);
  }
  expect((await s3.send(new GetBucketTaggingCommand({ Bucket }))).TagSet).toEqual(Tags);
  await s3.send(new PutBucketTaggingCommand({ Bucket, Tagging: { TagSet: [{ Key: 'a', Value: 'b' }] } }));
  const { Tags: shown } = await control.listTagsForResource({ AccountId, ResourceArn: bucketArn });
  expect(shown).toEqual([{ Key: 'a', Value: 'b' }]);
  await control.untagResource({ AccountId, ResourceArn: bucketArn, TagKeys: ['a'] });
  expect((await errorOf(s3.send(new GetBucketTaggingCommand({ Bucket })))).name).toBe('NoSuchTagSet');
});

it('rejects invalid tags, and tags of unknown resources', async () => {
  await using test = await start();
  const { control } = test;
  await test.s3.send(new CreateBucketCommand({ Bucket }));
  const tag = (...Tags: { Key: string; Value: string }[]) =>
    errorOf(control.tagResource({ AccountId, ResourceArn: bucketArn, Tags }));
  expect(await tag({ Key: 'aws:prefix', Value: 'v' })).toMatchObject({
    name: 'InvalidTag',
    message:
      'User-defined tag keys can\'t start with "aws:". This prefix is reserved for system tags. Remove "aws:" from your tag keys and try again.',
  });
  expect((await tag({ Key: 'a', Value: '1' }, { Key: 'a', Value: '2' })).message).toBe(
    'There are duplicate tag keys in your request. Remove the duplicate tag keys and try again.',
  );
  for (const bad of [
    { Key: 'k', Value: 'v,' },
    { Key: 'k,', Value: 'v' },
  ])
    expect((await tag(bad)).message).toMatch(/^This request contains a tag key or value that isn't valid\./);
  for (const ResourceArn of ['arn:aws:s3:::nothing', `arn:aws:s3:us-east-1:${AccountId}:accesspoint/nothing`])
    for (const call of [
      control.tagResource({ AccountId, ResourceArn, Tags: [{ Key: 'a', Value: 'b' }] }),
      control.untagResource({ AccountId, ResourceArn, TagKeys: ['a'] }),
      control.listTagsForResource({ AccountId, ResourceArn }),
    ])
      expect(await errorOf(call)).toMatchObject({
        name: 'NoSuchResource',
        message: "The specified resource doesn't exist.",
        $metadata: { httpStatusCode: 404 },
      });
});
