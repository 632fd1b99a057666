import type { Place } from '@emu/core/service';
import { badRequest } from '../errors.ts';
import { executeApiArn } from '../resources.ts';

/**
 * Validates a resource policy and returns its stored form.
 * @throws AwsError `BadRequestException`
 */
export function checkPolicy(text: string): string {
  try {
    const policy: unknown = JSON.parse(text);
    if (typeof policy === 'object' && policy !== null && 'Statement' in policy) return text;
  } catch {
    // Rejected below.
  }
  throw badRequest('Invalid policy document. Please check the policy syntax and ensure that Principals are valid.');
}

/**
 * Expands short resources of a policy, `execute-api:/stage/method/path`, to complete ARNs.
 * @param resource ARN of the API's or domain's invocation, whose part before the first slash replaces `execute-api:`
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-resource-policies-examples.html
 */
export function withWholeArns(policy: string, resource: string): string {
  const start = resource.slice(0, resource.indexOf('/'));
  return policy.replaceAll(/"execute-api:\/+([^"]*)"/g, (_, rest: string) => JSON.stringify(`${start}/${rest}`));
}

/**
 * Returns the policy of an API as responses contain it: compact JSON with complete ARNs, in which quotation marks,
 * slashes and backslashes are escaped once more. `policyOf` reverses it.
 */
export function escapedPolicy(policy: string, apiId: string, place: Place): string {
  const compact = JSON.stringify(JSON.parse(policy));
  const whole = withWholeArns(compact, executeApiArn(place, apiId, '*', '*', '*'));
  return JSON.stringify(whole).slice(1, -1).replaceAll('/', String.raw`\/`);
}

/** Returns the JSON text of a policy in a response. */
export const policyOf = (escaped: string): string => JSON.parse(`"${escaped}"`) as string;
