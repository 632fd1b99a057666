import { ask, defined, defineProvider, type Properties, pick, run } from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

const MEMBERS = ['Description', 'EventBuses', 'Name', 'ReplicationConfig', 'RoleArn', 'RoutingConfig'] as const;

interface EndpointProperties extends Properties {
  readonly Name?: string;
}

/**
 * Global endpoints.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-events-endpoint.html
 */
export const endpoint: AnyResourceProvider = defineProvider<EndpointProperties>({
  typeName: 'AWS::Events::Endpoint',
  model,
  service: 'events',
  handles: MEMBERS,
  key: ['Name'],
  gone: ['ResourceNotFoundException'],

  async create(properties, ctx) {
    const Name = properties.Name ?? ctx.name();
    await run(ctx, 'events', 'CreateEndpoint', { ...properties, Name });
    ctx.created(Name);
    const settled = async () => (await ctx.call('events', 'DescribeEndpoint', { Name })).State !== 'CREATING';
    await ctx.until(settled, { interval: 50 });
    return Name;
  },

  find: (key, ctx) => ask(ctx, 'events', 'DescribeEndpoint', key),

  describe: (found) => ({
    properties: defined({ ...pick(found, MEMBERS), Description: found.Description || undefined }),
    attributes: pick(found, ['Arn', 'EndpointId', 'EndpointUrl', 'State', 'StateReason']),
  }),

  update: (key, _previous, { Description = '', ReplicationConfig = { State: 'ENABLED' }, ...desired }, ctx) =>
    run(ctx, 'events', 'UpdateEndpoint', { ...desired, Description, ReplicationConfig, ...key }),

  async remove(key, _properties, ctx) {
    await run(ctx, 'events', 'DeleteEndpoint', key);
    const gone = async () => {
      const { Endpoints = [] } = await ctx.call('events', 'ListEndpoints', { NamePrefix: key.Name! });
      return !Endpoints.some(({ Name }) => Name === key.Name);
    };
    await ctx.until(gone, { interval: 50 });
  },

  list: {
    operation: 'ListEndpoints',
    token: ['NextToken', 'NextToken'],
    identifiers: ({ Endpoints }: { Endpoints?: { Name: string }[] }) => Endpoints?.map(({ Name }) => Name),
  },
});
