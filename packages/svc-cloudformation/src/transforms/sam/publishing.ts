import { servicePrincipalName } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { resourceProblem } from './errors.ts';
import { shortDigest } from './ids.ts';
import { trust } from './role.ts';
import type { Translation } from './translation.ts';
import {
  defined,
  getAtt,
  inheritedAttributes,
  isIntrinsic,
  isNoValue,
  type Obj,
  objectOf,
  type Resource,
  ref,
  samTags,
} from './values.ts';

const APPLICATION = 'ServerlessDeploymentApplication';
const ROLE = 'CodeDeployServiceRole';

/** CodeDeploy's built-in deployment configurations for functions; others are custom. */
const STANDARD = new Set(
  ['AllAtOnce'].concat(
    [5, 10, 15, 30].map((minutes) => `Canary10Percent${minutes}Minutes`),
    [1, 2, 3, 10].map((minutes) => `Linear10PercentEvery${minutes}Minute${minutes === 1 ? '' : 's'}`),
  ),
);

/**
 * Publishes a version whenever the function's code changes, with an alias.
 * @param lambda Lambda properties of the function
 * @returns id of the alias; undefined if the function has none
 * @throws SamProblem
 */
export function publishAlias(
  id: string,
  properties: Obj,
  lambda: Obj,
  resource: Resource,
  to: Translation,
): string | undefined {
  const given = properties.AutoPublishAlias;
  const alias = typeof given === 'string' ? given : to.resolver.resolve(given);
  const { DeploymentPreference: preference, VersionDeletionPolicy: deletion } = properties;
  const preferred = preferenceOf(preference, to);
  if (properties.ProvisionedConcurrencyConfig && !given)
    throw resourceProblem(id, 'To set ProvisionedConcurrencyConfig AutoPublishALias must be defined on the function');
  const deletes = to.resolver.resolve(deletion);
  if (deletes !== undefined && deletes !== null && deletes !== 'Retain' && deletes !== 'Delete')
    throw resourceProblem(id, "Property 'VersionDeletionPolicy' should be a one of the strings: 'Delete' or 'Retain'.");
  if (deletion !== undefined && !given)
    throw resourceProblem(id, "'VersionDeletionPolicy' requires 'AutoPublishAlias'.");
  if (!given) {
    if (preferred) checkPreference(id, preferred, to);
    if (preferred)
      throw resourceProblem(id, "'DeploymentPreference' requires AutoPublishAlias property to be specified.");
    return undefined;
  }
  if (!alias) throw resourceProblem(id, 'Alias name is required to create an alias');
  if (typeof alias !== 'string')
    throw resourceProblem(id, "'AutoPublishAlias' must be a string or a Ref to a template parameter");
  if (!/^(?!\d+$)[A-Za-z0-9_-]+$/.test(alias))
    throw resourceProblem(
      id,
      `AutoPublishAlias name ('${alias}') must contain only alphanumeric characters, hyphens, or underscores matching (?!^[0-9]+$)([a-zA-Z0-9-_]+) pattern.`,
    );
  const versionId = addVersion(id, properties, lambda, resource, to);
  const aliasId = to.aliasId(id, alias);
  to.add(
    aliasId,
    'AWS::Lambda::Alias',
    {
      Name: alias,
      FunctionName: ref(id),
      FunctionVersion: getAtt(versionId, 'Version'),
      ProvisionedConcurrencyConfig: properties.ProvisionedConcurrencyConfig,
    },
    { ...inheritedAttributes(resource), ...(preferred && { UpdatePolicy: deploy(id, preferred, resource, to) }) },
  );
  to.references.add(id, 'Alias', aliasId);
  to.references.add(id, 'Version', versionId);
  return aliasId;
}

