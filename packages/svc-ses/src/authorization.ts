import { type AuthorizationRequest, namedResource, permissionOn, type ServiceAuthorization } from '@emu/core/service';
import type { SesOperations } from '@emu/service-types/ses';
import type { SendEmailRequest, Sesv2Operations, Tag } from '@emu/service-types/sesv2';
import type { SesContext } from './context.ts';
import { coveringNames } from './identities/names.ts';
import { bareAddress } from './mail/addresses.ts';
import { configurationSetType, identityType, resources, templateType } from './resources.ts';
import type { SesState } from './state.ts';

type Input = Readonly<Record<string, unknown>>;

const textIn = (input: Input, ...members: readonly string[]): string | undefined =>
  members.map((member) => input[member]).find((value): value is string => typeof value === 'string');

/** The address of an identity that a mail is sent as, whether it exists or not. */
function senderAddress(input: Input, ctx: SesContext) {
  const arn = textIn(input, 'FromArn', 'SourceArn', 'FromEmailAddressIdentityArn');
  const given = arn === undefined ? undefined : identityType.parse(arn);
  if (given) return given;
  const address = bareAddress(textIn(input, 'Source', 'FromEmailAddress', 'BounceSender') ?? '');
  const name = [...coveringNames(address)].find((one) => ctx.state.identity(one)) ?? address;
  return { key: { name }, place: ctx };
}

/** What a condition of sending is about: who sends, and to whom. */
function sendingCondition(input: Input, key: string): string | string[] | undefined {
  const from = textIn(input, 'Source', 'FromEmailAddress');
  const destination = (input.Destination ?? {}) as Record<string, string[] | undefined>;
  switch (key) {
    case 'ses:fromaddress':
      return from === undefined ? from : bareAddress(from);
    case 'ses:fromdisplayname':
      return from?.includes('<') ? from.slice(0, from.indexOf('<')).trim().replace(/^"|"$/g, '') : undefined;
    case 'ses:feedbackaddress':
      return textIn(input, 'ReturnPath', 'FeedbackForwardingEmailAddress');
    case 'ses:recipients':
      return Object.values(destination).flatMap((list) => (list ?? []).map(bareAddress));
    default:
      return undefined;
  }
}

/** What sending needs: the permission on the identity, which its policies may give, and on what else it names. */
function sending(action: string, given: object, ctx: SesContext): AuthorizationRequest[] {
  const input = given as Input;
  const address = senderAddress(input, ctx);
  const base = permissionOn(action, identityType, address, ctx.handle);
  const owner = identityType.locate(ctx.handle, address)?.state;
  const policies = Object.values(owner?.identity(address.key.name)?.policies ?? {});
  const [document] = policies;
  const requests: AuthorizationRequest[] = [
    {
      ...base,
      ...(document !== undefined && {
        resourcePolicy: { document: mergedPolicy(policies), id: base.resource, type: 'resource' as const },
      }),
      condition: (key) => sendingCondition(input, key) ?? base.condition?.(key),
    },
  ];
  const set = textIn(input, 'ConfigurationSetName');
  if (set !== undefined)
    requests.push(permissionOn(action, configurationSetType, { key: { name: set }, place: ctx }, ctx.handle));
  const template = textIn(input, 'Template');
  if (template !== undefined)
    requests.push(permissionOn(action, templateType, { key: { name: template }, place: ctx }, ctx.handle));
  return requests;
}

/** The policies of an identity as one. */
function mergedPolicy(policies: readonly string[]): string {
  const statements = policies.flatMap((text) => (JSON.parse(text) as { Statement: unknown }).Statement);
  return JSON.stringify({ Version: '2012-10-17', Statement: statements });
}

/** The permission for an operation on what its input names. */
function onNamed(operation: string, given: unknown, ctx: SesContext): AuthorizationRequest {
  const action = `ses:${operation}`;
  const input = given as Input & { Tags?: Tag[]; TagKeys?: string[] };
  const named = namedResource(resources, input, ctx, operation);
  if (!named) return { action, resource: '*' };
  const request = input.Tags && Object.fromEntries(input.Tags.map(({ Key, Value }) => [Key, Value]));
  return permissionOn(action, named.type, named.address, ctx.handle, { request, keys: input.TagKeys });
}

/**
 * What the operations of version 1 need.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonses.html
 */
export const authorization: ServiceAuthorization<SesOperations, SesState> = {
  prefix: 'ses',
  roles: {
    CreateConfigurationSetEventDestination: { 'EventDestination.KinesisFirehoseDestination.IAMRoleARN': 'ses' },
    UpdateConfigurationSetEventDestination: { 'EventDestination.KinesisFirehoseDestination.IAMRoleARN': 'ses' },
  },
  operations: {
    SendEmail: (input, ctx) => sending('ses:SendEmail', input, ctx),
    SendRawEmail: (input, ctx) => sending('ses:SendRawEmail', input, ctx),
    SendTemplatedEmail: (input, ctx) => sending('ses:SendTemplatedEmail', input, ctx),
    SendBulkTemplatedEmail: (input, ctx) => sending('ses:SendBulkTemplatedEmail', input, ctx),
    SendBounce: (input, ctx) => sending('ses:SendBounce', input, ctx),
  },
  otherwise: onNamed,
};

/** A mail of version 2 needs what one of version 1 with such content needs. */
const actionFor = ({ Content }: SendEmailRequest): string => (Content.Raw ? 'ses:SendRawEmail' : 'ses:SendEmail');

/**
 * What the operations of version 2 need.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsimpleemailservicev2.html
 */
export const v2Authorization: ServiceAuthorization<Sesv2Operations, SesState> = {
  prefix: 'ses',
  roles: {
    CreateConfigurationSetEventDestination: { 'EventDestination.KinesisFirehoseDestination.IamRoleArn': 'ses' },
    UpdateConfigurationSetEventDestination: { 'EventDestination.KinesisFirehoseDestination.IamRoleArn': 'ses' },
  },
  operations: {
    SendEmail: (input, ctx) => sending(actionFor(input), input, ctx),
    SendBulkEmail: (input, ctx) => sending('ses:SendBulkEmail', input, ctx),
  },
  otherwise: onNamed,
};
