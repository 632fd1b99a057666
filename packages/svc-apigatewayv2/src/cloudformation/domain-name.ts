import {
  ask,
  defined,
  defineProvider,
  differs,
  omit,
  type Properties,
  pick,
  run,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { domainNameType, routingRuleArn } from '../resources.ts';
import { changeTagMap } from './changes.ts';

const GONE = ['NotFoundException'];
const CONFIGURATION = [
  'CertificateArn',
  'CertificateName',
  'EndpointType',
  'IpAddressType',
  'OwnershipVerificationCertificateArn',
  'SecurityPolicy',
] as const;

interface DomainProperties extends Properties {
  DomainName: string;
  RoutingMode?: string;
  Tags?: Readonly<Record<string, string>>;
}

interface RuleProperties extends Properties {
  DomainNameArn: string;
}

/**
 * Domain names of HTTP and WebSocket APIs.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigatewayv2-domainname.html
 */
export const domainName: AnyResourceProvider = defineProvider<DomainProperties>({
  typeName: 'AWS::ApiGatewayV2::DomainName',
  model,
  service: 'apigatewayv2',
  handles: ['DomainName', 'DomainNameConfigurations', 'MutualTlsAuthentication', 'RoutingMode', 'Tags'],
  key: ['DomainName'],
  gone: GONE,

  create: async (properties, ctx) => (await run(ctx, 'apigatewayv2', 'CreateDomainName', properties)).DomainName!,

  find: (key, ctx) => ask(ctx, 'apigatewayv2', 'GetDomainName', key),

  describe(found, key, ctx) {
    const all = (found.DomainNameConfigurations ?? []) as Properties[];
    return {
      properties: defined({
        ...key,
        ...pick(found, ['MutualTlsAuthentication', 'RoutingMode']),
        DomainNameConfigurations: unlessEmpty(all.map((one) => pick(one, CONFIGURATION))),
        Tags: unlessEmpty(found.Tags as Record<string, string> | undefined),
      }),
      attributes: defined({
        DomainNameArn: domainNameType.arn({ name: key.DomainName! }, ctx),
        RegionalDomainName: all[0]?.ApiGatewayDomainName,
        RegionalHostedZoneId: all[0]?.HostedZoneId,
      }),
    };
  },

  async update(key, previous, desired, ctx) {
    const { RoutingMode = 'API_MAPPING_ONLY' } = desired;
    if (differs(omit(previous, 'Tags'), omit(desired, 'Tags')))
      await run(ctx, 'apigatewayv2', 'UpdateDomainName', { ...omit(desired, 'Tags'), RoutingMode, ...key });
    await changeTagMap(domainNameType.arn({ name: key.DomainName! }, ctx), previous.Tags, desired.Tags, ctx);
  },

  remove: 'DeleteDomainName',
  list: {
    operation: 'GetDomainNames',
    token: ['NextToken', 'NextToken'],
    identifiers: ({ Items }: { Items?: { DomainName: string }[] }) => Items?.map(({ DomainName }) => DomainName),
  },
});

/** Returns the domain in an ARN of API Gateway. */
const domainIn = (arn: string): string => /\/domainnames\/([^/]+)/.exec(arn)?.[1] ?? '';

const keyIn = (arn: string) => ({
  DomainName: domainIn(arn),
  RoutingRuleId: arn.slice(arn.lastIndexOf('/') + 1),
});

/**
 * Rules that route requests for a domain to APIs.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigatewayv2-routingrule.html
 */
export const routingRule: AnyResourceProvider = defineProvider<RuleProperties>({
  typeName: 'AWS::ApiGatewayV2::RoutingRule',
  model,
  service: 'apigatewayv2',
  handles: ['Actions', 'Conditions', 'DomainNameArn', 'Priority'],
  key: ['RoutingRuleArn'],
  gone: GONE,

  async create({ DomainNameArn, ...properties }, ctx) {
    const DomainName = domainIn(DomainNameArn);
    const { RoutingRuleId } = await run(ctx, 'apigatewayv2', 'CreateRoutingRule', { ...properties, DomainName });
    const identifier = routingRuleArn(DomainName, RoutingRuleId!, ctx);
    return { identifier, attributes: { RoutingRuleArn: identifier, RoutingRuleId } };
  },

  find: ({ RoutingRuleArn }, ctx) => ask(ctx, 'apigatewayv2', 'GetRoutingRule', keyIn(RoutingRuleArn!)),

  describe: (found, { RoutingRuleArn }, ctx) => ({
    properties: {
      ...pick(found, ['Actions', 'Conditions', 'Priority']),
      DomainNameArn: domainNameType.arn({ name: domainIn(RoutingRuleArn!) }, ctx),
    },
    attributes: { RoutingRuleArn, RoutingRuleId: found.RoutingRuleId },
  }),

  update: ({ RoutingRuleArn }, _previous, desired, ctx) =>
    run(ctx, 'apigatewayv2', 'PutRoutingRule', { ...omit(desired, 'DomainNameArn'), ...keyIn(RoutingRuleArn!) }),

  remove: ({ RoutingRuleArn }, _properties, ctx) =>
    run(ctx, 'apigatewayv2', 'DeleteRoutingRule', keyIn(RoutingRuleArn!)),
});
