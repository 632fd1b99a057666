import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Emu, startEmu, temporaryDirectory } from '../src/emu.ts';
import { canRun, clientEnvironment, type Outcome, run } from '../src/programs.ts';
import { zipOf } from '../src/zip.ts';

let emu: Emu;
beforeAll(async () => {
  emu = await startEmu();
});
afterAll(() => emu?.kill());

const cli = canRun('aws', '--version');

describe.skipIf(!cli)(
  `Secrets Manager by the AWS CLI${cli ? '' : ' (skipped: there is no `aws` on this machine)'}`,
  () => {
    const aws = (...args: string[]): Promise<Outcome> =>
      run('aws', ['--endpoint-url', emu.url, '--output', 'json', 'secretsmanager', ...args], {
        env: clientEnvironment(emu.url),
      });
    const answer = async (...args: string[]) => {
      const { code, stdout, stderr } = await aws(...args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout.trim() ? (JSON.parse(stdout) as Record<string, unknown>) : {};
    };

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
      const missing = await aws('get-secret-value', '--secret-id', 'none');
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

const plugins = process.env.EMU_TF_PLUGINS ?? '/opt/tf-plugins';
const reason = !canRun('terraform', 'version')
  ? 'there is no `terraform` on this machine'
  : !existsSync(plugins)
    ? `there are no providers in ${plugins}; EMU_TF_PLUGINS names another folder`
    : undefined;

describe.skipIf(reason !== undefined)(
  `Secrets Manager and KMS by Terraform${reason ? ` (skipped: ${reason})` : ''}`,
  () => {
    test('apply, plan no changes, and destroy', { timeout: 600_000 }, async () => {
      using directory = temporaryDirectory();
      cpSync(fileURLToPath(new URL('../terraform-secretsmanager/', import.meta.url)), directory.path, {
        recursive: true,
      });
      const zip = join(directory.path, 'package.zip');
      writeFileSync(zip, zipOf({ 'index.js': 'exports.handler = async () => {};' }));
      const env = {
        ...clientEnvironment(emu.url),
        AWS_ENDPOINT_URL: undefined,
        TF_VAR_endpoint: emu.url,
        TF_VAR_package: zip,
        TF_CLI_CONFIG_FILE: undefined,
        TF_IN_AUTOMATION: '1',
        CHECKPOINT_DISABLE: '1',
      };
      const terraform = (...args: string[]): Promise<Outcome> =>
        run('terraform', [...args, '-no-color'], { cwd: directory.path, env });
      const succeed = async (...args: string[]): Promise<string> => {
        const { code, stdout, stderr } = await terraform(...args);
        expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
        return stdout;
      };
      const secrets = new SecretsManager({
        endpoint: emu.url,
        region: 'eu-central-1',
        credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      });

      await succeed('init', `-plugin-dir=${plugins}`, '-input=false');
      await succeed('apply', '-auto-approve', '-input=false');
      expect(JSON.parse(await succeed('output', '-json', 'password'))).toBe('hidden');
      expect(await secrets.describeSecret({ SecretId: 'app/database' })).toMatchObject({
        RotationEnabled: true,
        RotationRules: { AutomaticallyAfterDays: 30 },
      });
      const plan = await terraform('plan', '-detailed-exitcode', '-input=false');
      expect(plan.code, plan.stdout + plan.stderr).toBe(0);
      await succeed('destroy', '-auto-approve', '-input=false');
      expect((await secrets.listSecrets({ IncludePlannedDeletion: true })).SecretList).toEqual([]);
      secrets.destroy();
    });
  },
);
