import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Emu, startEmu } from '../src/emu.ts';
import { type ClientCredentials, canRun, clientEnvironment, type Outcome, run } from '../src/programs.ts';

const cli = canRun('aws', '--version');
const POLICY = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }],
});
const TRUST = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { AWS: '123456789012' }, Action: 'sts:AssumeRole' }],
});

describe.skipIf(!cli)(`IAM by the AWS CLI${cli ? '' : ' (skipped: there is no `aws` on this machine)'}`, () => {
  let emu: Emu;
  beforeAll(async () => {
    emu = await startEmu();
  });
  afterAll(() => emu?.kill());

  const aws = (args: string[], credentials?: ClientCredentials): Promise<Outcome> =>
    run('aws', ['--endpoint-url', emu.url, '--output', 'json', ...args], {
      env: clientEnvironment(emu.url, credentials),
    });
  const answer = async (args: string[], credentials?: ClientCredentials) => {
    const { code, stdout, stderr } = await aws(args, credentials);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout.trim() ? (JSON.parse(stdout) as Record<string, Record<string, unknown>>) : {};
  };

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
    const failed = await aws(['iam', 'delete-user', '--user-name', 'cli']);
    expect(failed.stderr.trim()).toBe(
      'An error occurred (DeleteConflict) when calling the DeleteUser operation: Cannot delete entity, must delete access keys first.',
    );
    await answer(['iam', 'delete-access-key', '--user-name', 'cli', '--access-key-id', key.accessKeyId]);
    await answer(['iam', 'delete-user', '--user-name', 'cli']);
    expect(await answer(['iam', 'list-users'])).toEqual({ Users: [] });
  });
});
