import { once } from 'node:events';
import type {
  CreateApiCommandInput,
  CreateIntegrationCommandInput,
  CreateIntegrationResponseCommandInput,
  CreateRouteCommandInput,
} from '@aws-sdk/client-apigatewayv2';
import type { Listener } from '@emu/gateway';
import { type ClientOptions, WebSocket } from 'ws';
import { type ApiTest, functionUri } from '../../../packages/svc-apigatewayv2/test/support.ts';

/** A route of a WebSocket API with its integration, by default a function. */
export interface SocketRoute {
  readonly fn?: string;
  readonly integration?: Partial<CreateIntegrationCommandInput>;
  readonly route?: Partial<CreateRouteCommandInput>;
  /** Integration responses by key. */
  readonly responses?: Readonly<Record<string, Partial<CreateIntegrationResponseCommandInput>>>;
  /** Whether clients receive a response. */
  readonly answers?: boolean;
}

/** Creates a WebSocket API with a stage `dev`. @returns its id */
export async function socketApi(
  { api }: ApiTest,
  routes: Readonly<Record<string, SocketRoute>>,
  more: Partial<CreateApiCommandInput> = {},
): Promise<string> {
  const { ApiId } = await api.createApi({
    Name: 'sockets',
    ProtocolType: 'WEBSOCKET',
    RouteSelectionExpression: '$request.body.do',
    ...more,
  });
  for (const [RouteKey, { fn, integration, route, responses = {}, answers = true }] of Object.entries(routes)) {
    const { IntegrationId } = await api.createIntegration({
      ApiId,
      IntegrationType: 'AWS_PROXY',
      ...(fn !== undefined && { IntegrationUri: functionUri(fn) }),
      ...integration,
    });
    for (const [IntegrationResponseKey, response] of Object.entries(responses))
      await api.createIntegrationResponse({ ApiId, IntegrationId, IntegrationResponseKey, ...response });
    const { RouteId } = await api.createRoute({
      ApiId,
      RouteKey,
      Target: `integrations/${IntegrationId}`,
      ...(answers && { RouteResponseSelectionExpression: '$default' }),
      ...route,
    });
    if (answers) await api.createRouteResponse({ ApiId, RouteId, RouteResponseKey: '$default' });
  }
  await api.createStage({ ApiId, StageName: 'dev', AutoDeploy: true });
  return ApiId!;
}

/** An open connection that buffers its messages. */
export interface Client {
  readonly socket: WebSocket;
  /** Code and reason of the close. */
  readonly closed: Promise<[code: number, reason: string]>;
  next(): Promise<string>;
  /** Sends a message and returns the response. */
  say(message: object | string): Promise<string>;
}

/** Connects to the stage `dev` of an API, by its path or by the Host header. */
export async function connect(
  listener: Listener,
  apiId: string,
  { path = `/_aws/execute-api/${apiId}/dev`, ...options }: { path?: string } & Pick<ClientOptions, 'headers'> = {},
): Promise<Client> {
  const socket = new WebSocket(`${listener.url.replace('http', 'ws')}${path}`, options);
  const waiting: string[] = [];
  let wake = (): void => undefined;
  socket.on('message', (data) => {
    waiting.push(String(data));
    wake();
  });
  const closed = (once(socket, 'close') as Promise<[number, Buffer]>).then(
    ([code, reason]) => [code, String(reason)] as [number, string],
  );
  await once(socket, 'open');
  const next = async (): Promise<string> => {
    if (waiting.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return waiting.shift()!;
  };
  return {
    socket,
    closed,
    next,
    say(message) {
      socket.send(typeof message === 'string' ? message : JSON.stringify(message));
      return next();
    },
  };
}
