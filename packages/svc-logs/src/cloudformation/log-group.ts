import {
  defined,
  defineProvider,
  documentValue,
  everyItem,
  identifierOf,
  identifierParts,
  run,
  sameValue,
  type TaggedProperties,
  unless,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext, tagMap } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { tagsOf } from './tags.ts';

const GONE = 'ResourceNotFoundException';

interface LogGroupProperties extends TaggedProperties {
  DataProtectionPolicy?: unknown;
  DeletionProtectionEnabled?: boolean;
  FieldIndexPolicies?: readonly unknown[];
  KmsKeyId?: string;
  LogGroupClass?: string;
  LogGroupName?: string;
  RetentionInDays?: number;
}

interface LogStreamProperties {
  LogGroupName: string;
  LogStreamName?: string;
}

const groupOf = async (name: string, ctx: ProviderContext) =>
  (await ctx.call('logs', 'DescribeLogGroups', { logGroupNamePrefix: name })).logGroups?.find(
    ({ logGroupName }) => logGroupName === name,
  );

/** Applies settings that have their own operations. */
async function changeGroup(
  logGroupName: string,
  previous: LogGroupProperties,
  desired: LogGroupProperties,
  ctx: ProviderContext,
): Promise<void> {
  const {
    RetentionInDays: retentionInDays,
    KmsKeyId: kmsKeyId,
    DataProtectionPolicy,
    DeletionProtectionEnabled,
  } = desired;
  if (previous.RetentionInDays !== retentionInDays)
    await (retentionInDays === undefined
      ? ctx.call('logs', 'DeleteRetentionPolicy', { logGroupName })
      : ctx.call('logs', 'PutRetentionPolicy', { logGroupName, retentionInDays }));
  if (previous.KmsKeyId !== kmsKeyId)
    await (kmsKeyId === undefined
      ? ctx.call('logs', 'DisassociateKmsKey', { logGroupName })
      : ctx.call('logs', 'AssociateKmsKey', { logGroupName, kmsKeyId }));
  if (!sameValue(previous.DataProtectionPolicy, DataProtectionPolicy))
    await (DataProtectionPolicy === undefined
      ? ctx.call('logs', 'DeleteDataProtectionPolicy', { logGroupIdentifier: logGroupName })
      : ctx.call('logs', 'PutDataProtectionPolicy', {
          logGroupIdentifier: logGroupName,
          policyDocument: textOf(DataProtectionPolicy),
        }));
  const index = desired.FieldIndexPolicies?.[0];
  if (!sameValue(previous.FieldIndexPolicies?.[0], index))
    await (index === undefined
      ? ctx.call('logs', 'DeleteIndexPolicy', { logGroupIdentifier: logGroupName })
      : ctx.call('logs', 'PutIndexPolicy', { logGroupIdentifier: logGroupName, policyDocument: textOf(index) }));
  if ((previous.DeletionProtectionEnabled ?? false) !== (DeletionProtectionEnabled ?? false))
    await ctx.call('logs', 'PutLogGroupDeletionProtection', {
      logGroupIdentifier: logGroupName,
      deletionProtectionEnabled: DeletionProtectionEnabled ?? false,
    });
}

/**
 * Log groups.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-logs-loggroup.html
 */
export const logGroup: AnyResourceProvider = defineProvider<LogGroupProperties>({
  typeName: 'AWS::Logs::LogGroup',
  model,
  handles: [
    'DataProtectionPolicy',
    'DeletionProtectionEnabled',
    'FieldIndexPolicies',
    'KmsKeyId',
    'LogGroupClass',
    'LogGroupName',
    'RetentionInDays',
    'Tags',
  ],

  async create(properties, ctx) {
    const logGroupName = properties.LogGroupName ?? ctx.name();
    await run(ctx, 'logs', 'CreateLogGroup', {
      logGroupName,
      kmsKeyId: properties.KmsKeyId,
      logGroupClass: properties.LogGroupClass,
      tags: tagMap(properties.Tags),
    });
    ctx.created(logGroupName);
    await changeGroup(logGroupName, { KmsKeyId: properties.KmsKeyId! }, properties, ctx);
    return { identifier: logGroupName };
  },

  async read(LogGroupName, ctx) {
    const found = await groupOf(LogGroupName, ctx);
    if (!found) return undefined;
    const at = { logGroupIdentifier: LogGroupName };
    const standard = found.logGroupClass === 'STANDARD';
    const protection = standard ? await ctx.call('logs', 'GetDataProtectionPolicy', at) : undefined;
    const { indexPolicies } = await ctx.call('logs', 'DescribeIndexPolicies', { logGroupIdentifiers: [LogGroupName] });
    const index = indexPolicies?.find(({ source }) => source === 'LOG_GROUP')?.policyDocument;
    return {
      properties: defined({
        LogGroupName,
        DataProtectionPolicy: documentValue(protection?.policyDocument),
        DeletionProtectionEnabled: found.deletionProtectionEnabled ?? false,
        FieldIndexPolicies: index === undefined ? undefined : [documentValue(index)],
        KmsKeyId: found.kmsKeyId,
        LogGroupClass: found.logGroupClass,
        RetentionInDays: found.retentionInDays,
        Tags: await tagsOf(found.logGroupArn!, ctx),
      }) as LogGroupProperties,
      attributes: { Arn: found.arn },
    };
  },

  async update(logGroupName, previous, desired, ctx) {
    await changeGroup(logGroupName, previous, desired, ctx);
    if (sameValue(previous.Tags, desired.Tags)) return;
    const resourceArn = (await groupOf(logGroupName, ctx))!.logGroupArn!;
    await changeTagsOf(resourceArn, previous, desired, ctx);
  },

  async delete(logGroupName, _properties, ctx) {
    await unless(ctx.call('logs', 'DeleteLogGroup', { logGroupName }), GONE);
  },

  list: (ctx) =>
    everyItem(async (nextToken) => {
      const page = await ctx.call('logs', 'DescribeLogGroups', defined({ nextToken }));
      return [page.logGroups?.map((found) => found.logGroupName!), page.nextToken] as const;
    }),
});

/**
 * Log streams.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-logs-logstream.html
 */
export const logStream: AnyResourceProvider = defineProvider<LogStreamProperties>({
  typeName: 'AWS::Logs::LogStream',
  model,
  handles: ['LogGroupName', 'LogStreamName'],

  async create({ LogGroupName: logGroupName, LogStreamName }, ctx) {
    const logStreamName = LogStreamName ?? ctx.name();
    await ctx.call('logs', 'CreateLogStream', { logGroupName, logStreamName });
    return { identifier: identifierOf(logGroupName, logStreamName) };
  },

  async read(identifier, ctx) {
    const [logGroupName, name] = identifierParts(identifier, 2) as [string, string];
    const call = ctx.call('logs', 'DescribeLogStreams', { logGroupName, logStreamNamePrefix: name });
    const found = (await unless(call, GONE))?.logStreams?.find(({ logStreamName }) => logStreamName === name);
    return found && { properties: { LogGroupName: logGroupName, LogStreamName: name }, attributes: {} };
  },

  async delete(identifier, _properties, ctx) {
    const [logGroupName, logStreamName] = identifierParts(identifier, 2) as [string, string];
    await unless(ctx.call('logs', 'DeleteLogStream', { logGroupName, logStreamName }), GONE);
  },
});
