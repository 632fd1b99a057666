import {
  ask,
  defined,
  defineProvider,
  differs,
  type Properties,
  pick,
  run,
  type TaggedProperties,
} from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { inAccount, tagsOf } from './members.ts';

const NO_INSTANCE = 'AccessGrantsInstanceNotExistsError';

interface InstanceProperties extends TaggedProperties {
  readonly IdentityCenterArn?: string;
}

interface LocationProperties extends TaggedProperties {
  readonly IamRoleArn: string;
  readonly LocationScope: string;
}

/**
 * S3 Access Grants instance of the account.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-s3-accessgrantsinstance.html
 */
export const accessGrantsInstance: AnyResourceProvider = defineProvider<InstanceProperties>({
  typeName: 'AWS::S3::AccessGrantsInstance',
  model,
  service: 's3control',
  handles: ['IdentityCenterArn', 'Tags'],
  key: ['Arn'],
  gone: [NO_INSTANCE],

  async create(properties, ctx) {
    const made = await run(ctx, 's3control', 'CreateAccessGrantsInstance', inAccount(properties, ctx));
    return made.AccessGrantsInstanceArn!;
  },

  find: (_key, ctx) => ask(ctx, 's3control', 'GetAccessGrantsInstance', inAccount({}, ctx)),

  describe: async ({ AccessGrantsInstanceId, IdentityCenterInstanceArn: IdentityCenterArn }, { Arn }, ctx) => ({
    properties: defined({ IdentityCenterArn, Tags: await tagsOf(Arn!, ctx) }),
    attributes: { AccessGrantsInstanceArn: Arn, AccessGrantsInstanceId },
  }),

  async update(_key, previous, desired, ctx) {
    const { IdentityCenterArn } = desired;
    if (!differs(previous, desired, 'IdentityCenterArn')) return;
    if (previous.IdentityCenterArn)
      await run(ctx, 's3control', 'DissociateAccessGrantsIdentityCenter', inAccount({}, ctx));
    if (IdentityCenterArn)
      await run(ctx, 's3control', 'AssociateAccessGrantsIdentityCenter', inAccount({ IdentityCenterArn }, ctx));
  },

  remove: (_key, _properties, ctx) => run(ctx, 's3control', 'DeleteAccessGrantsInstance', inAccount({}, ctx)),
});

/**
 * Registered locations of S3 Access Grants.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-s3-accessgrantslocation.html
 */
export const accessGrantsLocation: AnyResourceProvider = defineProvider<LocationProperties>({
  typeName: 'AWS::S3::AccessGrantsLocation',
  model,
  service: 's3control',
  handles: ['IamRoleArn', 'LocationScope', 'Tags'],
  key: ['AccessGrantsLocationId'],
  gone: [NO_INSTANCE, 'NoSuchAccessGrantsLocationError'],

  async create({ IamRoleArn: IAMRoleArn, LocationScope, Tags }, ctx) {
    const input = inAccount({ IAMRoleArn, LocationScope, Tags }, ctx);
    return (await run(ctx, 's3control', 'CreateAccessGrantsLocation', input)).AccessGrantsLocationId!;
  },

  find: (key, ctx) => ask(ctx, 's3control', 'GetAccessGrantsLocation', inAccount(key, ctx)),

  async describe({ AccessGrantsLocationArn: arn, IAMRoleArn, LocationScope }, key, ctx) {
    return {
      properties: defined({ IamRoleArn: IAMRoleArn, LocationScope, Tags: await tagsOf(arn as string, ctx) }),
      attributes: { AccessGrantsLocationArn: arn, ...key },
    };
  },

  update: (key, _previous, { IamRoleArn: IAMRoleArn }, ctx) =>
    run(ctx, 's3control', 'UpdateAccessGrantsLocation', inAccount({ ...key, IAMRoleArn }, ctx)),

  // The scope of a location cannot be changed.
  replaces: (previous, desired) => previous.LocationScope !== desired.LocationScope,
  remove: (key, _properties, ctx) => run(ctx, 's3control', 'DeleteAccessGrantsLocation', inAccount(key, ctx)),
  list: {
    operation: 'ListAccessGrantsLocations',
    input: (_filter, ctx) => inAccount({}, ctx),
    token: ['NextToken', 'NextToken'],
    identifiers: (page: { AccessGrantsLocationsList?: { AccessGrantsLocationId: string }[] }) =>
      page.AccessGrantsLocationsList?.map(({ AccessGrantsLocationId }) => AccessGrantsLocationId),
  },
});

/**
 * Grants of S3 Access Grants; each change replaces the grant.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-s3-accessgrant.html
 */
export const accessGrant: AnyResourceProvider = defineProvider<TaggedProperties>({
  typeName: 'AWS::S3::AccessGrant',
  model,
  service: 's3control',
  handles: [
    'AccessGrantsLocationConfiguration',
    'AccessGrantsLocationId',
    'ApplicationArn',
    'Grantee',
    'Permission',
    'S3PrefixType',
    'Tags',
  ],
  key: ['AccessGrantId'],
  gone: [NO_INSTANCE, 'NoSuchAccessGrantError'],

  create: async (properties, ctx) =>
    (await run(ctx, 's3control', 'CreateAccessGrant', inAccount(properties, ctx))).AccessGrantId!,

  find: (key, ctx) => ask(ctx, 's3control', 'GetAccessGrant', inAccount(key, ctx)),

  async describe(found, key, ctx, applied) {
    const { AccessGrantArn, GrantScope } = found;
    const within = (found.AccessGrantsLocationConfiguration ?? {}) as Properties;
    return {
      properties: defined({
        ...pick(found, ['AccessGrantsLocationId', 'ApplicationArn', 'Grantee', 'Permission']),
        AccessGrantsLocationConfiguration: within.S3SubPrefix ? within : undefined,
        // It is part of the scope and not returned.
        S3PrefixType: applied?.S3PrefixType,
        Tags: await tagsOf(AccessGrantArn as string, ctx),
      }),
      attributes: { AccessGrantArn, GrantScope, ...key },
    };
  },

  remove: (key, _properties, ctx) => run(ctx, 's3control', 'DeleteAccessGrant', inAccount(key, ctx)),
  list: {
    operation: 'ListAccessGrants',
    input: (_filter, ctx) => inAccount({}, ctx),
    token: ['NextToken', 'NextToken'],
    identifiers: ({ AccessGrantsList }: { AccessGrantsList?: { AccessGrantId: string }[] }) =>
      AccessGrantsList?.map(({ AccessGrantId }) => AccessGrantId),
  },
});
