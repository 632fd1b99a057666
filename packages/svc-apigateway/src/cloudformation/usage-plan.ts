import {
  ask,
  defined,
  defineProvider,
  lowerNames,
  type Properties,
  run,
  sameValue,
  type TaggedProperties,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, tagList, tagMap } from '@emu/core/service';
import type { PatchOperation } from '@emu/service-types/apigateway';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { certificateType, keyType, linkType, planType } from '../resources.ts';
import { GONE, itemChanges, listing, lowered, patch, pathPart, raised, replacements } from './members.ts';

interface Rates {
  readonly BurstLimit?: number;
  readonly RateLimit?: number;
}

interface Stage {
  readonly ApiId?: string;
  readonly Stage?: string;
  readonly Throttle?: Readonly<Record<string, Rates>>;
}

interface PlanProperties extends TaggedProperties {
  readonly ApiStages?: readonly Stage[];
  readonly Quota?: Properties;
  readonly Throttle?: Rates;
  readonly UsagePlanName?: string;
}

interface KeyProperties extends TaggedProperties {
  readonly Name?: string;
  readonly StageKeys?: readonly { readonly RestApiId?: string; readonly StageName?: string }[];
}

interface PlanKeyProperties extends Properties {
  KeyId: string;
  UsagePlanId: string;
}

const tagsIn = ({ Tags }: TaggedProperties) => tagMap(Tags);
const tagsOut = ({ tags }: Properties) => tagList(tags as Record<string, string> | undefined);

const stageId = ({ ApiId = '', Stage: stage = '' }: Stage): string => `${ApiId}:${stage}`;
const stagesIn = (stages: PlanProperties['ApiStages']) =>
  stages?.map(({ ApiId, Stage: stage, Throttle }) => ({
    apiId: ApiId,
    stage,
    throttle:
      Throttle && Object.fromEntries(Object.entries(Throttle).map(([name, rates]) => [name, lowerNames(rates)])),
  }));

interface FoundStage {
  readonly apiId: string;
  readonly stage: string;
  readonly throttle?: Readonly<Record<string, { rateLimit?: number; burstLimit?: number }>>;
}

const ratesOut = ({ rateLimit, burstLimit }: { rateLimit?: number; burstLimit?: number }): Properties =>
  defined({ RateLimit: rateLimit, BurstLimit: burstLimit });

const stagesOut = (stages: readonly FoundStage[]): Properties[] =>
  stages.map(({ apiId, stage, throttle = {} }) =>
    defined({
      ApiId: apiId,
      Stage: stage,
      Throttle: Object.keys(throttle).length
        ? Object.fromEntries(Object.entries(throttle).map(([name, rates]) => [name, ratesOut(rates)]))
        : undefined,
    }),
  );

/** Returns the patch for rates below a path. */
const rateChanges = (path: string, { RateLimit, BurstLimit }: Rates): PatchOperation[] =>
  Object.entries(defined({ rateLimit: RateLimit, burstLimit: BurstLimit })).map(([name, value]) => ({
    op: 'replace',
    path: `${path}/${name}`,
    value: String(value),
  }));

/** Returns the patch for the stages of a plan, with their method rates. */
function stageChanges(previous: PlanProperties, desired: PlanProperties): PatchOperation[] {
  const [before, after] = [previous.ApiStages ?? [], desired.ApiStages ?? []];
  const changes = itemChanges('/apiStages', before.map(stageId), after.map(stageId));
  for (const stage of after) {
    const old = before.find((one) => stageId(one) === stageId(stage))?.Throttle ?? {};
    const pathOf = (name: string) => {
      const end = name.lastIndexOf('/');
      return `/apiStages/${pathPart(stageId(stage))}/throttle/${pathPart(name.slice(0, end))}/${name.slice(end + 1)}`;
    };
    for (const name of Object.keys(old))
      if (!(name in (stage.Throttle ?? {}))) changes.push({ op: 'remove', path: pathOf(name) });
    for (const [name, rates] of Object.entries(stage.Throttle ?? {}))
      if (!sameValue(old[name], rates)) changes.push(...rateChanges(pathOf(name), rates));
  }
  return changes;
}

/** Returns the patch for a plan's quota and rates, each removed as a whole. */
function limitChanges(previous: PlanProperties, desired: PlanProperties): PatchOperation[] {
  const changes: PatchOperation[] = [];
  if (!sameValue(previous.Throttle, desired.Throttle)) {
    if (previous.Throttle) changes.push({ op: 'remove', path: '/throttle' });
    changes.push(...rateChanges('/throttle', desired.Throttle ?? {}));
  }
  if (!sameValue(previous.Quota, desired.Quota)) {
    if (previous.Quota) changes.push({ op: 'remove', path: '/quota' });
    for (const [name, value] of Object.entries(desired.Quota ?? {}))
      changes.push({ op: 'replace', path: `/quota/${name.toLowerCase()}`, value: String(value) });
  }
  return changes;
}

