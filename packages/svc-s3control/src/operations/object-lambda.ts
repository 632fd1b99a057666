import { isPublicPolicy, parseArn } from '@emu/core/service';
import type { InputOf, ObjectLambdaConfiguration, OutputOf } from '@emu/service-types/s3control';
import { checkPolicy, newObjectLambdaAlias } from '../access-points/access-point.ts';
import { EVERYTHING_BLOCKED } from '../access-points/public-access-block.ts';
import type { S3controlContext } from '../context.ts';
import { checkAccount, findObjectLambda } from '../context.ts';
import {
  invalidRequest,
  invalidUri,
  malformedXml,
  noSuchAccessPoint,
  noSuchPolicy,
  s3controlError,
} from '../errors.ts';
import { paging } from '../paging.ts';
import { objectLambdaType, resourceName } from '../resources.ts';

/** Maximum Object Lambda access points per account and region. */
const MAX_ACCESS_POINTS = 1000;
const ACTIONS: ReadonlySet<string> = new Set(['GetObject', 'HeadObject', 'ListObjects', 'ListObjectsV2']);
const FEATURES: ReadonlySet<string> = new Set([
  'GetObject-Range',
  'GetObject-PartNumber',
  'HeadObject-Range',
  'HeadObject-PartNumber',
]);

/** @throws AwsError `InvalidURI`, `InvalidRequest`, `MalformedXML`, `NoSuchAccessPoint`, `ObjectLambdaAccessPointAlreadyOwnedByYou` */
export function CreateAccessPointForObjectLambda(
  input: InputOf<'CreateAccessPointForObjectLambda'>,
  ctx: S3controlContext,
): OutputOf<'CreateAccessPointForObjectLambda'> {
  checkAccount(ctx, input.AccountId);
  const { Name: name, Configuration: configuration } = input;
  const { objectLambdas } = ctx.state;
  if (!/^[a-z0-9][a-z0-9-]{1,43}[a-z0-9]$/.test(name)) throw invalidUri(`accesspointforobjectlambda/${name}`);
  if (objectLambdas.has(name))
    throw s3controlError(
      'ObjectLambdaAccessPointAlreadyOwnedByYou',
      'Your previous request to create the named Object Lambda Access Point succeeded and you already own it.',
      { status: 409 },
    );
  checkConfiguration(configuration, ctx);
  if (objectLambdas.size >= MAX_ACCESS_POINTS)
    throw s3controlError('TooManyAccessPoints', 'You have attempted to create more access points than allowed', {
      status: 400,
    });
  const alias = newObjectLambdaAlias(name, ctx.ids);
  ctx.state.createObjectLambda({ name, alias, configuration, createdAt: Math.floor(ctx.clock.now() / 1000) * 1000 });
  return {
    ObjectLambdaAccessPointArn: objectLambdaType.arn({ name }, ctx),
    Alias: { Value: alias, Status: 'READY' },
  };
}

/**
 * Validates the configuration of an Object Lambda access point.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_control_ObjectLambdaConfiguration.html
 */
function checkConfiguration(configuration: ObjectLambdaConfiguration, ctx: S3controlContext): void {
  const { SupportingAccessPoint: supporting, AllowedFeatures = [], TransformationConfigurations } = configuration;
  const arn = parseArn(supporting);
  if (arn?.service !== 's3' || !arn.resource.startsWith('accesspoint/') || arn.region !== ctx.region)
    throw invalidRequest('The supporting access point must be the ARN of an access point in the same Region.');
  if (arn.accountId !== ctx.accountId)
    throw invalidRequest('The supporting access point must belong to the same account.');
  const name = resourceName(supporting);
  if (!ctx.state.accessPoints.has(name)) throw noSuchAccessPoint(name);
  if (AllowedFeatures.some((feature) => !FEATURES.has(feature))) throw malformedXml();
  if (TransformationConfigurations.length === 0)
    throw invalidRequest('At least one transformation configuration is required.');
  const seen = new Set<string>();
  for (const { Actions: actions, ContentTransformation: transformation } of TransformationConfigurations) {
    if (actions.length === 0 || actions.some((action) => !ACTIONS.has(action))) throw malformedXml();
    for (const action of actions) {
      if (seen.has(action)) throw invalidRequest(`The action ${action} is in more than one transformation.`);
      seen.add(action);
    }
    const lambda = parseArn(transformation.AwsLambda?.FunctionArn ?? '');
    if (lambda?.service !== 'lambda' || !lambda.resource.startsWith('function:') || lambda.region !== ctx.region)
      throw invalidRequest('The transformation must be the ARN of an AWS Lambda function in the same Region.');
  }
}

