import { CreateBucketCommand } from '@aws-sdk/client-s3';
import type { S3Control } from '@aws-sdk/client-s3-control';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ACCOUNT as AccountId, type ControlTest, errorOf, start } from './support.ts';

const Bucket = 'a-bucket';
const lists: Record<string, (control: S3Control, NextToken: string) => Promise<unknown>> = {
  ListAccessGrants: (control, NextToken) => control.listAccessGrants({ AccountId, NextToken }),
  ListAccessGrantsInstances: (control, NextToken) => control.listAccessGrantsInstances({ AccountId, NextToken }),
  ListAccessGrantsLocations: (control, NextToken) => control.listAccessGrantsLocations({ AccountId, NextToken }),
  ListAccessPointsForDirectoryBuckets: (control, NextToken) =>
    control.listAccessPointsForDirectoryBuckets({ AccountId, NextToken }),
  ListAccessPointsForObjectLambda: (control, NextToken) =>
    control.listAccessPointsForObjectLambda({ AccountId, NextToken }),
  ListCallerAccessGrants: (control, NextToken) => control.listCallerAccessGrants({ AccountId, NextToken }),
  ListJobs: (control, NextToken) => control.listJobs({ AccountId, NextToken }),
  ListMultiRegionAccessPoints: (control, NextToken) => control.listMultiRegionAccessPoints({ AccountId, NextToken }),
  ListRegionalBuckets: (control, NextToken) => control.listRegionalBuckets({ AccountId, NextToken }),
  ListStorageLensConfigurations: (control, NextToken) =>
    control.listStorageLensConfigurations({ AccountId, NextToken }),
  ListStorageLensGroups: (control, NextToken) => control.listStorageLensGroups({ AccountId, NextToken }),
};

let test: ControlTest;
let other: string;
beforeAll(async () => {
  test = await start();
  const { control, s3 } = test;
  await s3.send(new CreateBucketCommand({ Bucket }));
  for (const Name of ['one', 'two']) await control.createAccessPoint({ AccountId, Name, Bucket });
  await control.createAccessGrantsInstance({ AccountId });
  other = (await control.listAccessPoints({ AccountId, MaxResults: 1 })).NextToken!;
});
afterAll(() => test[Symbol.asyncDispose]());

it.each(Object.keys(lists))('%s accepts its own tokens only', async (list) => {
  for (const token of ['garbage', Buffer.from('after:one').toString('base64url'), other])
    expect(await errorOf(lists[list]!(test.control, token))).toMatchObject({
      name: list === 'ListJobs' ? 'InvalidNextTokenException' : 'InvalidRequest',
      message: 'The continuation token provided is incorrect',
    });
});

it('ListAccessPoints continues at its token', async () => {
  const { AccessPointList, NextToken } = await test.control.listAccessPoints({ AccountId, NextToken: other });
  expect(AccessPointList?.map(({ Name }) => Name)).toEqual(['two']);
  expect(NextToken).toBeUndefined();
});
