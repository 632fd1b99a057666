import { defined, defineProvider, type Properties, run, unless } from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import type { ThirdPartyType } from '@emu/service-types/cloudformation';
import { MODEL } from './facts.ts';

const GONE = ['TypeNotFoundException', 'CFNRegistryException'];

interface HookProperties extends Properties {
  readonly Configuration: string;
  readonly ConfigurationAlias?: 'default';
  readonly TypeArn?: string;
  readonly TypeName?: string;
}

const HOOK = ['Configuration', 'ConfigurationAlias', 'TypeArn', 'TypeName'] as const;

/**
 * Configurations of activated hooks. Deleting one stops invocations of the hook.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudformation-hooktypeconfig.html
 */
export const hookTypeConfig: AnyResourceProvider = defineProvider<HookProperties>({
  typeName: 'AWS::CloudFormation::HookTypeConfig',
  model: MODEL,
  handles: HOOK,

  async create({ TypeName, ...others }, ctx) {
    const named = TypeName === undefined ? {} : { TypeName, Type: 'HOOK' };
    const { ConfigurationArn } = await run(ctx, 'cloudformation', 'SetTypeConfiguration', { ...others, ...named });
    return { identifier: ConfigurationArn! };
  },

  async read(ConfigurationArn, ctx) {
    const { TypeConfigurations: [found] = [] } = await ctx.call('cloudformation', 'BatchDescribeTypeConfigurations', {
      TypeConfigurationIdentifiers: [{ TypeConfigurationArn: ConfigurationArn }],
    });
    if (!found || found.Configuration === '{}') return undefined;
    const { Configuration, TypeArn, TypeName, Alias } = found;
    return {
      properties: defined({ Configuration, TypeArn, TypeName, ConfigurationAlias: Alias }) as HookProperties,
      attributes: { ConfigurationArn },
    };
  },

  async update(ConfigurationArn, _previous, { Configuration }, ctx) {
    const { TypeConfigurations: [found] = [] } = await ctx.call('cloudformation', 'BatchDescribeTypeConfigurations', {
      TypeConfigurationIdentifiers: [{ TypeConfigurationArn: ConfigurationArn }],
    });
    await run(ctx, 'cloudformation', 'SetTypeConfiguration', { TypeArn: found?.TypeArn, Configuration });
  },

  async delete(ConfigurationArn, _properties, ctx) {
    const { TypeConfigurations: [found] = [] } = await ctx.call('cloudformation', 'BatchDescribeTypeConfigurations', {
      TypeConfigurationIdentifiers: [{ TypeConfigurationArn: ConfigurationArn }],
    });
    if (found)
      await run(ctx, 'cloudformation', 'SetTypeConfiguration', { TypeArn: found.TypeArn, Configuration: '{}' });
  },
});

interface PublisherProperties extends Properties {
  readonly AcceptTermsAndConditions: boolean;
  readonly ConnectionArn?: string;
}

/**
 * Registration of the account as a publisher. The account stays registered when the resource is deleted: AWS has no
 * operation to revoke it.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudformation-publisher.html
 */
export const publisher: AnyResourceProvider = defineProvider<PublisherProperties>({
  typeName: 'AWS::CloudFormation::Publisher',
  model: MODEL,
  handles: ['AcceptTermsAndConditions', 'ConnectionArn'],

  async create(properties, ctx) {
    const { PublisherId } = await run(ctx, 'cloudformation', 'RegisterPublisher', properties);
    return { identifier: PublisherId! };
  },

  async read(PublisherId, ctx) {
    const found = await unless(ctx.call('cloudformation', 'DescribePublisher', { PublisherId }), ...GONE);
    if (!found) return undefined;
    const { IdentityProvider, PublisherProfile, PublisherStatus } = found;
    return {
      properties: {} as PublisherProperties,
      attributes: defined({ PublisherId, IdentityProvider, PublisherProfile, PublisherStatus }),
    };
  },

  async delete() {
    // AWS has no operation that revokes the registration.
  },
});

interface PublicVersionProperties extends Properties {
  readonly Arn?: string;
  readonly LogDeliveryBucket?: string;
  readonly PublicVersionNumber?: string;
  readonly Type?: ThirdPartyType;
  readonly TypeName?: string;
}

/**
 * Public versions of modules, tested before they are published. They stay public when the resource is deleted, because
 * other accounts use them.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudformation-publictypeversion.html
 */
export const publicTypeVersion: AnyResourceProvider = defineProvider<PublicVersionProperties>({
  typeName: 'AWS::CloudFormation::PublicTypeVersion',
  model: MODEL,
  handles: ['Arn', 'PublicVersionNumber', 'Type', 'TypeName'],

  async create({ PublicVersionNumber, ...named }, ctx) {
    await run(ctx, 'cloudformation', 'TestType', named);
    const { PublicTypeArn } = await run(ctx, 'cloudformation', 'PublishType', { ...named, PublicVersionNumber });
    return { identifier: PublicTypeArn! };
  },

  async read(PublicTypeArn, ctx) {
    const found = await unless(ctx.call('cloudformation', 'DescribeType', { Arn: PublicTypeArn }), ...GONE);
    if (!found) return undefined;
    const { PublisherId, PublicVersionNumber, TypeName, Type } = found;
    return {
      properties: defined({ PublicVersionNumber, TypeName, Type: Type as ThirdPartyType }),
      attributes: defined({ PublicTypeArn, PublisherId, TypeVersionArn: PublicTypeArn }),
    };
  },

  async delete() {
    // A public version cannot be withdrawn.
  },
});
