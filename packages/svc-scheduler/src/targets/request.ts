import { sdkServiceOf } from '@emu/core/sdk-names';
import { type DeepReadonly, parseArn } from '@emu/core/service';
import { parseJson } from '@emu/wire';
import { schedulerError } from '../errors.ts';
import type { DeliveryRecord } from '../records.ts';
import { scheduleType } from '../resources.ts';
import { type InvocationFacts, inputFor } from './input.ts';
import { TEMPLATES } from './templated.ts';
import { operationOf, parseUniversal, type UniversalTarget } from './universal.ts';

/** Request that calls a target. */
export interface TargetRequest {
  /** Service name in dead letters. */
  universal: UniversalTarget;
  /** Whether this is an operation of a universal target, rather than of a templated one. */
  isUniversal: boolean;
  /** Service name in emu. */
  service: string;
  operation: string;
  /** Input in the JSON form of `ServiceCaller.callJson`. For a universal target, as the user wrote it. */
  parameters: unknown;
  /** Account that owns the called resource. */
  accountId: string;
  region: string;
  /** Request as text in dead letters. */
  payload: string;
}

/**
 * Returns the request that calls the target of a schedule.
 * @throws AwsError `ValidationException` for an ARN that is no longer a valid target
 */
export function requestFor(
  { target, input }: Pick<DeepReadonly<DeliveryRecord>, 'target' | 'input'>,
  facts: InvocationFacts,
): TargetRequest {
  const text = inputFor(input, facts);
  const universal = parseUniversal(target.Arn);
  if (universal) {
    const { accountId, region } = facts;
    const [service, operation] = [sdkServiceOf(universal.sdk), operationOf(universal.action)];
    const parameters = parseJson(text) as unknown;
    return { universal, isUniversal: true, service, operation, parameters, accountId, region, payload: text };
  }
  const arn = parseArn(target.Arn);
  const template = arn && TEMPLATES[arn.service];
  if (!template) throw schedulerError('ValidationException', `The ARN ${target.Arn} is not valid.`);
  const scheduleArn = scheduleType.arn({ group: facts.group, name: facts.name }, facts);
  // Members without a value are omitted, as in any JSON.
  const payload = JSON.stringify(template.parameters({ target, arn, input: text, scheduleArn }));
  return {
    universal: template,
    isUniversal: false,
    service: sdkServiceOf(template.sdk),
    operation: operationOf(template.action),
    parameters: parseJson(payload) as unknown,
    accountId: arn.accountId || facts.accountId,
    region: arn.region,
    payload,
  };
}
