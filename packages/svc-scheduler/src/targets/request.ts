import { type DeepReadonly, parseArn } from '@emu/core';
import { sdkServiceOf } from '@emu/core/sdk-names';
import { awsError } from '@emu/wire';
import type { DeliveryRecord } from '../records.ts';
import { scheduleType } from '../resources.ts';
import { type InvocationFacts, inputFor } from './input.ts';
import { TEMPLATES } from './templated.ts';
import { operationOf, parseUniversal, type UniversalTarget } from './universal.ts';

/** A request that calls a target. */
export interface TargetRequest {
  /** As dead letters name it. */
  universal: UniversalTarget;
  /** Whether it is the target's own, rather than that of a template. */
  isUniversal: boolean;
  /** emu's name. */
  service: string;
  operation: string;
  /** In the JSON of `ServiceCaller.callJson`; of a universal target as the user has written them. */
  parameters: unknown;
  /** Owner of the resource that is called. */
  accountId: string;
  region: string;
  /** What dead letters tell of the request, as text. */
  payload: string;
}

/**
 * The request by which a schedule calls its target.
 * @throws AwsError `ValidationException` for an ARN that can be no target any more
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
    const parameters = JSON.parse(text) as unknown;
    return { universal, isUniversal: true, service, operation, parameters, accountId, region, payload: text };
  }
  const arn = parseArn(target.Arn);
  const template = arn && TEMPLATES[arn.service];
  if (!template) throw awsError('ValidationException', `The ARN ${target.Arn} is not valid.`);
  const scheduleArn = scheduleType.arn({ group: facts.group, name: facts.name }, facts);
  // Members without a value are left out, as in any JSON.
  const payload = JSON.stringify(template.parameters({ target, arn, input: text, scheduleArn }));
  return {
    universal: template,
    isUniversal: false,
    service: sdkServiceOf(template.sdk),
    operation: operationOf(template.action),
    parameters: JSON.parse(payload) as unknown,
    accountId: arn.accountId || facts.accountId,
    region: arn.region,
    payload,
  };
}
