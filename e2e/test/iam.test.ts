import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsCli, noCli } from '../src/aws-cli.ts';
import { type Emu, startEmu } from '../src/emu.ts';
import type { ClientCredentials } from '../src/programs.ts';

const POLICY = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }],
});
const TRUST = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { AWS: '123456789012' }, Action: 'sts:AssumeRole' }],
});

describe.skipIf(noCli !== undefined)(`IAM through the AWS CLI${noCli ? ` (skipped: ${noCli})` : ''}`, () => {
  let emu: Emu;
  beforeAll(async () => {
    emu = await startEmu();
  });
  afterAll(() => emu?.kill());

  const cli = awsCli(() => emu.url);
  const answer = async (args: string[], credentials?: ClientCredentials) =>
    (await cli.with({ ...(credentials && { credentials }) }).answer(...args)) as Record<
      string,
      Record<string, unknown>
    >;

  test('a user with a key assumes a role', { timeout: 180_000 }, async () => {
    const { User } = await answer(['iam', 'create-user', '--user-name', 'cli', '--tags', 'Key=team,Value=a']);
    expect(User).toMatchObject({ Arn: 'arn:aws:iam::123456789012:user/cli', Tags: [{ Key: 'team', Value: 'a' }] });
    const { AccessKey } = await answer(['iam', 'create-access-key', '--user-name', 'cli']);
    const key = { accessKeyId: String(AccessKey!.AccessKeyId), secretAccessKey: String(AccessKey!.SecretAccessKey) };
    expect((await answer(['iam', 'get-user'], key)).User!.UserName).toBe('cli');
    const role = ['--role-name', 'cli'];
    const { Role } = await answer(['iam', 'create-role', ...role, '--assume-role-policy-document', TRUST]);
    expect(Role!.AssumeRolePolicyDocument).toEqual(JSON.parse(TRUST));
    await answer(['iam', 'put-role-policy', ...role, '--policy-name', 'p', '--policy-document', POLICY]);
    expect((await answer(['iam', 'get-role-policy', ...role, '--policy-name', 'p'])).PolicyDocument).toEqual(
      JSON.parse(POLICY),
    );
    const { AssumedRoleUser } = await answer(
      ['sts', 'assume-role', '--role-arn', String(Role!.Arn), '--role-session-name', 'cli'],
      key,
    );
    expect(AssumedRoleUser!.AssumedRoleId).toBe(`${Role!.RoleId}:cli`);
    const failed = await cli.run('iam', 'delete-user', '--user-name', 'cli');
    expect(failed.stderr.trim()).toBe(
      'An error occurred (DeleteConflict) when calling the DeleteUser operation: Cannot delete entity, must delete access keys first.',
    );
    await answer(['iam', 'delete-access-key', '--user-name', 'cli', '--access-key-id', key.accessKeyId]);
    await answer(['iam', 'delete-user', '--user-name', 'cli']);
    expect(await answer(['iam', 'list-users'])).toEqual({ Users: [] });
  });
});
