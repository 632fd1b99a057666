import type { PassedRoles } from '@emu/core/service';
import type { ServiceModel } from '@emu/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { policies } from '../../svc-iam/src/generated/managed-policies.js';
import { createEmulator, type EmbeddedEmulator } from '../src/index.ts';

/** Members that are or contain a role according to the documentation, but not according to their name. */
const DOCUMENTED: Readonly<Record<string, readonly string[]>> = {
  'apigateway ImportRestApi': ['body'],
  'apigateway PutRestApi': ['body'],
  'apigateway UpdateAccount': ['patchOperations.value'],
  'apigateway UpdateAuthorizer': ['patchOperations.value'],
  'apigateway UpdateIntegration': ['patchOperations.value'],
  'apigatewayv2 ImportApi': ['Body'],
  'apigatewayv2 ReimportApi': ['Body'],
  'logs PutAccountPolicy': ['policyDocument'],
  'sns CreatePlatformApplication': ['Attributes.FailureFeedbackRoleArn', 'Attributes.SuccessFeedbackRoleArn'],
  'sns CreateTopic': ['Application', 'Firehose', 'HTTP', 'Lambda', 'SQS'].flatMap((protocol) => [
    `Attributes.${protocol}FailureFeedbackRoleArn`,
    `Attributes.${protocol}SuccessFeedbackRoleArn`,
  ]),
  'sns SetPlatformApplicationAttributes': ['Attributes.FailureFeedbackRoleArn', 'Attributes.SuccessFeedbackRoleArn'],
  'sns SetSMSAttributes': ['attributes.DeliveryStatusIAMRole'],
  'sns SetSubscriptionAttributes': ['AttributeValue'],
  'sns SetTopicAttributes': ['AttributeValue'],
  'sns Subscribe': ['Attributes.SubscriptionRoleArn'],
  'ssm UpdateServiceSetting': ['SettingValue'],
};

/** Members named like roles that do not require `iam:PassRole`: operation, pattern of member paths, and reason. */
const NOT_PASSED: readonly (readonly [operation: RegExp, path: RegExp, reason: string])[] = [
  [/^sts AssumeRole/, /^Role(Arn|SessionName)$/, "the role's trust policy and sts:AssumeRole decide"],
  [/^cognito-identity GetCredentialsForIdentity$/, /^CustomRoleArn$/, 'the identity, without permissions, selects one'],
  [/^cognito-identity SetIdentityPoolRoles$/, /^RoleMappings\.\*\.(Type|AmbiguousRoleResolution)$/, 'no role'],
  [/^firehose /, /\.SnowflakeRole$/, 'a role of Snowflake'],
  [/^iam AddRoleToInstanceProfile$/, /^RoleName$/, 'its own permission passes the role to EC2'],
  [/^iam /, /^(RoleName|AssumeRolePolicyDocument)$/, 'the role is what the operation changes or reads'],
  [/^iam Simulate/, /^CallerArn$/, 'the principal of a simulation'],
  [/^pipes /, /\.Overrides\.(ExecutionRoleArn|TaskRoleArn)$/, "the pipe's role passes it to ECS when it runs a task"],
  [/^cloudformation (Create|Update)StackSet$/, /^ExecutionRoleName$/, 'the administration role assumes it'],
  [/^ssm /, /TargetLocations\.ExecutionRoleName$/, 'a role of each target account, which the automation role assumes'],
  [/^s3 PutBucketNotification$/, /\.InvocationRole$/, 'S3 ignores the role of this deprecated operation'],
];

const NAMED_LIKE_ROLE = /Role|role|Credentials(Arn)?$|^credentials$|CallerArn$/;
/** Matches members that describe a role. */
const NO_ROLE = /Description$/;

let emulator: EmbeddedEmulator;
beforeAll(async () => {
  emulator = await createEmulator();
});
afterAll(() => emulator.close());

const inputShape = (model: ServiceModel, operation: string): string | undefined => {
  const input = model.operations[operation]?.input;
  return typeof input === 'string' ? input : (input as { shape?: string } | undefined)?.shape;
};

