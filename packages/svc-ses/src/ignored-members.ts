import type { EmptiableMembers } from '@emu/core/service';
import type { SesOperations } from '@emu/service-types/ses';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<SesOperations> = {
  SetActiveReceiptRuleSet: ['RuleSetName'],
  UpdateCustomVerificationEmailTemplate: ['FromEmailAddress', 'SuccessRedirectionURL', 'FailureRedirectionURL'],
};
