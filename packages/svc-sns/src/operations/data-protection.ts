import type {
  GetDataProtectionPolicyInput,
  GetDataProtectionPolicyResponse,
  PutDataProtectionPolicyInput,
} from '@emu/service-types/sns';
import { checkDataProtectionPolicy } from '../topics/data-protection-policy.ts';
import { type SnsContext, topicAt } from './context.ts';

/** The data protection policy of a topic; without one nothing. */
export function GetDataProtectionPolicy(
  { ResourceArn }: GetDataProtectionPolicyInput,
  ctx: SnsContext,
): GetDataProtectionPolicyResponse {
  return { DataProtectionPolicy: topicAt(ResourceArn, ctx, 'ResourceArn').topic.record.dataProtectionPolicy };
}

/** Sets the data protection policy of a topic; an empty one removes it. */
export function PutDataProtectionPolicy(
  { ResourceArn, DataProtectionPolicy }: PutDataProtectionPolicyInput,
  ctx: SnsContext,
): Record<string, never> {
  const { state, topic } = topicAt(ResourceArn, ctx, 'ResourceArn');
  if (DataProtectionPolicy) checkDataProtectionPolicy(DataProtectionPolicy);
  state.updateTopic(topic.name, (draft) => {
    if (DataProtectionPolicy) draft.dataProtectionPolicy = DataProtectionPolicy;
    else delete draft.dataProtectionPolicy;
  });
  return {};
}
