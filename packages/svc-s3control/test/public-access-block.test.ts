import { expect, it } from 'vitest';
import { ACCOUNT as AccountId, errorOf, OTHER, start } from './support.ts';

const missing = {
  name: 'NoSuchPublicAccessBlockConfiguration',
  message: 'The public access block configuration was not found',
  AccountId,
  $metadata: { httpStatusCode: 404 },
};

// As recorded from AWS.
it('stores the public access block of an account for all regions', async () => {
  await using test = await start();
  const { control } = test;
  expect(await errorOf(control.getPublicAccessBlock({ AccountId }))).toMatchObject(missing);
  const off = {
    BlockPublicAcls: false,
    BlockPublicPolicy: false,
    IgnorePublicAcls: false,
    RestrictPublicBuckets: false,
  };
  await control.putPublicAccessBlock({
    AccountId,
    PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: false },
  });
  for (const region of ['us-east-1', 'eu-west-1'])
    expect(
      (await test.controlOf({ region }).getPublicAccessBlock({ AccountId })).PublicAccessBlockConfiguration,
    ).toEqual({ ...off, BlockPublicAcls: true });
  const other = test.controlOf({ accessKeyId: OTHER });
  expect((await errorOf(other.getPublicAccessBlock({ AccountId: OTHER }))).name).toBe(missing.name);
  expect((await errorOf(other.getPublicAccessBlock({ AccountId }))).name).toBe('AccessDenied');
  for (let i = 0; i < 2; i++)
    expect((await control.deletePublicAccessBlock({ AccountId })).$metadata.httpStatusCode).toBe(204);
  expect(await errorOf(control.getPublicAccessBlock({ AccountId }))).toMatchObject(missing);
});

it('rejects an empty public access block', async () => {
  await using test = await start();
  const put = test.control.putPublicAccessBlock({ AccountId, PublicAccessBlockConfiguration: {} });
  expect(await errorOf(put)).toMatchObject({
    name: 'InvalidRequest',
    message: 'Must specify at least one configuration.',
    $metadata: { httpStatusCode: 400 },
  });
});
