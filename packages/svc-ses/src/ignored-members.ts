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
  SendBulkTemplatedEmail: ['ConfigurationSetName', 'ReturnPath', 'ReturnPathArn', 'SourceArn'],
  SendCustomVerificationEmail: ['ConfigurationSetName'],
  SendEmail: [
    'ConfigurationSetName',
    'Message.Body.Html.Charset',
    'Message.Body.Text.Charset',
    'Message.Subject.Charset',
    'ReturnPath',
    'ReturnPathArn',
    'SourceArn',
  ],
  SendRawEmail: ['ConfigurationSetName', 'FromArn', 'ReturnPathArn', 'Source', 'SourceArn'],
  SendTemplatedEmail: ['ConfigurationSetName', 'ReturnPath', 'ReturnPathArn', 'SourceArn'],
  SetActiveReceiptRuleSet: ['RuleSetName'],
  UpdateCustomVerificationEmailTemplate: ['FromEmailAddress', 'SuccessRedirectionURL', 'FailureRedirectionURL'],
  UpdateReceiptRule: ACTIONS,
};
