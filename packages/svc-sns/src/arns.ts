import { type Arn, parseArn, type ResourceAddress } from '@emu/core/service';
import { invalidParameter } from './errors.ts';
import { subscriptionType } from './resources.ts';

const MIN_ELEMENTS = 6;

/**
 * Parses an ARN of SNS in a request.
 * @param parameter name of the request parameter
 * @throws AwsError `InvalidParameter` for another ARN, or one of another region
 */
export function snsArn(value: string, parameter: string, region: string): Arn {
  if (!value && parameter !== 'TopicArn')
    throw invalidParameter(`${parameter} Reason: no value for required parameter`);
  const elements = value.split(':').length;
  if (elements < MIN_ELEMENTS)
    throw invalidParameter(`${parameter} Reason: An ARN must have at least ${MIN_ELEMENTS} elements, not ${elements}`);
  const arn = parseArn(value);
  if (arn?.service !== 'sns' || arn.region !== region || !/^\d{12}$/.test(arn.accountId))
    throw invalidParameter(parameter);
  return arn;
}

/**
 * Returns the topic name and the id in a subscription ARN.
 * @throws AwsError `InvalidParameter` for an ARN without an id
 */
export function subscriptionAddress(arn: Arn): ResourceAddress<{ topic: string; id: string }> {
  const address = subscriptionType.parse(arn);
  if (!address || !SUBSCRIPTION_ID.test(address.key.id)) throw invalidParameter('SubscriptionId');
  return address;
}

const SUBSCRIPTION_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