function addVersion(id: string, properties: Obj, lambda: Obj, resource: Resource, to: Translation): string {
  const {
    AutoPublishCodeSha256: sha,
    AutoPublishAliasAllProperties: all,
    VersionDeletionPolicy: deletion,
  } = properties;
  const usual = lambda.CapacityProviderConfig ? 'Delete' : 'Retain';
  const policy = to.resolver.resolve(deletion) ?? resource.DeletionPolicy ?? usual;
  if (policy !== 'Retain' && policy !== 'Delete')
    throw resourceProblem(id, "Property 'VersionDeletionPolicy' should be a one of the strings: 'Delete' or 'Retain'.");
  const code = sha === undefined ? lambda.Code : to.resolver.resolve(sha);
  if (sha !== undefined && typeof code !== 'string')
    throw resourceProblem(id, 'AutoPublishCodeSha256 must be a string');
  // The digest represents the code in the id and in the logical changes of the version.
  if (typeof code === 'string') lambda.Description = described(lambda.Description, code);
  const suffix =
    typeof code === 'string'
      ? code.slice(0, 10)
      : shortDigest(all === true ? allProperties(properties, lambda, to) : publishedBy(lambda, to));
  const versionId = `${id}Version${suffix}`;
  to.add(
    versionId,
    'AWS::Lambda::Version',
    {
      FunctionName: ref(id),
      Description: to.resolver.resolve(properties.VersionDescription),
      FunctionScalingConfig: lambda.FunctionScalingConfig,
    },
    { ...inheritedAttributes(resource), DeletionPolicy: policy },
  );
  return versionId;
}

/** Inputs of a new version if all properties count, including layers of the template that request it. */
function allProperties({ Role, Layers }: Obj, lambda: Obj, to: Translation): Obj {
  const ids = (Array.isArray(Layers) ? Layers : []).map((layer) => (isObject(layer) ? layer.Ref : undefined));
  const layers = ids.flatMap((id) => {
    const own = typeof id === 'string' ? to.resources[id]?.Properties : undefined;
    return own?.PublishLambdaVersion ? [[id, own] as const] : [];
  });
  return { ...defined({ ...lambda, Role }), ...Object.fromEntries(layers) };
}

/** Inputs of a new version otherwise: code, environment, memory and snapshots. */
function publishedBy({ Code, Environment, MemorySize, SnapStart }: Obj, to: Translation): Obj {
  const snaps = isObject(SnapStart) && (SnapStart.ApplyOn ?? 'None') !== 'None';
  return {
    ...(to.resolver.resolve(Code) as Obj),
    ...(isObject(Environment) ? Environment : {}),
    ...(Boolean(MemorySize) && { MemorySize }),
    ...(snaps && { SnapStart }),
  };
}

/** Appends the code's digest to a description. */
function described(description: unknown, digest: string): unknown {
  if (description === undefined) return digest;
  return typeof description === 'string' ? `${description} ${digest}` : { 'Fn::Join': [' ', [description, digest]] };
}

/** Returns the effective deployment preference; undefined if disabled. */
function preferenceOf(preference: unknown, to: Translation): Obj | undefined {
  if (!isObject(preference)) return undefined;
  const Enabled = to.resolver.resolve(preference.Enabled);
  return Enabled === false || Enabled === 'false' || Enabled === 'False' ? undefined : { ...preference, Enabled };
}

/** @throws SamProblem for malformed hooks, alarms or conditions of a preference */
function checkPreference(
  id: string,
  { Hooks: hooks, Alarms: alarms, PassthroughCondition }: Obj,
  to: Translation,
): void {
  if (hooks && !isObject(hooks))
    throw resourceProblem(id, "'Hooks' property of 'DeploymentPreference' must be a dictionary");
  const branches = isObject(alarms) && Array.isArray(alarms['Fn::If']) ? alarms['Fn::If'].slice(1) : [alarms];
  if (branches.some((list) => list && !Array.isArray(list) && !isNoValue(list)))
    throw resourceProblem(id, 'Alarms must be a list');
  const passed = to.resolver.resolve(PassthroughCondition);
  if (isIntrinsic(passed))
    throw resourceProblem(
      id,
      'Unsupported intrinsic: the only intrinsic functions supported for property PassthroughCondition are FindInMap and parameter Refs.',
    );
  if (passed !== undefined && typeof passed !== 'boolean' && !/^(?:true|false)$/i.test(String(passed)))
    throw resourceProblem(id, 'Invalid value for property PassthroughCondition.');
}

const SHARED = 'ServerlessCodeDeployCondition';

