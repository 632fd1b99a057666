import { describe, expect, test } from 'vitest';
import {
  boolean,
  derived,
  integer,
  list,
  matching,
  optional,
  readAs,
  text,
  withDefault,
} from '../src/config/making.ts';
import {
  type ConfigError,
  type ConfigSources,
  defaultSettings,
  effectNote,
  nameOf,
  optionEntries,
  resolveConfig,
} from '../src/index.ts';
import type { DeclaredOptions, SettingsView } from '../src/service.ts';

/** Settings of a service for this test. */
const TEA_OPTIONS = {
  EMULATOR_TEA_POTS: withDefault('2', {
    flag: 'tea-pots',
    schema: integer(1),
    description: 'How many there are.',
    services: ['tea'],
  }),
  EMULATOR_TEA_HOST: optional('none', {
    flag: 'tea-host',
    schema: text('a host'),
    description: 'Where it is served.',
    services: ['tea', 'coffee'],
  }),
  EMULATOR_TEA_KEPT: derived('on in persistent mode', {
    schema: boolean,
    description: 'Whether leaves are kept.',
    services: ['tea'],
    from: ({ values }: SettingsView) => values.EMULATOR_STORAGE_MODE === 'persistent',
  }),
  EMULATOR_TEA_SORTS: withDefault('', {
    flag: 'tea-sort',
    schema: list(matching(/^[a-z]+$/, 'a sort')),
    description: 'What there is.',
    repeatable: true,
    services: ['tea'],
  }),
};
const LID_OPTIONS = {
  EMULATOR_LIDS: derived('EMULATOR_TEA_POTS', {
    schema: integer(0),
    description: 'How many lids there are.',
    from: (settings) => settings.of(TEA_OPTIONS).EMULATOR_TEA_POTS,
  }),
};
const tea: DeclaredOptions = {
  table: TEA_OPTIONS,
  check(settings) {
    const { EMULATOR_TEA_HOST: host, EMULATOR_TEA_POTS: pots } = settings.of(TEA_OPTIONS);
    return host === undefined && pots > 2 && settings.has('EMULATOR_TEA_POTS')
      ? `${settings.by('EMULATOR_TEA_POTS')} ${pots} requires ${settings.by('EMULATOR_TEA_HOST')}.`
      : undefined;
  },
  hosts: (settings) => [settings.of(TEA_OPTIONS).EMULATOR_TEA_HOST ?? []].flat(),
  remote: (settings) => settings.of(LID_OPTIONS).EMULATOR_LIDS === 7,
};
const options = [{ table: LID_OPTIONS }, tea];

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

describe('the tables of options', () => {
  test('every default is a valid value of its option', () => {
    for (const [name, option] of optionEntries())
      if (option.default) expect(() => resolveConfig({ env: { [name]: option.default } }), name).not.toThrow(/must be/);
  });

  test('declared ones follow those of emu itself', () => {
    const names = optionEntries(options).map(nameOf);
    expect(names.slice(0, -5)).toEqual(optionEntries().map(nameOf));
    expect(names.slice(-5)).toEqual(['EMULATOR_LIDS', '--tea-pots', '--tea-host', 'EMULATOR_TEA_KEPT', '--tea-sort']);
  });

  test('no two options have the same variable or the same flag', () => {
    expect(() => optionEntries([tea, tea])).toThrow('two options are called EMULATOR_TEA_POTS');
    const table = {
      EMULATOR_ADDRESS: optional('none', { flag: 'addr', schema: text('a host'), description: 'Where.' }),
    };
    expect(() => resolveConfig({ options: [{ table }] })).toThrow('two options are called --addr');
  });

  test('help of an option without effect names what it needs', () => {
    const { EMULATOR_TEA_POTS: pots, EMULATOR_TEA_HOST: host } = TEA_OPTIONS;
    expect(effectNote(pots, ['sqs'])).toBe(' Has no effect yet: needs tea.');
    expect(effectNote(host, ['sqs'])).toBe(' Has no effect yet: needs tea or coffee.');
    expect(effectNote(host, ['coffee'])).toBe('');
    expect(effectNote(LID_OPTIONS.EMULATOR_LIDS, [])).toBe('');
  });
});