/**
 * Usage plans.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-usageplan.html
 */
export const usagePlan: AnyResourceProvider = defineProvider<PlanProperties>({
  typeName: 'AWS::ApiGateway::UsagePlan',
  model,
  service: 'apigateway',
  handles: ['ApiStages', 'Description', 'Quota', 'Tags', 'Throttle', 'UsagePlanName'],
  key: ['usagePlanId'],
  gone: [GONE],

  async create(properties, ctx) {
    const { ApiStages, Quota, Throttle, UsagePlanName: name = ctx.name() } = properties;
    const { id } = await run(ctx, 'apigateway', 'CreateUsagePlan', {
      apiStages: stagesIn(ApiStages),
      description: properties.Description,
      name,
      quota: Quota && lowerNames(Quota),
      tags: tagsIn(properties),
      throttle: Throttle && lowerNames(Throttle),
    });
    return { identifier: id!, attributes: { Id: id } };
  },

  find: (key, ctx) => ask(ctx, 'apigateway', 'GetUsagePlan', key),

  describe(found, { usagePlanId }) {
    const { limit, offset, period } = (found.quota ?? {}) as Properties;
    const stages = (found.apiStages ?? []) as FoundStage[];
    return {
      properties: defined({
        ...raised(found, ['Description']),
        ApiStages: stages.length ? stagesOut(stages) : undefined,
        Quota: found.quota ? defined({ Limit: limit, Offset: offset, Period: period }) : undefined,
        Tags: tagsOut(found),
        Throttle: found.throttle ? ratesOut(found.throttle) : undefined,
        UsagePlanName: found.name,
      }),
      attributes: { Id: usagePlanId },
    };
  },

  async update(key, previous, desired, ctx) {
    const texts = replacements(
      previous,
      desired,
      { Description: '/description', ...(desired.UsagePlanName !== undefined && { UsagePlanName: '/name' }) },
      { Description: '' },
    );
    const changes = [...texts, ...limitChanges(previous, desired), ...stageChanges(previous, desired)];
    await patch('UpdateUsagePlan', key, changes, ctx);
    await changeTagsOf(planType.arn({ id: key.usagePlanId! }, ctx), previous, desired, ctx);
  },

  async remove(key, _properties, ctx) {
    const { apiStages = [] } = await ctx.call('apigateway', 'GetUsagePlan', { usagePlanId: key.usagePlanId! });
    const changes = itemChanges(
      '/apiStages',
      apiStages.map(({ apiId, stage }) => `${apiId}:${stage}`),
      [],
    );
    await patch('UpdateUsagePlan', key, changes, ctx);
    await run(ctx, 'apigateway', 'DeleteUsagePlan', key);
  },

  list: listing('GetUsagePlans', ({ id }) => id as string),
});

/**
 * Keys of usage plans.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-usageplankey.html
 */
export const usagePlanKey: AnyResourceProvider = defineProvider<PlanKeyProperties>({
  typeName: 'AWS::ApiGateway::UsagePlanKey',
  model,
  service: 'apigateway',
  handles: ['KeyId', 'KeyType', 'UsagePlanId'],
  key: ['id'],
  gone: [GONE],

  async create(properties, ctx) {
    await run(ctx, 'apigateway', 'CreateUsagePlanKey', lowered(properties));
    const identifier = `${properties.KeyId}:${properties.UsagePlanId}`;
    return { identifier, attributes: { Id: identifier } };
  },

  find: ({ id }, ctx) => ask(ctx, 'apigateway', 'GetUsagePlanKey', planKeyOf(id!)),

  describe({ type }, { id }) {
    const { keyId, usagePlanId } = planKeyOf(id!);
    return { properties: { KeyId: keyId, KeyType: type, UsagePlanId: usagePlanId }, attributes: { Id: id } };
  },

  remove: ({ id }, _properties, ctx) => run(ctx, 'apigateway', 'DeleteUsagePlanKey', planKeyOf(id!)),
});

/** Splits the identifier of a plan key into key and plan. */
function planKeyOf(id: string): { keyId: string; usagePlanId: string } {
  const at = id.indexOf(':');
  return { keyId: id.slice(0, at), usagePlanId: id.slice(at + 1) };
}

/** API keys list their stages as `<api>/<stage>`. */
const stageKeyOf = (text: string) => {
  const at = text.indexOf('/');
  return { RestApiId: text.slice(0, at), StageName: text.slice(at + 1) };
};

const stageTexts = (keys: KeyProperties['StageKeys']) =>
  keys?.map(({ RestApiId, StageName }) => `${RestApiId}/${StageName}`);

/**
 * API keys.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-apikey.html
 */
