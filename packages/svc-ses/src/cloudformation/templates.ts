import {
  ask,
  defined,
  defineProvider,
  differs,
  omit,
  type Properties,
  pick,
  run,
  type TaggedProperties,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { contactListType, templateType, verificationTemplateType } from '../resources.ts';
import { GONE } from './tags.ts';

interface TemplateProperties extends TaggedProperties {
  readonly Template?: {
    readonly HtmlPart?: string;
    readonly SubjectPart: string;
    readonly TemplateName?: string;
    readonly TextPart?: string;
  };
}

interface VerificationProperties extends TaggedProperties {
  TemplateName: string;
}

interface ListProperties extends TaggedProperties {
  ContactListName?: string;
}

const contentOf = (template: TemplateProperties['Template']): Properties =>
  defined({ Subject: template?.SubjectPart, Html: template?.HtmlPart, Text: template?.TextPart });

const VERIFICATION = [
  'FailureRedirectionURL',
  'FromEmailAddress',
  'SuccessRedirectionURL',
  'TemplateContent',
  'TemplateSubject',
] as const;

/**
 * Mail templates.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ses-template.html
 */
export const template: AnyResourceProvider = defineProvider<TemplateProperties>({
  typeName: 'AWS::SES::Template',
  model,
  service: 'sesv2',
  handles: ['Tags', 'Template'],
  key: ['TemplateName'],
  gone: GONE,

  async create({ Tags, Template }, ctx) {
    const TemplateName = Template?.TemplateName ?? ctx.name({ max: 64 });
    await run(ctx, 'sesv2', 'CreateEmailTemplate', { TemplateName, TemplateContent: contentOf(Template), Tags });
    return { identifier: TemplateName, attributes: { Id: TemplateName } };
  },

  find: (key, ctx) => ask(ctx, 'sesv2', 'GetEmailTemplate', key),

  describe({ Tags, TemplateContent }, { TemplateName }) {
    const { Html, Subject, Text } = TemplateContent as Properties;
    return {
      properties: defined({
        Tags: unlessEmpty(Tags as Properties[] | undefined),
        Template: defined({ TemplateName, SubjectPart: Subject, HtmlPart: Html, TextPart: Text }),
      }),
      attributes: { Id: TemplateName },
    };
  },

  async update(key, previous, desired, ctx) {
    if (differs(previous, desired, 'Template'))
      await run(ctx, 'sesv2', 'UpdateEmailTemplate', { ...key, TemplateContent: contentOf(desired.Template) });
    await changeTagsOf(templateType.arn({ name: key.TemplateName! }, ctx), previous, desired, ctx);
  },

  remove: 'DeleteEmailTemplate',
  list: {
    operation: 'ListEmailTemplates',
    token: ['NextToken', 'NextToken'],
    identifiers: ({ TemplatesMetadata }: { TemplatesMetadata?: { TemplateName: string }[] }) =>
      TemplatesMetadata?.map(({ TemplateName }) => TemplateName),
  },
});

/**
 * Custom verification mail templates.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ses-customverificationemailtemplate.html
 */
export const verificationTemplate: AnyResourceProvider = defineProvider<VerificationProperties>({
  typeName: 'AWS::SES::CustomVerificationEmailTemplate',
  model,
  service: 'sesv2',
  handles: [...VERIFICATION, 'Tags', 'TemplateName'],
  key: ['TemplateName'],
  gone: GONE,

  async create(properties, ctx) {
    await run(ctx, 'sesv2', 'CreateCustomVerificationEmailTemplate', properties);
    return properties.TemplateName;
  },

  find: (key, ctx) => ask(ctx, 'sesv2', 'GetCustomVerificationEmailTemplate', key),

  describe: (found, key) => ({
    properties: defined({
      ...key,
      ...pick(found, VERIFICATION),
      Tags: unlessEmpty(found.Tags as Properties[] | undefined),
    }),
    attributes: {},
  }),

  async update(key, previous, desired, ctx) {
    if (differs(previous, desired, ...VERIFICATION))
      await run(ctx, 'sesv2', 'UpdateCustomVerificationEmailTemplate', omit(desired, 'Tags'));
    await changeTagsOf(verificationTemplateType.arn({ name: key.TemplateName! }, ctx), previous, desired, ctx);
  },

  remove: 'DeleteCustomVerificationEmailTemplate',
  list: {
    operation: 'ListCustomVerificationEmailTemplates',
    token: ['NextToken', 'NextToken'],
    identifiers: (page: { CustomVerificationEmailTemplates?: { TemplateName: string }[] }) =>
      page.CustomVerificationEmailTemplates?.map(({ TemplateName }) => TemplateName),
  },
});

/**
 * Contact lists with their topics.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ses-contactlist.html
 */
export const contactList: AnyResourceProvider = defineProvider<ListProperties>({
  typeName: 'AWS::SES::ContactList',
  model,
  service: 'sesv2',
  handles: ['ContactListName', 'Description', 'Tags', 'Topics'],
  key: ['ContactListName'],
  gone: GONE,

  async create(properties, ctx) {
    const ContactListName = properties.ContactListName ?? ctx.name();
    await run(ctx, 'sesv2', 'CreateContactList', { ...properties, ContactListName });
    return ContactListName;
  },

  find: (key, ctx) => ask(ctx, 'sesv2', 'GetContactList', key),

  describe: (found, key) => ({
    properties: defined({
      ...key,
      Description: found.Description || undefined,
      Tags: unlessEmpty(found.Tags as Properties[] | undefined),
      Topics: unlessEmpty(found.Topics as Properties[] | undefined),
    }),
    attributes: {},
  }),

  async update(key, previous, desired, ctx) {
    const { Description = '', Topics = [] } = desired;
    if (differs(previous, desired, 'Description', 'Topics'))
      await run(ctx, 'sesv2', 'UpdateContactList', { Description, Topics, ...key });
    await changeTagsOf(contactListType.arn({ name: key.ContactListName! }, ctx), previous, desired, ctx);
  },

  remove: 'DeleteContactList',
  list: {
    operation: 'ListContactLists',
    token: ['NextToken', 'NextToken'],
    identifiers: ({ ContactLists }: { ContactLists?: { ContactListName: string }[] }) =>
      ContactLists?.map(({ ContactListName }) => ContactListName),
  },
});
