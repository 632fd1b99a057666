import { fileURLToPath } from 'node:url';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Admin, createAdmin } from '../src/admin.ts';
import { awsCli, noCli } from '../src/aws-cli.ts';
import { type Emu, startEmu } from '../src/emu.ts';
import { type ClientCredentials, canRun, clientEnvironment, run } from '../src/programs.ts';

const hasBoto3 = canRun('python3', '-c', 'import boto3');
const STRANGER = { accessKeyId: 'test', secretAccessKey: 'test' };

let emu: Emu;
let admin: Admin;
beforeAll(async () => {
  emu = await startEmu({ args: ['--verify-sigv4'] });
  admin = await createAdmin(emu.url, '210987654321', 'admin');
});
afterAll(() => emu?.kill());

describe('SDK v3', () => {
  const whoAmI = (credentials: ClientCredentials) =>
    new STSClient({ endpoint: emu.url, region: 'us-east-1', credentials }).send(new GetCallerIdentityCommand({}));

  test('accepts an administrator and rejects others', async () => {
    expect((await whoAmI(admin)).Arn).toBe('arn:aws:iam::210987654321:user/admin');
    await expect(whoAmI(STRANGER)).rejects.toMatchObject({ name: 'InvalidClientTokenId' });
    await expect(whoAmI({ ...admin, secretAccessKey: 'wrong' })).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
    });
  });

  test("the emulator's credentials pass verification", async () => {
    const record = (await (await fetch(`${emu.url}/_emulator/credentials`)).json()) as Record<string, string>;
    const me = await whoAmI({
      accessKeyId: record.AccessKeyId!,
      secretAccessKey: record.SecretAccessKey!,
      sessionToken: record.Token!,
    });
    expect(me.Arn).toMatch(/^arn:aws:sts::123456789012:assumed-role\/emulator\//);
  });
});

describe.skipIf(noCli !== undefined)(`AWS CLI${noCli ? ` (skipped: ${noCli})` : ''}`, () => {
  const cli = awsCli(() => emu.url);
  const aws = (credentials: ClientCredentials, ...args: string[]) => cli.with({ credentials }).run(...args);

  test('accepts an administrator and a session of a role', { timeout: 120_000 }, async () => {
    const assumed = await aws(
      admin,
      ...['sts', 'assume-role', '--role-arn', 'arn:aws:iam::210987654321:role/cli', '--role-session-name', 'cli'],
    );
    expect(assumed.stderr).toBe('');
    const { Credentials } = JSON.parse(assumed.stdout) as { Credentials: Record<string, string> };
    const session = {
      accessKeyId: Credentials.AccessKeyId!,
      secretAccessKey: Credentials.SecretAccessKey!,
      sessionToken: Credentials.SessionToken!,
    };
    const created = await aws(session, 'sqs', 'create-queue', '--queue-name', 'signed');
    expect(created.stderr).toBe('');
    expect(JSON.parse(created.stdout)).toEqual({ QueueUrl: `${emu.url}/210987654321/signed` });
    const forged = await aws({ ...session, secretAccessKey: 'wrong' }, 'sqs', 'list-queues');
    expect(forged.stderr).toContain('(SignatureDoesNotMatch)');
    const unknown = await aws(STRANGER, 'sqs', 'list-queues');
    expect(unknown.stderr).toContain('(InvalidClientTokenId)');
  });
});

describe.skipIf(!hasBoto3)(`boto3${hasBoto3 ? '' : ' (skipped: python3 cannot import it here)'}`, () => {
  test('accepts an administrator and rejects others', { timeout: 120_000 }, async () => {
    const script = fileURLToPath(new URL('../python/signed/caller.py', import.meta.url));
    const python = (credentials: ClientCredentials) =>
      run('python3', [script], { env: clientEnvironment(emu.url, credentials) });
    expect(await python(admin)).toEqual({ code: 0, stdout: `${admin.arn}\n`, stderr: '' });
    expect((await python(STRANGER)).stdout).toBe('InvalidClientTokenId\n');
    expect((await python({ ...admin, secretAccessKey: 'wrong' })).stdout).toBe('SignatureDoesNotMatch\n');
  });
});
