import type { CORSRule, InputOf, OutputOf } from '@emu/service-types/s3';
import { deleteSetting, getSetting, putSetting } from '../buckets/documents.ts';
import type { S3Context } from '../context.ts';
import { invalidRequest, malformedXml } from '../errors.ts';

const METHODS = ['GET', 'PUT', 'HEAD', 'POST', 'DELETE'];
const MAX_RULES = 100;

function check(rule: CORSRule): void {
  if (rule.AllowedMethods.length === 0 || rule.AllowedOrigins.length === 0) throw malformedXml();
  for (const method of rule.AllowedMethods)
    if (!METHODS.includes(method))
      throw invalidRequest(`Found unsupported HTTP method in CORS config. Unsupported method is ${method}`);
  for (const [name, values] of [
    ['AllowedOrigin', rule.AllowedOrigins],
    ['AllowedHeader', rule.AllowedHeaders ?? []],
  ] as const)
    for (const value of values)
      if (value.split('*').length > 2) throw invalidRequest(`${name} "${value}" can not have more than one wildcard.`);
  for (const header of rule.ExposeHeaders ?? [])
    if (header.includes('*'))
      throw invalidRequest(
        `ExposeHeader "${header}" contains wildcard. We currently do not support wildcard for ExposeHeader.`,
      );
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketCors.html */
export function PutBucketCors(input: InputOf<'PutBucketCors'>, ctx: S3Context): OutputOf<'PutBucketCors'> {
  const rules = input.CORSConfiguration.CORSRules;
  if (rules.length === 0) throw malformedXml();
  if (rules.length > MAX_RULES)
    throw invalidRequest('The number of CORS rules should not exceed allowed limit of 100 rules.');
  for (const rule of rules) check(rule);
  return putSetting(ctx, input, 'cors', rules);
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketCors.html */
export function GetBucketCors(input: InputOf<'GetBucketCors'>, ctx: S3Context): OutputOf<'GetBucketCors'> {
  return {
    CORSRules: getSetting(ctx, input, 'cors', ['NoSuchCORSConfiguration', 'The CORS configuration does not exist']),
  };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketCors.html */
export function DeleteBucketCors(input: InputOf<'DeleteBucketCors'>, ctx: S3Context): OutputOf<'DeleteBucketCors'> {
  return deleteSetting(ctx, input, 'cors');
}
