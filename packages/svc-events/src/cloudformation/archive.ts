import { defined, defineProvider, documentValue, omit, type Properties, pick, run, unless } from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };

const GONE = 'ResourceNotFoundException';

interface ArchiveProperties extends Properties {
  ArchiveName?: string;
  EventPattern?: unknown;
  KmsKeyIdentifier?: string;
  SourceArn: string;
}

interface NamedProperties extends Properties {
  Name?: string;
}

const patternText = (pattern: unknown) => (pattern === undefined ? undefined : textOf(pattern));

/**
 * Event archives.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-events-archive.html
 */
export const archive: AnyResourceProvider = defineProvider<ArchiveProperties>({
  typeName: 'AWS::Events::Archive',
  model,
  handles: ['ArchiveName', 'Description', 'EventPattern', 'KmsKeyIdentifier', 'RetentionDays', 'SourceArn'],

  async create({ SourceArn, EventPattern, ...properties }, ctx) {
    const ArchiveName = properties.ArchiveName ?? ctx.name();
    const made = await run(ctx, 'events', 'CreateArchive', {
      ...properties,
      ArchiveName,
      EventSourceArn: SourceArn,
      EventPattern: patternText(EventPattern),
    });
    return { identifier: ArchiveName, attributes: { Arn: made.ArchiveArn } };
  },

  async read(ArchiveName, ctx) {
    const found = await unless(ctx.call('events', 'DescribeArchive', { ArchiveName }), GONE);
    if (!found) return undefined;
    return {
      properties: defined({
        ArchiveName,
        Description: found.Description || undefined,
        EventPattern: documentValue(found.EventPattern),
        KmsKeyIdentifier: found.KmsKeyIdentifier,
        RetentionDays: found.RetentionDays || undefined,
        SourceArn: found.EventSourceArn!,
      }),
      attributes: { Arn: found.ArchiveArn },
    };
  },

  async update(
    ArchiveName,
    _previous,
    { Description = '', EventPattern, KmsKeyIdentifier = '', RetentionDays = 0 },
    ctx,
  ) {
    await run(ctx, 'events', 'UpdateArchive', {
      ArchiveName,
      Description,
      KmsKeyIdentifier,
      RetentionDays,
      // Without a pattern every event is archived. CloudFormation expresses this as an empty pattern of the source.
      EventPattern: patternText(EventPattern) ?? '{"account":[{"exists":true}]}',
    });
  },

  async delete(ArchiveName, _properties, ctx) {
    await unless(ctx.call('events', 'DeleteArchive', { ArchiveName }), GONE);
  },
});

const connectionOf = (Name: string, ctx: ProviderContext) =>
  unless(ctx.call('events', 'DescribeConnection', { Name }), GONE);

/** Waits until the authorization of a connection has succeeded or failed. */
const settled = (Name: string, ctx: ProviderContext) =>
  ctx.until(async () => !/ING$/.test((await connectionOf(Name, ctx))?.ConnectionState ?? ''), { interval: 20 });

/**
 * Connections for API destinations.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-events-connection.html
 */
export const connection: AnyResourceProvider = defineProvider<NamedProperties>({
  typeName: 'AWS::Events::Connection',
  model,
  handles: ['AuthParameters', 'AuthorizationType', 'Description', 'KmsKeyIdentifier', 'Name'],

  async create(properties, ctx) {
    const Name = properties.Name ?? ctx.name();
    await run(ctx, 'events', 'CreateConnection', { ...properties, Name });
    ctx.created(Name);
    await settled(Name, ctx);
    return { identifier: Name };
  },

  async read(Name, ctx) {
    const found = await connectionOf(Name, ctx);
    if (!found || found.ConnectionState === 'DELETING') return undefined;
    const Arn = found.ConnectionArn;
    return {
      properties: {
        ...pick(found, ['AuthParameters', 'AuthorizationType', 'KmsKeyIdentifier', 'Name']),
        ...named(found),
      },
      attributes: { Arn, ArnForPolicy: Arn?.replace(/\/[^/]*$/, ''), SecretArn: found.SecretArn },
    };
  },

  async update(Name, _previous, desired, ctx) {
    await run(ctx, 'events', 'UpdateConnection', { Description: '', KmsKeyIdentifier: '', ...desired, Name });
    await settled(Name, ctx);
  },

  async delete(Name, _properties, ctx) {
    await unless(ctx.call('events', 'DeleteConnection', { Name }), GONE);
    await ctx.until(async () => (await connectionOf(Name, ctx)) === undefined, { interval: 20 });
  },
});

const named = ({ Description }: { Description?: string | undefined }) => (Description ? { Description } : {});

/**
 * API destinations.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-events-apidestination.html
 */
export const apiDestination: AnyResourceProvider = defineProvider<NamedProperties>({
  typeName: 'AWS::Events::ApiDestination',
  model,
  handles: ['ConnectionArn', 'Description', 'HttpMethod', 'InvocationEndpoint', 'InvocationRateLimitPerSecond', 'Name'],

  async create(properties, ctx) {
    const Name = properties.Name ?? ctx.name();
    await run(ctx, 'events', 'CreateApiDestination', { ...properties, Name });
    return { identifier: Name };
  },

  async read(Name, ctx) {
    const found = await unless(ctx.call('events', 'DescribeApiDestination', { Name }), GONE);
    if (!found) return undefined;
    const Arn = found.ApiDestinationArn;
    return {
      properties: {
        ...pick(found, ['ConnectionArn', 'HttpMethod', 'InvocationEndpoint', 'InvocationRateLimitPerSecond', 'Name']),
        ...named(found),
      },
      attributes: { Arn, ArnForPolicy: Arn?.replace(/\/[^/]*$/, '') },
    };
  },

  async update(Name, _previous, desired, ctx) {
    const defaults = { Description: '', InvocationRateLimitPerSecond: 300 };
    await run(ctx, 'events', 'UpdateApiDestination', { ...defaults, ...omit(desired, 'Name'), Name });
  },

  async delete(Name, _properties, ctx) {
    await unless(ctx.call('events', 'DeleteApiDestination', { Name }), GONE);
  },
});