/** Returns the condition of resources shared by deployments: one deployment exists. */
function sharedCondition(own: unknown, to: Translation): Obj {
  const { deploymentConditions: all } = to;
  all.add(own);
  delete to.conditions[SHARED];
  if (all.has(undefined)) return {};
  const conditions = [...all].sort();
  if (conditions.length === 1) return { Condition: own };
  to.conditions[SHARED] = { 'Fn::Or': conditions.map((Condition) => ({ Condition })) };
  return { Condition: SHARED };
}

/**
 * Configures CodeDeploy for an alias.
 * @returns the alias's update policy
 */
function deploy(id: string, preference: Obj, resource: Resource, to: Translation): Obj {
  checkPreference(id, preference, to);
  const { Hooks: hooks, Alarms: alarms, Role, TriggerConfigurations, PassthroughCondition } = preference;
  const Type = to.resolver.resolve(preference.Type);
  if (Type === undefined) throw resourceProblem(id, "'DeploymentPreference' requires 'Type'");
  const passed = to.resolver.resolve(PassthroughCondition);
  const Condition = passed === true || passed === 'true' || passed === 'True' ? resource.Condition : undefined;
  const shared = sharedCondition(Condition, to);
  const own = objectOf(resource.Properties);
  const Tags = own.PropagateTags === true && isObject(own.Tags) ? samTags(own.Tags) : undefined;
  const group = `${id}DeploymentGroup`;
  to.share(APPLICATION, 'AWS::CodeDeploy::Application', { ComputePlatform: 'Lambda', Tags }, shared);
  if (Role === undefined)
    to.share(
      ROLE,
      'AWS::IAM::Role',
      {
        AssumeRolePolicyDocument: trust(servicePrincipalName('codedeploy')),
        ManagedPolicyArns: [to.managed('service-role/AWSCodeDeployRoleForLambda')],
      },
      shared,
    );
  to.add(
    group,
    'AWS::CodeDeploy::DeploymentGroup',
    {
      ApplicationName: ref(APPLICATION),
      AlarmConfiguration: alarmsOf(alarms),
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST'],
      },
      DeploymentConfigName: configuration(Type),
      DeploymentStyle: { DeploymentType: 'BLUE_GREEN', DeploymentOption: 'WITH_TRAFFIC_CONTROL' },
      ServiceRoleArn: Role ?? getAtt(ROLE, 'Arn'),
      TriggerConfigurations,
      Tags,
    },
    { Condition },
  );
  const { PreTraffic, PostTraffic } = isObject(hooks) ? hooks : {};
  return {
    CodeDeployLambdaAliasUpdate: defined({
      ApplicationName: ref(APPLICATION),
      DeploymentGroupName: ref(group),
      BeforeAllowTrafficHook: PreTraffic,
      AfterAllowTrafficHook: PostTraffic,
    }),
  };
}

function configuration(type: unknown): unknown {
  if (typeof type === 'string')
    return STANDARD.has(type) ? { 'Fn::Sub': [`CodeDeployDefault.Lambda\${ConfigName}`, { ConfigName: type }] } : type;
  if (isObject(type) && typeof type['Fn::Sub'] === 'string' && STANDARD.has(type['Fn::Sub']))
    return configuration(type['Fn::Sub']);
  const branches = isObject(type) ? type['Fn::If'] : undefined;
  if (!Array.isArray(branches)) return type;
  const [condition, yes, no] = branches;
  return { 'Fn::If': [condition, configuration(yes), configuration(no)] };
}

function alarmsOf(alarms: unknown): Obj | undefined {
  if (alarms === undefined || isNoValue(alarms)) return undefined;
  const names = (list: unknown[]) => ({ Alarms: list.map((Name) => ({ Name })), Enabled: true });
  if (Array.isArray(alarms)) return names(alarms);
  const branches = isIntrinsic(alarms) ? alarms['Fn::If'] : undefined;
  if (!Array.isArray(branches)) return undefined;
  const [condition, ...others] = branches;
  return { 'Fn::If': [condition, ...others.map((list) => (Array.isArray(list) ? names(list) : list))] };
}
