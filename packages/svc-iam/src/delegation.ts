import type { Collection, DeepReadonly } from '@emu/core/service';
import type { DelegationRequest as DelegationRequestType, stateType } from '@emu/service-types/iam';
import type { IamContext } from './context.ts';
import type { DelegationRequestRecord } from './delegation-records.ts';
import { noSuchEntity } from './errors.ts';
import type { IamState } from './state.ts';

/** A request for temporary access. */
export type DelegationRequest = DeepReadonly<DelegationRequestRecord>;

const DAY = 86_400_000;
/** Lifetime of unassigned requests, and of others, in milliseconds. */
const UNASSIGNED_FOR = DAY;
const OPEN_FOR = 7 * DAY;
/** Retention of ended requests, in milliseconds. */
const RETENTION = 30 * DAY;

/** Returns the expiry of a request that enters a state now, in epoch milliseconds. */
export const expiryOf = (state: stateType, now: number): number =>
  now + (state === 'UNASSIGNED' ? UNASSIGNED_FOR : OPEN_FOR);

/** Returns the state of a request, considering its expiry. */
export function stateOf({ state, expiresAt }: DelegationRequest, now: number): stateType {
  return now >= expiresAt && state !== 'FINALIZED' ? 'EXPIRED' : state;
}

/** Evicts requests of an account that ended long ago. */
export function dropEnded(requests: Collection<DelegationRequestRecord>, now: number): void {
  for (const { id, expiresAt } of [...requests.values()]) if (now >= expiresAt + RETENTION) requests.delete(id);
}

/** Yields all requests of all requesting accounts. */
export function* allRequests(ctx: IamContext): Iterable<{ request: DelegationRequest; home: IamState }> {
  for (const { state: home } of ctx.handle.states())
    for (const request of home.delegationRequests.values()) yield { request, home };
}

/** Whether an account may see a request: the requesting account, the owner, or any account while it is unassigned. */
const isVisibleTo = ({ ownerAccountId, requestorId }: DelegationRequest, accountId: string): boolean =>
  ownerAccountId === undefined || ownerAccountId === accountId || requestorId === accountId;

/**
 * Returns a request by id, with its state.
 * @throws AwsError `NoSuchEntity`
 */
export function requireRequest(ctx: IamContext, id: string): { request: DelegationRequest; home: IamState } {
  for (const found of allRequests(ctx))
    if (found.request.id === id && isVisibleTo(found.request, ctx.accountId)) return found;
  throw noSuchRequest(id);
}

/**
 * Returns a request that the caller's account owns or could own.
 * @throws AwsError `NoSuchEntity`
 */
export function requireOwnRequest(ctx: IamContext, id: string): { request: DelegationRequest; home: IamState } {
  const found = requireRequest(ctx, id);
  const { ownerAccountId } = found.request;
  if (ownerAccountId !== undefined && ownerAccountId !== ctx.accountId) throw noSuchRequest(id);
  return found;
}

const noSuchRequest = (id: string): Error => noSuchEntity(`Delegation request ${id} cannot be found.`);

/** Returns the description of a request in responses. */
export function describeRequest(request: DelegationRequest, now: number): DelegationRequestType {
  const { permissions } = request;
  return {
    DelegationRequestId: request.id,
    ...(request.ownerAccountId !== undefined && { OwnerAccountId: request.ownerAccountId }),
    Description: request.description,
    ...(request.message !== undefined && { RequestMessage: request.message }),
    Permissions: structuredClone(permissions) as DelegationRequestType['Permissions'],
    ...(request.ownerArn !== undefined && { OwnerId: request.ownerArn }),
    ...(request.approverArn !== undefined && { ApproverId: request.approverArn }),
    State: stateOf(request, now),
    ExpirationTime: new Date(request.expiresAt),
    RequestorId: request.requestorId,
    CreateDate: new Date(request.createdAt),
    SessionDuration: request.sessionDuration,
    ...(request.redirectUrl !== undefined && { RedirectUrl: request.redirectUrl }),
    ...(request.notes !== undefined && { Notes: request.notes }),
    ...(request.rejectionReason !== undefined && { RejectionReason: request.rejectionReason }),
    OnlySendByOwner: request.onlySendByOwner,
    UpdatedTime: new Date(request.updatedAt),
  };
}

/** Returns a textual summary of a request for its approver. */
export function summaryOf(request: DelegationRequest, now: number): string {
  const { requestorId, permissions, sessionDuration, description, message } = request;
  const parameters = (permissions.Parameters ?? []).map(
    ({ Name, Values }) => `${Name} is ${(Values ?? []).join(', ') || 'empty'}`,
  );
  const sentences = [
    `Account ${requestorId} asks for the permissions of the template ${permissions.PolicyTemplateArn}`,
    parameters.length ? `, where ${parameters.join('; ')}.` : '.',
    ` The access lasts ${sessionDuration} seconds from when the token is sent.`,
    description ? ` It is described as: ${description}.` : '',
    message ? ` The requestor adds: ${message}.` : '',
    ` The request is in the state ${stateOf(request, now)}.`,
  ];
  return sentences.join('');
}
