import {
  ask,
  defined,
  defineProvider,
  differs,
  type Properties,
  run,
  type TaggedProperties,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { identityType } from '../resources.ts';
import { GONE } from './tags.ts';

interface IdentityProperties extends TaggedProperties {
  readonly ConfigurationSetAttributes?: { readonly ConfigurationSetName?: string };
  readonly DkimAttributes?: { readonly SigningEnabled?: boolean };
  readonly DkimSigningAttributes?: {
    readonly DomainSigningPrivateKey?: string;
    readonly DomainSigningSelector?: string;
    readonly NextSigningKeyLength?: string;
  };
  readonly EmailIdentity: string;
  readonly FeedbackAttributes?: { readonly EmailForwardingEnabled?: boolean };
  readonly MailFromAttributes?: { readonly BehaviorOnMxFailure?: string; readonly MailFromDomain?: string };
}

/** Returns names and values of a domain's DKIM records. */
function tokensOf(name: string, dkim: Properties | undefined): Properties {
  const tokens = (dkim?.Tokens ?? []) as string[];
  if (!dkim?.SigningHostedZone) return {};
  return Object.fromEntries(
    tokens.flatMap((token, index) => [
      [`DkimDNSTokenName${index + 1}`, `${token}._domainkey.${name}`],
      [`DkimDNSTokenValue${index + 1}`, `${token}.dkim.amazonses.com`],
    ]),
  );
}

/** Updates changed properties; removed ones are reset to their defaults. */
async function change(
  EmailIdentity: string,
  previous: Partial<IdentityProperties>,
  desired: IdentityProperties,
  ctx: ProviderContext,
): Promise<void> {
  const { DkimAttributes: dkim, FeedbackAttributes: feedback, MailFromAttributes: mailFrom } = desired;
  if (differs(previous, desired, 'DkimAttributes'))
    await ctx.call('sesv2', 'PutEmailIdentityDkimAttributes', {
      EmailIdentity,
      SigningEnabled: dkim?.SigningEnabled ?? true,
    });
  if (differs(previous, desired, 'FeedbackAttributes'))
    await ctx.call('sesv2', 'PutEmailIdentityFeedbackAttributes', {
      EmailIdentity,
      EmailForwardingEnabled: feedback?.EmailForwardingEnabled ?? true,
    });
  if (differs(previous, desired, 'MailFromAttributes'))
    await run(ctx, 'sesv2', 'PutEmailIdentityMailFromAttributes', { ...mailFrom, EmailIdentity });
}

/**
 * Email identities: addresses and domains.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ses-emailidentity.html
 */
export const emailIdentity: AnyResourceProvider = defineProvider<IdentityProperties>({
  typeName: 'AWS::SES::EmailIdentity',
  model,
  service: 'sesv2',
  handles: [
    'ConfigurationSetAttributes',
    'DkimAttributes',
    'DkimSigningAttributes',
    'EmailIdentity',
    'FeedbackAttributes',
    'MailFromAttributes',
    'Tags',
  ],
  key: ['EmailIdentity'],
  gone: GONE,

  async create(properties, ctx) {
    const { ConfigurationSetAttributes: set, DkimSigningAttributes, EmailIdentity, Tags } = properties;
    await run(ctx, 'sesv2', 'CreateEmailIdentity', {
      EmailIdentity,
      ConfigurationSetName: set?.ConfigurationSetName,
      DkimSigningAttributes,
      Tags,
    });
    ctx.created(EmailIdentity);
    await change(EmailIdentity, {}, properties, ctx);
    return EmailIdentity;
  },

  find: (key, ctx) => ask(ctx, 'sesv2', 'GetEmailIdentity', key),

  describe(found, key) {
    const dkim = found.DkimAttributes as Properties | undefined;
    const mailFrom = found.MailFromAttributes as Properties | undefined;
    const length = dkim?.NextSigningKeyLength;
    return {
      properties: defined({
        ...key,
        ConfigurationSetAttributes: found.ConfigurationSetName
          ? { ConfigurationSetName: found.ConfigurationSetName }
          : undefined,
        DkimAttributes: { SigningEnabled: dkim?.SigningEnabled },
        DkimSigningAttributes: length === undefined ? undefined : { NextSigningKeyLength: length },
        FeedbackAttributes: { EmailForwardingEnabled: found.FeedbackForwardingStatus },
        MailFromAttributes: mailFrom?.MailFromDomain
          ? { BehaviorOnMxFailure: mailFrom.BehaviorOnMxFailure, MailFromDomain: mailFrom.MailFromDomain }
          : undefined,
        Tags: unlessEmpty(found.Tags as Properties[] | undefined),
      }),
      attributes: tokensOf(key.EmailIdentity!, dkim),
    };
  },

  async update({ EmailIdentity }, previous, desired, ctx) {
    const name = EmailIdentity!;
    await change(name, previous, desired, ctx);
    const { ConfigurationSetAttributes: set, DkimSigningAttributes: signing } = desired;
    if (differs(previous, desired, 'ConfigurationSetAttributes'))
      await run(ctx, 'sesv2', 'PutEmailIdentityConfigurationSetAttributes', { EmailIdentity, ...set });
    if (differs(previous, desired, 'DkimSigningAttributes'))
      await run(ctx, 'sesv2', 'PutEmailIdentityDkimSigningAttributes', {
        EmailIdentity,
        SigningAttributesOrigin: signing?.DomainSigningPrivateKey === undefined ? 'AWS_SES' : 'EXTERNAL',
        SigningAttributes: signing ?? { NextSigningKeyLength: 'RSA_2048_BIT' },
      });
    await changeTagsOf(identityType.arn({ name: name.toLowerCase() }, ctx), previous, desired, ctx);
  },

  remove: 'DeleteEmailIdentity',
  list: {
    operation: 'ListEmailIdentities',
    token: ['NextToken', 'NextToken'],
    identifiers: ({ EmailIdentities }: { EmailIdentities?: { IdentityName: string }[] }) =>
      EmailIdentities?.map(({ IdentityName }) => IdentityName),
  },
});