/** @throws AwsError `NoSuchAccessPoint` */
export function GetAccessPointForObjectLambda(
  input: InputOf<'GetAccessPointForObjectLambda'>,
  ctx: S3controlContext,
): OutputOf<'GetAccessPointForObjectLambda'> {
  const { name, alias, createdAt } = findObjectLambda(ctx, input);
  return {
    Name: name,
    PublicAccessBlockConfiguration: EVERYTHING_BLOCKED,
    CreationDate: new Date(createdAt),
    Alias: { Value: alias, Status: 'READY' },
  };
}

/** @throws AwsError `NoSuchAccessPoint` */
export function DeleteAccessPointForObjectLambda(
  input: InputOf<'DeleteAccessPointForObjectLambda'>,
  ctx: S3controlContext,
): OutputOf<'DeleteAccessPointForObjectLambda'> {
  ctx.state.deleteObjectLambda(findObjectLambda(ctx, input));
  return {};
}

/** Lists all of the region in order of name. */
export function ListAccessPointsForObjectLambda(
  input: InputOf<'ListAccessPointsForObjectLambda'>,
  ctx: S3controlContext,
): OutputOf<'ListAccessPointsForObjectLambda'> {
  checkAccount(ctx, input.AccountId);
  return paging
    .page('ListAccessPointsForObjectLambda', input, ctx.state.objectLambdas.values(), ({ name }) => name)
    .list(({ name, alias }) => ({
      Name: name,
      ObjectLambdaAccessPointArn: objectLambdaType.arn({ name }, ctx),
      Alias: { Value: alias, Status: 'READY' },
    }));
}

/** @throws AwsError `NoSuchAccessPoint` */
export function GetAccessPointConfigurationForObjectLambda(
  input: InputOf<'GetAccessPointConfigurationForObjectLambda'>,
  ctx: S3controlContext,
): OutputOf<'GetAccessPointConfigurationForObjectLambda'> {
  return { Configuration: structuredClone(findObjectLambda(ctx, input).configuration) as ObjectLambdaConfiguration };
}

/** @throws AwsError `NoSuchAccessPoint`, `InvalidRequest`, `MalformedXML` */
export function PutAccessPointConfigurationForObjectLambda(
  input: InputOf<'PutAccessPointConfigurationForObjectLambda'>,
  ctx: S3controlContext,
): OutputOf<'PutAccessPointConfigurationForObjectLambda'> {
  const { name } = findObjectLambda(ctx, input);
  checkConfiguration(input.Configuration, ctx);
  ctx.state.objectLambdas.update(name, (draft) => {
    draft.configuration = input.Configuration;
  });
  return {};
}

/** @throws AwsError `NoSuchAccessPoint`, `MalformedPolicy`, `AccessDenied` */
export async function PutAccessPointPolicyForObjectLambda(
  input: InputOf<'PutAccessPointPolicyForObjectLambda'>,
  ctx: S3controlContext,
): Promise<OutputOf<'PutAccessPointPolicyForObjectLambda'>> {
  const arn = objectLambdaType.arn({ name: findObjectLambda(ctx, input).name }, ctx);
  await checkPolicy(
    input.Policy,
    arn,
    's3:PutAccessPointPolicyForObjectLambda',
    { publicAccessBlock: EVERYTHING_BLOCKED },
    ctx,
  );
  // It may have been deleted meanwhile.
  const { name } = findObjectLambda(ctx, input);
  ctx.state.objectLambdas.update(name, (draft) => {
    draft.policy = input.Policy;
  });
  return {};
}

function requirePolicy(ctx: S3controlContext, input: { AccountId: string; Name: string }): string {
  const { name, policy } = findObjectLambda(ctx, input);
  if (policy === undefined) throw noSuchPolicy(name);
  return policy;
}

/** @throws AwsError `NoSuchAccessPoint`, `NoSuchAccessPointPolicy` */
export function GetAccessPointPolicyForObjectLambda(
  input: InputOf<'GetAccessPointPolicyForObjectLambda'>,
  ctx: S3controlContext,
): OutputOf<'GetAccessPointPolicyForObjectLambda'> {
  return { Policy: requirePolicy(ctx, input) };
}

/** @throws AwsError `NoSuchAccessPoint` */
export function DeleteAccessPointPolicyForObjectLambda(
  input: InputOf<'DeleteAccessPointPolicyForObjectLambda'>,
  ctx: S3controlContext,
): OutputOf<'DeleteAccessPointPolicyForObjectLambda'> {
  const { name } = findObjectLambda(ctx, input);
  ctx.state.objectLambdas.update(name, (draft) => {
    delete draft.policy;
  });
  return {};
}

/** @throws AwsError `NoSuchAccessPoint`, `NoSuchAccessPointPolicy` */
export function GetAccessPointPolicyStatusForObjectLambda(
  input: InputOf<'GetAccessPointPolicyStatusForObjectLambda'>,
  ctx: S3controlContext,
): OutputOf<'GetAccessPointPolicyStatusForObjectLambda'> {
  return { PolicyStatus: { IsPublic: isPublicPolicy(requirePolicy(ctx, input)) } };
}
