import { Fields, requestTime } from '@emu/apigateway-common';
import type { DataPlaneRequest, Principal } from '@emu/core/service';
import { cognitoIdentityOf, cognitoMembers } from '../authorizers/cognito.ts';
import type { LambdaContext } from '../authorizers/verdict.ts';
import type { Apigatewayv2State } from '../state.ts';
import type { Connection, ConnectionFacts } from './connections.ts';

const ID_BYTES = 11;

/** Connection data in events. */
export interface EventSubject
  extends Pick<ConnectionFacts, 'apiId' | 'stage' | 'domainName' | 'sourceIp' | 'userAgent'> {
  readonly id: string;
  readonly connectedAt: number;
  readonly authorizer: LambdaContext | undefined;
}

/** An event of a connection. */
export interface SocketEvent {
  readonly type: 'CONNECT' | 'MESSAGE' | 'DISCONNECT';
  readonly routeKey: string;
  readonly requestId: string;
  /** `$context` for templates and logs. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Members besides the context in function events. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Returns an id for an event of a connection. */
export const newEventId = ({ ids }: Apigatewayv2State): string => `${ids.bytes(ID_BYTES).toString('base64url')}=`;

function contextOf(
  state: Apigatewayv2State,
  subject: EventSubject,
  type: SocketEvent['type'],
  routeKey: string,
  requestId: string,
): Record<string, unknown> {
  const now = state.clock.now();
  const { authorizer } = subject;
  return {
    routeKey,
    ...(authorizer && {
      authorizer: {
        ...Object.fromEntries(
          Object.entries(authorizer.context).map(([name, value]) => [
            name,
            typeof value === 'string' ? value : String(value),
          ]),
        ),
        ...(authorizer.principalId !== undefined && { principalId: authorizer.principalId }),
      },
    }),
    eventType: type,
    extendedRequestId: requestId,
    requestTime: requestTime(now),
    messageDirection: 'IN',
    stage: subject.stage,
    connectedAt: subject.connectedAt,
    requestTimeEpoch: now,
    identity: { ...(subject.userAgent !== '' && { userAgent: subject.userAgent }), sourceIp: subject.sourceIp },
    requestId,
    domainName: subject.domainName,
    connectionId: subject.id,
    apiId: subject.apiId,
  };
}

const variablesOf = (variables: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.keys(variables).length > 0 ? { stageVariables: variables } : {};

/** Returns the handshake members of function and authorizer events. */
export function handshakeMembers(
  request: DataPlaneRequest,
  variables: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const headers = Fields.ofRequest(request);
  for (const name of ['connection', 'upgrade']) headers.delete(name);
  const query = Fields.ofQuery(request.query);
  return {
    headers: headers.last(),
    multiValueHeaders: headers.lists(),
    ...(query.size > 0 && { queryStringParameters: query.last(), multiValueQueryStringParameters: query.lists() }),
    ...variablesOf(variables),
  };
}

/**
 * Returns the event of a new connection.
 * @param requestId of an event that is built again, including the authorized caller
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-route-keys-connect-disconnect.html
 */
export function connectEvent(
  state: Apigatewayv2State,
  subject: EventSubject,
  members: Readonly<Record<string, unknown>>,
  caller: Principal | undefined,
  requestId: string = newEventId(state),
): SocketEvent {
  const context = contextOf(state, subject, 'CONNECT', '$connect', requestId);
  if (caller) {
    const cognito = cognitoIdentityOf(caller, state);
    context.identity = {
      ...(context.identity as object),
      accessKey: caller.accessKeyId ?? null,
      accountId: caller.accountId,
      caller: caller.userId,
      user: caller.userId,
      userArn: caller.arn,
      ...(cognito && cognitoMembers(cognito)),
    };
  }
  return { type: 'CONNECT', routeKey: '$connect', requestId, context, members, body: '' };
}

/** Returns the event of a client message. */
export function messageEvent(
  state: Apigatewayv2State,
  connection: Connection,
  routeKey: string,
  body: string,
  variables: Readonly<Record<string, string>>,
): SocketEvent {
  const requestId = newEventId(state);
  const context = { ...contextOf(state, connection, 'MESSAGE', routeKey, requestId), messageId: newEventId(state) };
  return { type: 'MESSAGE', routeKey, requestId, context, members: variablesOf(variables), body };
}

/** Returns the event of a closed connection. */
export function disconnectEvent(
  state: Apigatewayv2State,
  connection: Connection,
  code: number,
  reason: string,
  variables: Readonly<Record<string, string>>,
): SocketEvent {
  const requestId = newEventId(state);
  const context = {
    ...contextOf(state, connection, 'DISCONNECT', '$disconnect', requestId),
    disconnectStatusCode: code,
    disconnectReason: reason,
  };
  const headers = { Host: connection.domainName, 'x-api-key': '', 'X-Forwarded-For': '', 'x-restapi': '' };
  const multiValueHeaders = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  const members = { headers, multiValueHeaders, ...variablesOf(variables) };
  return { type: 'DISCONNECT', routeKey: '$disconnect', requestId, context, members, body: '' };
}

/** Returns the event for functions. */
export const functionEvent = ({ context, members, body, type }: SocketEvent): Record<string, unknown> => ({
  ...members,
  requestContext: context,
  ...(type === 'MESSAGE' && { body }),
  isBase64Encoded: false,
});
