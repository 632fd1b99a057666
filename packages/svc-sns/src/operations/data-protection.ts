import type { InputOf, OutputOf } from '@emu/service-types/sns';
import type { SnsContext } from '../context.ts';
import { topicAt } from '../lookup.ts';
import { checkDataProtectionPolicy } from '../topics/data-protection-policy.ts';

/** Returns the data protection policy of a topic, or an empty response without one. */
export function GetDataProtectionPolicy(
  { ResourceArn }: InputOf<'GetDataProtectionPolicy'>,
  ctx: SnsContext,
): OutputOf<'GetDataProtectionPolicy'> {
  return { DataProtectionPolicy: topicAt(ResourceArn, ctx, 'ResourceArn').topic.record.dataProtectionPolicy };
}

/** Sets the data protection policy of a topic. An empty policy removes it. */
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
