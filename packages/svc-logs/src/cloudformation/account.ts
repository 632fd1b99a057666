import {
  ask,
  defined,
  defineProvider,
  differs,
  identifierOf,
  lowerNames,
  omit,
  type Properties,
  run,
  type TaggedProperties,
  upperNames,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext, tagMap } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { GONE, tagsOf } from './tags.ts';

interface PolicyProperties extends Properties {
  readonly PolicyName: string;
  readonly PolicyType: string;
}

interface DestinationProperties extends TaggedProperties {
  readonly DestinationName: string;
  readonly DestinationPolicy?: string;
  readonly RoleArn: string;
  readonly TargetArn: string;
}

interface TransformerProperties extends Properties {
  readonly LogGroupIdentifier: string;
}

interface IntegrationProperties extends Properties {
  readonly IntegrationName: string;
}

const putPolicy = (properties: Properties, ctx: ProviderContext) =>
  run(ctx, 'logs', 'PutAccountPolicy', lowerNames(properties) as Properties);

/**
 * Policies for all log groups of the account.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-logs-accountpolicy.html
 */
export const accountPolicy: AnyResourceProvider = defineProvider<PolicyProperties>({
  typeName: 'AWS::Logs::AccountPolicy',
  model,
  service: 'logs',
  handles: ['PolicyDocument', 'PolicyName', 'PolicyType', 'Scope', 'SelectionCriteria'],
  key: ['accountId', 'policyType', 'policyName'],
  gone: GONE,

  async create(properties, ctx) {
    await putPolicy(properties, ctx);
    const identifier = identifierOf(ctx.accountId, properties.PolicyType, properties.PolicyName);
    return { identifier, attributes: { AccountId: ctx.accountId } };
  },

  async find({ policyName, policyType }, ctx) {
    const { accountPolicies } = await run(ctx, 'logs', 'DescribeAccountPolicies', { policyName, policyType });
    return accountPolicies?.find((one) => one.policyName === policyName) as Properties | undefined;
  },

  describe: (found, { accountId }) => ({
    properties: upperNames(omit(found, 'accountId', 'lastUpdatedTime')) as Properties,
    attributes: { AccountId: accountId },
  }),

  update: (_key, _previous, desired, ctx) => putPolicy(desired, ctx),
  remove: ({ policyName, policyType }, _properties, ctx) =>
    run(ctx, 'logs', 'DeleteAccountPolicy', { policyName, policyType }),
});

/**
 * Destinations for subscriptions of other accounts.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-logs-destination.html
 */
export const destination: AnyResourceProvider = defineProvider<DestinationProperties>({
  typeName: 'AWS::Logs::Destination',
  model,
  service: 'logs',
  handles: ['DestinationName', 'DestinationPolicy', 'RoleArn', 'Tags', 'TargetArn'],
  key: ['destinationName'],
  gone: GONE,

  async create({ DestinationName: destinationName, DestinationPolicy, RoleArn, Tags, TargetArn }, ctx) {
    const input = { destinationName, roleArn: RoleArn, targetArn: TargetArn, tags: tagMap(Tags) };
    await run(ctx, 'logs', 'PutDestination', input);
    ctx.created(destinationName);
    if (DestinationPolicy !== undefined)
      await ctx.call('logs', 'PutDestinationPolicy', { destinationName, accessPolicy: DestinationPolicy });
    return destinationName;
  },

  async find({ destinationName }, ctx) {
    const found = await ctx.call('logs', 'DescribeDestinations', { DestinationNamePrefix: destinationName! });
    return found.destinations?.find((one) => one.destinationName === destinationName) as Properties | undefined;
  },

  describe: async (found, { destinationName }, ctx) => ({
    properties: defined({
      DestinationName: destinationName,
      DestinationPolicy: found.accessPolicy,
      RoleArn: found.roleArn,
      Tags: await tagsOf(found.arn as string, ctx),
      TargetArn: found.targetArn,
    }),
    attributes: { Arn: found.arn },
  }),

  async update({ destinationName: name }, previous, desired, ctx) {
    const destinationName = name!;
    const { DestinationPolicy, RoleArn: roleArn, TargetArn: targetArn } = desired;
    if (differs(previous, desired, 'RoleArn', 'TargetArn'))
      await ctx.call('logs', 'PutDestination', { destinationName, roleArn, targetArn });
    // The policy of a destination cannot be removed.
    if (DestinationPolicy !== undefined && differs(previous, desired, 'DestinationPolicy'))
      await ctx.call('logs', 'PutDestinationPolicy', { destinationName, accessPolicy: DestinationPolicy });
    const { destinations = [] } = await ctx.call('logs', 'DescribeDestinations', {
      DestinationNamePrefix: destinationName,
    });
    const found = destinations.find((one) => one.destinationName === destinationName);
    await changeTagsOf(found!.arn!, previous, desired, ctx);
  },

  remove: 'DeleteDestination',
  list: {
    operation: 'DescribeDestinations',
    token: ['nextToken', 'nextToken'],
    identifiers: ({ destinations }: { destinations?: { destinationName: string }[] }) =>
      destinations?.map(({ destinationName }) => destinationName),
  },
});

const putTransformer = ({ LogGroupIdentifier, TransformerConfig }: TransformerProperties, ctx: ProviderContext) =>
  run(ctx, 'logs', 'PutTransformer', {
    logGroupIdentifier: LogGroupIdentifier,
    transformerConfig: lowerNames(TransformerConfig),
  });

/**
 * Transformers of log groups, applied at ingestion.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-logs-transformer.html
 */
export const transformer: AnyResourceProvider = defineProvider<TransformerProperties>({
  typeName: 'AWS::Logs::Transformer',
  model,
  service: 'logs',
  handles: ['LogGroupIdentifier', 'TransformerConfig'],
  key: ['logGroupIdentifier'],
  gone: GONE,

  async create(properties, ctx) {
    await putTransformer(properties, ctx);
    return properties.LogGroupIdentifier;
  },

  async find(key, ctx) {
    const found = await ask(ctx, 'logs', 'GetTransformer', key);
    return found.transformerConfig ? found : undefined;
  },

  describe: ({ transformerConfig }, { logGroupIdentifier }) => ({
    properties: { LogGroupIdentifier: logGroupIdentifier, TransformerConfig: upperNames(transformerConfig) },
    attributes: {},
  }),

  update: (_key, _previous, desired, ctx) => putTransformer(desired, ctx),
  remove: 'DeleteTransformer',
});

/**
 * Integrations with OpenSearch.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-logs-integration.html
 */
export const integration: AnyResourceProvider = defineProvider<IntegrationProperties>({
  typeName: 'AWS::Logs::Integration',
  model,
  service: 'logs',
  handles: ['IntegrationName', 'IntegrationType', 'ResourceConfig'],
  key: ['integrationName'],
  gone: GONE,

  async create(properties, ctx) {
    await run(ctx, 'logs', 'PutIntegration', lowerNames(properties) as Properties);
    return properties.IntegrationName;
  },

  find: (key, ctx) => ask(ctx, 'logs', 'GetIntegration', key),

  describe: ({ integrationStatus, integrationType }, { integrationName }, _ctx, applied) => ({
    properties: defined({
      IntegrationName: integrationName,
      IntegrationType: integrationType,
      // The API returns what the integration has created, not its configuration.
      ResourceConfig: applied?.ResourceConfig,
    }),
    attributes: { IntegrationStatus: integrationStatus },
  }),

  remove: 'DeleteIntegration',
});
