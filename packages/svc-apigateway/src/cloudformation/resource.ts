import { defineProvider, identifierOf, identifierParts, type Properties, unless } from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { GONE } from './members.ts';

interface ResourceProperties extends Properties {
  ParentId: string;
  PathPart: string;
  RestApiId: string;
}

const keyOf = (identifier: string) => {
  const [restApiId, resourceId] = identifierParts(identifier, 2) as [string, string];
  return { restApiId, resourceId };
};

/**
 * Resources of REST APIs, that is parts of their paths.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-resource.html
 */
export const resource: AnyResourceProvider = defineProvider<ResourceProperties>({
  typeName: 'AWS::ApiGateway::Resource',
  model,
  handles: ['ParentId', 'PathPart', 'RestApiId'],

  async create({ ParentId: parentId, PathPart: pathPart, RestApiId: restApiId }, ctx) {
    const { id } = await ctx.call('apigateway', 'CreateResource', { restApiId, parentId, pathPart });
    return { identifier: identifierOf(restApiId, id!), attributes: { ResourceId: id } };
  },

  async read(identifier, ctx) {
    const key = keyOf(identifier);
    const found = await unless(ctx.call('apigateway', 'GetResource', key), GONE);
    if (!found) return undefined;
    return {
      properties: { ParentId: found.parentId!, PathPart: found.pathPart!, RestApiId: key.restApiId },
      attributes: { ResourceId: key.resourceId },
    };
  },

  async delete(identifier, _properties, ctx) {
    await unless(ctx.call('apigateway', 'DeleteResource', keyOf(identifier)), GONE);
  },
});
