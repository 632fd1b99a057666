import type { InputOf, OutputOf, RoutingRule, WebsiteConfiguration } from '@emu/service-types/s3';
import { deleteSetting, getSetting, putSetting } from '../buckets/documents.ts';
import type { S3Context } from '../context.ts';
import { invalidArgument, invalidRequest, malformedXml } from '../errors.ts';

const MAX_RULES = 50;

/** @throws AwsError `InvalidRequest` */
function checkProtocol(protocol: string | undefined): void {
  if (protocol !== undefined && protocol !== 'http' && protocol !== 'https')
    throw invalidRequest(
      'Invalid protocol, protocol can be http or https. If not defined the protocol will be selected automatically.',
    );
}

function checkRule({ Condition: condition, Redirect: redirect }: RoutingRule): void {
  checkProtocol(redirect.Protocol);
  if (redirect.ReplaceKeyPrefixWith !== undefined && redirect.ReplaceKeyWith !== undefined)
    throw invalidRequest('You can only define ReplaceKeyPrefix or ReplaceKey but not both.');
  if (condition && condition.KeyPrefixEquals === undefined && condition.HttpErrorCodeReturnedEquals === undefined)
    throw invalidRequest(
      "Condition cannot be empty. To redirect all requests without a condition, the condition element shouldn't be present.",
    );
  const error = condition?.HttpErrorCodeReturnedEquals;
  if (error !== undefined && !/^[45]\d\d$/.test(error))
    throw invalidRequest(`The provided HTTP error code (${error}) is not valid. Valid codes are 4XX or 5XX.`);
  const code = redirect.HttpRedirectCode;
  if (code !== undefined && !/^3\d\d$/.test(code))
    throw invalidRequest(`The provided HTTP redirect code (${code}) is not valid. Valid codes are 3XX except 300.`);
}

function check(website: WebsiteConfiguration): void {
  const {
    RedirectAllRequestsTo: redirectAll,
    IndexDocument: index,
    ErrorDocument: error,
    RoutingRules: rules,
  } = website;
  if (redirectAll) {
    if (index || error || rules?.length)
      throw invalidArgument(
        'RedirectAllRequestsTo cannot be provided in conjunction with other Routing Rules.',
        'RedirectAllRequestsTo',
        'not null',
      );
    checkProtocol(redirectAll.Protocol);
    return;
  }
  if (!index)
    throw invalidArgument(
      'A value for IndexDocument Suffix must be provided if RedirectAllRequestsTo is empty',
      'IndexDocument',
      'null',
    );
  if (index.Suffix === '' || index.Suffix.includes('/'))
    throw invalidArgument('The IndexDocument Suffix is not well formed', 'IndexDocument', index.Suffix);
  if (error && error.Key === '') throw malformedXml();
  if ((rules?.length ?? 0) > MAX_RULES)
    throw invalidRequest(
      `${rules!.length} routing rules provided, the number of routing rules in a website configuration is limited to ${MAX_RULES}.`,
    );
  for (const rule of rules ?? []) checkRule(rule);
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketWebsite.html */
export function PutBucketWebsite(input: InputOf<'PutBucketWebsite'>, ctx: S3Context): OutputOf<'PutBucketWebsite'> {
  check(input.WebsiteConfiguration);
  return putSetting(ctx, input, 'website', input.WebsiteConfiguration);
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketWebsite.html */
export function GetBucketWebsite(input: InputOf<'GetBucketWebsite'>, ctx: S3Context): OutputOf<'GetBucketWebsite'> {
  return getSetting(ctx, input, 'website', [
    'NoSuchWebsiteConfiguration',
    'The specified bucket does not have a website configuration',
  ]);
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketWebsite.html */
export function DeleteBucketWebsite(
  input: InputOf<'DeleteBucketWebsite'>,
  ctx: S3Context,
): OutputOf<'DeleteBucketWebsite'> {
  return deleteSetting(ctx, input, 'website');
}
