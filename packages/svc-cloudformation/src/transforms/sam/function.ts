import { servicePrincipalName } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { location } from './code.ts';
import { destinations } from './destinations.ts';
import { resourceProblem } from './errors.ts';
import { addEvents, checkEvents } from './events/index.ts';
import { mapOf, requiredText } from './expect.ts';
import { publishAlias } from './publishing.ts';
import { roleProperties } from './role.ts';
import { CREATED_BY, checkTags } from './tags.ts';
import type { FunctionTarget } from './targets.ts';
import type { Translation } from './translation.ts';
import {
  defined,
  getAtt,
  inheritedAttributes,
  isIntrinsic,
  isNoValue,
  type Obj,
  pick,
  type Resource,
  ref,
  samTags,
} from './values.ts';

/** Properties with the same names in Lambda functions. */
const SAME = [
  'Architectures',
  'CodeSigningConfigArn',
  'Description',
  'DurableConfig',
  'Environment',
  'EphemeralStorage',
  'FileSystemConfigs',
  'FunctionName',
  'FunctionScalingConfig',
  'Handler',
  'ImageConfig',
  'KmsKeyArn',
  'Layers',
  'LoggingConfig',
  'MemorySize',
  'PackageType',
  'PublishToLatestPublished',
  'RecursiveLoop',
  'ReservedConcurrentExecutions',
  'Runtime',
  'RuntimeManagementConfig',
  'SnapStart',
  'TenancyConfig',
  'Timeout',
  'VpcConfig',
];

/** Returns the tag that marks SAM as creator, replaced by propagated tags. */
const createdBy = ({ PropagateTags, Tags }: Obj): string | undefined =>
  PropagateTags === true && isObject(Tags) ? undefined : CREATED_BY;

/**
 * Translates a function: the function, its role, versions, URL, destinations and events.
 * @throws SamProblem
 */
export function translateFunction(id: string, resource: Resource, to: Translation): void {
  const properties = { ...(resource.Properties ?? {}) };
  checkEvents(id, properties, to);
  checkTags(id, properties.Tags);
  checkCapabilities(id, properties);
  checkDeadLetters(id, properties.DeadLetterQueue);
  const attributes = inheritedAttributes(resource);
  const lambda = lambdaProperties(id, properties, to);
  const alias = publishAlias(id, properties, lambda, resource, to);
  const target: FunctionTarget = {
    id,
    properties,
    attributes,
    name: ref(alias ?? id),
    arn: alias === undefined ? getAtt(id, 'Arn') : ref(alias),
    managed: [],
    inline: [],
    propagated:
      properties.PropagateTags === true
        ? { [CREATED_BY]: 'SAM', ...(isObject(properties.Tags) ? properties.Tags : {}) }
        : undefined,
  };
  destinations(target, alias, to);
  functionUrl(target, alias, to);
  addEvents(target, to);
  lambda.Role = roleOf(target, resource, to);
  const { Type: _, Properties: __, Connectors: ___, Condition: ____, ...kept } = resource;
  to.add(id, 'AWS::Lambda::Function', lambda, { ...attributes, ...kept });
}

/** Rejects properties not allowed for functions of capacity providers and single tenants. */
function checkCapabilities(id: string, properties: Obj): void {
  if (properties.CapacityProviderConfig && properties.ProvisionedConcurrencyConfig)
    throw resourceProblem(id, "Cannot specify 'CapacityProviderConfig' and 'ProvisionedConcurrencyConfig' together.");
  if (!properties.TenancyConfig) return;
  const refused: [string, string][] = [
    ['ProvisionedConcurrencyConfig', 'Provisioned concurrency'],
    ['FunctionUrlConfig', 'Function URL'],
    ['SnapStart', 'SnapStart'],
  ];
  for (const [property, words] of refused)
    if (properties[property])
      throw resourceProblem(id, `${words} is not supported for functions enabled with tenancy configuration.`);
  for (const event of Object.values(isObject(properties.Events) ? properties.Events : {})) {
    const type = isObject(event) ? event.Type : undefined;
    if (type !== 'Api' && type !== 'HttpApi')
      throw resourceProblem(
        id,
        `Event source '${type}' is not supported for functions enabled with tenancy configuration. Only Api and HttpApi event sources are supported.`,
      );
  }
}

