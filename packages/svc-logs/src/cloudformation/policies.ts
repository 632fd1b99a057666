import {
  defined,
  defineProvider,
  documentValue,
  everyItem,
  lowerNames,
  type Properties,
  run,
  unless,
  unlessEmpty,
  upperNames,
} from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };

const GONE = 'ResourceNotFoundException';

interface ResourcePolicyProperties {
  PolicyDocument: unknown;
  PolicyName: string;
}

/**
 * Policies that permit services to write to log groups.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-logs-resourcepolicy.html
 */
export const resourcePolicy: AnyResourceProvider = defineProvider<ResourcePolicyProperties>({
  typeName: 'AWS::Logs::ResourcePolicy',
  model,
  handles: ['PolicyDocument', 'PolicyName'],

  async create({ PolicyName: policyName, PolicyDocument }, ctx) {
    await ctx.call('logs', 'PutResourcePolicy', { policyName, policyDocument: textOf(PolicyDocument) });
    return { identifier: policyName };
  },

  async read(name, ctx) {
    const all = await everyItem(async (nextToken) => {
      const page = await ctx.call('logs', 'DescribeResourcePolicies', defined({ nextToken }));
      return [page.resourcePolicies, page.nextToken] as const;
    });
    const found = all.find(({ policyName }) => policyName === name);
    return (
      found && {
        properties: { PolicyName: name, PolicyDocument: documentValue(found.policyDocument) },
        attributes: {},
      }
    );
  },

  async update(policyName, _previous, { PolicyDocument }, ctx) {
    await ctx.call('logs', 'PutResourcePolicy', { policyName, policyDocument: textOf(PolicyDocument) });
  },

  async delete(policyName, _properties, ctx) {
    await unless(ctx.call('logs', 'DeleteResourcePolicy', { policyName }), GONE);
  },
});

/**
 * Saved queries.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-logs-querydefinition.html
 */
export const queryDefinition: AnyResourceProvider = defineProvider<Properties>({
  typeName: 'AWS::Logs::QueryDefinition',
  model,
  handles: ['LogGroupNames', 'Name', 'Parameters', 'QueryLanguage', 'QueryString'],

  async create(properties, ctx) {
    const made = await run(ctx, 'logs', 'PutQueryDefinition', lowerNames(properties) as Properties);
    const identifier = made.queryDefinitionId!;
    return { identifier, attributes: { QueryDefinitionId: identifier } };
  },

  async read(id, ctx) {
    const all = await everyItem(async (nextToken) => {
      const page = await ctx.call('logs', 'DescribeQueryDefinitions', defined({ nextToken }));
      return [page.queryDefinitions, page.nextToken] as const;
    });
    const found = all.find(({ queryDefinitionId }) => queryDefinitionId === id);
    if (!found) return undefined;
    const { queryDefinitionId: _id, lastModified: _modified, logGroupNames, parameters, ...rest } = found;
    const lists = { logGroupNames: unlessEmpty(logGroupNames), parameters: unlessEmpty(parameters) };
    return {
      properties: upperNames({ ...rest, ...lists }) as Properties,
      attributes: { QueryDefinitionId: id },
    };
  },

  async update(queryDefinitionId, _previous, desired, ctx) {
    const input = { ...(lowerNames(desired) as Properties), queryDefinitionId };
    await run(ctx, 'logs', 'PutQueryDefinition', input);
  },

  async delete(queryDefinitionId, _properties, ctx) {
    await unless(ctx.call('logs', 'DeleteQueryDefinition', { queryDefinitionId }), GONE);
  },
});
