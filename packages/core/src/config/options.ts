import { isRegionName, partitionOf } from '../aws/partitions.ts';
import { LOG_LEVELS } from '../base/log.ts';
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
const quotas = list(matching(/^[a-z0-9.-]+\/L-[0-9A-F]{8}$/, 'SERVICE_CODE/QUOTA_CODE, such as sns/L-61103206'));
const regionName = { test: isRegionName } as RegExp;

/** Default account and region of requests. */
const PLACE_OPTIONS = {
  EMULATOR_REGION: withDefault('us-east-1', {
    flag: 'region',
    schema: matching(regionName, 'the name of a region, such as eu-central-1'),
    description: 'Default region, for requests without one.',
    placeholder: 'REGION',
  }),
  EMULATOR_ACCOUNT_ID: withDefault('123456789012', {
    flag: 'account-id',
    schema: matching(/^\d{12}$/, '12 digits'),
    description: 'Default account, for access keys that belong to no other account.',
    placeholder: 'ID',
  }),
};

/** The settings of emu by environment variable, except those of services, which manifests declare. */
export const OPTIONS = {
  EMULATOR_ADDR: withDefault('0.0.0.0:4566', {
    flag: 'addr',
    schema: address,
    description: 'Address and port to listen on; port 0 takes any free one.',
    placeholder: 'HOST:PORT',
  }),
  ...PLACE_OPTIONS,
  EMULATOR_CONFIG: optional('emu.toml in the working directory, if it exists', {
    flag: 'config',
    schema: text('a file'),
    description: 'TOML file of settings, named like the flags; flags and variables take precedence.',
    placeholder: 'FILE',
  }),
  EMULATOR_LOG: withDefault('info', {
    flag: 'log-level',
    schema: choice(...LOG_LEVELS),
    description: 'Minimum level of log lines; debug adds one line per request.',
    placeholder: LOG_LEVELS.join('|'),
  }),
  EMULATOR_LOG_FORMAT: withDefault('text', {
    flag: 'log-format',
    schema: choice('text', 'json'),
    description: 'Format of log lines.',
    placeholder: 'text|json',
  }),
  EMULATOR_STORAGE_MODE: withDefault('memory', {
    flag: 'storage-mode',
    schema: choice('memory', 'persistent'),
    description: 'Store state in memory only, or also in --data-path.',
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
    description: 'In persistent mode, flush changes to the disk (fsync) before each response.',
    boolean: true,
  }),
  EMULATOR_NO_RESUME: withDefault('false', {
    flag: 'no-resume',
    schema: boolean,
    description:
      'Start from persisted state without resuming interrupted work, such as executions, stacks and deliveries; the log lists it.',
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
    description: 'Enforce IAM policies and resource policies for every request.',
    boolean: true,
  }),
  EMULATOR_ENFORCE_QUOTAS: withDefault('false', {
    flag: 'enforce-quotas',
    schema: boolean,
    description: 'Enforce every quota that can be checked.',
    boolean: true,
  }),
  EMULATOR_ENFORCE_QUOTA: withDefault('', {
    flag: 'enforce-quota',
    schema: quotas,
    description: 'Enforce one quota; may be repeated.',
    placeholder: 'SERVICE/QUOTA',
    repeatable: true,
  }),
  EMULATOR_IGNORE_QUOTA: withDefault('', {
    flag: 'ignore-quota',
    schema: quotas,
    description: 'Never enforce one quota; may be repeated.',
    placeholder: 'SERVICE/QUOTA',
    repeatable: true,
  }),
  EMULATOR_DOMAIN: withDefault('emulator.localhost', {
    flag: 'domain',
    schema: matching(DOMAIN, 'a domain name in lower case'),
    description: 'Domain D of host names <service>.<region>.localhost.D.',
    placeholder: 'DOMAIN',
  }),
  // Its default depends on the source of other settings: `resolveConfig` computes it.
  EMULATOR_ALLOW_REMOTE: optional('false; true with --addr, and if Pods must reach emu', {
    flag: 'allow-remote',
    schema: boolean,
    description: 'Accept requests from other machines, not only from this one and its containers and virtual machines.',
    boolean: true,
  }) as Option<boolean>,
  EMULATOR_ALLOW_HOSTS: withDefault('', {
    flag: 'allow-host',
    schema: list(hostPattern),
    description:
      'Also accept requests to this host name; *.NAME matches every name below it, and * every name. May be repeated.',
    placeholder: 'NAME',
    repeatable: true,
  }),
  EMULATOR_AWS_NAMES: withDefault('true', {
    flag: 'aws-names',
    schema: boolean,
    description:
      "Lead AWS's host names, such as sqs.us-east-1.amazonaws.com, to emu, in functions and in requests that emu sends for users.",
    boolean: true,
  }),
  EMULATOR_AWS_NAMES_EXCEPT: withDefault(
    'checkip.amazonaws.com,ip-ranges.amazonaws.com,truststore.pki.rds.amazonaws.com',
    {
      flag: 'aws-names-except',
      schema: list(hostPattern),
      description:
        'Host name of AWS that leads to AWS itself, in spite of --aws-names; *.NAME matches every name below it. May be repeated.',
      placeholder: 'NAME',
      repeatable: true,
    },
  ),
  EMULATOR_ALLOW_ORIGINS: withDefault('', {
    flag: 'allow-origin',
    schema: list(originPattern),
    description:
      'Accept requests of web pages of this origin, such as https://app.example.com; * matches any part, and alone every origin except null. May be repeated.',
    placeholder: 'ORIGIN',
    repeatable: true,
  }),
  EMULATOR_ALLOW_CONTAINER_ORIGINS: withDefault('false', {
    schema: boolean,
    description:
      'Accept requests of web pages whose host name is a single label, such as other containers of a Compose project. Intended for container images.',
  }),
  EMULATOR_FORWARD: withDefault('', {
    flag: 'forward',
    schema: list(matching(/^[a-z][a-z0-9-]*!?$/, 'names of services, such as bedrock,textract')),
    description:
      'Pass requests of a service that emu does not have on to AWS, signed with your credentials; with ! after its name also one that emu has. May be repeated.',
    placeholder: 'SERVICE',
    repeatable: true,
  }),
  EMULATOR_FORWARD_READ_ONLY: withDefault('false', {
    flag: 'forward-read-only',
    schema: boolean,
    description:
      'Of the services of --forward, admit only operations that begin with Get, List, Describe, Head or BatchGet.',
    boolean: true,
  }),
  EMULATOR_SEED: optional('none: ids are random', {
    flag: 'seed',
    schema: text('some text'),
    description: 'Make generated ids reproducible.',
    placeholder: 'TEXT',
  }),
  EMULATOR_INIT_DIR: withDefault('', {
    flag: 'init',
    schema: list(text('a directory')),
    description:
      'Directory of scripts to run when emu is ready, in the order of their names; its subdirectories boot.d, start.d, ready.d and shutdown.d contain scripts for those stages. May be repeated.',
    placeholder: 'DIR',
    repeatable: true,
  }),
  EMULATOR_INIT_AFTER_RESET: withDefault('false', {
    flag: 'init-after-reset',
    schema: boolean,
    description: 'Run the scripts of --init again after a reset of all state.',
    boolean: true,
  }),
  EMULATOR_INIT_STRICT: withDefault('false', {
    flag: 'init-strict',
    schema: boolean,
    description: 'Stop emu if a script of --init fails.',
    boolean: true,
  }),
  EMULATOR_MAX_REQUEST_BODY_BYTES: withDefault('1073741824', {
    schema: integer(1, ' of bytes'),
    description:
      'Maximum size of a request body in memory; a larger one is rejected with 413. Streamed uploads are exempt.',
    placeholder: 'BYTES',
  }),
  EMULATOR_REQUEST_HEAD_TIMEOUT_MS: withDefault('20000', {
    schema: integer(1, ' of milliseconds'),
    description: 'Timeout for the request line and headers; after it emu responds 408 and closes the connection.',
    placeholder: 'MILLISECONDS',
  }),
  EMULATOR_EXTERNAL_URL: optional('the Host header of the request', {
    schema: baseUrl,
    description: 'Base URL of the queue URLs that emu returns.',
    placeholder: 'URL',
  }),
  EMULATOR_RECORD_REQUESTS: withDefault('false', {
    flag: 'record-requests',
    schema: boolean,
    description: 'Record the latest requests from the start, for `emu requests` and GET /_emulator/requests.',
    boolean: true,
  }),
  EMULATOR_RECORD_BYTES: withDefault('16777216', {
    schema: integer(0, ' of bytes'),
    description: 'Maximum memory for recorded requests.',
    placeholder: 'BYTES',
  }),
  EMULATOR_CREDENTIALS_ROLE_ARN: derived('arn:<partition>:iam::<account>:role/emulator', {
    flag: 'credentials-role-arn',
    schema: matching(/^arn:[a-z-]+:iam::\d{12}:role\/\S+$/, 'the ARN of a role'),
    description: 'Role whose credentials GET /_emulator/credentials returns.',
    placeholder: 'ARN',
    from: (settings): string => {
      const { EMULATOR_REGION: region, EMULATOR_ACCOUNT_ID: accountId } = settings.of(PLACE_OPTIONS);
      return `arn:${partitionOf(region)}:iam::${accountId}:role/emulator`;
    },
  }),
  EMULATOR_IMDS_INSTANCE_ID: optional('a generated i-… id', {
    flag: 'imds-instance-id',
    schema: matching(/^i-[0-9a-f]{8}([0-9a-f]{9})?$/, 'i- and 17 (or 8) hexadecimal digits'),
    description: 'Instance id that the metadata service reports.',
    placeholder: 'ID',
  }),
  EMULATOR_IMDS_LINK_LOCAL: withDefault('false', {
    flag: 'imds-link-local',
    schema: boolean,
    description:
      'Also serve metadata at 169.254.169.254:80 and credentials at 169.254.170.2:80; requires root and both addresses on the loopback interface.',
    boolean: true,
  }),
};

/** The values of emu's own options, by environment variable. */
export interface OptionValues extends ValuesOf<typeof OPTIONS> {}