/** Returns the paths of all strings in a shape, with `*` for the keys of a map. */
function textsOf(model: ServiceModel, shapeName: string | undefined, outer: readonly string[] = []): string[] {
  const shape = shapeName === undefined ? undefined : model.shapes[shapeName];
  if (!shapeName || !shape || outer.includes(shapeName)) return [];
  if (shape.type === 'string' || shape.type === 'blob') return [''];
  const inner = [...outer, shapeName];
  if (shape.type === 'list') return textsOf(model, shape.member?.shape, inner);
  const members = shape.type === 'map' ? [['*', shape.value] as const] : Object.entries(shape.members ?? {});
  return members.flatMap(([name, member]) =>
    textsOf(model, member?.shape, inner).map((rest) => (rest === '' ? name : `${name}.${rest}`)),
  );
}

const isNamedLikeRole = (path: string): boolean => {
  const names = path.split('.').filter((name) => name !== '*');
  const last = names.at(-1) ?? '';
  return NAMED_LIKE_ROLE.test(last) && !NO_ROLE.test(last);
};

/** Whether a declared path covers a path of the input. */
const covers = (declared: string, path: string): boolean =>
  declared === path ||
  (declared.startsWith('**.') && (path === declared.slice(3) || path.endsWith(declared.slice(2)))) ||
  (declared.endsWith('.*') && path === declared);

/** Returns the operations of all services with their declared roles. */
async function allOperations() {
  const found = [];
  for (const { name } of emulator.kernel.manifests) {
    const { plugin } = await emulator.kernel.service(name);
    const roles = (plugin.authorization?.roles ?? {}) as Readonly<Record<string, PassedRoles<unknown>>>;
    for (const operation of Object.keys(plugin.model.operations))
      found.push({
        operation,
        label: `${name} ${operation}`,
        model: plugin.model,
        roles: roles[operation] ?? {},
        declared: Object.keys(roles[operation] ?? {}),
        isImplemented: Object.hasOwn(plugin.operations, operation),
      });
  }
  return found;
}

test('each member that names a role is declared or has a reason', async () => {
  const open: string[] = [];
  const used = new Set<unknown>();
  for (const { operation, label, model, declared, isImplemented } of await allOperations()) {
    if (!isImplemented) continue;
    const named = textsOf(model, inputShape(model, operation)).filter(isNamedLikeRole);
    for (const path of [...named, ...(DOCUMENTED[label] ?? [])]) {
      if (declared.some((one) => covers(one, path))) continue;
      const exempt = NOT_PASSED.find(([pattern, members]) => pattern.test(label) && members.test(path));
      if (exempt) used.add(exempt);
      else open.push(`${label} ${path}`);
    }
  }
  expect(open).toEqual([]);
  expect(NOT_PASSED.filter((one) => !used.has(one)).map(([pattern, members]) => `${pattern} ${members}`)).toEqual([]);
});

/** Whether a path of members of a shape ends at a string or bytes. */
function leadsToText(model: ServiceModel, shapeName: string | undefined, path: readonly string[], depth = 0): boolean {
  const shape = shapeName === undefined ? undefined : model.shapes[shapeName];
  if (!shape || depth > 12) return false;
  if (shape.type === 'string' || shape.type === 'blob') return path.length === 0;
  if (shape.type === 'list') return leadsToText(model, shape.member?.shape, path, depth + 1);
  if (shape.type === 'map') return leadsToText(model, shape.value?.shape, path.slice(1), depth + 1);
  const [name, ...rest] = path;
  return Object.entries(shape.members ?? {}).some(([member, { shape: target }]) =>
    name === '**'
      ? (member === rest[0] && leadsToText(model, target, rest.slice(1), depth + 1)) ||
        leadsToText(model, target, path, depth + 1)
      : (member === name || name === '*') && leadsToText(model, target, rest, depth + 1),
  );
}

