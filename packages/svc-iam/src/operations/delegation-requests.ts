import { keyInPlace, notEmulated, parseArn, servicePrincipal } from '@emu/core/service';
import type { InputOf, OutputOf, stateType } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import {
  allRequests,
  type DelegationRequest,
  describeRequest,
  dropEnded,
  expiryOf,
  requireOwnRequest,
  requireRequest,
  stateOf,
  summaryOf,
} from '../delegation.ts';
import type { DelegationRequestRecord } from '../delegation-records.ts';
import { nowOf } from '../entities/lookup.ts';
import { accessDenied, alreadyExists, iamError, invalidInput } from '../errors.ts';
import { type Empty, NOTHING } from '../outputs.ts';
import { paging } from '../paging.ts';
import { delegationRequestType } from '../resources.ts';

const OPEN: readonly stateType[] = ['ASSIGNED', 'PENDING_APPROVAL'];

/**
 * Requests temporary access to an account.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateDelegationRequest.html
 */
export function CreateDelegationRequest(
  input: InputOf<'CreateDelegationRequest'>,
  ctx: IamContext,
): OutputOf<'CreateDelegationRequest'> {
  const { NotificationChannel: channel, Permissions, OwnerAccountId: ownerAccountId } = input;
  const { delegationRequests } = ctx.state;
  const topic = parseArn(channel);
  if (topic?.service !== 'sns' || !topic.resource)
    throw invalidInput('NotificationChannel must be the ARN of an SNS topic.');
  if (Permissions.PolicyTemplateArn === undefined) throw invalidInput('Permissions must have a PolicyTemplateArn.');
  const now = nowOf(ctx);
  dropEnded(delegationRequests, now);
  for (const { workflowId } of delegationRequests.values())
    if (workflowId === input.RequestorWorkflowId)
      throw alreadyExists(`A delegation request with workflow id ${workflowId} already exists.`);
  const id = ctx.ids.uuid();
  const state = ownerAccountId === undefined ? 'UNASSIGNED' : 'ASSIGNED';
  delegationRequests.put(id, {
    id,
    requestorId: ctx.accountId,
    workflowId: input.RequestorWorkflowId,
    description: input.Description,
    ...(input.RequestMessage !== undefined && { message: input.RequestMessage }),
    permissions: structuredClone(Permissions),
    channel,
    ...(input.RedirectUrl !== undefined && { redirectUrl: input.RedirectUrl }),
    sessionDuration: input.SessionDuration,
    onlySendByOwner: input.OnlySendByOwner ?? false,
    ...(ownerAccountId !== undefined && { ownerAccountId }),
    state,
    createdAt: now,
    updatedAt: now,
    expiresAt: expiryOf(state, now),
  });
  return {
    ConsoleDeepLink: `https://console.aws.amazon.com/iam/home#/delegation-requests/${id}`,
    DelegationRequestId: id,
  };
}

/**
 * Makes the caller the owner of a request.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_AssociateDelegationRequest.html
 */
export function AssociateDelegationRequest(
  input: InputOf<'AssociateDelegationRequest'>,
  ctx: IamContext,
): OutputOf<'AssociateDelegationRequest'> {
  return change(input, ctx, ['UNASSIGNED', 'ASSIGNED'], 'ASSIGNED', (draft) => {
    if (draft.ownerArn !== undefined) throw invalidInput('The delegation request has an owner already.');
    draft.ownerAccountId = ctx.accountId;
    draft.ownerArn = ctx.principal.arn;
  });
}

/**
 * Adds notes and requests approval.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateDelegationRequest.html
 */
