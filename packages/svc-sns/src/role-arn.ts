import { parseArn } from '@emu/core';

/** Whether a text is the ARN of a role, which may not exist. */
export function isRoleArn(text: string): boolean {
  const arn = parseArn(text);
  return arn?.service === 'iam' && !arn.region && /^\d{12}$/.test(arn.accountId) && /^role\/./.test(arn.resource);
}