export const apiKey: AnyResourceProvider = defineProvider<KeyProperties>({
  typeName: 'AWS::ApiGateway::ApiKey',
  model,
  service: 'apigateway',
  handles: ['CustomerId', 'Description', 'Enabled', 'GenerateDistinctId', 'Name', 'StageKeys', 'Tags', 'Value'],
  key: ['apiKey'],
  gone: [GONE],

  async create(properties, ctx) {
    const { Name = ctx.name(), StageKeys, Tags, ...rest } = properties;
    const { id } = await run(ctx, 'apigateway', 'CreateApiKey', {
      ...lowered(rest),
      name: Name,
      stageKeys: StageKeys?.map((key) => lowerNames(key)),
      tags: tagsIn({ Tags } as TaggedProperties),
    });
    return { identifier: id!, attributes: { APIKeyId: id } };
  },

  find: (key, ctx) => ask(ctx, 'apigateway', 'GetApiKey', { ...key, includeValue: true }),

  describe(found, { apiKey: id }) {
    const stages = (found.stageKeys ?? []) as string[];
    return {
      properties: defined({
        ...raised(found, ['CustomerId', 'Description', 'Enabled', 'Name', 'Value']),
        StageKeys: stages.length ? stages.map(stageKeyOf) : undefined,
        Tags: tagsOut(found),
      }),
      attributes: { APIKeyId: id },
    };
  },

  async update(key, previous, desired, ctx) {
    const paths = { CustomerId: '/customerId', Description: '/description', Enabled: '/enabled' };
    const changes = [
      ...replacements(previous, desired, paths, { CustomerId: '', Description: '', Enabled: 'false' }),
      ...itemChanges('/stages', stageTexts(previous.StageKeys), stageTexts(desired.StageKeys)),
    ];
    await patch('UpdateApiKey', key, changes, ctx);
    await changeTagsOf(keyType.arn({ id: key.apiKey! }, ctx), previous, desired, ctx);
  },

  remove: 'DeleteApiKey',
  list: listing('GetApiKeys', ({ id }) => id as string),
});

/**
 * Client certificates with which backends authenticate API Gateway.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-clientcertificate.html
 */
export const clientCertificate: AnyResourceProvider = defineProvider<TaggedProperties>({
  typeName: 'AWS::ApiGateway::ClientCertificate',
  model,
  service: 'apigateway',
  handles: ['Description', 'Tags'],
  key: ['clientCertificateId'],
  gone: [GONE],

  async create(properties, ctx) {
    const input = { description: properties.Description, tags: tagsIn(properties) };
    const { clientCertificateId: id } = await run(ctx, 'apigateway', 'GenerateClientCertificate', input);
    return { identifier: id!, attributes: { ClientCertificateId: id } };
  },

  find: (key, ctx) => ask(ctx, 'apigateway', 'GetClientCertificate', key),

  describe: (found, { clientCertificateId }) => ({
    properties: defined({ ...raised(found, ['Description']), Tags: tagsOut(found) }),
    attributes: { ClientCertificateId: clientCertificateId },
  }),

  async update(key, previous, desired, ctx) {
    const changes = replacements(previous, desired, { Description: '/description' }, { Description: '' });
    await patch('UpdateClientCertificate', key, changes, ctx);
    await changeTagsOf(certificateType.arn({ id: key.clientCertificateId! }, ctx), previous, desired, ctx);
  },

  remove: 'DeleteClientCertificate',
  list: listing('GetClientCertificates', ({ clientCertificateId }) => clientCertificateId as string),
});

/**
 * VPC links to load balancers.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-vpclink.html
 */
export const vpcLink: AnyResourceProvider = defineProvider<TaggedProperties>({
  typeName: 'AWS::ApiGateway::VpcLink',
  model,
  service: 'apigateway',
  handles: ['Description', 'Name', 'Tags', 'TargetArns'],
  key: ['vpcLinkId'],
  gone: [GONE],

  async create(properties, ctx) {
    const { Tags, ...rest } = properties;
    const { id: vpcLinkId } = await run(ctx, 'apigateway', 'CreateVpcLink', { ...lowered(rest), tags: tagMap(Tags) });
    ctx.created(vpcLinkId!);
    const link = () => ctx.call('apigateway', 'GetVpcLink', { vpcLinkId: vpcLinkId! });
    await ctx.until(async () => (await link()).status === 'AVAILABLE', { interval: 50 });
    return { identifier: vpcLinkId!, attributes: { VpcLinkId: vpcLinkId } };
  },

  find: (key, ctx) => ask(ctx, 'apigateway', 'GetVpcLink', key),

  describe: (found, { vpcLinkId }) => ({
    properties: defined({ ...raised(found, ['Description', 'Name', 'TargetArns']), Tags: tagsOut(found) }),
    attributes: { VpcLinkId: vpcLinkId },
  }),

  async update(key, previous, desired, ctx) {
    const paths = { Description: '/description', Name: '/name' };
    await patch('UpdateVpcLink', key, replacements(previous, desired, paths, { Description: '' }), ctx);
    await changeTagsOf(linkType.arn({ id: key.vpcLinkId! }, ctx), previous, desired, ctx);
  },

  remove: 'DeleteVpcLink',
  list: listing('GetVpcLinks', ({ id }) => id as string),
});