describe('settings of a table', () => {
  const of = (sources: ConfigSources) => resolveConfig({ options, ...sources }).settings.of(TEA_OPTIONS);

  test('are the given values, else the defaults', () => {
    expect(of({ flags: { 'tea-pots': '3', 'tea-host': 'a' }, env: { EMULATOR_TEA_POTS: '5' } })).toEqual({
      EMULATOR_TEA_POTS: 3,
      EMULATOR_TEA_HOST: 'a',
      EMULATOR_TEA_KEPT: false,
      EMULATOR_TEA_SORTS: [],
    });
    expect(of({ flags: { 'storage-mode': 'persistent', 'data-path': 'd' } }).EMULATOR_TEA_KEPT).toBe(true);
    expect(of({ env: { EMULATOR_TEA_KEPT: 'yes' } }).EMULATOR_TEA_KEPT).toBe(true);
  });

  test('depend on each other in any order of declaration', () => {
    const { settings } = resolveConfig({ options, env: { EMULATOR_TEA_POTS: '1' } });
    expect(settings.of(LID_OPTIONS).EMULATOR_LIDS).toBe(1);
    expect(settings.of({ EMULATOR_TEA_POTS: readAs('2', integer(1)) })).toEqual({ EMULATOR_TEA_POTS: 1 });
  });

  test('are defaults if the table was not declared', () => {
    const settings = defaultSettings({
      values: { EMULATOR_TEA_SORTS: ['oolong'], EMULATOR_STORAGE_MODE: 'persistent' },
    });
    expect(settings.of(TEA_OPTIONS)).toEqual({
      EMULATOR_TEA_POTS: 2,
      EMULATOR_TEA_HOST: undefined,
      EMULATOR_TEA_KEPT: true,
      EMULATOR_TEA_SORTS: ['oolong'],
    });
    expect(settings.of(LID_OPTIONS).EMULATOR_LIDS).toBe(2);
  });

  test('list the hosts of emu', () => {
    expect(resolveConfig({ options }).settings.hosts).toEqual([]);
    expect(resolveConfig({ options, flags: { 'tea-host': 'pot:1' } }).settings.hosts).toEqual(['pot:1']);
  });
});

describe('sources of values', () => {
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
      EMULATOR_MAX_REQUEST_BODY_BYTES: 1_073_741_824,
      EMULATOR_REQUEST_HEAD_TIMEOUT_MS: 20_000,
      EMULATOR_CREDENTIALS_ROLE_ARN: 'arn:aws:iam::123456789012:role/emulator',
      EMULATOR_ALLOW_HOSTS: [],
    });
    expect(warnings).toEqual([]);
  });

  test('flags override variables, and empty variables count as absent', () => {
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
    expect(values({ flags: { 'init-strict': given } }).EMULATOR_INIT_STRICT).toBe(expected);
    expect(values({ env: { EMULATOR_INIT_STRICT: String(given) } }).EMULATOR_INIT_STRICT).toBe(expected);
  });

  test('a repeated flag equals a comma-separated variable', () => {
    const hosts = ['emu.example.com', '*.dev.example.com'];
    expect(values({ flags: { 'allow-host': hosts } }).EMULATOR_ALLOW_HOSTS).toEqual(hosts);
    expect(values({ env: { EMULATOR_ALLOW_HOSTS: hosts.join(', ') } }).EMULATOR_ALLOW_HOSTS).toEqual(hosts);
  });

  test('the role of the credentials route has the partition and the account', () => {
    const flags = { region: 'cn-north-1', 'account-id': '000000000001' };
    expect(values({ flags }).EMULATOR_CREDENTIALS_ROLE_ARN).toBe('arn:aws-cn:iam::000000000001:role/emulator');
  });

  test('other machines are allowed by an address, or by declared options', () => {
    const remote = (sources: ConfigSources): boolean => values(sources).EMULATOR_ALLOW_REMOTE;
    expect(remote({})).toBe(false);
    expect(remote({ flags: { addr: '0.0.0.0:4566' } })).toBe(true);
    expect(remote({ env: { EMULATOR_ADDR: '0.0.0.0:4566' } })).toBe(true);
    expect(remote({ env: { EMULATOR_ADDR: '0.0.0.0:4566', EMULATOR_ALLOW_REMOTE: 'false' } })).toBe(false);
    expect(remote({ flags: { 'allow-remote': true } })).toBe(true);
    const pots = { options, env: { EMULATOR_TEA_POTS: '7' }, flags: { 'tea-host': 'a' } };
    expect(remote(pots)).toBe(true);
    expect(remote({ ...pots, flags: { ...pots.flags, 'allow-remote': false } })).toBe(false);
    expect(remote({ options })).toBe(false);
  });

  test('settings for tests and embedding', () => {
    expect(defaultSettings({ region: 'eu-west-1', values: { EMULATOR_SEED: 'x' } })).toMatchObject({
      region: 'eu-west-1',
      accountId: '123456789012',
      values: { EMULATOR_SEED: 'x', EMULATOR_LOG: 'info' },
    });
  });
});

