import type { EmptiableMembers } from '@emu/core/service';
import type { Sesv2Operations } from '@emu/service-types/sesv2';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<Sesv2Operations> = {
  CreateConfigurationSet: [
    'DeliveryOptions.SendingPoolName',
    'TrackingOptions.CustomRedirectDomain',
    'TrackingOptions',
  ],
  CreateConfigurationSetEventDestination: ['EventDestination.PinpointDestination'],
  CreateDeliverabilityTestReport: [
    'Content.Template',
    'Content.Template.TemplateContent',
    'Content.Simple.Subject.Charset',
    'Content.Simple.Body.Text.Charset',
    'Content.Simple.Body.Html.Charset',
  ],
  CreateEmailIdentity: ['ConfigurationSetName'],
  PutConfigurationSetDeliveryOptions: ['SendingPoolName'],
  PutConfigurationSetTrackingOptions: ['CustomRedirectDomain'],
  PutEmailIdentityConfigurationSetAttributes: ['ConfigurationSetName'],
  SendBulkEmail: ['ConfigurationSetName', 'DefaultContent.Template.TemplateContent'],
  SendCustomVerificationEmail: ['ConfigurationSetName'],
  SendEmail: [
    'ConfigurationSetName',
    'Content.Template.TemplateContent',
    'Content.Template',
    'Content.Simple.Subject.Charset',
    'Content.Simple.Body.Text.Charset',
    'Content.Simple.Body.Html.Charset',
    'FeedbackForwardingEmailAddress',
    'ListManagementOptions.TopicName',
  ],
  UpdateConfigurationSetEventDestination: ['EventDestination.PinpointDestination'],
};
