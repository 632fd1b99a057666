import type { EmptiableMembers } from '@emu/core/service';
import type { SesOperations } from '@emu/service-types/ses';

/** Members of a rule's actions. */
const ACTIONS = [
  'Rule.Actions[].BounceAction.TopicArn',
  'Rule.Actions[].LambdaAction.TopicArn',
  'Rule.Actions[].S3Action.KmsKeyArn',
  'Rule.Actions[].S3Action.TopicArn',
  'Rule.Actions[].StopAction.TopicArn',
] as const;

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<SesOperations> = {
  CreateReceiptRule: ACTIONS,
  SetActiveReceiptRuleSet: ['RuleSetName'],
  UpdateCustomVerificationEmailTemplate: ['FromEmailAddress', 'SuccessRedirectionURL', 'FailureRedirectionURL'],
  UpdateReceiptRule: ACTIONS,
};
