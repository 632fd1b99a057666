import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsCli, noCli } from '../src/aws-cli.ts';
import { type Emu, startEmu } from '../src/emu.ts';
import { canRun, clientEnvironment, run } from '../src/programs.ts';

let emu: Emu;
beforeAll(async () => {
  emu = await startEmu();
});
afterAll(() => emu?.kill());

describe.skipIf(noCli !== undefined)(
  `Secrets Manager through the AWS CLI${noCli ? ` (skipped: ${noCli})` : ''}`,
  () => {
    const cli = awsCli(() => emu.url);
    const answer = (...args: string[]) => cli.answer('secretsmanager', ...args);

    test('a secret from creation to deletion', { timeout: 180_000 }, async () => {
      const id = ['--secret-id', 'cli/db'];
      const { ARN } = await answer('create-secret', '--name', 'cli/db', '--secret-string', '{"a":"ü"}');
      await answer('put-secret-value', ...id, '--secret-string', 'second');
      expect(await answer('get-secret-value', ...id, '--version-stage', 'AWSPREVIOUS')).toMatchObject({
        ARN,
        SecretString: '{"a":"ü"}',
      });
      await answer('tag-resource', ...id, '--tags', 'Key=team,Value=blue');
      const { SecretList } = await answer('list-secrets', '--filters', 'Key=tag-value,Values=blue');
      expect(SecretList).toMatchObject([{ ARN, Name: 'cli/db', Tags: [{ Key: 'team', Value: 'blue' }] }]);
      const missing = await cli.run('secretsmanager', 'get-secret-value', '--secret-id', 'none');
      expect(missing.stderr.trim()).toBe(
        "An error occurred (ResourceNotFoundException) when calling the GetSecretValue operation: Secrets Manager can't find the specified secret.",
      );
      await answer('delete-secret', ...id, '--force-delete-without-recovery');
      expect(await answer('list-secrets', '--include-planned-deletion')).toEqual({ SecretList: [] });
    });
  },
);

const boto3 = canRun('python3', '-c', 'import boto3');

describe.skipIf(!boto3)(
  `Secrets Manager by boto3${boto3 ? '' : ' (skipped: there is no boto3 on this machine)'}`,
  () => {
    test('values, versions, filters and deletion', { timeout: 120_000 }, async () => {
      const program = fileURLToPath(new URL('../python/secretsmanager_client.py', import.meta.url));
      expect(await run('python3', [program], { env: clientEnvironment(emu.url) })).toEqual({
        code: 0,
        stdout: 'ok\n',
        stderr: '',
      });
    });
  },
);