export function UpdateDelegationRequest(
  input: InputOf<'UpdateDelegationRequest'>,
  ctx: IamContext,
): OutputOf<'UpdateDelegationRequest'> {
  return change(input, ctx, OPEN, 'PENDING_APPROVAL', (draft) => {
    if (input.Notes !== undefined) draft.notes = input.Notes;
  });
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_AcceptDelegationRequest.html */
export function AcceptDelegationRequest(
  input: InputOf<'AcceptDelegationRequest'>,
  ctx: IamContext,
): OutputOf<'AcceptDelegationRequest'> {
  return change(input, ctx, OPEN, 'ACCEPTED', (draft) => {
    draft.approverArn = ctx.principal.arn;
  });
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_RejectDelegationRequest.html */
export function RejectDelegationRequest(
  input: InputOf<'RejectDelegationRequest'>,
  ctx: IamContext,
): OutputOf<'RejectDelegationRequest'> {
  return change(input, ctx, [...OPEN, 'ACCEPTED'], 'REJECTED', (draft) => {
    if (input.Notes !== undefined) draft.rejectionReason = input.Notes;
  });
}

/**
 * Sends the token of an accepted request to the requestor's topic.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_SendDelegationToken.html
 */
export async function SendDelegationToken(
  input: InputOf<'SendDelegationToken'>,
  ctx: IamContext,
): Promise<OutputOf<'SendDelegationToken'>> {
  const { request } = requireOwnRequest(ctx, input.DelegationRequestId);
  requireState(request, ctx, ['ACCEPTED']);
  if (request.onlySendByOwner && request.ownerArn !== ctx.principal.arn)
    throw accessDenied('Only the owner of the delegation request can send its token.');
  await notify(ctx, request, { exchangeToken: ctx.ids.bytes(64).toString('base64url') });
  return change(input, ctx, ['ACCEPTED'], 'FINALIZED');
}

/**
 * Returns a request. The permissions of its template are only known to AWS, so they cannot be compared with the
 * caller's.
 * @throws AwsError `NoSuchEntity`; `NotImplemented` if the caller's permissions must be checked
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetDelegationRequest.html
 */
export function GetDelegationRequest(
  input: InputOf<'GetDelegationRequest'>,
  ctx: IamContext,
): OutputOf<'GetDelegationRequest'> {
  const { request } = requireRequest(ctx, input.DelegationRequestId);
  if (input.DelegationPermissionCheck) throw notEmulated('DelegationPermissionCheck', 'iam');
  return { DelegationRequest: describeRequest(request, ctx.clock.now()) };
}

/**
 * Lists the requests owned by the account.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListDelegationRequests.html
 */
export function ListDelegationRequests(
  input: InputOf<'ListDelegationRequests'>,
  ctx: IamContext,
): OutputOf<'ListDelegationRequests'> {
  const owned: DelegationRequest[] = [];
  for (const { request } of allRequests(ctx))
    if (request.ownerArn !== undefined && request.ownerAccountId === ctx.accountId)
      if (input.OwnerId === undefined || input.OwnerId === request.ownerArn) owned.push(request);
  const { items, next } = paging.page('ListDelegationRequests', input, owned, ({ id }) => id);
  return {
    DelegationRequests: items.map((request) => describeRequest(request, ctx.clock.now())),
    ...next,
  };
}

/**
 * Returns an English summary of a delegation request, built from its members without a language model.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetHumanReadableSummary.html
 */
export function GetHumanReadableSummary(
  input: InputOf<'GetHumanReadableSummary'>,
  ctx: IamContext,
): OutputOf<'GetHumanReadableSummary'> {
  const { EntityArn: arn, Locale: locale = 'en' } = input;
  const id = keyInPlace(delegationRequestType, arn, ctx)?.id;
  if (id === undefined) throw invalidInput(`Summaries are not supported for ${arn}`);
  const { request } = requireRequest(ctx, id);
  if (!/^en\b/i.test(locale)) return { SummaryContent: '', Locale: locale, SummaryState: 'NOT_SUPPORTED' };
  return { SummaryContent: summaryOf(request, ctx.clock.now()), Locale: locale, SummaryState: 'AVAILABLE' };
}

function requireState(request: DelegationRequest, ctx: IamContext, allowed: readonly stateType[]): void {
  const state = stateOf(request, ctx.clock.now());
  if (!allowed.includes(state))
    throw invalidInput(`The delegation request cannot be changed by ${ctx.operation} in the state ${state}.`);
}

/**
 * Changes the state of a request.
 * @throws AwsError `InvalidInput` if its state is not in `from`, `NoSuchEntity`
 */
function change(
  { DelegationRequestId }: { DelegationRequestId: string },
  ctx: IamContext,
  from: readonly stateType[],
  to: stateType,
  edit?: (draft: DelegationRequestRecord) => void,
): Empty {
  const { request, home } = requireOwnRequest(ctx, DelegationRequestId);
  requireState(request, ctx, from);
  const now = nowOf(ctx);
  home.delegationRequests.update(request.id, (draft) => {
    edit?.(draft);
    draft.state = to;
    draft.updatedAt = now;
    draft.expiresAt = expiryOf(to, now);
  });
  return NOTHING;
}

/**
 * Publishes a message to the requestor's topic as IAM.
 * @throws AwsError `ServiceFailure` if the topic rejects it
 */
async function notify(ctx: IamContext, { id, channel, workflowId }: DelegationRequest, message: object): Promise<void> {
  const topic = parseArn(channel)!;
  const principal = servicePrincipal('iam', topic.accountId);
  const Message = JSON.stringify({ delegationRequestId: id, requestorWorkflowId: workflowId, ...message });
  try {
    const { accountId, region } = topic;
    await ctx.call('sns', 'Publish', { TopicArn: channel, Message }, { accountId, region, principal, authorize: {} });
  } catch (error) {
    ctx.log.warn('the topic of a delegation request rejected its token', { id, channel, error });
    throw iamError('ServiceFailureException', 'The delegation token could not be sent to the notification channel.');
  }
}