describe('invalid settings, in one sentence', () => {
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
      { flags: { 'storage-mode': 'persistent' } },
      '--storage-mode persistent requires --data-path (EMULATOR_DATA_PATH), the directory to keep state in.',
    ],
    [{ flags: { 'init-strict': 'maybe' } }, '--init-strict must be true or false (or 1, 0, yes, no), not "maybe".'],
    [{ env: { EMULATOR_TEA_POTS: '0' } }, 'EMULATOR_TEA_POTS must be a whole number of at least 1, not "0".'],
    [{ flags: { 'tea-sort': ['Assam'] } }, '--tea-sort must be a sort, not "Assam".'],
    [{ flags: { 'tea-pot': '1' } }, '--tea-pot is not a flag of emu; did you mean --tea-pots?'],
    [{ flags: { 'tea-pots': '3' } }, '--tea-pots 3 requires --tea-host.'],
    [{ env: { EMULATOR_TEA_POTS: '3' } }, 'EMULATOR_TEA_POTS 3 requires --tea-host.'],
  ])('%j', (sources, sentence) => {
    expect(refusal({ options, ...sources })).toBe(sentence);
  });
});

describe('warnings', () => {
  const warnings = (sources: ConfigSources): string[] => resolveConfig(sources).warnings;

  test('an unknown variable is reported with the most similar known one', () => {
    expect(
      warnings({ env: { EMULATOR_REGOIN: 'eu-west-1', HOME: '/', EMULATOR_COFFEE: '1', EMULATOR_BOGUS: '1' } }),
    ).toEqual([
      'EMULATOR_REGOIN is not a variable that emu knows; did you mean EMULATOR_REGION?',
      'EMULATOR_COFFEE is not a variable that emu knows.',
      'EMULATOR_BOGUS is not a variable that emu knows.',
    ]);
  });

  test('a declared variable is known', () => {
    expect(warnings({ options, env: { EMULATOR_TEA_POTS: '1', EMULATOR_TEA_POT: '1' } })).toEqual([
      'EMULATOR_TEA_POT is not a variable that emu knows; did you mean EMULATOR_TEA_POTS?',
    ]);
  });

  test('settings of services that do not exist are listed in one line', () => {
    const sources = { options, flags: { 'tea-pots': '1', region: 'eu-west-1' }, env: { EMULATOR_TEA_HOST: 'a' } };
    expect(warnings({ ...sources, services: ['sqs'] })).toEqual([
      'These settings have no effect because emu does not have their service yet: --tea-pots (tea); EMULATOR_TEA_HOST (tea, coffee).',
    ]);
    expect(warnings({ ...sources, services: ['tea'] })).toEqual([]);
  });

  test('settings of persistent mode in memory mode', () => {
    expect(warnings({ flags: { 'data-path': 'd' } })).toEqual([
      '--data-path has no effect without --storage-mode persistent (EMULATOR_STORAGE_MODE).',
    ]);
  });
});
