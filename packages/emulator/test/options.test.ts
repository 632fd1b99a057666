import { readFileSync } from 'node:fs';
import { type ConfigError, type ConfigSources, optionEntries, resolveConfig } from '@emu/core';
import { describe, expect, test } from 'vitest';
import { sharedPath } from '../../../tools/testing/shared.ts';
import { DECLARED_OPTIONS, SERVICES } from '../src/index.ts';

const known = new Map(optionEntries(DECLARED_OPTIONS));
const resolve = (sources: ConfigSources) => resolveConfig({ options: DECLARED_OPTIONS, ...sources });
const values = (sources: ConfigSources) => resolve(sources).settings.values;
const warnings = (sources: ConfigSources): string[] => resolve(sources).warnings;

const refusal = (sources: ConfigSources): string => {
  try {
    resolve(sources);
  } catch (error) {
    expect((error as ConfigError).name).toBe('ConfigError');
    return (error as ConfigError).message;
  }
  throw new Error('accepted');
};

describe('the options of emu and its services', () => {
  const specification = sharedPath('spec/control-interface.md');

  test.skipIf(specification === undefined)(
    'include every flag and variable of the specification, with its default',
    () => {
      const page = readFileSync(specification!, 'utf8');
      const section = page.slice(page.indexOf('### Configuration'), page.indexOf('### Host-based routing'));
      const rows = section.split('\n').filter((line) => line.startsWith('| `'));
      const seen = new Map<string, string>();
      for (const row of rows) {
        const [first, second, third] = row
          .split('|')
          .slice(1)
          .map((cell) => cell.trim());
        const flag = /^`--([a-z0-9-]+)`$/.exec(first!)?.[1];
        const names = [...(flag ? second! : first!).matchAll(/EMULATOR_[A-Z0-9_]+/g)].map(([name]) => name);
        expect(names.length, row).toBeGreaterThan(0);
        for (const name of names) {
          expect(known.has(name), name).toBe(true);
          expect(known.get(name)!.flag, name).toBe(flag);
          seen.set(name, (flag ? third! : second!).match(/^`([^`]*)`/)?.[1] ?? '');
        }
      }
      expect(rows.length).toBeGreaterThan(40);
      for (const [name, shown] of seen) {
        const option = known.get(name)!;
        if (shown && option.default !== undefined) expect(option.default, name).toBe(shown);
      }
    },
  );

  test('every default is a valid value', () => {
    for (const [name, option] of known)
      if (option.default) expect(() => resolve({ env: { [name]: option.default } }), name).not.toThrow(/must be/);
  });

  test('options of a service apply to that service', () => {
    for (const { name, options } of SERVICES)
      for (const [variable, { services }] of Object.entries(options?.table ?? {}))
        expect(services, variable).toContain(name);
  });

  test('defaults derived from other settings', () => {
    const found = values({
      flags: { region: 'cn-north-1', 'account-id': '000000000001', 'storage-mode': 'persistent', 'data-path': 'd' },
      env: {
        EMULATOR_CONTAINER_BACKEND: 'k8s',
        EMULATOR_EC2_BACKEND: 'docker',
        EMULATOR_K8S_SELF_URL: 'http://emu.default:4566/',
        EMULATOR_K8S_NODE_SELECTOR: 'disk=ssd,zone=a',
        EMULATOR_ECS_K8S_NODE_SELECTOR: 'disk=hdd',
        EMULATOR_K8S_TOLERATIONS: '[{"key":"gpu","operator":"Exists","effect":"NoSchedule"}]',
      },
    });
    expect(found).toMatchObject({
      EMULATOR_CREDENTIALS_ROLE_ARN: 'arn:aws-cn:iam::000000000001:role/emulator',
      EMULATOR_PERSIST_DB_VOLUMES: true,
      EMULATOR_LAMBDA_BACKEND: 'k8s',
      EMULATOR_EC2_BACKEND: 'docker',
      EMULATOR_K8S_SELF_URL: 'http://emu.default:4566',
      EMULATOR_K8S_ECR_URL: 'emu.default:4566',
      EMULATOR_LAMBDA_K8S_NODE_SELECTOR: { disk: 'ssd', zone: 'a' },
      EMULATOR_ECS_K8S_NODE_SELECTOR: { disk: 'hdd' },
      EMULATOR_RDS_K8S_TOLERATIONS: [{ key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }],
    });
  });

  test('match the specification', () => {
    expect(values({})).toMatchObject({
      EMULATOR_S3_CACHE_SIZE: 268_435_456,
      EMULATOR_PERSIST_DB_VOLUMES: false,
      EMULATOR_ENFORCE_QUOTA: [],
    });
    const quotas = ['sns/L-61103206', 'lambda/L-B99A9384'];
    expect(values({ flags: { 'enforce-quota': quotas } })).toMatchObject({ EMULATOR_ENFORCE_QUOTA: quotas });
    expect(values({ flags: { dns: true } })).toMatchObject({ EMULATOR_DNS: true });
  });

  test('admit other machines if Pods have to reach emu', () => {
    const remote = (env: Record<string, string>): boolean => values({ env: { ...pods, ...env } }).EMULATOR_ALLOW_REMOTE;
    const pods = { EMULATOR_K8S_SELF_URL: 'http://emu.default:4566' };
    expect(remote({})).toBe(false);
    expect(remote({ EMULATOR_CONTAINER_BACKEND: 'k8s' })).toBe(true);
    expect(remote({ EMULATOR_LAMBDA_BACKEND: 'k8s' })).toBe(true);
    expect(remote({ EMULATOR_LAMBDA_BACKEND: 'k8s', EMULATOR_ALLOW_REMOTE: 'no' })).toBe(false);
  });

  test('name the hosts through which containers reach emu', () => {
    expect(resolve({}).settings.hosts).toEqual([]);
    const env = {
      EMULATOR_K8S_SELF_URL: 'http://emu.tools:4566',
      EMULATOR_K8S_ECR_URL: 'images.tools:5000',
      EMULATOR_ECR_REGISTRY_HOST: 'registry.example.com:5000',
    };
    expect(resolve({ env }).settings.hosts).toEqual([
      'emu.tools:4566',
      'images.tools:5000',
      'registry.example.com:5000',
    ]);
  });

  test('settings of unknown services are listed in one line', () => {
    const sources = { flags: { dns: true, region: 'eu-west-1' }, env: { EMULATOR_CONTAINER_CLI: 'podman' } };
    expect(warnings({ ...sources, services: ['sqs'] })).toEqual([
      'These settings have no effect because emu does not have their service yet: --dns (route53); EMULATOR_CONTAINER_CLI (lambda, ecs, rds, elasticache, ec2).',
    ]);
    expect(warnings({ ...sources, services: ['route53', 'lambda'] })).toEqual([]);
  });

  test.each<[ConfigSources, string]>([
    [
      { flags: { 's3-cache-size': '1e3' } },
      '--s3-cache-size must be a whole number of bytes of at least 0, not "1e3".',
    ],
    [
      { env: { EMULATOR_LAMBDA_MAX_CONCURRENCY: '0' } },
      'EMULATOR_LAMBDA_MAX_CONCURRENCY must be a whole number of at least 1, not "0".',
    ],
    [{ flags: { dns: 'maybe' } }, '--dns must be true or false (or 1, 0, yes, no), not "maybe".'],
    [
      { flags: { 'enforce-quota': ['sqs'] } },
      '--enforce-quota must be SERVICE_CODE/QUOTA_CODE, such as sns/L-61103206, not "sqs".',
    ],
    [
      { env: { EMULATOR_K8S_TOLERATIONS: '{' } },
      'EMULATOR_K8S_TOLERATIONS must be a JSON array of Kubernetes tolerations, not "{".',
    ],
    [
      { env: { EMULATOR_K8S_TOLERATIONS: '[{"operator":"Is"}]' } },
      'EMULATOR_K8S_TOLERATIONS must be a JSON array of Kubernetes tolerations (operator is Exists or Equal), not "[{\\"operator\\":\\"Is\\"}]".',
    ],
    [
      { env: { EMULATOR_K8S_ANNOTATIONS: 'a' } },
      'EMULATOR_K8S_ANNOTATIONS must be key=value pairs separated by commas, not "a".',
    ],
    [
      { flags: { 'dynamodb-import-path': 'a' } },
      '--dynamodb-import-path requires --dynamodb-import-describe-table (EMULATOR_DYNAMODB_DESCRIBE_TABLE).',
    ],
    [
      { env: { EMULATOR_DYNAMODB_DESCRIBE_TABLE: 'a' } },
      'EMULATOR_DYNAMODB_DESCRIBE_TABLE requires --dynamodb-import-path (EMULATOR_DYNAMODB_IMPORT_PATH).',
    ],
    [
      { flags: { 'dynamodb-import-dir': 'd', 'dynamodb-import-path': 'a' } },
      '--dynamodb-import-dir and --dynamodb-import-path exclude each other.',
    ],
    [{ flags: { 'dns-addr': '127.0.0.1:5353' } }, '--dns-addr can be used only with --dns (EMULATOR_DNS).'],
    [
      { env: { EMULATOR_LAMBDA_BACKEND: 'k8s' } },
      'EMULATOR_LAMBDA_BACKEND k8s requires EMULATOR_K8S_SELF_URL, the URL at which Pods reach emu.',
    ],
    [
      { env: { EMULATOR_CONTAINER_BACKEND: 'k8s' } },
      'EMULATOR_CONTAINER_BACKEND k8s requires EMULATOR_K8S_SELF_URL, the URL at which Pods reach emu.',
    ],
  ])('rejects %j with one message', (sources, sentence) => {
    expect(refusal(sources)).toBe(sentence);
  });
});