function lambdaProperties(id: string, properties: Obj, to: Translation): Obj {
  const { Tracing, DeadLetterQueue: dead, Tags } = properties;
  const Code = codeOf(id, properties, to);
  return defined({
    ...pick(properties, SAME),
    Code,
    CapacityProviderConfig: capacity(properties.CapacityProviderConfig),
    Tags: isIntrinsic(Tags) ? Tags : samTags(Tags, createdBy(properties)),
    TracingConfig: traces(Tracing, to) ? { Mode: Tracing } : undefined,
    DeadLetterConfig: isObject(dead) ? { TargetArn: dead.TargetArn } : undefined,
  });
}

/** Returns the capacity provider configuration as in Lambda. */
function capacity(config: unknown): unknown {
  if (!isObject(config) || isIntrinsic(config)) return config;
  const { Arn: CapacityProviderArn, ...rest } = config as Obj;
  return { LambdaManagedInstancesCapacityProviderConfig: { CapacityProviderArn, ...rest } };
}

function codeOf(id: string, properties: Obj, to: Translation): Obj {
  const { InlineCode, ImageUri, CodeUri, PackageType, SourceKMSKeyArn } = properties;
  if (PackageType === 'Image') {
    const image = ImageUri ?? (isObject(CodeUri) ? undefined : CodeUri);
    if (image === undefined) throw resourceProblem(id, "'ImageUri' must be set.");
    return { ImageUri: image };
  }
  if (!properties.Runtime || !properties.Handler)
    throw resourceProblem(id, 'Runtime and Handler needs to be present when PackageType is of type `Zip`');
  if (InlineCode !== undefined && InlineCode !== null) return { ZipFile: InlineCode };
  if (CodeUri === undefined || CodeUri === null)
    throw resourceProblem(id, "Only one of 'InlineCode' or 'CodeUri' can be set.");
  if (!isObject(CodeUri) && typeof CodeUri !== 'string')
    throw resourceProblem(id, "'CodeUri' must be of type dict or string.");
  if (typeof CodeUri === 'string' && /\{\{resolve:/.test(CodeUri))
    throw resourceProblem(
      id,
      "Unsupported dynamic reference detected in 'CodeUri'. Please consider using alternative 'FunctionCode' object format.",
    );
  const code = location(
    id,
    'CodeUri',
    isObject(CodeUri) && !isIntrinsic(CodeUri) ? CodeUri : to.resolver.resolve(CodeUri),
  );
  return defined({ ...code, SourceKMSKeyArn });
}

/** Returns the function's role, given or created. */
function roleOf(target: FunctionTarget, resource: Resource, to: Translation): unknown {
  const { id, properties } = target;
  const { Role } = properties;
  const branches = isObject(Role) ? Role['Fn::If'] : undefined;
  if (branches !== undefined && (!Array.isArray(branches) || branches.length !== 3))
    throw resourceProblem(id, "Malformed 'Role' property: Fn::If requires 3 arguments.");
  if (Role !== undefined && Role !== null && !Array.isArray(branches)) return Role;
  const roleId = `${id}Role`;
  const own = getAtt(roleId, 'Arn');
  if (!Array.isArray(branches)) {
    to.add(roleId, 'AWS::IAM::Role', functionRole(roleId, target, to), target.attributes);
    return own;
  }
  const [condition, yes, no] = branches as [string, unknown, unknown];
  if (isNoValue(yes) && isNoValue(no)) {
    to.add(roleId, 'AWS::IAM::Role', functionRole(roleId, target, to), target.attributes);
    return own;
  }
  if (!isNoValue(yes) && !isNoValue(no)) return Role;
  const Condition = isNoValue(yes) ? condition : `NOT${condition}`;
  if (!isNoValue(yes)) to.conditions[Condition] = { 'Fn::Not': [{ Condition: condition }] };
  to.add(roleId, 'AWS::IAM::Role', functionRole(roleId, target, to), {
    ...resource,
    ...{ Type: undefined, Properties: undefined },
    Condition,
  });
  return { 'Fn::If': isNoValue(yes) ? [condition, own, no] : [condition, yes, own] };
}

/** Whether tracing is enabled; a mode from a parameter is resolved. */
const traces = (mode: unknown, { resolver }: Translation): boolean =>
  Boolean(mode) && resolver.resolve(mode) !== 'Disabled';

function functionRole(roleId: string, { id, properties, managed, inline }: FunctionTarget, to: Translation): Obj {
  const { DeadLetterQueue: dead, Tracing, VpcConfig } = properties;
  const basic = properties.DurableConfig ? 'AWSLambdaBasicDurableExecutionRolePolicy' : 'AWSLambdaBasicExecutionRole';
  const all: unknown[] = [to.managed(`service-role/${basic}`)];
  if (traces(Tracing, to)) all.push(to.tracing);
  if (VpcConfig && !isNoValue(VpcConfig)) all.push(to.managed('service-role/AWSLambdaVPCAccessExecutionRole'));
  const own = isObject(dead) ? [deadLetterPolicy(dead)] : [];
  return roleProperties(
    roleId,
    id,
    {
      service: servicePrincipalName('lambda'),
      managed: [...all, ...managed],
      inline: [...own, ...inline],
      policies: properties.Policies,
      tags: samTags(properties.Tags, createdBy(properties)),
      path: properties.RolePath,
      boundary: properties.PermissionsBoundary,
      trusted: properties.AssumeRolePolicyDocument,
    },
    to,
  );
}

/** @throws SamProblem for a malformed dead-letter queue */
function checkDeadLetters(id: string, dead: unknown): void {
  if (!isObject(dead)) return;
  const { Type, TargetArn } = dead;
  if (!Type || !TargetArn)
    throw resourceProblem(id, "'DeadLetterQueue' requires Type and TargetArn properties to be specified.");
  requiredText(Type, 'DeadLetterQueue.Type', (problem) => resourceProblem(id, problem));
  if (!Object.hasOwn(DEAD_LETTERS, Type as string))
    throw resourceProblem(id, "'DeadLetterQueue' requires Type of type ['SQS', 'SNS'].");
}

const DEAD_LETTERS: Readonly<Record<string, string>> = { SQS: 'sqs:SendMessage', SNS: 'sns:Publish' };

function deadLetterPolicy({ Type, TargetArn }: Obj): Obj {
  const Action = DEAD_LETTERS[Type as string];
  return {
    PolicyName: 'DeadLetterQueuePolicy',
    PolicyDocument: { Version: '2012-10-17', Statement: [{ Action, Effect: 'Allow', Resource: TargetArn }] },
  };
}

/** Types of the CORS members of a function URL: lists, a flag and a number. */
const URL_CORS: Readonly<Record<string, readonly [type: string, is: (value: unknown) => boolean]>> = {
  MaxAge: ['int', Number.isInteger],
  AllowCredentials: ['bool', (value) => typeof value === 'boolean'],
  AllowHeaders: ['list', Array.isArray],
  AllowMethods: ['list', Array.isArray],
  AllowOrigins: ['list', Array.isArray],
  ExposeHeaders: ['list', Array.isArray],
};

/** @throws SamProblem */
function checkUrlCors(id: string, cors: unknown): void {
  if (!cors || isIntrinsic(cors)) return;
  for (const [name, value] of Object.entries(
    mapOf(cors, 'FunctionUrlConfig.Cors', (problem) => resourceProblem(id, problem)),
  )) {
    const [type, is] = URL_CORS[name] ?? [];
    if (!is) throw resourceProblem(id, `${name} is not a valid property for configuring Cors.`);
    if (!isIntrinsic(value) && !is(value)) throw resourceProblem(id, `${name} must be of type ${type}.`);
  }
}

/** Returns the URL of a function; anyone may invoke it if it has no authorization. */
function functionUrl({ id, properties, attributes }: FunctionTarget, alias: string | undefined, to: Translation): void {
  const { FunctionUrlConfig: config } = properties;
  if (config === undefined) return;
  if (!isObject(config)) throw resourceProblem(id, "Property 'FunctionUrlConfig' should be a map.");
  const { AuthType } = config;
  if (AuthType !== 'AWS_IAM' && AuthType !== 'NONE' && !isIntrinsic(AuthType))
    throw resourceProblem(
      id,
      'AuthType is required to configure function property `FunctionUrlConfig`. Please provide either AWS_IAM or NONE.',
    );
  checkUrlCors(id, config.Cors);
  const name = ref(alias ?? id);
  to.add(
    `${id}Url`,
    'AWS::Lambda::Url',
    {
      ...pick(config, ['AuthType', 'Cors', 'InvokeMode']),
      TargetFunctionArn: name,
    },
    attributes,
  );
  if (AuthType !== 'NONE') return;
  const permission = { FunctionName: name, Principal: '*' };
  to.add(
    `${id}UrlPublicPermissions`,
    'AWS::Lambda::Permission',
    { Action: 'lambda:InvokeFunctionUrl', ...permission, FunctionUrlAuthType: AuthType },
    attributes,
  );
  to.add(
    `${id}URLInvokeAllowPublicAccess`,
    'AWS::Lambda::Permission',
    { Action: 'lambda:InvokeFunction', ...permission, InvokedViaFunctionUrl: true },
    attributes,
  );
}
