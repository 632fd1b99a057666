import { type HookProgress, waitBriefly } from '@emu/core/service';
import type { HookProgressEvent, InputOf, OutputOf, ProgressEvent } from '@emu/service-types/cloudcontrol';
import type { CloudcontrolContext } from '../context.ts';
import { invalid, tokenNotFound } from '../errors.ts';
import { paging } from '../paging.ts';
import { hasEnded, type Request } from '../requests/requests.ts';

/** Maximum characters of a hook's message in responses. */
const MAX_MESSAGE = 1024;

/** Returns the progress of a request for responses. */
export const describe = (request: Request): ProgressEvent => ({
  TypeName: request.typeName,
  ...(request.identifier !== undefined && { Identifier: request.identifier }),
  RequestToken: request.token,
  ...(request.hooks && { HooksRequestToken: request.token }),
  Operation: request.operation,
  OperationStatus: request.status,
  EventTime: new Date(request.startedAt),
  ...(request.message !== undefined && { StatusMessage: request.message }),
  ...(request.errorCode !== undefined && { ErrorCode: request.errorCode as ProgressEvent['ErrorCode'] }),
});

/** @throws AwsError `RequestTokenNotFoundException` */
function requestOf(token: string, { state }: CloudcontrolContext): Request {
  const request = state.requests.find(token);
  if (!request) throw tokenNotFound(token);
  return request;
}

/** @see https://docs.aws.amazon.com/cloudcontrolapi/latest/APIReference/API_GetResourceRequestStatus.html */
export async function GetResourceRequestStatus(
  { RequestToken }: InputOf<'GetResourceRequestStatus'>,
  ctx: CloudcontrolContext,
): Promise<OutputOf<'GetResourceRequestStatus'>> {
  if (ctx.http) await waitBriefly(() => hasEnded(requestOf(RequestToken, ctx)));
  const request = requestOf(RequestToken, ctx);
  return {
    ProgressEvent: describe(request),
    ...(request.hooks && { HooksProgressEvent: request.hooks.map(hookEvent) }),
  };
}

/** Returns the progress of a hook for responses. */
const hookEvent = ({ typeName, typeArn, versionId, mode, status, message, at }: HookProgress): HookProgressEvent => ({
  HookTypeName: typeName,
  HookTypeVersionId: versionId,
  HookTypeArn: typeArn,
  InvocationPoint: 'PRE_PROVISION',
  HookStatus: status,
  HookEventTime: new Date(at),
  HookStatusMessage: message.slice(0, MAX_MESSAGE),
  FailureMode: mode,
});

/** @see https://docs.aws.amazon.com/cloudcontrolapi/latest/APIReference/API_CancelResourceRequest.html */
export function CancelResourceRequest(
  { RequestToken }: InputOf<'CancelResourceRequest'>,
  ctx: CloudcontrolContext,
): OutputOf<'CancelResourceRequest'> {
  const request = requestOf(RequestToken, ctx);
  if (request.status === 'SUCCESS' || request.status === 'FAILED')
    throw invalid(`Request ${RequestToken} is already in status ${request.status}`);
  if (!hasEnded(request)) ctx.state.runner.cancel(RequestToken);
  return { ProgressEvent: describe(requestOf(RequestToken, ctx)) };
}

/** @see https://docs.aws.amazon.com/cloudcontrolapi/latest/APIReference/API_ListResourceRequests.html */
export function ListResourceRequests(
  input: InputOf<'ListResourceRequests'>,
  ctx: CloudcontrolContext,
): OutputOf<'ListResourceRequests'> {
  const { Operations = [], OperationStatuses = [] } = input.ResourceRequestStatusFilter ?? {};
  const requests = ctx.state.requests
    .list()
    .filter(({ operation }) => !Operations.length || Operations.includes(operation))
    .filter(({ status }) => !OperationStatuses.length || OperationStatuses.includes(status));
  const rank = ({ startedAt, token }: Request): string => `${String(startedAt).padStart(15, '0')} ${token}`;
  return paging.page('ListResourceRequests', input, requests, rank, { descending: true }).list(describe);
}
