import type { InputOf, OutputOf } from '@emu/service-types/sns';
import type { SnsContext } from '../context.ts';
import { topicAt } from '../lookup.ts';
import { checkDataProtectionPolicy } from '../topics/data-protection-policy.ts';

/** The data protection policy of a topic; without one nothing. */
export function GetDataProtectionPolicy(
  { ResourceArn }: InputOf<'GetDataProtectionPolicy'>,
  ctx: SnsContext,
): OutputOf<'GetDataProtectionPolicy'> {
  return { DataProtectionPolicy: topicAt(ResourceArn, ctx, 'ResourceArn').topic.record.dataProtectionPolicy };
}

/** Sets the data protection policy of a topic; an empty one removes it. */
export function PutDataProtectionPolicy(
  { ResourceArn, DataProtectionPolicy }: InputOf<'PutDataProtectionPolicy'>,
  ctx: SnsContext,
): OutputOf<'PutDataProtectionPolicy'> {
  const { state, topic } = topicAt(ResourceArn, ctx, 'ResourceArn');
  if (DataProtectionPolicy) checkDataProtectionPolicy(DataProtectionPolicy);
  state.updateTopic(topic.name, (draft) => {
    if (DataProtectionPolicy) draft.dataProtectionPolicy = DataProtectionPolicy;
    else delete draft.dataProtectionPolicy;
  });
  return {};
}
