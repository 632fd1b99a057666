import { isRegionName } from '../aws/partitions.ts';
import { LOG_LEVELS } from '../kernel/log.ts';
import { CONTAINER_OPTIONS } from './container-options.ts';
import { derived, type Option, optional, type ValuesOf, withDefault } from './option.ts';
import {
  address,
  baseUrl,
  boolean,
  choice,
  hostPattern,
  integer,
  list,
  matching,
  originPattern,
  text,
} from './schemas.ts';

const DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
const regionName = { test: isRegionName } as RegExp;
const quotas = list(matching(/^[a-z0-9.-]+\/L-[0-9A-F]{8}$/, 'SERVICE_CODE/QUOTA_CODE, such as sqs/L-06F64E54'));

/**
 * Every setting of emu by its environment variable: the whole of what `--help` shows and `resolveConfig` accepts.
 * The texts follow the configuration section of the specification.
 */
export const OPTIONS = {
  EMULATOR_ADDR: withDefault('0.0.0.0:4566', {
    flag: 'addr',
    schema: address,
    description: 'Address and port to listen on; port 0 takes any free one.',
    placeholder: 'HOST:PORT',
  }),
  EMULATOR_REGION: withDefault('us-east-1', {
    flag: 'region',
    schema: matching(regionName, 'the name of a region, such as eu-central-1'),
    description: 'Region of requests that name none.',
    placeholder: 'REGION',
  }),
  EMULATOR_ACCOUNT_ID: withDefault('123456789012', {
    flag: 'account-id',
    schema: matching(/^\d{12}$/, '12 digits'),
    description: 'Account of requests whose access key belongs to no other.',
    placeholder: 'ID',
  }),
  EMULATOR_LOG: withDefault('info', {
    flag: 'log-level',
    schema: choice(...LOG_LEVELS),
    description: 'The least serious log lines shown; debug has one per request.',
    placeholder: LOG_LEVELS.join('|'),
  }),
  EMULATOR_LOG_FORMAT: withDefault('text', {
    flag: 'log-format',
    schema: choice('text', 'json'),
    description: 'Log lines for people or for machines.',
    placeholder: 'text|json',
  }),
  EMULATOR_STORAGE_MODE: withDefault('memory', {
    flag: 'storage-mode',
    schema: choice('memory', 'persistent'),
    description: 'Keep state in memory only, or in --data-path as well.',
    placeholder: 'memory|persistent',
  }),
  EMULATOR_DATA_PATH: optional('none', {
    flag: 'data-path',
    schema: text('a directory'),
    description: 'Directory of persisted state; required by --storage-mode persistent.',
    placeholder: 'DIR',
  }),
  EMULATOR_SYNC: withDefault('false', {
    flag: 'sync',
    schema: boolean,
    description: 'In persistent mode, flush changes to the disk itself (fsync) before replies.',
    boolean: true,
  }),
  EMULATOR_VERIFY_SIGV4: withDefault('false', {
    flag: 'verify-sigv4',
    schema: boolean,
    description: 'Verify the signatures of requests.',
    boolean: true,
  }),
  EMULATOR_ENFORCE_IAM: withDefault('false', {
    flag: 'enforce-iam',
    schema: boolean,
    description: 'Enforce the policies of IAM and of resources for every request.',
    boolean: true,
  }),
  EMULATOR_DOMAIN: withDefault('emulator.localhost', {
    flag: 'domain',
    schema: matching(DOMAIN, 'a domain name in lower case'),
    description: 'Domain D of host names <service>.<region>.localhost.D.',
    placeholder: 'DOMAIN',
  }),
  EMULATOR_ALLOW_REMOTE: derived('false; true where --addr is given, and where Pods have to reach emu', {
    flag: 'allow-remote',
    schema: boolean,
    description: 'Answer other machines, not only this one with its containers and virtual machines.',
    boolean: true,
  }),
  EMULATOR_ALLOW_HOSTS: withDefault('', {
    flag: 'allow-host',
    schema: list(hostPattern),
    description: 'Answer requests to this host name too; *.NAME is every name below it, * every name. May be repeated.',
    placeholder: 'NAME',
    repeatable: true,
  }),
  EMULATOR_ALLOW_ORIGINS: withDefault('', {
    flag: 'allow-origin',
    schema: list(originPattern),
    description:
      'Let web pages of this origin use emu, such as https://app.example.com; * stands for any part, alone for every origin but null. May be repeated.',
    placeholder: 'ORIGIN',
    repeatable: true,
  }),
  EMULATOR_ALLOW_CONTAINER_ORIGINS: withDefault('false', {
    schema: boolean,
    description:
      'Let web pages of hosts of one label use emu, as those of other containers of a Compose project are. Meant for container images.',
  }),
  EMULATOR_SEED: optional('none: ids are random', {
    flag: 'seed',
    schema: text('some text'),
    description: 'Make generated ids reproducible.',
    placeholder: 'TEXT',
  }),
  EMULATOR_INIT_DIR: optional('none', {
    flag: 'init',
    schema: text('a directory'),
    description: 'Directory of scripts (.sh, .js, .mjs, .cjs) that run once emu is ready, in the order of their names.',
    placeholder: 'DIR',
  }),
  EMULATOR_INIT_STRICT: withDefault('false', {
    flag: 'init-strict',
    schema: boolean,
    description: 'End emu when a script of --init fails.',
    boolean: true,
  }),
  EMULATOR_MAX_REQUEST_BODY_BYTES: withDefault('1073741824', {
    schema: integer(1, ' of bytes'),
    description: 'Largest request body kept in memory; a larger one is answered with 413. Streamed uploads are exempt.',
    placeholder: 'BYTES',
  }),
  EMULATOR_EXTERNAL_URL: optional('the Host header of the request', {
    schema: baseUrl,
    description: 'Base URL of the queue URLs that emu returns.',
    placeholder: 'URL',
  }),
  EMULATOR_CREDENTIALS_ROLE_ARN: derived('arn:<partition>:iam::<account>:role/emulator', {
    flag: 'credentials-role-arn',
    schema: matching(/^arn:[a-z-]+:iam::\d{12}:role\/\S+$/, 'the ARN of a role'),
    description: 'Role whose credentials GET /_emulator/credentials hands out.',
    placeholder: 'ARN',
  }),
  EMULATOR_IMDS_INSTANCE_ID: optional('a made-up i-… id', {
    flag: 'imds-instance-id',
    schema: matching(/^i-[0-9a-f]{8}([0-9a-f]{9})?$/, 'i- and 17 (or 8) hexadecimal digits'),
    description: 'Instance id that the metadata service reports.',
    placeholder: 'ID',
  }),
  EMULATOR_IMDS_LINK_LOCAL: withDefault('false', {
    flag: 'imds-link-local',
    schema: boolean,
    description:
      'Also serve metadata at 169.254.169.254:80 and credentials at 169.254.170.2:80; needs root and both addresses on the loopback interface.',
    boolean: true,
  }),
  EMULATOR_S3_CACHE_SIZE: withDefault('268435456', {
    flag: 's3-cache-size',
    schema: integer(0, ' of bytes'),
    description: 'Memory for recently read object bodies in persistent mode.',
    placeholder: 'BYTES',
    services: ['s3'],
  }),
  EMULATOR_S3_EAGER_DELIVERY: withDefault('false', {
    schema: boolean,
    description:
      'Deliver server access logs, inventory reports (CSV, Parquet), storage class analyses and S3 Storage Lens exports into their buckets.',
    services: ['s3'],
  }),
  EMULATOR_DYNAMODB_IMPORT_PATH: optional('none', {
    flag: 'dynamodb-import-path',
    schema: text('a directory'),
    description:
      'Export directory (with manifest-summary.json) to load as a new table at start-up; goes with --dynamodb-import-describe-table.',
    placeholder: 'DIR',
    services: ['dynamodb'],
  }),
  EMULATOR_DYNAMODB_DESCRIBE_TABLE: optional('none', {
    flag: 'dynamodb-import-describe-table',
    schema: text('a file'),
    description: 'Output of describe-table as JSON: the shape of the table that --dynamodb-import-path loads.',
    placeholder: 'FILE',
    services: ['dynamodb'],
  }),
  EMULATOR_DYNAMODB_IMPORT_DIR: optional('none', {
    flag: 'dynamodb-import-dir',
    schema: text('a directory'),
    description: 'Directory of export directories, each with its describe-table.json; each is loaded as a new table.',
    placeholder: 'DIR',
    services: ['dynamodb'],
  }),
  EMULATOR_DNS: withDefault('false', {
    flag: 'dns',
    schema: boolean,
    description: 'Run a DNS resolver that answers from the emulated zones.',
    boolean: true,
    services: ['route53'],
  }),
  EMULATOR_DNS_ADDR: withDefault('0.0.0.0:53', {
    flag: 'dns-addr',
    schema: address,
    description: 'Address of the resolver, UDP and TCP; only with --dns. Port 53 needs root.',
    placeholder: 'HOST:PORT',
    services: ['route53'],
  }),
  EMULATOR_DNS_UPSTREAM: optional("the system's first nameserver that is not a loopback address, else 8.8.8.8:53", {
    flag: 'dns-upstream',
    schema: address,
    description: 'Resolver of names in no emulated zone; only with --dns.',
    placeholder: 'HOST:PORT',
    services: ['route53'],
  }),
  EMULATOR_ENFORCE_QUOTAS: withDefault('false', {
    flag: 'enforce-quotas',
    schema: boolean,
    description: 'Enforce every quota that can be checked.',
    boolean: true,
    services: ['service-quotas'],
  }),
  EMULATOR_ENFORCE_QUOTA: withDefault('', {
    flag: 'enforce-quota',
    schema: quotas,
    description: 'Enforce one quota; may be repeated.',
    placeholder: 'SERVICE/QUOTA',
    repeatable: true,
    services: ['service-quotas'],
  }),
  EMULATOR_IGNORE_QUOTA: withDefault('', {
    flag: 'ignore-quota',
    schema: quotas,
    description: 'Never enforce one quota; may be repeated.',
    placeholder: 'SERVICE/QUOTA',
    repeatable: true,
    services: ['service-quotas'],
  }),
  EMULATOR_QUOTA_REQUESTS: withDefault('auto', {
    flag: 'quota-requests',
    schema: choice('auto', 'manual'),
    description: 'Decide on quota increases at once, or leave them to the control routes.',
    placeholder: 'auto|manual',
    services: ['service-quotas'],
  }),
  EMULATOR_CLOUDFRONT_DISABLE_DATAPLANE: withDefault('false', {
    schema: boolean,
    description: 'Do not serve distributions on the main address.',
    services: ['cloudfront'],
  }),
  ...CONTAINER_OPTIONS,
};

/** Name of an option: its environment variable. */
export type OptionName = keyof typeof OPTIONS;

/** The value of every option, by its environment variable. */
export interface OptionValues extends ValuesOf<typeof OPTIONS> {}

/** The options with their names, in the order in which help shows them. */
export const OPTION_ENTRIES = Object.entries(OPTIONS) as [OptionName, Option<unknown>][];

/** `--addr` for an option that has a flag, else its variable: how messages call it. */
export const nameOf = (name: OptionName): string => {
  const { flag } = OPTIONS[name];
  return flag === undefined ? name : `--${flag}`;
};