test('roles declared by services are input members', async () => {
  const wrong: string[] = [];
  let count = 0;
  for (const { operation, label, model, declared } of await allOperations())
    for (const path of declared) {
      count += 1;
      if (!leadsToText(model, inputShape(model, operation), path.split('.'))) wrong.push(`${label} ${path}`);
    }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(80);
});

/**
 * Services that receive roles, as in `iam:PassedToService`, with the AWS managed policy that has the value, or AWS's
 * page with the trust policy of the role.
 */
const RECEIVERS: Readonly<Record<string, string>> = {
  'access-grants.s3': 'SageMakerStudioProjectUserRolePolicy',
  apigateway: 'AmazonSageMakerPartnerServiceCatalogProductsCloudFormationServiceRolePolicy',
  'application-autoscaling': 'AmazonDynamoDBFullAccess',
  'batchoperations.s3': 'https://docs.aws.amazon.com/AmazonS3/latest/userguide/batch-ops-iam-role-policies.html',
  cloudformation: 'AWSElasticBeanstalkRoleCore',
  'cognito-identity': 'AmazonCloudWatchRUMFullAccess',
  'cognito-idp':
    'https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-using-import-tool-cli.html',
  'directquery.opensearchservice': 'CloudWatchOpenSearchDashboardsFullAccess',
  events: 'AWSCodePipeline_FullAccess',
  firehose: 'ApplicationDiscoveryServiceContinuousExportServiceRolePolicy',
  'hooks.cloudformation':
    'https://docs.aws.amazon.com/cloudformation-cli/latest/hooks-userguide/lambda-hooks-prepare-to-create-hook.html',
  lambda: 'AWSDeepLensServiceRolePolicy',
  logs: 'CloudWatchFullAccessV2',
  pipes: 'AmazonEventBridgePipesFullAccess',
  'resource-groups': 'https://docs.aws.amazon.com/ARG/latest/APIReference/API_StartTagSyncTask.html',
  'resources.cloudformation':
    'https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-walkthrough.html',
  s3: 'AmazonSecurityLakeAdministrator',
  's3-outposts': 'https://docs.aws.amazon.com/AmazonS3/latest/userguide/outposts-replication-prerequisites-config.html',
  scheduler: 'AmazonEventBridgeSchedulerFullAccess',
  secretsmanager: 'https://docs.aws.amazon.com/secretsmanager/latest/userguide/mes-security.html',
  ses: 'AmazonConnectServiceLinkedRolePolicy',
  sns: 'https://docs.aws.amazon.com/sns/latest/dg/prereqs-kinesis-data-firehose.html',
  ssm: 'AWS-SSM-DiagnosisAutomation-AdministrationRolePolicy',
  states: 'AmazonSageMakerFullAccess',
  'streams.metrics.cloudwatch':
    'https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch-metric-streams-trustpolicy.html',
};

/** Returns the values of `iam:PassedToService` in the statements of a managed policy. */
function passedToServices(document: string): string[] {
  const { Statement } = JSON.parse(document) as { Statement: { Condition?: Record<string, Record<string, string>> }[] };
  return Statement.flatMap(({ Condition = {} }) => Object.values(Condition).flatMap((keys) => Object.entries(keys)))
    .filter(([key]) => key.toLowerCase() === 'iam:passedtoservice')
    .flatMap(([, value]) => value);
}

test('each service that receives a role has a source', async () => {
  const receivers = new Set<string>();
  for (const { roles } of await allOperations())
    for (const passed of Object.values(roles)) {
      const service = typeof passed === 'string' ? passed : passed.service;
      for (const input of [{}, { Type: 'HOOK' }]) receivers.add(typeof service === 'string' ? service : service(input));
    }
  expect([...receivers].sort()).toEqual(Object.keys(RECEIVERS).sort());
  const documents = new Map(policies.map(([name, , , , , document]) => [name, document]));
  for (const [service, source] of Object.entries(RECEIVERS))
    if (!source.startsWith('https:'))
      expect(passedToServices(documents.get(source)!), source).toContain(`${service}.amazonaws.com`);
});
