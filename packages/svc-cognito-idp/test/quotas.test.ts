import { enforceQuota } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CognitoTest, countedFailureOf, failureOf, type Made, startCognito } from './support.ts';

describe('quotas of user pools', () => {
  let test: CognitoTest;
  let made: Made;
  beforeAll(async () => {
    test = await startCognito();
    made = await test.make();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  it('limit pools of the account, and resources of a pool', async () => {
    const { cognito } = test;
    const { UserPoolId } = made;
    await enforceQuota(test.emulator, 'cognito-idp/L-66E6DF30', 1);
    expect(await failureOf(cognito.createUserPool({ PoolName: 'p' }))).toMatch(/^LimitExceededException/);
    await enforceQuota(test.emulator, 'cognito-idp/L-66E6DF30', 2);
    const { UserPool } = await cognito.createUserPool({ PoolName: 'p' });
    await enforceQuota(test.emulator, 'cognito-idp/L-5EAB0605', 1);
    expect(await failureOf(cognito.createUserPoolClient({ UserPoolId, ClientName: 'c' }))).toMatch(
      /^LimitExceededException/,
    );
    await cognito.createUserPoolClient({ UserPoolId: UserPool!.Id, ClientName: 'c' });
    await enforceQuota(test.emulator, 'cognito-idp/L-7CDAF993', 0);
    expect(await failureOf(cognito.createResourceServer({ UserPoolId, Identifier: 'api', Name: 'API' }))).toMatch(
      /^LimitExceededException/,
    );
  });

  it('limit rates of operation categories', async () => {
    const { cognito } = test;
    await test.user(made);
    await enforceQuota(test.emulator, 'cognito-idp/L-D6BD5178', 1);
    const get = () => cognito.adminGetUser({ UserPoolId: made.UserPoolId, Username: 'jane' });
    await get();
    expect(await countedFailureOf(get())).toBe('TooManyRequestsException: Rate exceeded');
    await test.advance(1000);
    await get();
  });
});
