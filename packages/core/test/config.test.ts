import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  type ConfigError,
  type ConfigSources,
  defaultSettings,
  OPTION_ENTRIES,
  OPTIONS,
  resolveConfig,
} from '../src/index.ts';

const values = (sources: ConfigSources) => resolveConfig(sources).settings.values;

const refusal = (sources: ConfigSources): string => {
  try {
    resolveConfig(sources);
  } catch (error) {
    expect((error as ConfigError).name).toBe('ConfigError');
    return (error as ConfigError).message;
  }
  throw new Error('accepted');
};

describe('the table of options', () => {
  const specification = fileURLToPath(new URL('../../../../shared/spec/control-interface.md', import.meta.url));

  test.skipIf(!existsSync(specification))('has every flag and variable of the specification, with its default', () => {
    const page = readFileSync(specification, 'utf8');
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
        expect(Object.keys(OPTIONS)).toContain(name);
        expect(OPTIONS[name as keyof typeof OPTIONS].flag, name).toBe(flag);
        seen.set(name, (flag ? third! : second!).match(/^`([^`]*)`/)?.[1] ?? '');
      }
    }
    expect(rows.length).toBeGreaterThan(40);
    for (const [name, shown] of seen) {
      const option = OPTIONS[name as keyof typeof OPTIONS];
      if (shown && option.default !== undefined) expect(option.default, name).toBe(shown);
    }
  });

  test('every default is a value that the option accepts', () => {
    for (const [name, option] of OPTION_ENTRIES)
      if (option.default) expect(() => resolveConfig({ env: { [name]: option.default } }), name).not.toThrow(/must be/);
  });
});

describe('where values come from', () => {
  test('defaults', () => {
    const { settings, warnings } = resolveConfig({ services: [] });
    expect(settings).toMatchObject({
      region: 'us-east-1',
      accountId: '123456789012',
      externalUrl: undefined,
      domain: 'emulator.localhost',
    });
    expect(settings.values).toMatchObject({
      EMULATOR_ADDR: { host: '0.0.0.0', port: 4566 },
      EMULATOR_S3_CACHE_SIZE: 268_435_456,
      EMULATOR_MAX_REQUEST_BODY_BYTES: 1_073_741_824,
      EMULATOR_CREDENTIALS_ROLE_ARN: 'arn:aws:iam::123456789012:role/emulator',
      EMULATOR_PERSIST_DB_VOLUMES: false,
      EMULATOR_ENFORCE_QUOTA: [],
    });
    expect(warnings).toEqual([]);
  });

  test('flags win over variables, empty variables count as absent', () => {
    const env = { EMULATOR_REGION: 'eu-west-1', EMULATOR_LOG: 'debug', EMULATOR_ACCOUNT_ID: '' };
    expect(values({ env, flags: { region: 'eu-central-1' } })).toMatchObject({
      EMULATOR_REGION: 'eu-central-1',
      EMULATOR_LOG: 'debug',
      EMULATOR_ACCOUNT_ID: '123456789012',
    });
  });

  test.each([
    ['true', true],
    ['1', true],
    ['YES', true],
    [true, true],
    ['false', false],
    ['0', false],
    ['no', false],
    [false, false],
  ])('the boolean %j is %j', (given, expected) => {
    expect(values({ flags: { dns: given } }).EMULATOR_DNS).toBe(expected);
    expect(values({ env: { EMULATOR_DNS: String(given) } }).EMULATOR_DNS).toBe(expected);
  });

  test('a repeated flag is the list that the variable separates by commas', () => {
    const quotas = ['sqs/L-06F64E54', 'lambda/L-B99A9384'];
    expect(values({ flags: { 'enforce-quota': quotas } }).EMULATOR_ENFORCE_QUOTA).toEqual(quotas);
    expect(values({ env: { EMULATOR_ENFORCE_QUOTA: quotas.join(', ') } }).EMULATOR_ENFORCE_QUOTA).toEqual(quotas);
  });

  test('defaults that follow from other settings', () => {
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

  test('other machines are let in where an address is given, or where Pods have to reach emu', () => {
    const remote = (sources: ConfigSources): boolean => values(sources).EMULATOR_ALLOW_REMOTE;
    expect(remote({})).toBe(false);
    expect(remote({ flags: { addr: '0.0.0.0:4566' } })).toBe(true);
    expect(remote({ env: { EMULATOR_ADDR: '0.0.0.0:4566' } })).toBe(true);
    expect(remote({ env: { EMULATOR_ADDR: '0.0.0.0:4566', EMULATOR_ALLOW_REMOTE: 'false' } })).toBe(false);
    expect(remote({ flags: { 'allow-remote': true } })).toBe(true);
    const pods = { EMULATOR_K8S_SELF_URL: 'http://emu.default:4566' };
    expect(remote({ env: pods })).toBe(false);
    expect(remote({ env: { ...pods, EMULATOR_CONTAINER_BACKEND: 'k8s' } })).toBe(true);
    expect(remote({ env: { ...pods, EMULATOR_LAMBDA_BACKEND: 'k8s' } })).toBe(true);
  });

  test('settings for tests and embedding', () => {
    expect(defaultSettings({ region: 'eu-west-1', values: { EMULATOR_SEED: 'x' } })).toMatchObject({
      region: 'eu-west-1',
      accountId: '123456789012',
      values: { EMULATOR_SEED: 'x', EMULATOR_LOG: 'info' },
    });
  });
});

describe('refused, in one sentence', () => {
  test.each<[ConfigSources, string]>([
    [{ flags: { addr: '4566' } }, '--addr must be host:port, such as 127.0.0.1:4566 or [::1]:4566, not "4566".'],
    [
      { flags: { addr: 'localhost:70000' } },
      '--addr must be host:port, such as 127.0.0.1:4566 or [::1]:4566, not "localhost:70000".',
    ],
    [{ env: { EMULATOR_ACCOUNT_ID: '12' } }, 'EMULATOR_ACCOUNT_ID must be 12 digits, not "12".'],
    [{ flags: { region: 'mars' } }, '--region must be the name of a region, such as eu-central-1, not "mars".'],
    [{ flags: { 'log-level': 'loud' } }, '--log-level must be trace, debug, info, warn or error, not "loud".'],
    [
      { flags: { 's3-cache-size': '1e3' } },
      '--s3-cache-size must be a whole number of bytes of at least 0, not "1e3".',
    ],
    [
      { env: { EMULATOR_LAMBDA_MAX_CONCURRENCY: '0' } },
      'EMULATOR_LAMBDA_MAX_CONCURRENCY must be a whole number of at least 1, not "0".',
    ],
    [{ flags: { dns: 'maybe' } }, '--dns must be true or false (1, 0, yes and no do too), not "maybe".'],
    [
      { flags: { 'enforce-quota': ['sqs'] } },
      '--enforce-quota must be SERVICE_CODE/QUOTA_CODE, such as sqs/L-06F64E54, not "sqs".',
    ],
    [
      { flags: { 'allow-host': ['http://emu.example.com'] } },
      '--allow-host must be a host name such as emu.example.com, without a port, or *.example.com, not "http://emu.example.com".',
    ],
    [
      { env: { EMULATOR_ALLOW_ORIGINS: 'http://localhost:3000, https://app.example.com/' } },
      'EMULATOR_ALLOW_ORIGINS must be an origin such as https://app.example.com or http://*.example.com:8080, without a path, not "http://localhost:3000, https://app.example.com/".',
    ],
    [{ flags: { region: ['eu-west-1', 'eu-west-2'] } }, '--region may be given only once.'],
    [{ flags: { adr: 'x' } }, '--adr is not a flag of emu; did you mean --addr?'],
    [{ flags: { 'unheard-of': 'x' } }, '--unheard-of is not a flag of emu.'],
    [
      { env: { EMULATOR_EXTERNAL_URL: 'emu:4566' } },
      'EMULATOR_EXTERNAL_URL must be an http:// or https:// URL, such as http://emu.internal:4566, not "emu:4566".',
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
      { flags: { 'storage-mode': 'persistent' } },
      '--storage-mode persistent requires --data-path (EMULATOR_DATA_PATH), the directory to keep state in.',
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
  ])('%j', (sources, sentence) => {
    expect(refusal(sources)).toBe(sentence);
  });
});

describe('warnings', () => {
  const warnings = (sources: ConfigSources): string[] => resolveConfig(sources).warnings;

  test('an unknown variable is named with the nearest known one', () => {
    expect(
      warnings({ env: { EMULATOR_REGOIN: 'eu-west-1', HOME: '/', EMULATOR_COFFEE: '1', EMULATOR_BOGUS: '1' } }),
    ).toEqual([
      'EMULATOR_REGOIN is not a variable that emu knows; did you mean EMULATOR_REGION?',
      'EMULATOR_COFFEE is not a variable that emu knows.',
      'EMULATOR_BOGUS is not a variable that emu knows.',
    ]);
  });

  test('settings of services that do not exist are listed in one line', () => {
    const sources = { flags: { dns: true, region: 'eu-west-1' }, env: { EMULATOR_CONTAINER_CLI: 'podman' } };
    expect(warnings({ ...sources, services: ['sqs'] })).toEqual([
      'These settings have no effect because emu does not have their service yet: --dns (route53); EMULATOR_CONTAINER_CLI (lambda, ecs, rds, elasticache, ec2).',
    ]);
    expect(warnings({ ...sources, services: ['route53', 'lambda'] })).toEqual([]);
  });

  test('settings of persistent mode in memory mode', () => {
    expect(warnings({ flags: { 'data-path': 'd' } })).toEqual([
      '--data-path has no effect without --storage-mode persistent (EMULATOR_STORAGE_MODE).',
    ]);
  });
});
