import { createHash } from 'node:crypto';
import type { DocumentType } from '@emu/service-types/ssm';
import type { JsonObject } from './content.ts';
import type { DocumentRecord } from './records.ts';
import { checkContent } from './validation.ts';

/** Creation time of AWS's documents, in epoch milliseconds. */
const CREATED = Date.UTC(2017, 0, 1);

const TIMEOUT = '([1-9][0-9]{0,4})|(1[0-6][0-9]{4})|(17[0-1][0-9]{3})|(172[0-7][0-9]{2})|(172800)';

/** Returns a document of schema version 1.2 that runs commands in a shell. */
const shellDocument = (plugin: string, description: string): JsonObject => ({
  schemaVersion: '1.2',
  description,
  parameters: {
    commands: {
      type: 'StringList',
      description: '(Required) The commands or script lines to run.',
      minItems: 1,
      displayType: 'textarea',
    },
    workingDirectory: {
      type: 'String',
      default: '',
      description: '(Optional) The working directory for the commands.',
      maxChars: 4096,
    },
    executionTimeout: {
      type: 'String',
      default: '3600',
      description:
        '(Optional) The timeout of the commands in seconds: 3600 (one hour) by default, at most 172800 (48 hours).',
      allowedPattern: TIMEOUT,
    },
  },
  runtimeConfig: {
    [plugin]: {
      properties: [
        {
          id: `0.${plugin}`,
          runCommand: '{{ commands }}',
          workingDirectory: '{{ workingDirectory }}',
          timeoutSeconds: '{{ executionTimeout }}',
        },
      ],
    },
  },
});

const text = (description: string, more: JsonObject = {}): JsonObject => ({ type: 'String', description, ...more });

const patchStep = (platform: string, plugin: string): JsonObject => ({
  precondition: { StringEquals: ['platformType', platform] },
  action: plugin,
  name: `Patch${platform}`,
  inputs: { timeoutSeconds: 7200, runCommand: ['echo "There is no patch engine on this node."', 'exit 1'] },
});

const PATCH_BASELINE: JsonObject = {
  schemaVersion: '2.2',
  description: 'Scans nodes for patches missing according to their patch baseline, or installs them.',
  parameters: {
    Operation: text('(Required) Scan looks for missing patches, Install installs them.', {
      allowedValues: ['Scan', 'Install'],
    }),
    AssociationId: text('(Optional) The id of the association that the run belongs to.', {
      default: '',
      allowedPattern: '([a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{12})?',
    }),
    SnapshotId: text('(Optional) The id of a snapshot of the patches, for the same ones on every node.', {
      default: '',
      allowedPattern: '(^$)|^[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$',
    }),
    InstallOverrideList: text('(Optional) URL of a list of the patches to install instead of those of the baseline.', {
      default: '',
      allowedPattern: '(^$)|^https://.+$|^s3://([^/]+)/(.*?([^/]+))$',
    }),
    BaselineOverride: text('(Optional) S3 URL of patch baselines that take the place of the registered ones.', {
      default: '',
      allowedPattern: '(^$)|^s3://([^/]+)/(.*?([^/]+))$',
    }),
    RebootOption: text('(Optional) Whether a node restarts after an installation that requires it.', {
      allowedValues: ['RebootIfNeeded', 'NoReboot'],
      default: 'RebootIfNeeded',
    }),
  },
  mainSteps: [
    patchStep('Windows', 'aws:runPowerShellScript'),
    patchStep('Linux', 'aws:runShellScript'),
    patchStep('MacOS', 'aws:runShellScript'),
  ],
};

const SESSION: JsonObject = {
  schemaVersion: '1.0',
  description: 'Preferences of Session Manager in this Region.',
  sessionType: 'Standard_Stream',
  inputs: {
    s3BucketName: '',
    s3KeyPrefix: '',
    s3EncryptionEnabled: true,
    cloudWatchLogGroupName: '',
    cloudWatchEncryptionEnabled: true,
    cloudWatchStreamingEnabled: true,
    kmsKeyId: '',
    runAsEnabled: false,
    runAsDefaultUser: '',
    idleSessionTimeout: '20',
    maxSessionDuration: '',
    shellProfile: { windows: '', linux: '' },
  },
};

function owned(name: string, type: DocumentType, content: JsonObject): DocumentRecord {
  const json = JSON.stringify(content, null, 2);
  return {
    name,
    type,
    defaultVersion: 1,
    shares: { all: '$DEFAULT' },
    tags: {},
    versions: [
      {
        version: 1,
        content: json,
        format: 'JSON',
        hash: createHash('sha256').update(json).digest('hex'),
        ...(type === 'Command' && { targetType: '/AWS::EC2::Instance' }),
        summary: checkContent(json, 'JSON', type).summary,
        attachments: [],
        createdAt: CREATED,
        author: 'Amazon',
        reviews: [],
      },
    ],
  };
}

/**
 * Supported documents owned by AWS, with emu's own texts.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/documents-command-ssm-plugin-reference.html
 */
export const OWNED: Readonly<Record<string, DocumentRecord>> = Object.fromEntries(
  [
    owned('AWS-RunPatchBaseline', 'Command', PATCH_BASELINE),
    owned(
      'AWS-RunPowerShellScript',
      'Command',
      shellDocument('aws:runPowerShellScript', 'Runs a PowerShell script, or the commands that are given.'),
    ),
    owned(
      'AWS-RunShellScript',
      'Command',
      shellDocument('aws:runShellScript', 'Runs a shell script, or the commands that are given.'),
    ),
    owned('SSM-SessionManagerRunShell', 'Session', SESSION),
  ].map((record) => [record.name, record]),
);
